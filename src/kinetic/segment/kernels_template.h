/* The kernels of kinetic/segment/kernels.h at one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL
 * and KERNELS, the name of their table. The sides of a lane stand in a register: -x, -y, -z, nothing, x, y, z,
 * nothing; rows of a node are their transposition. */
#ifndef BW_KINETIC_SEGMENT_KERNELS_TEMPLATE_H
#define BW_KINETIC_SEGMENT_KERNELS_TEMPLATE_H

#include "base/simd/f32x8.h"
#include "geom/box.h"
#include "kinetic/segment/kernels.h"

/* A vertex as floats, downward and upward. Floats are read with the lane beyond them unless it is the last, so
 * another vertex must follow. */
typedef struct corner {
    v4 low, high;
} corner;

LANES_FN corner corner_at(const char *at, bool last, bool doubles)
{
    if (doubles) {
        const double *p = (const double *)(const void *)at;
        return (corner){{bw_float_down(p[0]), bw_float_down(p[1]), bw_float_down(p[2]), 0},
                        {bw_float_up(p[0]), bw_float_up(p[1]), bw_float_up(p[2]), 0}};
    }
    const v4 p = last ? v4_load3(at) : v4_load((const float *)(const void *)at);
    return (corner){p, p};
}

LANES_FN v8 sides_of(corner c)
{
    return v8_join(-c.low, c.high);
}

/* The sides of the lanes, which are destroyed, as rows. */
LANES_FN void store_rows(v8 lane[BW_WIDTH], float row[BW_SEGMENT_COUNT])
{
    v8_transpose(lane);
    for (uint32_t side = 0; side < 3; side++) {
        v8_store(row + side * BW_WIDTH, lane[side]);
        v8_store(row + (side + 3) * BW_WIDTH, lane[side + 4]);
    }
}

LANES_FN void load_rows(const float row[BW_SEGMENT_COUNT], v8 lane[BW_WIDTH])
{
    for (uint32_t side = 0; side < 3; side++) {
        lane[side] = v8_load(row + side * BW_WIDTH);
        lane[side + 4] = v8_load(row + (side + 3) * BW_WIDTH);
    }
    lane[3] = lane[7] = v8_all(0);
    v8_transpose(lane);
}

LANES_FN void boxes(bw_kinetic *k, bw_frame f, uint32_t n, uint32_t row, bool doubles)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[n];
    v8 end[BW_WIDTH], all = v8_all(-BW_WIDE_EMPTY);
    for (uint32_t lane = node->count; lane < BW_WIDTH; lane++)
        end[lane] = all;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t child = node->child[lane], leaf = child & ~BW_WIDE_LEAF;
        if ((child & BW_WIDE_LEAF) == 0)
            end[lane] = v8_load(k->lines.reach[child].end);
        else {
            const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
            const uint32_t others = wide->leaves[leaf].vertex_count - 1u;
            const corner last = corner_at(f.at + list[others] * f.stride, true, doubles);
            const corner first =
                others % 2 != 0 ? corner_at(f.at + list[0] * f.stride, false, doubles) : last;
            v8 low = v8_join(first.low, last.low), high = v8_join(first.high, last.high);
            for (uint32_t i = others % 2; i < others; i += 2) {
                const corner c = corner_at(f.at + list[i] * f.stride, false, doubles);
                const corner d = corner_at(f.at + list[i + 1] * f.stride, false, doubles);
                low = v8_min(v8_join(c.low, d.low), low);
                high = v8_max(v8_join(c.high, d.high), high);
            }
            end[lane] = v8_join(-v8_fold_min(low), v8_fold_max(high));
        }
    }
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        all = v8_max(end[lane], all);
    v8_store(k->lines.reach[n].end, all);
    store_rows(end, k->lines.nodes[n].at[row]);
}

LANES_FN uint32_t lines(bw_kinetic *k, bw_frame start, bw_frame end, uint32_t n, uint8_t sides[BW_WIDTH],
                        bool doubles)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[n];
    bw_segment_node *rows = &k->lines.nodes[n];
    bw_segment_reach *reach = &k->lines.reach[n];
    static const float signs[BW_SIDES] = {-1, -1, -1, -1, 1, 1, 1, 1};
    const v8 none = v8_all(-BW_WIDE_EMPTY);
    v8 from[BW_WIDTH], to[BW_WIDTH], all = none, last_of_all = none, to_of_all = none;
    uint32_t any = 0;
    load_rows(rows->at[k->lines.start], from);
    for (uint32_t lane = node->count; lane < BW_WIDTH; lane++)
        to[lane] = none;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t child = node->child[lane], leaf = child & ~BW_WIDE_LEAF;
        v8 t, last;
        if (child & BW_WIDE_LEAF) {
            const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
            const uint32_t others = wide->leaves[leaf].vertex_count - 1u;
            const v8 winner = v8_mul(from[lane], v8_load(signs));
            corner a = corner_at(start.at + list[others] * start.stride, true, doubles);
            last = sides_of(corner_at(end.at + list[others] * end.stride, true, doubles));
            t = v8_choose(v8_equal(v8_join(a.low, a.high), winner), last, none);
            for (uint32_t i = 0; i < others; i++) {
                a = corner_at(start.at + list[i] * start.stride, false, doubles);
                v8 b = sides_of(corner_at(end.at + list[i] * end.stride, false, doubles));
                t = v8_max(v8_choose(v8_equal(v8_join(a.low, a.high), winner), b, none), t);
                last = v8_max(b, last);
            }
        } else {
            t = v8_load(k->lines.reach[child].to);
            last = v8_load(k->lines.reach[child].end);
        }
        to[lane] = t;
        all = v8_max(from[lane], all);
        last_of_all = v8_max(last, last_of_all);
        sides[lane] = (uint8_t)(m8_bits(v8_greater(last, t)) & 0x77);
        any |= sides[lane];
    }
    for (uint32_t lane = 0; lane < node->count; lane++)
        to_of_all = v8_max(v8_choose(v8_equal(from[lane], all), to[lane], none), to_of_all);
    v8_store(reach->to, to_of_all);
    v8_store(reach->end, last_of_all);
    store_rows(to, rows->at[!k->lines.start]);
    return any;
}

#define OF_SCALAR(scalar, doubles)                                                                           \
    LANES_TARGET static void boxes_##scalar(bw_kinetic *k, bw_frame f, uint32_t n, uint32_t row)             \
    {                                                                                                        \
        boxes(k, f, n, row, doubles);                                                                        \
    }                                                                                                        \
    LANES_TARGET static uint32_t lines_##scalar(bw_kinetic *k, bw_frame start, bw_frame end, uint32_t n,     \
                                                uint8_t sides[BW_WIDTH])                                     \
    {                                                                                                        \
        return lines(k, start, end, n, sides, doubles);                                                      \
    }
OF_SCALAR(floats, false)
OF_SCALAR(doubles, true)

const bw_segment_kernels KERNELS = {{boxes_floats, boxes_doubles}, {lines_floats, lines_doubles}};

#endif
