/* Which directions of a solid of many points may be the least deep: of its edges and faces those that are there. Part of
 * shape/axes/axes_template.h.
 *
 * Of each point all directions in which it is the farthest, its region, are near one: so a point of the other, or a ball inside of it,
 * shows that all are deeper than what is known. An edge, of which both ends' regions hold the arc, is out where one of them is. */
#ifndef BW_SHAPE_AXES_REGIONS_H
#define BW_SHAPE_AXES_REGIONS_H

#include "shape/axes/edges.h"

/* Points of a solid that are far along four directions of eight, as a table has them. */
LANES_FN lanes3 four_far(const solid *s, lanes3 d, v8 *numbers)
{
    float x[8], y[8], z[8], p[3][8] = {{0}}, number[8] = {0};
    const v8 size = v8_add(v8_add(v8_abs(d.x), v8_abs(d.y)), v8_abs(d.z));
    const lanes3 scaled = scale3(d, v8_div(v8_all(BW_MAP_HALF), size));
    v8_store(x, scaled.x);
    v8_store(y, scaled.y);
    v8_store(z, scaled.z);
    for (int k = 0; k < 4; k++) {
        const uint32_t i = s->map->regions.farthest[bw_hull_cell(x[k], y[k], z[k])];
        number[k] = (float)i;
        for (size_t axis = 0; axis < 3; axis++)
            p[axis][k] = s->xyz[axis * s->point_rows + i];
    }
    *numbers = v8_load(number);
    return load3(p[0], 8);
}

/* Along the direction between the middles, turned towards each corner of a cube; where there are parts, by less and towards every second
 * one. */
AXES_FN void try_some(search *s)
{
    static const float signs[3][8] = {
        {-1, -1, 1, 1, -1, 1, -1, 1}, {-1, 1, -1, 1, -1, -1, 1, 1}, {1, -1, -1, 1, -1, 1, 1, -1}};
    solid *a = &s->a, *b = &s->b;
    const bool parts = a->map != NULL || b->map != NULL;
    const uint32_t count = parts ? 4 : 8;
    const float t[3] = {a->m[0][3], a->m[1][3], a->m[2][3]};
    const float far = (fabsf(t[0]) + fabsf(t[1])) + fabsf(t[2]),
                turn = far > 0x1p-10f ? (parts ? 0.2f : 0.5f) * far : 1;
    v8 d[3];
    for (int k = 0; k < 3; k++)
        d[k] = v8_add(v8_all(t[k]), v8_mul(v8_all(turn), v8_load(signs[k])));
    const lanes3 along = {d[0], d[1], d[2]};
    const lanes3 back = scale3(turn3((const float(*)[4])b->m, along), v8_all(-1));
    v8 numbers = v8_all(0);
    const lanes3 of_a = a->map != NULL ? four_far(a, along, &numbers) : eight_farthest(a, along, &numbers);
    try_eight(b, of_a, numbers, count);
    const lanes3 of_b = b->map != NULL ? four_far(b, back, &numbers) : eight_farthest(b, back, &numbers);
    try_eight(a, of_b, numbers, count);
    s->depth = INFINITY;
}

/* Tries the farthest points along a direction of a's frame, of length 1; how deep it is. */
LANES_FN float try_direction(search *s, const float n[3])
{
    solid *a = &s->a, *b = &s->b;
    const uint32_t i = scan(a, n[0], n[1], n[2]), j = scan_other(a, b, n);
    float q[3], r[3];
    place_one(a, b, j, q);
    place_one(b, a, i, r);
    const float *p = a->xyz + i;
    const size_t rows = a->point_rows;
    return (n[0] * (p[0] - q[0]) + n[1] * (p[rows] - q[1])) + n[2] * (p[2 * rows] - q[2]);
}

/* Eight regions: caps around their middles. */
typedef struct eight_caps {
    lanes3 middle;
    v8 least, reach, offset;
} eight_caps;

LANES_FN eight_caps caps_of(const solid *s, uint32_t eight)
{
    const size_t rows = s->map->point_rows;
    const float *u = s->map->regions.by_rows + 8 * (size_t)eight;
    return (eight_caps){load3(u, rows), v8_load(u + 3 * rows), v8_load(u + 4 * rows), v8_load(u + 5 * rows)};
}

/* The square of the distance of points, so much rounded up that what is left beside a direction is no less than it is. */
LANES_FN v8 far_squared(lanes3 p)
{
    return v8_mul(dot3(p, p), v8_all(1 + 0x1p-19f));
}

/* How far a point is at most along any direction of the caps. */
LANES_FN v8 along_caps(const eight_caps *c, lanes3 p, v8 far2)
{
    const v8 along = dot3(c->middle, p), beside2 = v8_max(v8_sub(far2, v8_mul(along, along)), v8_all(0));
    return v8_add(v8_max(v8_mul(along, c->least), along), v8_mul(v8_sqrt(beside2), c->reach));
}

/* Leaves out regions by the ball inside of the other alone. */
AXES_FN void narrow_by_ball(solid *s, float depth)
{
    const float t[3] = {s->m[0][3], s->m[1][3], s->m[2][3]};
    const lanes3 at = all3(t, 1);
    const v8 far2 = far_squared(at), most = v8_all(depth);
    s->eights = 0;
    memset(s->open, 0, sizeof s->open);
    for (uint32_t k = 0; 8 * k < s->map->point_rows; k++) {
        const eight_caps caps = caps_of(s, k);
        const v8 here = v8_add(v8_sub(caps.offset, along_caps(&caps, at, far2)), v8_all(s->ball));
        s->open[k] = (uint8_t)(~m8_bits(v8_greater(here, most)) & 255);
        s->eights |= (uint32_t)(s->open[k] != 0) << k;
    }
}

/* Then by points. */
AXES_FN void narrow_by_points(solid *s, float depth)
{
    const v8 most = v8_all(depth);
    v8 far2[MOST_TRIED];
    for (uint32_t i = 0; i < s->count; i++) {
        const lanes3 p = all3(s->tried[0] + i, MOST_TRIED);
        far2[i] = far_squared(p);
    }
    for (uint32_t eights = s->eights; eights != 0; eights &= eights - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(eights);
        const eight_caps caps = caps_of(s, k);
        v8 low = v8_all(INFINITY);
        for (uint32_t i = 0; i < s->count; i++)
            low = v8_min(along_caps(&caps, all3(s->tried[0] + i, MOST_TRIED), far2[i]), low);
        s->open[k] &= (uint8_t)~m8_bits(v8_greater(v8_sub(caps.offset, low), most));
        s->eights &= ~((uint32_t)(s->open[k] == 0) << k);
    }
}

/* The edges between regions that are open; how many. By AVX2 32 at a time. */
AXES_FN uint32_t open_edges(const solid *s, uint16_t *list)
{
    const bw_hull_regions *regions = &s->map->regions;
    uint32_t count = 0;
#if WIDE_LEVEL == 3
    const __m256i eight = _mm256_set1_epi8(7), none = _mm256_setzero_si256(),
                  bits = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8,
                                          16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i open = _mm256_loadu_si256((const __m256i *)(const void *)s->open);
    const __m256i table[2] = {_mm256_permute2x128_si256(open, open, 0),
                              _mm256_permute2x128_si256(open, open, 0x11)};
#endif
    for (uint32_t eights = s->eights; eights != 0; eights &= eights - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(eights), last = regions->first[k + 1];
#if WIDE_LEVEL == 3
        const __m256i here = _mm256_set1_epi8((char)s->open[k]);
        for (uint32_t e = regions->first[k]; e < last; e += 32) {
            const __m256i one = _mm256_loadu_si256((const __m256i *)(const void *)(regions->one + e)),
                          other = _mm256_loadu_si256((const __m256i *)(const void *)(regions->other + e));
            const __m256i there =
                pick_bytes(table, 2, _mm256_and_si256(_mm256_srli_epi16(other, 3), _mm256_set1_epi8(31)));
            const __m256i is_one = _mm256_and_si256(here, one),
                          is_other = _mm256_and_si256(
                              there, _mm256_shuffle_epi8(bits, _mm256_and_si256(other, eight)));
            uint64_t kept = ~(uint32_t)_mm256_movemask_epi8(
                _mm256_or_si256(_mm256_cmpeq_epi8(is_one, none), _mm256_cmpeq_epi8(is_other, none)));
            kept &= ((uint64_t)1 << (last - e < 32 ? last - e : 32)) - 1;
            for (uint32_t i = 0; i < 32; i += 8) {
                const uint32_t set = kept >> i & 255;
                const __m128i each = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)lane_lists[set]));
                _mm_storeu_si128((__m128i *)(void *)(list + count),
                                 _mm_add_epi16(each, _mm_set1_epi16((short)(e + i))));
                count += (uint32_t)__builtin_popcount(set);
            }
        }
#else
        for (uint32_t e = regions->first[k]; e < last; e++) {
            const uint32_t other = regions->other[e];
            list[count] = (uint16_t)e;
            count += (s->open[k] & regions->one[e]) != 0 && (s->open[other / 8] >> other % 8 & 1) != 0;
        }
#endif
    }
    return count;
}

/* What may be less deep: edges between regions that are open, and their faces. False where there is no room. */
AXES_FN bool take_part(solid *s, float depth)
{
    part *p = &s->part;
    narrow_by_ball(s, depth);
    narrow_by_points(s, depth);
    const uint32_t edges = open_edges(s, p->edge);
    if (edges > MOST_EDGES)
        return false;
    for (uint32_t i = edges; i % 8 != 0; i++)
        p->edge[i] = (uint16_t)s->map->edges; /* beyond the last: of no depth */
    for (uint32_t i = 0; i < edges; i += 8) {
        v8 rows[8];
        for (int k = 0; k < 8; k++)
            rows[k] = v8_load(s->map->regions.planes + 8 * (size_t)p->edge[i + (uint32_t)k]);
        v8_transpose(rows);
        for (size_t k = 0; k < 8; k++)
            v8_store(p->planes + k % 4 * PART_FACES + 2 * i + k / 4 * 8, rows[k]);
    }
    s->edges = edges;
    s->faces = s->face_rows = (edges + 7) / 8 * 16;
    s->planes = p->planes;
    s->plane_rows = PART_FACES;
    return true;
}

/* A direction of a's frame, of length 1; x: of any other. */
static void unit_of(const float x[3], float n[3])
{
    const float length2 = (x[0] * x[0] + x[1] * x[1]) + x[2] * x[2], length = sqrtf(length2);
    for (int k = 0; k < 3; k++)
        n[k] = length2 > 0x1p-40f ? x[k] / length : (float)(k == 0);
}

/* Finds a depth, along the direction between the middles, and of solids of many points what may be less deep. False where that is too
 * much, or where they may be apart. */
AXES_FN bool take_parts(search *s)
{
    solid *a = &s->a, *b = &s->b;
    const float t[3] = {a->m[0][3], a->m[1][3], a->m[2][3]};
    float n[3];
    unit_of(t, n);
    s->depth = try_direction(s, n);
    const float most = s->depth + 2 * s->slack;
    return s->depth > s->slack && (a->map == NULL || take_part(a, most)) &&
           (b->map == NULL || take_part(b, most * b->unit));
}

#endif
