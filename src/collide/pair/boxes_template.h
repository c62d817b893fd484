/* Box kernels, for one level of base/simd/f32x8.h. */
#ifndef BW_COLLIDE_PAIR_BOXES_TEMPLATE_H
#define BW_COLLIDE_PAIR_BOXES_TEMPLATE_H

#include <math.h>
#include <string.h>

#include "base/simd/f32x8.h"
#include "collide/pair/kernels.h"

/* Of eight boxes, or of a node. */
LANES_FN const float *row_at(const void *boxes, uint32_t row)
{
    return (const float *)(const void *)((const char *)boxes + row);
}

/* The smallest value of a linear form over a box takes, per axis, the end that the sign of its factor
 * chooses: without a branch, which would be a wrong one after every change of the pose. */
LANES_FN void map_boxes(const bw_wide_map *map, const void *boxes, bw_eight_boxes *out)
{
    for (int i = 0; i < 3; i++) {
        v8 low = v8_all(map->low[i]), high = v8_all(map->high[i]);
        for (int j = 0; j < 3; j++) {
            const uint32_t near = map->low_end[i][j],
                           far = bw_eight_boxes_row(j, false) + bw_eight_boxes_row(j, true) - near;
            const v8 m = v8_all(map->m[i][j]);
            low = v8_add(low, v8_mul(m, v8_load(row_at(boxes, near))));
            high = v8_add(high, v8_mul(m, v8_load(row_at(boxes, far))));
        }
        v8_store(out->min[i], low);
        v8_store(out->max[i], high);
    }
}

LANES_FN void copy_boxes(const bw_wide_node *node, bw_eight_boxes *out)
{
    memcpy(out->min, node->min, sizeof out->min);
    memcpy(out->max, node->max, sizeof out->max);
}

/* Eight boxes in registers. (Not as arrays: compilers may send those through memory.) */
typedef struct box8 {
    v8 min_x, min_y, min_z, max_x, max_y, max_z;
} box8;

LANES_FN box8 load_boxes(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH])
{
    return (box8){v8_load(min[0]), v8_load(min[1]), v8_load(min[2]),
                  v8_load(max[0]), v8_load(max[1]), v8_load(max[2])};
}

/* The lanes of boxes that box i of others lies apart from. NaN is never apart. */
LANES_FN m8 row_missed(const box8 *box, const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                       uint32_t i)
{
    m8 x = m8_or(v8_greater(v8_all(min[0][i]), box->max_x), v8_greater(box->min_x, v8_all(max[0][i])));
    m8 y = m8_or(v8_greater(v8_all(min[1][i]), box->max_y), v8_greater(box->min_y, v8_all(max[1][i])));
    m8 z = m8_or(v8_greater(v8_all(min[2][i]), box->max_z), v8_greater(box->min_z, v8_all(max[2][i])));
    return m8_or(m8_or(x, y), z);
}

/* Those that it does not lie apart from. */
LANES_FN uint32_t row_overlaps(const box8 *box, const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                               uint32_t i)
{
    return ~m8_bits(row_missed(box, min, max, i)) & 0xFFu;
}

/* The same for all eight of the others: bit 8 i + j for lane j. */
LANES_FN uint64_t all_overlaps(const box8 *box, const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH])
{
    uint64_t apart = 0;
    for (uint32_t i = 0; i < BW_WIDTH; i += 2)
        apart |= (uint64_t)m8_bits_of_two(row_missed(box, min, max, i), row_missed(box, min, max, i + 1))
                 << 8 * i;
    return ~apart;
}

/* Apart from leaves with leaves: a reference to a leaf has its sign bit set, as unused lanes do. */
LANES_FN bw_wide_meeting sort_out(const bw_wide_node *a, const bw_wide_node *b, uint64_t mask)
{
    uint64_t leaves = mask & bw_wide_spread(lanes_signs(a->child), lanes_signs(b->child));
    return (bw_wide_meeting){leaves, mask & ~leaves};
}

LANES_FN void map_second(const bw_error_bounds *frame, const bw_wide_node *b, bw_wide_mapped *mapped)
{
    if (mapped->b == b)
        return;
    mapped->b = b;
    if (frame->identity)
        copy_boxes(b, &mapped->b_in_a);
    else
        map_boxes(&frame->b_to_a, b, &mapped->b_in_a);
}

LANES_TARGET static inline void map(const bw_error_bounds *frame, const bw_wide_node *b,
                                    bw_wide_mapped *mapped)
{
    map_second(frame, b, mapped);
}

LANES_TARGET static inline bw_wide_meeting box_pair(const bw_error_bounds *frame, const bw_wide_node *a,
                                                    uint32_t lanes, const bw_wide_node *b, uint32_t rows,
                                                    bw_wide_mapped *mapped)
{
    const bw_eight_boxes *other = &mapped->b_in_a;
    map_second(frame, b, mapped);
    const box8 boxes = load_boxes(a->min, a->max);
    uint64_t result = 0;
    if (rows == 0xFFu)
        result = all_overlaps(&boxes, other->min, other->max);
    else
        for (uint32_t left = rows; left != 0; left &= left - 1) {
            uint32_t i = bw_wide_lowest(left);
            result |= (uint64_t)row_overlaps(&boxes, other->min, other->max, i) << 8 * i;
        }
    result &= lanes * (uint64_t)0x0101010101010101u;
    if (!frame->has_inverse || result == 0)
        return sort_out(a, b, result);
    if (mapped->a != a) {
        mapped->a = a;
        map_boxes(&frame->a_to_b, a, &mapped->a_in_b);
    }
    const bw_eight_boxes *a_in_b = &mapped->a_in_b;
    const box8 turned = load_boxes(a_in_b->min, a_in_b->max);
    uint64_t kept =
        all_overlaps(&turned, b->min, b->max); /* skipping the empty rows costs more than it saves */
    return sort_out(a, b, result & kept);
}

/* Eight boxes by their middles and sizes, all doubled: only ratios matter. */
typedef struct balls8 {
    v8 x, y, z, size2;
} balls8;

LANES_FN balls8 balls_of(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH])
{
    balls8 out;
    v8 e[3], m[3];
    for (int k = 0; k < 3; k++) {
        v8 low = v8_load(min[k]), high = v8_load(max[k]);
        e[k] = v8_sub(high, low);
        m[k] = v8_add(high, low);
    }
    out.x = m[0];
    out.y = m[1];
    out.z = m[2];
    out.size2 = v8_add(v8_add(v8_mul(e[0], e[0]), v8_mul(e[1], e[1])), v8_mul(e[2], e[2]));
    return out;
}

/* Each value has the number of its pair in its last bits, so the least tells which it is. All rows, empty ones
 * too: no branch that nobody can predict. Even and odd rows apart: neither has to wait for the other. */
LANES_TARGET static inline bw_wide_best_pair best_pair(const bw_wide_node *a, const bw_eight_boxes *b_in_a,
                                                       uint64_t pairs)
{
    const v8 worst = v8_all(BW_WIDE_WORST);
    const balls8 a8 = balls_of(a->min, a->max), b8 = balls_of(b_in_a->min, b_in_a->max);
    float x[BW_WIDTH], y[BW_WIDTH], z[BW_WIDTH], size2[BW_WIDTH];
    v8_store(x, b8.x);
    v8_store(y, b8.y);
    v8_store(z, b8.z);
    v8_store(size2, b8.size2);
    LANES_FROM_MEMORY(x);
    LANES_FROM_MEMORY(y);
    LANES_FROM_MEMORY(z);
    LANES_FROM_MEMORY(size2);
    v8 best[2] = {v8_all(INFINITY), v8_all(INFINITY)}, next[2] = {best[0], best[0]};
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        v8 dx = v8_sub(a8.x, v8_all(x[i])), dy = v8_sub(a8.y, v8_all(y[i])), dz = v8_sub(a8.z, v8_all(z[i]));
        v8 d = v8_add(v8_add(v8_mul(dx, dx), v8_mul(dy, dy)), v8_mul(dz, dz));
        v8 value = v8_div(d, v8_add(a8.size2, v8_all(size2[i])));
        value = v8_number(v8_min(value, worst), i); /* NaN is the worst, too */
        value = v8_choose(m8_of_row(pairs, i), value, v8_all(INFINITY));
        next[i & 1] = v8_min(next[i & 1], v8_max(best[i & 1], value));
        best[i & 1] = v8_min(best[i & 1], value);
    }
    const v8 least = v8_min(best[0], best[1]),
             second = v8_min(v8_min(next[0], next[1]), v8_max(best[0], best[1]));
    bw_wide_best_pair out;
    uint32_t bits;
    out.value = v8_lowest(least);
    memcpy(&bits, &out.value, sizeof bits);
    out.pair = bits & 63;
    out.next = v8_lowest(v8_choose(m8_of(1u << (out.pair & 7)), second, least));
    return out;
}

#endif
