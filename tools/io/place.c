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

/* Indices that name no vertex stay what they are. */
static void place_triangles(const model *from, const model_place *place, model *to)
{
    const model_part *part = &from->parts[place->part];
    to->parts[to->part_count++] =
        (model_part){tool_copy(place->name), to->triangle_count, part->triangle_count, part->face_count};
    size_t first = part->first_triangle;
    memcpy(to->faces + to->triangle_count, from->faces + first, part->triangle_count * sizeof *to->faces);
    const uint32_t *index = from->indices + 3 * first;
    uint32_t *out = to->indices + 3 * (size_t)to->triangle_count;
    for (size_t i = 0; i < 3 * (size_t)part->triangle_count; i++)
        out[i] = index[i] - place->first_vertex < place->vertex_count
                     ? index[i] - place->first_vertex + to->vertex_count
                     : UINT32_MAX;
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
                 .parts = m->parts,
                 .part_count = m->part_count,
                 .places = m->places,
                 .place_count = m->place_count};
    *m = flat;
    model_free(&old);
    return true;
}
