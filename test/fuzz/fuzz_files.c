/* Any bytes as a file: the readers of meshes and caches refuse them, or give a model that holds together. */
#include "fuzz/bytes.h"

#include "io/cache.h"
#include "io/film.h"
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
    bw_mesh_report report;
    bw_mesh_validate(&mesh, NULL, &report); /* reads every vertex and every index */
}

static void look_at_film(model *m)
{
    fault why;
    if (!film_finish(m, &why)) {
        need(strncmp(why.text, "base: ", 6) == 0);
        return;
    }
    if (m->film.frame_count > 0) {
        bw_motion motion = animation_motion(m);
        double begin, end;
        bw_motion_span(&motion, &begin, &end);
        float *positions = tool_alloc(m->vertex_count, 3 * sizeof *positions);
        need(bw_motion_sample(&motion, begin + (end - begin) / 2, positions) == BW_OK);
        free(positions);
    }
    model_free(m);
}

static void read_cache(const text *bytes, uint8_t points)
{
    fault why;
    model m = {.file = tool_copy("base"), .vertex_count = points};
    m.positions = tool_alloc(points, 3 * sizeof *m.positions);
    memset(m.positions, 0, 3 * sizeof *m.positions * points);
    static const animation_desc desc;
    if (cache_parse(bytes, &desc, &m, &why))
        look_at_film(&m);
    else
        need(strncmp(why.text, bytes->file, strlen(bytes->file)) == 0);
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
    } kinds[] = {{"f.obj", read_obj}, {"f.ply", read_ply}, {"f.stl", read_stl},
                 {"f.off", read_off}, {"f", read_any},     {"f.stl", read_any},
                 {"f.bin", read_any}, {"f.pc2", NULL},     {"f.mdd", NULL}};
    bytes b = {data, size, 0};
    uint8_t kind = bytes_u8(&b) % (sizeof kinds / sizeof *kinds), points = bytes_u8(&b);
    char *copy = tool_alloc(b.left + 1, 1); /* a block of its own, so that reading past its end is seen */
    memcpy(copy, b.data, b.left);
    copy[b.left] = 0;
    text t = {kinds[kind].name, copy, b.left, copy, copy + b.left, 1};
    if (!kinds[kind].read) {
        read_cache(&t, points);
    } else {
        fault why;
        model m;
        if (kinds[kind].read(&t, &m, &why)) {
            look_at_mesh(&m);
            model_free(&m);
        } else {
            need(strncmp(why.text, t.file, strlen(t.file)) == 0);
        }
    }
    free(copy);
    return 0;
}
