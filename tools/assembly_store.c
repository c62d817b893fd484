/* An assembly whose meshes stay in a part store until somebody looks at them. */
#include "assembly.h"

#include "weld.h"

#include <stdlib.h>
#include <string.h>

static void list_parts(assembly *a)
{
    const store *s = a->store;
    a->files = tool_alloc(s->file_count, sizeof *a->files);
    for (uint32_t i = 0; i < s->file_count; i++)
        a->files[i] = (assembly_file){.path = store_file_path(s, i),
                                      .first_part = s->files[i].first_part,
                                      .part_count = s->files[i].part_count};
    a->parts = tool_alloc(s->part_count, sizeof *a->parts);
    for (uint32_t i = 0; i < s->part_count; i++) {
        const store_part *p = &s->parts[i];
        a->parts[i] = (assembly_part){.file = p->file,
                                      .number = p->number,
                                      .first_triangle = p->first_triangle,
                                      .mesh = p->mesh,
                                      .name = store_part_name(s, i),
                                      .pose = store_part_pose(s, i),
                                      .box = s->boxes[i]};
    }
    a->file_count = s->file_count;
    a->part_count = s->part_count;
    a->mesh_count = s->mesh_count;
    a->triangles = s->tail.primitives;
    a->quarantined = s->tail.left_out;
    a->unit = s->tail.unit;
    a->up = (model_up)s->tail.up;
}

bool assembly_open(assembly *a, const char *path, size_t memory, uint32_t workers, fault *why)
{
    *a = (assembly){.store = tool_alloc(1, sizeof *a->store)};
    if (!store_open(a->store, path, why)) {
        free(a->store);
        a->store = NULL;
        return false;
    }
    list_parts(a);
    a->cache = store_cache_create(a->store, memory, workers);
    a->closed = tool_alloc(a->mesh_count, sizeof *a->closed);
    memset(a->closed, 0, a->mesh_count * sizeof *a->closed);
    return true;
}

/* Two threads may find it out at once: both find the same. */
static bool is_closed(const assembly *a, uint32_t mesh, const bw_mesh *view)
{
    unsigned char known = __atomic_load_n(&a->closed[mesh], __ATOMIC_RELAXED);
    if (known == 0) {
        known = view->indices && a->store->meshes[mesh].left_out == 0 && weld_closed(view) ? 2 : 1;
        __atomic_store_n(&a->closed[mesh], known, __ATOMIC_RELAXED);
    }
    return known == 2;
}

bool assembly_hold(const assembly *a, uint32_t worker, uint32_t mesh, assembly_held *out, fault *why)
{
    if (!a->store) {
        const assembly_mesh *m = &a->meshes[mesh];
        *out = (assembly_held){.view = &m->view, .tree = m->tree, .closed = m->closed};
        return true;
    }
    store_held held;
    if (!store_cache_hold(a->cache, worker, mesh, &held, why))
        return false;
    *out = (assembly_held){.view = held.view,
                           .tree = held.tree,
                           .closed = a->find_closed && is_closed(a, mesh, held.view),
                           .faces = held.faces,
                           .lines = held.lines,
                           .held = held};
    return true;
}

void assembly_drop(assembly *a)
{
    store_cache_destroy(a->cache);
    a->cache = NULL;
}

void assembly_release(const assembly *a, const assembly_held *held)
{
    if (a->store)
        store_cache_release(a->cache, &held->held);
}
