/* How deep the faces of one solid are below the other's points. Part of shape/axes/axes_template.h.
 *
 * Of few vertices all are tried on all faces. Of more eight are, those farthest along directions around that between the middles; a
 * face that seems the least deep then has its own farthest point looked for, until none seems less deep than what is known. */
#ifndef BW_SHAPE_AXES_FACES_H
#define BW_SHAPE_AXES_FACES_H

#include "shape/axes/solid.h"

enum { MOST_ROUNDS = 8 };

static const float first_eight[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Points of the other, as it sees them, into this frame. */
LANES_FN void place_eight(solid *s, lanes3 p, v8 numbers, uint32_t at)
{
    const lanes3 q = turn3((const float(*)[4])s->m, scale3(p, v8_all(s->unit)));
    v8_store(s->number + at, numbers);
    v8_store(s->tried[0] + at, v8_add(q.x, v8_all(s->m[0][3])));
    v8_store(s->tried[1] + at, v8_add(q.y, v8_all(s->m[1][3])));
    v8_store(s->tried[2] + at, v8_add(q.z, v8_all(s->m[2][3])));
}

/* All points of the other. */
AXES_FN void try_all(solid *s, const solid *other)
{
    for (uint32_t i = 0; i < other->point_rows; i += 8)
        place_eight(s, load3(other->xyz + i, other->point_rows),
                    v8_add(v8_load(first_eight), v8_all((float)i)), i);
    s->count = s->stride = other->points;
}

/* Eight of the other's, or four. */
AXES_FN void try_eight(solid *s, lanes3 p, v8 numbers, uint32_t count)
{
    place_eight(s, p, numbers, 0);
    s->count = count;
}

/* How far the points are along some eights of normals, from face f on. */
LANES_FN void measure(solid *s, uint32_t f, uint32_t eights)
{
    lanes3 normal[3];
    v8 low[3];
    v8 *to[3];
    for (uint32_t k = 0; k < eights; k++) {
        normal[k] = load3(s->planes + f + 8 * k, s->plane_rows);
        low[k] = v8_all(INFINITY);
        to[k] = s->along + (size_t)(f / 8 + k) * s->stride;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const lanes3 p = all3(s->tried[0] + i, MOST_TRIED);
        for (uint32_t k = 0; k < eights; k++) {
            const v8 along = dot3(normal[k], p);
            to[k][i] = along;
            low[k] = v8_min(along, low[k]);
        }
    }
    for (uint32_t k = 0; k < eights; k++)
        s->low[f / 8 + k] = low[k];
}

LANES_FN v8 depths_of(const solid *s, uint32_t f)
{
    return v8_sub(v8_load(s->planes + 3 * (size_t)s->plane_rows + f), s->low[f / 8]);
}

/* The depths of all faces, as far as the points show. Three eights at a time share what is loaded of a point. */
AXES_FN float measure_all(solid *s)
{
    uint32_t f = 0;
    for (; f + 24 <= s->face_rows; f += 24)
        measure(s, f, 3);
    if (f + 16 <= s->face_rows)
        measure(s, f, 2);
    else if (f < s->face_rows)
        measure(s, f, 1);
    v8 least = v8_all(INFINITY);
    for (f = 0; f < s->face_rows; f += 8)
        least = v8_min(depths_of(s, f), least);
    return v8_lowest(least);
}

/* The points of a solid farthest along eight directions. */
LANES_FN lanes3 eight_farthest(const solid *s, lanes3 d, v8 *numbers)
{
    v8 best = v8_all(-INFINITY), number = v8_all(0);
    lanes3 out = {best, best, best};
    for (uint32_t i = 0; i < s->points; i++) {
        const lanes3 p = all3(s->xyz + i, s->point_rows);
        const v8 along = dot3(p, d);
        const m8 better = v8_greater(along, best);
        best = v8_max(along, best);
        out.x = v8_choose(better, p.x, out.x);
        out.y = v8_choose(better, p.y, out.y);
        out.z = v8_choose(better, p.z, out.z);
        *numbers = v8_choose(better, number, *numbers);
        number = v8_add(number, v8_all(1));
    }
    return out;
}

/* The lane that is set first, of its numbers that one. */
LANES_FN uint32_t number_of(m8 lanes, v8 numbers)
{
    float each[8];
    v8_store(each, numbers);
    return (uint32_t)each[__builtin_ctz(m8_bits(lanes))];
}

/* In each lane the farthest of some points; the number is that of its eight. */
typedef struct farthest_eight {
    v8 along, number;
} farthest_eight;

LANES_FN void look_at(farthest_eight *best, const solid *s, uint32_t i, lanes3 d)
{
    const v8 along = dot3(load3(s->xyz + i, s->point_rows), d);
    best->number = v8_choose(v8_greater(along, best->along), v8_all((float)i), best->number);
    best->along = v8_max(along, best->along);
}

/* The point of a solid farthest along a direction. By two chains, of which neither waits for the other. */
LANES_FN uint32_t scan(const solid *s, float x, float y, float z)
{
    const lanes3 d = {v8_all(x), v8_all(y), v8_all(z)};
    farthest_eight even = {v8_all(-INFINITY), v8_all(0)}, odd = even;
    uint32_t i = 0;
    for (; i + 16 <= s->point_rows; i += 16) {
        look_at(&even, s, i, d);
        look_at(&odd, s, i + 8, d);
    }
    if (i < s->point_rows)
        look_at(&even, s, i, d);
    const v8 number = v8_choose(v8_greater(odd.along, even.along), odd.number, even.number),
             along = v8_max(odd.along, even.along);
    return number_of(v8_equal(along, v8_all(v8_highest(along))), v8_add(number, v8_load(first_eight)));
}

/* The point of the other farthest against a direction of this frame. */
LANES_FN uint32_t scan_other(const solid *s, const solid *other, const float n[3])
{
    const float(*m)[4] = (const float(*)[4])s->m;
    return scan(other, -((n[0] * m[0][0] + n[1] * m[1][0]) + n[2] * m[2][0]),
                -((n[0] * m[0][1] + n[1] * m[1][1]) + n[2] * m[2][1]),
                -((n[0] * m[0][2] + n[1] * m[1][2]) + n[2] * m[2][2]));
}

/* The face that seems the least deep. */
LANES_FN uint32_t least_face(const solid *s, float *depth)
{
    v8 least = v8_all(INFINITY), number = v8_load(first_eight), which = number;
    for (uint32_t f = 0; f < s->face_rows; f += 8) {
        const v8 here = depths_of(s, f);
        which = v8_choose(v8_greater(least, here), number, which);
        least = v8_min(here, least);
        number = v8_add(number, v8_all(8));
    }
    *depth = v8_lowest(least);
    return number_of(v8_equal(least, v8_all(*depth)), which);
}

/* The next one: a point of the other; q: where it is. */
LANES_FN void place_one(solid *s, const solid *other, uint32_t i, float q[3])
{
    const float(*m)[4] = (const float(*)[4])s->m, *from = other->xyz + i;
    const size_t points = other->point_rows;
    const float p[3] = {from[0] * s->unit, from[points] * s->unit, from[2 * points] * s->unit};
    for (int k = 0; k < 3; k++)
        s->tried[k][s->count] = q[k] = ((p[0] * m[k][0] + p[1] * m[k][1]) + p[2] * m[k][2]) + m[k][3];
    s->number[s->count++] = (float)i;
}

/* The same of a part, and how deep points `from` to `to` show each of its arcs to be. */
AXES_FN void measure_arcs(solid *s, uint32_t from, uint32_t to)
{
    for (uint32_t j = 0; j < s->face_rows / 16; j++) {
        const float *planes = s->planes + 16 * (size_t)j;
        const lanes3 first = load3(planes, PART_FACES), second = load3(planes + 8, PART_FACES);
        const v8 offset = v8_load(planes + 3 * PART_FACES), other = v8_load(planes + 3 * PART_FACES + 8);
        v8 low = from == 0 ? v8_all(INFINITY) : s->low[2 * j],
           low_other = from == 0 ? low : s->low[2 * j + 1], deep = from == 0 ? v8_all(-INFINITY) : s->arc[j];
        for (uint32_t i = from; i < to; i++) {
            const lanes3 p = all3(s->tried[0] + i, MOST_TRIED);
            const v8 along = dot3(first, p), along_other = dot3(second, p);
            low = v8_min(along, low);
            low_other = v8_min(along_other, low_other);
            deep = v8_max(v8_min(v8_sub(offset, along), v8_sub(other, along_other)), deep);
        }
        s->low[2 * j] = low;
        s->low[2 * j + 1] = low_other;
        s->arc[j] = deep;
    }
}

/* Tries a point on all faces, and remembers it as number i. */
LANES_FN void measure_point(solid *s, uint32_t i, const float q[3])
{
    const lanes3 point = all3(q, 1);
    for (uint32_t g = 0; g < s->face_rows; g += 8) {
        const v8 along = dot3(load3(s->planes + g, s->plane_rows), point);
        s->along[(size_t)g / 8 * s->stride + i] = along;
        s->low[g / 8] = v8_min(along, s->low[g / 8]);
    }
}

/* Tries the other's point that is farthest below a face on all; the depth of the face. */
LANES_FN float try_face(solid *s, const solid *other, uint32_t f)
{
    const size_t rows = s->plane_rows;
    const float *n = s->planes + f, normal[3] = {n[0], n[rows], n[2 * rows]}, offset = n[3 * rows];
    float q[3];
    place_one(s, other, scan_other(s, other, normal), q);
    if (s->map != NULL)
        measure_arcs(s, s->count - 1, s->count);
    else
        measure_point(s, s->count - 1, q);
    return offset - ((normal[0] * q[0] + normal[1] * q[1]) + normal[2] * q[2]);
}

/* Until no face seems less deep than what is known; there is room for eight points more on each side. */
AXES_FN void try_faces(search *s)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        float depth_a, depth_b;
        const uint32_t i = least_face(&s->a, &depth_a), j = least_face(&s->b, &depth_b);
        const bool of_a = depth_a < s->depth - s->slack, of_b = depth_b * s->a.unit < s->depth - s->slack;
        if (!of_a && !of_b)
            break;
        if (of_a)
            s->depth = lesser(s->depth, try_face(&s->a, &s->b, i));
        if (of_b)
            s->depth = lesser(s->depth, try_face(&s->b, &s->a, j) * s->a.unit);
    }
}

AXES_FN bool add_facet(search *s, float least, bw_facet_kind kind, uint32_t i, uint32_t j)
{
    if (s->count == BW_FACETS)
        return false;
    s->facet[s->count++] = (bw_facet){(double)least * s->length, (uint8_t)kind, (uint16_t)i, (uint16_t)j};
    return true;
}

/* Which face of the solid it is. */
LANES_FN uint32_t face_number(const solid *s, uint32_t f)
{
    if (s->map == NULL)
        return f;
    const bw_hull_edge *edge = &s->map->edge[s->part.edge[f / 16 * 8 + f % 8]];
    return f % 16 < 8 ? edge->first : edge->second;
}

/* The faces that may be the least deep; unit: of the solid, in a's. */
AXES_FN bool add_faces(search *s, const solid *of, float unit, float per_unit, bw_facet_kind kind)
{
    const v8 most = v8_all((s->depth + 2 * s->slack) * per_unit);
    for (uint32_t f = 0; f < of->face_rows; f += 8) {
        const v8 depth = depths_of(of, f);
        for (uint32_t bits = m8_bits(v8_greater(most, depth)); bits != 0; bits &= bits - 1) {
            const uint32_t k = (uint32_t)__builtin_ctz(bits);
            float each[8];
            v8_store(each, depth);
            if (!add_facet(s, each[k] * unit - s->slack, kind, face_number(of, f + k), f + k))
                return false;
        }
    }
    return true;
}

#endif
