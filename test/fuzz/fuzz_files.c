/* Any bytes as a file: the readers of meshes refuse them, or give a model that holds together. */
#include "fuzz/bytes.h"

#include "io/readers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool good)
{
    if (!good)
        abort();
}

static void look_at_mesh(const model *m)
{
    uint32_t triangles = 0;
    for (uint32_t i = 0; i < m->part_count; i++) {
        need(m->parts[i].first_triangle == triangles && m->parts[i].name);
        triangles += m->parts[i].triangle_count;
    }
    need(!m->indices || triangles == m->triangle_count);
    need(m->indices ? m->triangle_count > 0 : m->vertex_count > 0);
    for (uint32_t t = 0; m->indices && t < m->triangle_count; t++)
        need(model_part_of(m, t) && m->faces[t] < model_part_of(m, t)->face_count);
    bw_mesh mesh = model_view(m);
    bw_mesh_report report = {0};
    bw_mesh_validate(&mesh, NULL, &report, NULL); /* reads every vertex and every index */
}

/* As what its bytes and its name say. */
static bool read_any(text *t, model *out, fault *why)
{
    file_head head = {t->data, t->size, t->size};
    file_format format;
    bool misnamed;
    if (!format_decide(t->file, &head, &format, &misnamed, why))
        return false;
    return format_is_own(format) ? read_bytes(t, format, out, why)
                                 : fault_set(why, "%s: not one of ours", t->file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name;
        bool (*read)(text *text, model *out, fault *why);
    } kinds[] = {{"f.obj", read_obj}, {"f.ply", read_ply}, {"f.stl", read_stl}, {"f.off", read_off},
                 {"f", read_any},     {"f.stl", read_any}, {"f.bin", read_any}};
    bytes b = {data, size, 0};
    uint8_t kind = bytes_u8(&b) % (sizeof kinds / sizeof *kinds);
    char *copy = tool_alloc(b.left + 1, 1); /* a block of its own, so that reading past its end is seen */
    memcpy(copy, b.data, b.left);
    copy[b.left] = 0;
    text t = {kinds[kind].name, copy, b.left, copy, copy + b.left, 1};
    fault why;
    model m;
    if (kinds[kind].read(&t, &m, &why)) {
        look_at_mesh(&m);
        model_free(&m);
    } else {
        need(strncmp(why.text, t.file, strlen(t.file)) == 0);
    }
    free(copy);
    return 0;
}
