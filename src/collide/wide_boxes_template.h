/* Box kernels, for one level of wide_lanes.h. */
#ifndef BW_COLLIDE_WIDE_BOXES_TEMPLATE_H
#define BW_COLLIDE_WIDE_BOXES_TEMPLATE_H

#include <string.h>

#include "collide/wide_kernels.h"
#include "collide/wide_lanes.h"

/* The smallest value of a linear form over a box takes, per axis, the end that the sign of its factor
 * chooses. */
LANES_FN void map_boxes(const bw_wide_map *map, const bw_wide_node *node, bw_eight_boxes *out)
{
    for (int i = 0; i < 3; i++) {
        v8 low = v8_all(map->low[i]), high = v8_all(map->high[i]);
        for (int j = 0; j < 3; j++) {
            const float *near = node->min[j], *far = node->max[j];
            bool negative = map->m[i][j] < 0.0f;
            v8 m = v8_all(map->m[i][j]);
            low = v8_add(low, v8_mul(m, v8_load(negative ? far : near)));
            high = v8_add(high, v8_mul(m, v8_load(negative ? near : far)));
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

/* The lanes of eight boxes, given as six rows, that box i of others does not lie apart from. NaN is never
 * apart. */
LANES_FN uint32_t row_overlaps(const v8 min[3], const v8 max[3], const float (*other_min)[BW_WIDTH],
                               const float (*other_max)[BW_WIDTH], uint32_t i)
{
    m8 apart =
        m8_or(v8_greater(v8_all(other_min[0][i]), max[0]), v8_greater(min[0], v8_all(other_max[0][i])));
    apart = m8_or(apart, m8_or(v8_greater(v8_all(other_min[1][i]), max[1]),
                               v8_greater(min[1], v8_all(other_max[1][i]))));
    apart = m8_or(apart, m8_or(v8_greater(v8_all(other_min[2][i]), max[2]),
                               v8_greater(min[2], v8_all(other_max[2][i]))));
    return ~m8_bits(apart) & 0xFFu;
}

LANES_TARGET static uint64_t box_pair(const bw_wide_frame *frame, const bw_wide_node *a, uint32_t lanes,
                                      const bw_wide_node *b, uint32_t rows, bw_wide_mapped *mapped)
{
    const bw_eight_boxes *other = &mapped->b_in_a;
    if (mapped->b != b) {
        mapped->b = b;
        if (frame->identity)
            copy_boxes(b, &mapped->b_in_a);
        else
            map_boxes(&frame->b_to_a, b, &mapped->b_in_a);
    }
    v8 min[3], max[3];
    for (int k = 0; k < 3; k++) {
        min[k] = v8_load(a->min[k]);
        max[k] = v8_load(a->max[k]);
    }
    uint64_t result = 0;
    if (rows == 0xFFu)
        for (uint32_t i = 0; i < BW_WIDTH; i++)
            result |= (uint64_t)row_overlaps(min, max, other->min, other->max, i) << 8 * i;
    else
        for (uint32_t left = rows; left != 0; left &= left - 1) {
            uint32_t i = bw_wide_lowest(left);
            result |= (uint64_t)row_overlaps(min, max, other->min, other->max, i) << 8 * i;
        }
    result &= lanes * (uint64_t)0x0101010101010101u;
    if (!frame->has_inverse || result == 0)
        return result;
    if (mapped->a != a) {
        mapped->a = a;
        map_boxes(&frame->a_to_b, a, &mapped->a_in_b);
    }
    for (int k = 0; k < 3; k++) {
        min[k] = v8_load(mapped->a_in_b.min[k]);
        max[k] = v8_load(mapped->a_in_b.max[k]);
    }
    uint64_t kept = 0;
    for (uint64_t left = result; left != 0;) {
        uint32_t i = bw_wide_lowest(left) >> 3;
        kept |= (uint64_t)row_overlaps(min, max, b->min, b->max, i) << 8 * i;
        left &= ~((uint64_t)0xFF << 8 * i);
    }
    return result & kept;
}

#endif
