/* Kernels for the leaves of one mesh (collide/self/fans.h), for one level of base/simd/f32x8.h. The bounds
 * are derived in docs/lab/self-contacts.md. */
#ifndef BW_COLLIDE_SELF_FANS_TEMPLATE_H
#define BW_COLLIDE_SELF_FANS_TEMPLATE_H

#include "collide/pair/boxes_template.h"
#include "collide/pair/triangles_template.h"

LANES_TARGET static void own_leaf(const bw_error_bounds *frame, const bw_wide_corners *corners,
                                  const uint32_t *primitives, uint32_t count, bw_wide_ready *out)
{
    out->primitives = primitives;
    out->count = count;
    out->corner = corners->coordinate;
    out->error =
        corners->magnitude < 0x1p36f ? frame->share_b * corners->magnitude + frame->share_all : INFINITY;
    bound_triangles(load_triple(out->corner[0]), load_triple(out->corner[1]), load_triple(out->corner[2]),
                    out);
    for (int k = 0; k < 3; k++) {
        out->origin[k] = (double)corners->origin[k];
        out->min[k] = v8_lowest(v8_load(out->boxes.min[k]));
        out->max[k] = v8_highest(v8_load(out->boxes.max[k]));
    }
}

/* The slots of a that share a certified vertex with slot i of b. */
LANES_FN m8 shared_fans(const bw_wide_ready *a, const bw_wide_ready *b, uint32_t i)
{
    m8 shared = m8_of(0);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            shared = m8_or(shared, lanes_equal_to(a->key[j], b->vertex[k][i]));
    return shared;
}

/* Where many pairs are left, strips lie side by side: across the longest edge of the first triangle of a,
 * within its plane, most are apart. */
LANES_FN uint64_t side_by_side(const bw_wide_ready *a, const bw_wide_ready *b, const bw_wide_gap *gap)
{
    const float *d = gap->offset;
    float longest = -1.0f, edge[3][3], n[3], w[3], sum = 0.0f, weight = 0.0f;
    int most = 0;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            edge[c][k] = a->corner[c == 2 ? 0 : c + 1][k][0] - a->corner[c][k][0];
        float size = (edge[c][0] * edge[c][0] + edge[c][1] * edge[c][1]) + edge[c][2] * edge[c][2];
        most = size > longest ? c : most;
        longest = size > longest ? size : longest;
    }
    for (int k = 0; k < 3; k++) {
        int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
        n[k] = edge[0][i] * edge[1][j] - edge[0][j] * edge[1][i];
    }
    for (int k = 0; k < 3; k++) {
        int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
        w[k] = n[i] * edge[most][j] - n[j] * edge[most][i];
    }
    for (int k = 0; k < 3; k++)
        sum += w[k] < 0.0f ? -w[k] : w[k];
    if (!(sum > 0x1p-100f && sum < 0x1p100f))
        return 0;
    for (int k = 0; k < 3; k++) {
        w[k] /= sum;
        weight += w[k] < 0.0f ? -w[k] : w[k];
    }
    float shift = (w[0] * d[0] + w[1] * d[1]) + w[2] * d[2], margin = 8.0f * gap->delta * weight + 0x1p-140f;
    float low[BW_WIDTH], high[BW_WIDTH];
    span of_a = span_along(a, w), of_b = span_along(b, w);
    v8_store(low, v8_add(of_b.low, v8_all(shift - margin)));
    v8_store(high, v8_add(of_b.high, v8_all(shift + margin)));
    uint64_t apart = 0;
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        m8 row = m8_or(v8_greater(v8_all(low[i]), of_a.high), v8_greater(of_a.low, v8_all(high[i])));
        apart |= (uint64_t)m8_bits(row) << 8 * i;
    }
    return apart;
}

/* More than four. */
LANES_FN bool are_many(uint64_t mask)
{
    for (int i = 0; i < 4; i++)
        mask &= mask - 1;
    return mask != 0;
}

/* Only the triangles of b that enter the box of a are compared: by the same numbers, so that none is lost
 * that the boxes of both would let through. */
LANES_TARGET static inline uint64_t own_pair(const bw_wide_ready *a, const bw_wide_ready *b, bw_wide_gap *gap)
{
    bw_eight_boxes moved;
    gap->delta = a->error + b->error;
    float inflate = 3.0f * gap->delta;
    m8 apart = m8_of(0);
    for (int k = 0; k < 3; k++) {
        gap->offset[k] = (float)(b->origin[k] - a->origin[k]);
        v8 min = v8_add(v8_load(b->boxes.min[k]), v8_all(gap->offset[k] - inflate));
        v8 max = v8_add(v8_load(b->boxes.max[k]), v8_all(gap->offset[k] + inflate));
        v8_store(moved.min[k], min);
        v8_store(moved.max[k], max);
        apart = m8_or(apart, m8_or(v8_greater(min, v8_all(a->max[k])), v8_greater(v8_all(a->min[k]), max)));
    }
    const uint32_t lanes = (1u << a->count) - 1;
    const box8 boxes = load_boxes(a->boxes.min, a->boxes.max);
    uint64_t mask = 0;
    for (uint32_t rows = ~m8_bits(apart) & ((1u << b->count) - 1); rows != 0; rows &= rows - 1) {
        uint32_t i = bw_wide_lowest(rows);
        uint32_t meet = row_overlaps(&boxes, moved.min, moved.max, i) & ~m8_bits(shared_fans(a, b, i));
        mask |= (uint64_t)(meet & lanes) << 8 * i;
    }
    if (a == b)
        mask &= BW_WIDE_BELOW;
    return are_many(mask) ? mask & ~side_by_side(a, b, gap) : mask;
}

LANES_TARGET static inline uint32_t own_pairs(const bw_wide_ready *a, const bw_wide_ready *b, uint64_t pairs,
                                              bw_wide_close *out)
{
    uint32_t count = 0;
    for (; pairs != 0; pairs &= pairs - 1) {
        bw_wide_close *close = &out[count];
        close->pair = bw_wide_lowest(pairs);
        close->triangles = own_pair(&a[close->pair & 7], &b[close->pair >> 3], &close->gap);
        count += close->triangles != 0;
    }
    return count;
}

/* Along axis d a triangle turns by the sign of p - q, if it is beyond the rounding. What is below the line is
 * compared exactly. */
LANES_TARGET static void fan_words(const bw_wide_corners *corners, uint32_t words[3][BW_WIDTH])
{
    const v8 zero = v8_all(0.0f);
    v8 c[3][3];
    uint32_t unsure[BW_WIDTH] = {0}, passes[3][BW_WIDTH] = {{0}};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            c[k][axis] = v8_load(corners->coordinate[k][axis]);
    for (int d = 0; d < 3; d++) {
        const int x = d == 2 ? 0 : d + 1, y = d == 0 ? 2 : d - 1;
        v8 p = v8_mul(v8_sub(c[1][x], c[0][x]), v8_sub(c[2][y], c[0][y]));
        v8 q = v8_mul(v8_sub(c[1][y], c[0][y]), v8_sub(c[2][x], c[0][x]));
        v8 n = v8_sub(p, q), sum = v8_add(v8_max(p, v8_sub(zero, p)), v8_max(q, v8_sub(zero, q)));
        v8 limit = v8_add(v8_mul(v8_all(8.0f * 0x1p-24f), sum), v8_all(0x1p-140f));
        m8 all = m8_of(0xFFu);
        lanes_mark(unsure, m8_without(all, v8_greater(n, limit)), 1u << 2 * d);
        lanes_mark(unsure, m8_without(all, v8_greater(v8_sub(zero, limit), n)), 2u << 2 * d);
        for (int k = 0; k < 3; k++) {
            m8 next = v8_greater(c[k][x], c[k == 2 ? 0 : k + 1][x]);
            m8 previous = v8_greater(c[k][x], c[k == 0 ? 2 : k - 1][x]);
            lanes_mark(passes[k], m8_xor(next, previous), 1u << 8 * (d + 1));
        }
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BW_WIDTH; i++)
            words[k][i] = unsure[i] | passes[k][i];
}

#endif
