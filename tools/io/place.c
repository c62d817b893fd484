/* A model of placed meshes made flat: every mesh repeated at each of its places, in their order. */
#include "io/model.h"

#include <stdlib.h>
#include <string.h>

/* Times one, plus zero would turn an infinity into NaN: vertices that are not moved are copied. */
static void place_vertices(const model *from, const model_place *place, model *to)
{
    const double *p = from->positions + 3 * (size_t)place->first_vertex;
    double *q = to->positions + 3 * (size_t)to->vertex_count;
    memcpy(q, p, 3 * sizeof *q * place->vertex_count);
    for (size_t v = 0; v < place->vertex_count && place->moved; v++, q += 3) {
        bw_vec3 moved = bw_transform_point(&place->pose, (bw_vec3){q[0], q[1], q[2]});
        q[0] = moved.x;
        q[1] = moved.y;
        q[2] = moved.z;
    }
}

/* A pose that mirrors turns the front of every triangle to the back, so two of its corners change places. */
bool model_pose_mirrors(const bw_transform *pose)
{
    const double(*m)[4] = pose->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}

/* Indices that name no vertex stay what they are. */
static void place_triangles(const model *from, const model_place *place, model *to)
{
    const model_part *part = &from->parts[place->part];
    to->parts[to->part_count++] =
        (model_part){tool_copy(place->name), to->triangle_count, part->triangle_count, part->face_count};
    const bool mirror = place->moved && model_pose_mirrors(&place->pose);
    size_t first = part->first_triangle;
    memcpy(to->faces + to->triangle_count, from->faces + first, part->triangle_count * sizeof *to->faces);
    if (from->labels)
        memcpy(to->labels + to->triangle_count, from->labels + first,
               part->triangle_count * sizeof *to->labels);
    const uint32_t *index = from->indices + 3 * first;
    uint32_t *out = to->indices + 3 * (size_t)to->triangle_count;
    for (size_t i = 0; i < 3 * (size_t)part->triangle_count; i++)
        out[i] = index[i] - place->first_vertex < place->vertex_count
                     ? index[i] - place->first_vertex + to->vertex_count
                     : UINT32_MAX;
    for (size_t t = 0; mirror && t < part->triangle_count; t++) {
        uint32_t second = out[3 * t + 1];
        out[3 * t + 1] = out[3 * t + 2];
        out[3 * t + 2] = second;
    }
    to->triangle_count += part->triangle_count;
}

bool model_flatten(model *m, fault *why)
{
    if (!m->places)
        return true;
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < m->place_count; i++) {
        vertices += m->places[i].vertex_count;
        triangles += m->places[i].part == BW_NONE ? 0 : m->parts[m->places[i].part].triangle_count;
    }
    if (vertices >= UINT32_MAX || triangles > UINT32_C(1) << 30) {
        fault_set(why, "%s: with every mesh at each of its places, more than 32-bit indices can name",
                  m->file);
        model_free(m);
        return false;
    }
    model flat = *m;
    flat.positions = tool_alloc((size_t)vertices, 3 * sizeof *flat.positions);
    flat.vertex_count = flat.triangle_count = flat.part_count = flat.place_count = 0;
    flat.places = NULL;
    flat.parts = tool_alloc(m->place_count, sizeof *flat.parts);
    if (m->indices) {
        flat.indices = tool_alloc((size_t)triangles, 3 * sizeof *flat.indices);
        flat.faces = tool_alloc((size_t)triangles, sizeof *flat.faces);
    }
    if (m->labels)
        flat.labels = tool_alloc((size_t)triangles, sizeof *flat.labels);
    for (uint32_t i = 0; i < m->place_count; i++) {
        const model_place *place = &m->places[i];
        place_vertices(m, place, &flat);
        if (m->indices && place->part != BW_NONE)
            place_triangles(m, place, &flat);
        flat.vertex_count += place->vertex_count;
    }
    model old = {.positions = m->positions,
                 .indices = m->indices,
                 .faces = m->faces,
                 .labels = m->labels,
                 .parts = m->parts,
                 .part_count = m->part_count,
                 .places = m->places,
                 .place_count = m->place_count};
    *m = flat;
    model_free(&old);
    return true;
}
