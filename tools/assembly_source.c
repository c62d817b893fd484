/* One mesh of a store after the other for a report. */
#include "assembly_source.h"

static void release_held(void *user)
{
    assembly_source *s = user;
    if (s->holds)
        assembly_release(s->assembly, &s->held);
    s->holds = false;
}

static bool hold_one(void *user, uint32_t mesh, bw_mesh *out, fault *why)
{
    assembly_source *s = user;
    release_held(s);
    s->holds = assembly_hold(s->assembly, 0, mesh, &s->held, why);
    if (s->holds)
        *out = *s->held.view;
    return s->holds;
}

void assembly_source_start(assembly_source *s, const assembly *a)
{
    *s = (assembly_source){.assembly = a, .report = {.user = s, .hold = hold_one, .release = release_held}};
}
