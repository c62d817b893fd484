/* Box and leaf kernels of distance queries, for one level of base/simd/f32x8.h. */
#ifndef BW_COLLIDE_DISTANCE_BOXES_TEMPLATE_H
#define BW_COLLIDE_DISTANCE_BOXES_TEMPLATE_H

#include "base/simd/f64x4.h"
#include "collide/distance/box_lanes.h"
#include "collide/distance/hull.h"
#include "collide/pair/kernels.h"

LANES_TARGET static void boxes(const bw_distance_map *map, const bw_wide_node *node, const bw_lens *lens,
                               bw_distance_boxes *out)
{
    map_boxes(map, node, out);
    if (lens != NULL && map->reach < INFINITY)
        tighten_boxes(map, node, lens, out);
}

LANES_TARGET static uint64_t pairs(const bw_distance_boxes *a, uint32_t lanes, const bw_distance_boxes *b,
                                   uint32_t rows, float limit2, float bound[BW_WIDTH * BW_WIDTH])
{
    const near8 box = load_near(a);
    v8 limit = v8_all(limit2);
    uint64_t mask = 0;
    for (uint32_t left = rows, i = 0; left != 0; left >>= 1, i++) {
        if ((left & 1) == 0)
            continue;
        v8 sum = v8_add(v8_add(gap2(box.low[0], box.high[0], b->low[0][i], b->high[0][i]),
                               gap2(box.low[1], box.high[1], b->low[1][i], b->high[1][i])),
                        gap2(box.low[2], box.high[2], b->low[2][i], b->high[2][i]));
        v8_store(bound + BW_WIDTH * i, sum);
        mask |= (uint64_t)(~m8_bits(v8_greater(sum, limit)) & lanes) << 8 * i;
    }
    return mask;
}

LANES_TARGET static void leaf(const bw_distance_map *map, const bw_wide_corners *corners,
                              const uint32_t *primitives, uint32_t count, bw_distance_leaf *out)
{
    v8 low[3], high[3], largest = v8_all(0.0f);
    for (int i = 0; i < 3; i++) {
        v8 mx = v8_all(map->m[i][0]), my = v8_all(map->m[i][1]), mz = v8_all(map->m[i][2]), x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = v8_add(v8_add(v8_mul(mx, v8_load(corners->coordinate[k][0])),
                                 v8_mul(my, v8_load(corners->coordinate[k][1]))),
                          v8_mul(mz, v8_load(corners->coordinate[k][2])));
            v8_store(out->corner[k][i], x[k]);
        }
        low[i] = v8_min(v8_min(x[0], x[1]), x[2]);
        high[i] = v8_max(v8_max(x[0], x[1]), x[2]);
        v8_store(out->boxes.low[i], low[i]);
        v8_store(out->boxes.high[i], high[i]);
        largest = v8_max(largest, v8_max(high[i], v8_sub(v8_all(0.0f), low[i])));
    }
    for (int i = 0; i < 3; i++)
        out->origin[i] = map->turn[0][i] * (double)corners->origin[0] +
                         map->turn[1][i] * (double)corners->origin[1] +
                         map->turn[2][i] * (double)corners->origin[2] + map->shift[i];
    out->size = v8_highest(largest);
    /* The corner as stored, the factor, the product and two sums are rounded. */
    out->error = 0x1p-24f * 7.0f * (map->reach * corners->magnitude) + map->slack;
    out->count = count;
    out->primitives = primitives;
}

/* Of three times eight values the least, or the largest, of each eight: x, y, z, z. */
LANES_FN v4 least_of(const v8 a[3])
{
    const v4 x = v8_fold_min(a[0]), y = v8_fold_min(a[1]), z = v8_fold_min(a[2]);
    const v4 xy = v4_min(V4_SHUFFLE(x, y, 0, 4, 1, 5), V4_SHUFFLE(x, y, 2, 6, 3, 7));
    const v4 zz = v4_min(V4_SHUFFLE(z, z, 0, 0, 1, 1), V4_SHUFFLE(z, z, 2, 2, 3, 3));
    return v4_min(V4_SHUFFLE(xy, zz, 0, 1, 4, 5), V4_SHUFFLE(xy, zz, 2, 3, 6, 7));
}

LANES_FN v4 largest_of(const v8 a[3])
{
    const v4 x = v8_fold_max(a[0]), y = v8_fold_max(a[1]), z = v8_fold_max(a[2]);
    const v4 xy = v4_max(V4_SHUFFLE(x, y, 0, 4, 1, 5), V4_SHUFFLE(x, y, 2, 6, 3, 7));
    const v4 zz = v4_max(V4_SHUFFLE(z, z, 0, 0, 1, 1), V4_SHUFFLE(z, z, 2, 2, 3, 3));
    return v4_max(V4_SHUFFLE(xy, zz, 0, 1, 4, 5), V4_SHUFFLE(xy, zz, 2, 3, 6, 7));
}

LANES_TARGET static void shadow(const bw_distance_map *map, const bw_wide_corners *corners,
                                bw_distance_box *out)
{
    const d4 error = d4_all((double)(0x1p-24f * 7.0f * (map->reach * corners->magnitude) + map->slack));
    v8 low[3], high[3];
    for (int i = 0; i < 3; i++) {
        v8 mx = v8_all(map->m[i][0]), my = v8_all(map->m[i][1]), mz = v8_all(map->m[i][2]), x[3];
        for (int k = 0; k < 3; k++)
            x[k] = v8_add(v8_add(v8_mul(mx, v8_load(corners->coordinate[k][0])),
                                 v8_mul(my, v8_load(corners->coordinate[k][1]))),
                          v8_mul(mz, v8_load(corners->coordinate[k][2])));
        low[i] = v8_min(v8_min(x[0], x[1]), x[2]);
        high[i] = v8_max(v8_max(x[0], x[1]), x[2]);
    }
    d4 origin = d4_mul(d4_load(map->turn[0]), d4_all((double)corners->origin[0]));
    origin = d4_add(origin, d4_mul(d4_load(map->turn[1]), d4_all((double)corners->origin[1])));
    origin = d4_add(origin, d4_mul(d4_load(map->turn[2]), d4_all((double)corners->origin[2])));
    origin = d4_add(origin, d4_load(map->shift));
    const d4 least = d4_add(origin, d4_sub(d4_of_floats(least_of(low)), error));
    const d4 most = d4_add(origin, d4_add(d4_of_floats(largest_of(high)), error));
    /* The conversion rounds by less than what is taken off and put on. */
    out->low = d4_floats(d4_sub(least, d4_mul(d4_all(0x1p-23), d4_abs(least))));
    out->high = d4_floats(d4_add(most, d4_mul(d4_all(0x1p-23), d4_abs(most))));
}

LANES_TARGET static void leaf_pair(const bw_distance_leaf *a, const bw_distance_leaf *b, double limit,
                                   bw_distance_gap *gap)
{
    double reach = limit + 4.0 * (double)gap->delta, touch = 4.0 * (double)gap->delta;
    v8 cut = v8_all(bw_distance_round_up(reach * reach * (1.0 + 0x1p-20)));
    v8 meet = v8_all(bw_distance_round_up(touch * touch * (1.0 + 0x1p-20)));
    const near8 box = load_near(&a->boxes);
    const uint64_t left = gap->near;
    gap->near = gap->apart = 0;
    bw_distance_boxes moved;
    for (int k = 0; k < 3; k++) {
        const v8 offset = v8_all(gap->offset[k]);
        v8_store(moved.low[k], v8_add(v8_load(b->boxes.low[k]), offset));
        v8_store(moved.high[k], v8_add(v8_load(b->boxes.high[k]), offset));
    }
    LANES_FROM_MEMORY(moved);
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t lanes = left >> 8 * i & 0xFFu;
        if (lanes == 0)
            continue;
        v8 sum = v8_add(v8_add(gap2(box.low[0], box.high[0], moved.low[0][i], moved.high[0][i]),
                               gap2(box.low[1], box.high[1], moved.low[1][i], moved.high[1][i])),
                        gap2(box.low[2], box.high[2], moved.low[2][i], moved.high[2][i]));
        v8_store(gap->bound + BW_WIDTH * i, sum);
        gap->near |= (uint64_t)(~m8_bits(v8_greater(sum, cut)) & lanes) << 8 * i;
        gap->apart |= (uint64_t)(m8_bits(v8_greater(sum, meet)) & lanes) << 8 * i;
    }
}

/* The largest and the smallest of the corners of eight triangles along a direction. */
LANES_FN void shadows(const bw_distance_leaf *leaf, const float n[3], v8 *low, v8 *high)
{
    v8 x[3];
    for (int k = 0; k < 3; k++)
        x[k] = v8_add(v8_add(v8_mul(v8_all(n[0]), v8_load(leaf->corner[k][0])),
                             v8_mul(v8_all(n[1]), v8_load(leaf->corner[k][1]))),
                      v8_mul(v8_all(n[2]), v8_load(leaf->corner[k][2])));
    *low = v8_min(v8_min(x[0], x[1]), x[2]);
    *high = v8_max(v8_max(x[0], x[1]), x[2]);
}

LANES_TARGET static void along(const bw_distance_leaf *a, const bw_distance_leaf *b, const float n[3],
                               double limit, bw_distance_gap *gap)
{
    v8 low_a, high_a, low_b, high_b;
    float low[BW_WIDTH];
    shadows(a, n, &low_a, &high_a);
    shadows(b, n, &low_b, &high_b);
    v8_store(low, low_b);
    LANES_FROM_MEMORY(low);
    float offset = n[0] * gap->offset[0] + n[1] * gap->offset[1] + n[2] * gap->offset[2];
    v8 cut = v8_all(bw_distance_round_up((limit + 16.0 * (double)gap->delta) * (1.0 + 0x1p-20)));
    for (uint32_t i = 0; i < b->count; i++) {
        v8 distance = v8_sub(v8_all(low[i] + offset), high_a);
        gap->near &= ~((uint64_t)m8_bits(v8_greater(distance, cut)) << 8 * i);
    }
}

LANES_TARGET static bool beyond(const bw_distance_leaf *a, const bw_distance_leaf *b, double limit)
{
    float offset[3], n[3], largest = 0.0f;
    for (int i = 0; i < 3; i++) {
        offset[i] = (float)(b->origin[i] - a->origin[i]);
        const float size = offset[i] < 0.0f ? -offset[i] : offset[i];
        largest = size > largest ? size : largest;
    }
    const float length2 = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
    if (!(length2 > 0x1p-80f && limit < (double)INFINITY)) /* no direction, or nothing to be beyond */
        return false;
    const float inverse = (1.0f - 0x1p-20f) / sqrtf(length2);
    for (int i = 0; i < 3; i++)
        n[i] = offset[i] * inverse;
    v8 low_a, high_a, low_b, high_b;
    shadows(a, n, &low_a, &high_a);
    shadows(b, n, &low_b, &high_b);
    const float between = n[0] * offset[0] + n[1] * offset[1] + n[2] * offset[2];
    const float delta = (a->error + b->error) + 0x1p-22f * (a->size + b->size + largest);
    return (double)((v8_lowest(low_b) + between) - v8_highest(high_a)) >
           (limit + 16.0 * (double)delta) * (1.0 + 0x1p-20);
}

/* Which of eight boxes are beyond the limit from one, as bits. */
LANES_FN uint32_t beyond_box(near8 boxes, const float low[3], const float high[3], uint32_t stride, v8 limit2)
{
    const v8 sum = v8_add(v8_add(gap2(boxes.low[0], boxes.high[0], low[0], high[0]),
                                 gap2(boxes.low[1], boxes.high[1], low[stride], high[stride])),
                          gap2(boxes.low[2], boxes.high[2], low[2 * stride], high[2 * stride]));
    return m8_bits(v8_greater(sum, limit2));
}

/* Whether a box is near any of the parts; where there are none, the box around all has decided. */
LANES_FN bool near_any(const bw_distance_hull *hull, const float *low, const float *high, uint32_t stride,
                       v8 limit2)
{
    for (uint32_t i = 0; i < hull->eights; i++)
        if (beyond_box(load_near(&hull->eight[i]), low, high, stride, limit2) != 0xFFu)
            return true;
    return hull->eights == 0;
}

LANES_TARGET static uint32_t near_hull(const bw_distance_boxes *boxes, uint32_t lanes,
                                       const bw_distance_hull *hull, float limit2)
{
    const v8 limit = v8_all(limit2);
    float low[4], high[4];
    v4_store(low, hull->all.low);
    v4_store(high, hull->all.high);
    lanes &= ~beyond_box(load_near(boxes), low, high, 1, limit);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = bw_wide_lowest(left);
        if (!near_any(hull, boxes->low[0] + lane, boxes->high[0] + lane, BW_WIDTH, limit))
            lanes &= ~(1u << lane);
    }
    return lanes;
}

LANES_TARGET static bool near_parts(const bw_distance_box *box, const bw_distance_hull *hull, float limit2)
{
    float low[4], high[4];
    v4_store(low, box->low);
    v4_store(high, box->high);
    return near_any(hull, low, high, 1, v8_all(limit2));
}

#endif
