#define _POSIX_C_SOURCE 200809L
#include "body.h"

#include "progress.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool body_read(const char *file, const bw_transform *pose, body *out, fault *why)
{
    body b = {.tree = NULL};
    progress_step("reading %s", file);
    bool fine = model_read(file, &b.model, why);
    progress_end();
    if (!fine)
        return false;
    model_warn(&b.model);
    if (pose)
        model_transform(&b.model, pose);
    b.mesh = model_view(&b.model);
    *out = b;
    return true;
}

bool body_build(body *b, bool quarantine, fault *why)
{
    progress_step("building the tree of %s (%" PRIu32 " %s)", b->model.file,
                  bw_mesh_primitive_count(&b->mesh), body_kind(b));
    bw_tree_desc desc = {.quarantine = quarantine ? BW_DEFECTS_FATAL : 0};
    bw_fault where;
    double start = seconds_now();
    bw_result result = bw_tree_create(&desc, &b->mesh, &b->tree, &where);
    b->build_seconds = seconds_now() - start;
    progress_end();
    if (result == BW_OK)
        return true;
    if (result == bw_defect_result(where.defect)) {
        fault first;
        body_defect(b, &where, &first);
        return fault_set(why, "%.4400s (--quarantine leaves such %s out)", first.text, body_kind(b));
    }
    return fault_set(why, "%s: %s", b->model.file, bw_result_string(result));
}

void body_free(body *b)
{
    bw_tree_destroy(b->tree);
    model_free(&b->model);
    b->tree = NULL;
}

const char *body_kind(const body *b)
{
    return b->mesh.indices ? "triangles" : "points";
}

void body_name(const body *b, uint32_t primitive, char *out, size_t size)
{
    const model *m = &b->model;
    if (!m->indices) {
        snprintf(out, size, "point %" PRIu32, primitive);
        return;
    }
    const model_part *part = model_part_of(m, primitive);
    int length = snprintf(out, size, "triangle %" PRIu32, primitive);
    bool whole = part->face_count == part->triangle_count && m->part_count == 1;
    if (length < 0 || (size_t)length >= size || (whole && !m->triangle_lines && !*part->name))
        return;
    out += length;
    size -= (size_t)length;
    char line[32] = "";
    if (m->triangle_lines)
        snprintf(line, sizeof line, ", line %" PRIu32, m->triangle_lines[primitive]);
    if (*part->name)
        snprintf(out, size, " (mesh \"%s\", face %" PRIu32 "%s)", part->name, m->faces[primitive], line);
    else
        snprintf(out, size, " (face %" PRIu32 "%s)", m->faces[primitive], line);
}

void body_json(const body *b, uint32_t primitive, json_writer *j, const char *key)
{
    const model *m = &b->model;
    jw_flat_object(j, key);
    jw_count(j, "index", primitive);
    if (m->indices) {
        const model_part *part = model_part_of(m, primitive);
        jw_string(j, "mesh", part->name);
        jw_count(j, "face", m->faces[primitive]);
        if (m->triangle_lines)
            jw_count(j, "line", m->triangle_lines[primitive]);
    }
    jw_object_end(j);
}

bool body_defect(const body *b, const bw_fault *r, fault *out)
{
    const model *m = &b->model;
    char name[640], line[32] = "", what[96] = "";
    uint32_t v = r->vertex;
    bool coordinate = r->defect != BW_DEFECT_INDEX && r->defect != BW_DEFECT_ZERO_AREA;
    const uint32_t *lines = coordinate ? m->vertex_lines : m->triangle_lines;
    body_name(b, r->element, name, sizeof name);
    if (lines)
        snprintf(line, sizeof line, ":%" PRIu32, lines[coordinate ? v : r->element]);
    if (coordinate)
        snprintf(what, sizeof what, "vertex %" PRIu32 ": %c = %g: ", v, "xyz"[r->axis], r -> value);
    else if (r->defect == BW_DEFECT_INDEX && v == UINT32_MAX)
        snprintf(what, sizeof what, "a vertex number that is negative or too large: ");
    else if (r->defect == BW_DEFECT_INDEX)
        snprintf(what, sizeof what, "vertex %" PRIu32 " of %" PRIu32 ": ", v, m->vertex_count);
    return fault_set(out, "%s%s: %s: %s%s", m->file, line, name, what, bw_defect_string(r->defect));
}

void body_first_defect(const body *b, bw_defect kind, bw_fault *out)
{
    uint32_t count = bw_mesh_primitive_count(&b->mesh);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t corners[3] = {i, i, i};
        if (b->mesh.indices)
            memcpy(corners, b->mesh.indices + 3 * (size_t)i, sizeof corners);
        double positions[9] = {0};
        bw_fault one = {.defect = BW_DEFECT_NONE};
        for (uint32_t k = 0; k < 3 && one.defect == BW_DEFECT_NONE; k++) {
            if (corners[k] >= b->mesh.vertex_count)
                one = (bw_fault){.defect = BW_DEFECT_INDEX, .vertex = corners[k]};
            else
                memcpy(positions + 3 * k, b->model.positions + 3 * (size_t)corners[k], 3 * sizeof *positions);
        }
        if (one.defect == BW_DEFECT_NONE) {
            bw_mesh alone = {positions, BW_F64, 3, 0, (const uint32_t[]){0, 1, 2}, 1};
            bw_mesh_report seen = {0};
            if (bw_mesh_validate(&alone, NULL, &seen, NULL) != BW_OK)
                continue;
            one = (bw_fault){.defect = seen.first,
                             .vertex = corners[seen.first_vertex],
                             .axis = seen.first_axis,
                             .value = seen.first_value};
        }
        if (one.defect == kind) {
            *out = one;
            out->element = i;
            return;
        }
    }
}
