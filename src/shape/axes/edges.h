/* The pairs of edges of two solids that may be a facet of their difference, and the least deep one. Part of shape/axes/axes_template.h.
 *
 * As directions, an edge is the arc between the normals of its faces, and a pair is a facet where two arcs cross, those of b turned
 * round. A point that shows both ends of an arc to be deeper shows it for all of the arc.
 *   D. Gregorius, "The Separating Axis Test between Convex Polyhedra", Game Developers Conference 2013. */
#ifndef BW_SHAPE_AXES_EDGES_H
#define BW_SHAPE_AXES_EDGES_H

#include "base/simd/lane_lists.h"
#include "shape/axes/faces.h"

/* Which points show of each face that it is deeper. */
AXES_FN void mask_faces(solid *s, float depth)
{
    const float *offset = s->planes + 3 * (size_t)s->plane_rows;
    for (uint32_t f = 0; f < s->face_rows; f += 8) {
        const v8 most = v8_sub(v8_load(offset + f), v8_all(depth));
        const v8 *along = s->along + (size_t)f / 8 * s->stride;
#if WIDE_LEVEL == 3
        __m256i mask = _mm256_setzero_si256(), bit = _mm256_set1_epi32(1);
        for (uint32_t i = 0; i < s->count; i++) {
            const __m256i deeper = _mm256_castps_si256(v8_greater(most, along[i]));
            mask = _mm256_or_si256(mask, _mm256_and_si256(deeper, bit));
            bit = _mm256_add_epi32(bit, bit);
        }
        _mm256_storeu_si256((__m256i *)(void *)(s->mask + f), mask);
#else
        u4 low = u4_all(0), high = low, bit = u4_all(1);
        for (uint32_t i = 0; i < s->count; i++) {
            const m8 deeper = v8_greater(most, along[i]);
            low |= (u4)deeper.low & bit;
            high |= (u4)deeper.high & bit;
            bit += bit;
        }
        u4_store(s->mask + f, low);
        u4_store(s->mask + f + 4, high);
#endif
    }
}

#if WIDE_LEVEL == 3
/* One byte each of the masks of 32 faces. */
LANES_FN __m256i mask_bytes(const uint32_t *mask, int shift)
{
    __m256i r[4];
    for (int k = 0; k < 4; k++) {
        const __m256i masks = _mm256_loadu_si256((const __m256i *)(const void *)(mask + 8 * k));
        r[k] = _mm256_and_si256(_mm256_srli_epi32(masks, shift), _mm256_set1_epi32(255));
    }
    const __m256i bytes =
        _mm256_packus_epi16(_mm256_packus_epi32(r[0], r[1]), _mm256_packus_epi32(r[2], r[3]));
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* Bytes of tables of 16, by 32 indices: beyond its table an index has the highest bit, which gives 0. */
LANES_FN __m256i pick_bytes(const __m256i *table, int tables, __m256i index)
{
    __m256i out = _mm256_setzero_si256();
    for (int t = 0; t < tables; t++) {
        const __m256i within = _mm256_xor_si256(index, _mm256_set1_epi8((char)(16 * t))),
                      here = _mm256_adds_epu8(within, _mm256_set1_epi8(0x70));
        out = _mm256_or_si256(out, _mm256_shuffle_epi8(table[t], here));
    }
    return out;
}

/* 32 edges at a time; planes: bytes of a mask, of 16 faces per table. */
LANES_FN void list_by_tables(solid *s, int planes, int tables)
{
    const uint8_t *first = s->edge + 2 * (size_t)s->edge_rows, *second = first + s->edge_rows;
    const __m256i none = _mm256_setzero_si256();
    __m256i table[MOST_TRIED / 8][MOST_FACES / 16];
    uint32_t count = 0;
    for (int p = 0; p < planes; p++)
        for (int t = 0; t < tables; t += 2) {
            const __m256i bytes = mask_bytes(s->mask + 16 * t, 8 * p);
            table[p][t] = _mm256_permute2x128_si256(bytes, bytes, 0);
            table[p][t + 1] = _mm256_permute2x128_si256(bytes, bytes, 0x11);
        }
    for (uint32_t e = 0; e < s->edges; e += 32) {
        const __m256i i = _mm256_loadu_si256((const __m256i *)(const void *)(first + e)),
                      j = _mm256_loadu_si256((const __m256i *)(const void *)(second + e));
        __m256i shown = none;
        for (int p = 0; p < planes; p++)
            shown = _mm256_or_si256(
                shown, _mm256_and_si256(pick_bytes(table[p], tables, i), pick_bytes(table[p], tables, j)));
        uint64_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(shown, none));
        bits &= ((uint64_t)1 << (s->edges - e < 32 ? s->edges - e : 32)) - 1;
        for (; bits != 0; bits &= bits - 1)
            s->left[count++] = (uint8_t)(e + (uint32_t)__builtin_ctzll(bits));
    }
    s->left_count = (int)count;
}

#endif

/* The edges of which no point shows it for both faces. By AVX2 with as many planes and tables as are needed, and known: then
 * loops are none. */
AXES_FN void list_edges(solid *s)
{
#if WIDE_LEVEL == 3
    const uint32_t planes = (s->count + 7) / 8;
    if (s->face_rows > 64)
        list_by_tables(s, MOST_TRIED / 8, MOST_FACES / 16);
    else if (s->face_rows > 32)
        planes == 1   ? list_by_tables(s, 1, 4)
        : planes == 2 ? list_by_tables(s, 2, 4)
                      : list_by_tables(s, 4, 4);
    else
        planes == 1   ? list_by_tables(s, 1, 2)
        : planes == 2 ? list_by_tables(s, 2, 2)
                      : list_by_tables(s, 4, 2);
#else
    const uint8_t *first = s->edge + 2 * (size_t)s->edge_rows, *second = first + s->edge_rows;
    int count = 0;
    for (uint32_t e = 0; e < s->edges; e++) {
        s->left[count] = (uint8_t)e;
        count += (s->mask[first[e]] & s->mask[second[e]]) == 0;
    }
    s->left_count = count;
#endif
}

/* Of a part. */
AXES_FN void list_arcs(solid *s, float depth)
{
    const v8 most = v8_all(depth);
    int count = 0;
    for (uint32_t j = 0; j < s->face_rows / 16; j++) {
        const uint32_t bits = ~m8_bits(v8_greater(s->arc[j], most)) & 255;
        const uint64_t each = lane_lists[bits] + j * 0x0808080808080808u;
        for (int k = 0; k < 8; k++)
            s->left[count + k] = (uint8_t)(each >> 8 * k);
        count += __builtin_popcount(bits);
    }
    s->left_count = count;
}

/* Where the points and the planes of an edge are. */
typedef struct edge_places {
    const float *from, *to, *first, *second;
} edge_places;

LANES_FN edge_places places_of(const solid *s, uint32_t i)
{
    const float *p = s->xyz, *planes = s->planes;
    if (s->map != NULL) {
        const bw_hull_edge *edge = &s->map->edge[s->part.edge[i]];
        const float *first = planes + 16 * (i / 8) + i % 8;
        return (edge_places){p + edge->from, p + edge->to, first, first + 8};
    }
    const uint8_t *e = s->edge + i;
    const size_t next = s->edge_rows;
    return (edge_places){p + e[0], p + e[next], planes + e[2 * next], planes + e[3 * next]};
}

/* Eight edges of b in a's frame. */
typedef struct eight_edges {
    lanes3 first, second; /* the normals of their faces, turned round */
    lanes3 middle;        /* their sum */
    lanes3 from, edge;
} eight_edges;

LANES_FN v4 turn4(const v4 c[3], const float *p, size_t rows)
{
    return (c[0] * v4_all(p[0]) + c[1] * v4_all(p[rows])) + c[2] * v4_all(p[2 * rows]);
}

LANES_FN lanes3 columns3(const v4 rows[8])
{
    v8 out[3];
    v8_columns(rows, out);
    return (lanes3){out[0], out[1], out[2]};
}

LANES_FN eight_edges take_eight(const search *s, const uint8_t *number, int count)
{
    const solid *b = &s->b;
    const float(*m)[4] = (const float(*)[4])s->a.m;
    const v4 shift = {m[0][3], m[1][3], m[2][3], 0};
    v4 turn[3], back[3], rows[4][8];
    for (int k = 0; k < 3; k++) {
        turn[k] = (v4){m[0][k], m[1][k], m[2][k], 0};
        back[k] = -turn[k];
        turn[k] *= v4_all(s->a.unit);
    }
    for (int n = 0; n < 8; n++) {
        if (n >= count) {
            rows[0][n] = rows[1][n] = rows[2][n] = rows[3][n] = v4_all(0);
            continue;
        }
        const edge_places e = places_of(b, number[n]);
        const v4 from = turn4(turn, e.from, b->point_rows), to = turn4(turn, e.to, b->point_rows);
        rows[0][n] = turn4(back, e.first, b->plane_rows);
        rows[1][n] = turn4(back, e.second, b->plane_rows);
        rows[2][n] = from + shift;
        rows[3][n] = to - from;
    }
    const lanes3 first = columns3(rows[0]), second = columns3(rows[1]);
    return (eight_edges){first, second, add3(first, second), columns3(rows[2]), columns3(rows[3])};
}

/* Both above the noise, or both below. */
LANES_FN m8 same_side(v8 a, v8 b, v8 noise)
{
    return m8_or(v8_greater(v8_min(a, b), noise), v8_greater(v8_sub(v8_all(0), noise), v8_max(a, b)));
}

/* An edge of a against eight of b: which may be a facet no deeper than what is known, and how deep these are at least. */
LANES_FN uint32_t cross_eight(const search *s, uint32_t i, const eight_edges *b, float least[8])
{
    const solid *a = &s->a;
    const size_t rows = a->plane_rows, points = a->point_rows;
    const edge_places e = places_of(a, i);
    const float *f = e.first, *g = e.second, *p = e.from, *q = e.to;
    const v8 noise = v8_all(s->slack), zero = v8_all(0);
    const lanes3 first = all3(f, rows), second = all3(g, rows);
    const lanes3 edge = {v8_all(q[0] - p[0]), v8_all(q[points] - p[points]),
                         v8_all(q[2 * points] - p[2 * points])};
    const v8 s0 = dot3(first, b->edge), s1 = dot3(second, b->edge);
    const m8 apart =
        m8_or(same_side(s0, s1, noise), same_side(dot3(edge, b->first), dot3(edge, b->second), noise));
    if (m8_bits(apart) == 255)
        return 0;
    /* Where the arc crosses the other's great circle, and how deep that is, both times its length. */
    const v8 t0 = v8_abs(s1), t1 = v8_abs(s0);
    const lanes3 n = add3(scale3(first, t0), scale3(second, t1));
    const v8 offset = v8_add(v8_mul(t0, v8_all(f[3 * rows])), v8_mul(t1, v8_all(g[3 * rows])));
    const v8 doubt = v8_mul(noise, v8_add(v8_add(t0, t1), v8_all(8 + 8 * a->unit)));
    const v8 length = v8_sqrt(dot3(n, n)), depth = v8_sub(v8_sub(offset, dot3(n, b->from)), doubt);
    const m8 deeper = v8_greater(depth, v8_mul(v8_all(s->depth + s->slack), length)),
             beyond = v8_greater(v8_sub(zero, doubt), dot3(n, b->middle));
    v8_store(least, v8_div(depth, length));
    return ~m8_bits(m8_or(apart, m8_or(deeper, beyond))) & 255;
}

/* Which edge of the solid it is. */
LANES_FN uint32_t edge_number(const solid *s, uint32_t i)
{
    return s->map == NULL ? i : s->part.edge[i];
}

/* Of the edges that are left those pairs that may be the least deep. */
AXES_FN bool add_pairs(search *s)
{
    for (int from = 0; from < s->b.left_count; from += 8) {
        const int count = s->b.left_count - from < 8 ? s->b.left_count - from : 8;
        const eight_edges b = take_eight(s, s->b.left + from, count);
        for (int n = 0; n < s->a.left_count; n++) {
            const uint8_t i = s->a.left[n];
            float least[8];
            uint32_t bits = cross_eight(s, i, &b, least) & ((1u << count) - 1);
            for (; bits != 0; bits &= bits - 1) {
                const int k = __builtin_ctz(bits);
                if (!add_facet(s, least[k], BW_FACET_EDGES, edge_number(&s->a, i),
                               edge_number(&s->b, s->b.left[from + k])))
                    return false;
            }
        }
    }
    return true;
}

/* Of a face that may be the least deep the points that are as deep as any: no deeper, but neither less. */
AXES_FN void mask_deepest(solid *s, uint32_t f, float slack, const bw_axes_level *level)
{
    const float *along = (const float *)(s->along + (size_t)f / 8 * s->stride) + f % 8;
    float low[8];
    v8_store(low, s->low[f / 8]);
    const float most = low[f % 8] + slack;
    for (uint32_t i = 0; i < s->count; i++)
        if (along[8 * (size_t)i] <= most && bw_axes_reaches(level, (uint32_t)s->number[i]))
            s->mask[f] |= 1u << i;
}

static float along_plane(const solid *s, const float *n, uint32_t i)
{
    return (n[0] * s->tried[0][i] + n[PART_FACES] * s->tried[1][i]) + n[2 * PART_FACES] * s->tried[2][i];
}

/* The same of a part: leaves out the arc that ends in the face, where one of these points shows its other end to be deeper. */
AXES_FN void leave_arc(solid *s, uint32_t f, float depth, float slack, const bw_axes_level *level)
{
    const float *end = s->planes + f, *other = s->planes + (f ^ 8);
    float low[8], arc[8];
    v8_store(low, s->low[f / 8]);
    const float most = low[f % 8] + slack, far = other[3 * PART_FACES] - depth;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!(along_plane(s, end, i) <= most) || !(along_plane(s, other, i) < far) ||
            !bw_axes_reaches(level, (uint32_t)s->number[i]))
            continue;
        v8_store(arc, s->arc[f / 16]);
        arc[f % 8] = INFINITY;
        s->arc[f / 16] = v8_load(arc);
        return;
    }
}

/* What a face that may be the least deep says of the edges around it. */
AXES_FN void look_around(const search *s, solid *of, uint32_t f, float per_unit, const bw_axes_level *level)
{
    const float slack = s->slack * per_unit;
    if (of->map != NULL)
        leave_arc(of, f, s->depth * per_unit + slack, slack, level);
    else
        mask_deepest(of, f, slack, level);
}

/* Faces first, which are facets for certain. */
AXES_FN void take_faces(const bw_gjk *g, search *s, bool all, bw_axes_answer *best)
{
    for (int k = 0; k < s->count; k++) {
        const bw_facet *c = &s->facet[k];
        if (c->least > best->depth)
            continue;
        const bw_axes_level level = bw_axes_take_face(g, c, best);
        for (int n = k; n < s->count; n++) {
            bw_facet *same = &s->facet[n];
            if (same->kind != c->kind || same->i != c->i)
                continue;
            if (all && c->kind == BW_FACET_A)
                look_around(s, &s->a, same->j, 1, &level);
            else if (all)
                look_around(s, &s->b, same->j, s->b.unit, &level);
            if (n > k)
                same->least = (double)INFINITY; /* taken */
        }
    }
}

AXES_FN void mask_all(search *s)
{
    const float depth = s->depth + s->slack;
    if (s->a.map == NULL)
        mask_faces(&s->a, depth);
    if (s->b.map == NULL)
        mask_faces(&s->b, depth * s->b.unit);
}

AXES_FN void list_left(solid *s, float depth)
{
    if (s->map != NULL)
        list_arcs(s, depth);
    else
        list_edges(s);
}

AXES_FN bool add_edges(search *s)
{
    list_left(&s->a, s->depth + s->slack);
    list_left(&s->b, (s->depth + s->slack) * s->b.unit);
    return add_pairs(s);
}

#endif
