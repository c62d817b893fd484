/* The descent of a ray, for one level of wide_lanes.h. A file that includes this defines RAY_DESCENT. */
#ifndef BW_COLLIDE_RAY_TEMPLATE_H
#define BW_COLLIDE_RAY_TEMPLATE_H

#include "collide/near_lanes.h"
#include "collide/ray_kernels.h"
#include "collide/wide_kernels.h"
#include "collide/wide_leaf.h"
#include "tree/wide_lazy.h"

#include <math.h>
#include <string.h>

/* A quotient of floats takes five roundings at most, of which each is below 2^-24 of it; the sum of two
 * rounded values and underflow are covered too. */
#define RAY_LESS (1.0f - 0x1p-20f)
#define RAY_MORE (1.0f + 0x1p-20f)
#define RAY_TRIFLE 0x1p-125f

/* Which of eight boxes the ray meets within the limit, and from where on. An axis along which it does not
 * move has an infinite inverse; 0 times that is a NaN, which counts as inside. */
LANES_FN uint32_t meet_boxes(const bw_ray_state *s, const float *boxes, float enter[BW_WIDTH])
{
    v8 in = v8_all(0.0f), out = v8_all(INFINITY);
    for (int k = 0; k < 3; k++) {
        v8 inverse = v8_all(s->inverse[k]);
        v8 first = v8_mul(v8_sub(v8_load(boxes + s->first[k]), v8_all(s->origin_first[k])), inverse);
        v8 last = v8_mul(v8_sub(v8_load(boxes + s->last[k]), v8_all(s->origin_last[k])), inverse);
        in = v8_max(first, in);
        out = v8_min(last, out);
    }
    in = v8_mul(in, v8_all(RAY_LESS));
    out = v8_add(v8_mul(out, v8_all(RAY_MORE)), v8_all(RAY_TRIFLE));
    v8_store(enter, in);
    return ~m8_bits(m8_or(v8_greater(in, out), v8_greater(in, v8_all(s->limit)))) & 0xFFu;
}

/* A box with where the ray enters it above its reference. Numbers that are not negative are in the order of
 * their bits. */
LANES_FN uint64_t box_key(const uint32_t *child, const float enter[BW_WIDTH], uint32_t lane)
{
    uint32_t bits;
    memcpy(&bits, &enter[lane], sizeof bits);
    return (uint64_t)bits << 32 | child[lane];
}

/* The nearest of two or more boxes that are met; the others go to the stack, the farthest first. False when
 * memory runs out. */
LANES_FN bool take_nearest(bw_ray_state *s, const uint32_t *child, uint32_t mask, const float enter[BW_WIDTH],
                           uint32_t *nearest)
{
    if (s->stack.capacity - s->stack.count < BW_WIDTH && !bw_stack_grow(&s->stack, BW_WIDTH)) {
        s->failed = true;
        return false;
    }
    uint64_t *top = (uint64_t *)(void *)s->stack.items + s->stack.count;
    uint64_t first = box_key(child, enter, bw_wide_lowest(mask));
    mask &= mask - 1;
    uint64_t second = box_key(child, enter, bw_wide_lowest(mask));
    mask &= mask - 1;
    uint64_t near = first < second ? first : second, far = first < second ? second : first;
    if (mask == 0) {
        top[0] = far;
        s->stack.count += 1;
        *nearest = (uint32_t)near;
        return true;
    }
    top[0] = far;
    uint32_t count = 1;
    for (; mask != 0; mask &= mask - 1) {
        uint64_t key = box_key(child, enter, bw_wide_lowest(mask));
        uint64_t less = key < near ? key : near;
        key = key < near ? near : key;
        near = less;
        uint32_t at = count++;
        for (; at > 0 && top[at - 1] < key; at--)
            top[at] = top[at - 1];
        top[at] = key;
    }
    s->stack.count += count;
    *nearest = (uint32_t)near;
    return true;
}

/* The triangles of a leaf that the ray may meet within the limit. */
typedef struct leaf_meeting {
    uint32_t maybe, crossed;
} leaf_meeting;

/* Rounded either way; what no float can be is infinite. */
LANES_FN float ray_float(double x)
{
    return x < 0x1p127 ? (x > -0x1p127 ? (float)x : -INFINITY) : INFINITY;
}

LANES_FN v8 larger_size(v8 a, v8 b)
{
    v8 zero = v8_all(0.0f);
    return v8_max(v8_max(a, v8_sub(zero, a)), v8_max(b, v8_sub(zero, b)));
}

/* The corners are seen along the ray: it passes an edge on the side that the sign of a product of two
 * coordinates tells. Everything is relative to the point of the ray that is nearest to the leaf's origin, so
 * that rounding is to the leaf's own size. The bounds are derived in docs/ideas/distance-and-rays.md. */
LANES_FN leaf_meeting meet_triangles(const bw_ray_state *s, const float (*corner)[3][BW_WIDTH],
                                     const double origin[3], float magnitude, float corner_error)
{
    double relative[3], at = 0.0;
    for (int k = 0; k < 3; k++) {
        relative[k] = origin[k] - s->origin[k];
        at += relative[k] * s->direction[k];
    }
    at *= s->inverse2;
    float point[3], reach = magnitude;
    for (int k = 0; k < 3; k++) {
        point[k] = ray_float(at * s->direction[k] - relative[k]);
        float size = point[k] < 0.0f ? -point[k] : point[k];
        reach = size + magnitude > reach ? size + magnitude : reach;
    }
    float error = 2.0f * (corner_error + s->point_error) + 0x1p-24f * 12.0f * reach;
    v8 x[3], y[3], z[3], slope_x = v8_all(s->slope[0]), slope_y = v8_all(s->slope[1]), zero = v8_all(0.0f);
    for (int i = 0; i < 3; i++) {
        z[i] = v8_sub(v8_load(corner[i][s->axis]), v8_all(point[s->axis]));
        x[i] = v8_sub(v8_sub(v8_load(corner[i][s->side_axis[0]]), v8_all(point[s->side_axis[0]])),
                      v8_mul(slope_x, z[i]));
        y[i] = v8_sub(v8_sub(v8_load(corner[i][s->side_axis[1]]), v8_all(point[s->side_axis[1]])),
                      v8_mul(slope_y, z[i]));
    }
    v8 size = v8_max(v8_max(larger_size(x[0], y[0]), larger_size(x[1], y[1])), larger_size(x[2], y[2]));
    v8 doubt = v8_mul(v8_mul(v8_all(5.0f), size), v8_add(v8_all(error), v8_mul(v8_all(0x1p-23f), size)));
    doubt = v8_add(doubt, v8_all(0x1p-120f)); /* products may underflow */
    v8 minus = v8_sub(zero, doubt);
    v8 p = v8_sub(v8_mul(x[0], y[1]), v8_mul(y[0], x[1]));
    v8 q = v8_sub(v8_mul(x[1], y[2]), v8_mul(y[1], x[2]));
    v8 r = v8_sub(v8_mul(x[2], y[0]), v8_mul(y[2], x[0]));
    m8 p_left = v8_greater(p, doubt), q_left = v8_greater(q, doubt), r_left = v8_greater(r, doubt);
    m8 p_right = v8_greater(minus, p), q_right = v8_greater(minus, q), r_right = v8_greater(minus, r);
    m8 left = m8_or(m8_or(p_left, q_left), r_left), right = m8_or(m8_or(p_right, q_right), r_right);
    m8 through = m8_or(m8_and(m8_and(p_left, q_left), r_left), m8_and(m8_and(p_right, q_right), r_right));
    /* Along the ray, in T. */
    v8 speed = v8_all(s->speed);
    for (int i = 0; i < 3; i++)
        z[i] = v8_mul(z[i], speed);
    v8 near = v8_min(v8_min(z[0], z[1]), z[2]), far = v8_max(v8_max(z[0], z[1]), z[2]);
    double slack = 4.0 * (double)error + 0x1p-40 * (at < 0.0 ? -at : at) - 0x1p-40 * s->start;
    float end = bw_near_up(s->end - at + slack);
    float start = (float)(s->start - at),
          doubt_start = (float)slack * 2.0f + 0x1p-22f * (start < 0 ? -start : start);
    m8 beyond = m8_or(v8_greater(near, v8_all(end)), v8_greater(v8_all(start - doubt_start), far));
    m8 ahead = v8_greater(near, v8_all(start + doubt_start));
    if (!(reach < 0x1p60f)) /* products may overflow */
        return (leaf_meeting){0xFFu, 0};
    uint32_t maybe = ~m8_bits(m8_or(m8_and(left, right), beyond)) & 0xFFu;
    return (leaf_meeting){maybe, maybe & m8_bits(m8_and(through, ahead))};
}

/* False when the walk ends. */
LANES_FN bool visit_leaf(bw_ray_state *s, uint32_t leaf)
{
    const bw_wide *tree = s->side->tree;
    uint32_t count = tree->leaves[leaf].count;
    const uint32_t *primitives = tree->primitives + leaf * (size_t)BW_WIDTH;
    leaf_meeting met = {0xFFu, 0};
    BW_PREFETCH(primitives); /* of use once it is known which triangle is met, and then late */
    bw_wide_need_leaf(tree, leaf);
    if (!s->is_point) {
        bw_wide_corners gathered;
        const bw_wide_corners *corners = &gathered;
        if (tree->corners != NULL)
            corners = &tree->corners[leaf];
        else
            bw_wide_leaf_gather(tree, s->side->mesh, leaf, &gathered);
        if (s->near == NULL) {
            double origin[3] = {(double)corners->origin[0], (double)corners->origin[1],
                                (double)corners->origin[2]};
            met = meet_triangles(s, corners->coordinate, origin, corners->magnitude,
                                 0x1p-24f * corners->magnitude);
        } else {
            bw_near_leaf mapped;
            s->near->leaf(&s->map, corners, primitives, count, &mapped);
            met = meet_triangles(s, (const float(*)[3][BW_WIDTH])mapped.corner, mapped.origin, mapped.size,
                                 mapped.error);
        }
    }
    s->primitive_tests += count;
    met.maybe &= (1u << count) - 1;
    for (; met.maybe != 0; met.maybe &= met.maybe - 1) {
        uint32_t slot = bw_wide_lowest(met.maybe);
        if (!s->decide(s, primitives[slot], (met.crossed >> slot & 1) != 0))
            return false;
    }
    return true;
}

LANES_TARGET void RAY_DESCENT(bw_ray_state *s)
{
    const bw_wide_node *nodes = s->side->tree->nodes;
    bw_near_boxes mapped;
    float enter[BW_WIDTH];
    uint32_t ref = 0; /* what to look at now */
    for (;;) {
        s->nodes_visited++;
        if ((ref & BW_WIDE_LEAF) != 0) {
            if (!visit_leaf(s, ref & ~BW_WIDE_LEAF))
                return;
        } else {
            const bw_wide_node *node = &nodes[ref];
            bw_wide_need_node(s->side->tree, ref);
            const float *boxes = &node->min[0][0];
            if (s->near != NULL) {
                s->near->boxes(&s->map, node, NULL, &mapped);
                boxes = &mapped.low[0][0];
            }
            s->box_tests += node->count;
            uint32_t mask = meet_boxes(s, boxes, enter) & ((1u << node->count) - 1);
            if (mask != 0) {
                if ((mask & (mask - 1)) == 0)
                    ref = node->child[bw_wide_lowest(mask)];
                else if (!take_nearest(s, node->child, mask, enter, &ref))
                    return;
                continue;
            }
        }
        for (;;) {
            if (s->stack.count == 0)
                return;
            uint64_t key = ((const uint64_t *)(const void *)s->stack.items)[--s->stack.count];
            uint32_t bits = (uint32_t)(key >> 32);
            float near;
            memcpy(&near, &bits, sizeof near);
            ref = (uint32_t)key;
            if (!(near > s->limit))
                break;
        }
    }
}

#endif
