/* The descent of nearest.h, for one level of base/simd/f32x8.h. */
#ifndef BW_COLLIDE_DISTANCE_NEAREST_TEMPLATE_H
#define BW_COLLIDE_DISTANCE_NEAREST_TEMPLATE_H

#include "base/simd/lane_lists.h"
#include "collide/distance/box_lanes.h"
#include "collide/distance/nearest.h"
#include "collide/pair/kernels.h"
#include "tree/wide/deferred.h"
#include "tree/wide/gather_corners.h"

#include <math.h>
#include <string.h>

/* Bounds of the squared distances of a node's boxes. */
LANES_FN v8 box_bounds(const bw_wide_node *node, const float low[3], const float high[3])
{
    v8 sum = v8_all(0.0f);
    for (int k = 0; k < 3; k++)
        sum = v8_add(sum, gap2(v8_load(node->min[k]), v8_load(node->max[k]), low[k], high[k]));
    return sum;
}

/* The same of lenses: the gap to the planes and that to the cylinder across them. */
LANES_FN v8 lens_bounds(const bw_wide_node *node, const bw_lens *lens, const float centre[3], float blur)
{
    vec8 r, n = {v8_load(lens->normal[0]), v8_load(lens->normal[1]), v8_load(lens->normal[2])};
    v8 half = v8_all(0.5f), zero = v8_all(0.0f), margin = v8_all(blur), at[3];
    for (int k = 0; k < 3; k++)
        at[k] = v8_sub(v8_all(centre[k]),
                       v8_add(v8_mul(half, v8_load(node->min[k])), v8_mul(half, v8_load(node->max[k]))));
    r = (vec8){at[0], at[1], at[2]};
    v8 along = vec8_dot(n, r), square = vec8_dot(r, r);
    v8 gap = v8_max(v8_sub(along, v8_load(lens->high)), v8_sub(v8_load(lens->low), along));
    v8 across2 = v8_sub(v8_mul(square, v8_all(1.0f - 0x1p-19f)), v8_mul(along, along));
    v8 beside = v8_sub(v8_sqrt(v8_max(across2, zero)), v8_load(lens->radius));
    gap = v8_max(v8_sub(gap, margin), zero);
    beside = v8_max(v8_sub(beside, margin), zero);
    return v8_add(v8_mul(gap, gap), v8_mul(beside, beside));
}

LANES_FN v8 node_bounds(const bw_nearest_search *q, uint32_t index)
{
    const bw_wide_node *node = &q->side->tree->nodes[index];
    bw_wide_need_node(q->side->tree, index);
    if (q->mapped) {
        bw_distance_boxes mapped;
        map_boxes(&q->map, node, &mapped);
        const near8 b = load_near(&mapped);
        return v8_add(v8_add(gap2(b.low[0], b.high[0], q->low[0], q->high[0]),
                             gap2(b.low[1], b.high[1], q->low[1], q->high[1])),
                      gap2(b.low[2], b.high[2], q->low[2], q->high[2]));
    }
    v8 bound = box_bounds(node, q->low, q->high);
    if (q->lenses != NULL)
        bound = v8_max(bound, lens_bounds(node, &q->lenses[index], q->centre, q->blur_lens));
    return bound;
}

/* The corners of a leaf in the frame, relative to its origin, and where that is; `size` bounds their
 * coordinates and `error` what is between each and the exact one. */
typedef struct framed {
    vec8 corner[3];
    float to[3]; /* the point, relative too */
    float size, error;
} framed;

LANES_FN void frame_leaf(const bw_nearest_search *q, const bw_wide_corners *c, framed *out)
{
    const float u = 0x1p-24f;
    v8 x[3][3];
    if (q->mapped) {
        for (int i = 0; i < 3; i++) {
            v8 mx = v8_all(q->map.m[i][0]), my = v8_all(q->map.m[i][1]), mz = v8_all(q->map.m[i][2]);
            for (int k = 0; k < 3; k++)
                x[k][i] = v8_add(v8_add(v8_mul(mx, v8_load(c->coordinate[k][0])),
                                        v8_mul(my, v8_load(c->coordinate[k][1]))),
                                 v8_mul(mz, v8_load(c->coordinate[k][2])));
            double origin = q->map.turn[0][i] * (double)c->origin[0] +
                            q->map.turn[1][i] * (double)c->origin[1] +
                            q->map.turn[2][i] * (double)c->origin[2] + q->map.shift[i];
            out->to[i] = (float)(q->at[i] - origin);
        }
        out->size = q->map.reach * c->magnitude * (1.0f + 8.0f * u);
        out->error = 7.0f * u * (q->map.reach * c->magnitude) + q->blur;
    } else {
        v8 scale = v8_all(q->scale);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                x[k][i] = v8_mul(scale, v8_load(c->coordinate[k][i]));
            out->to[i] = (float)((q->at[i] - (double)c->origin[i]) * (double)q->scale);
        }
        out->size = c->magnitude * q->scale;
        out->error = 1.01f * u * out->size + q->blur;
    }
    for (int k = 0; k < 3; k++)
        out->corner[k] = (vec8){x[k][0], x[k][1], x[k][2]};
}

/* Squared distances of the point from eight triangles: `upper` is that of a point of each, and `lower` above
 * the true one by no more than the margins allow. */
LANES_FN void point_triangles_both(const framed *f, v8 *out_lower, v8 *out_upper)
{
    const v8 zero = v8_all(0.0f), one = v8_all(1.0f), least = v8_all(0x1p-120f);
    const vec8 p = {v8_all(f->to[0]), v8_all(f->to[1]), v8_all(f->to[2])};
    vec8 r[3], e[3];
    v8 edges = v8_all(INFINITY);
    for (int i = 0; i < 3; i++) {
        r[i] = vec8_sub(f->corner[i], p);
        e[i] = vec8_sub(f->corner[i == 2 ? 0 : i + 1], f->corner[i]);
    }
    for (int i = 0; i < 3; i++) {
        v8 at = v8_div(v8_sub(zero, vec8_dot(r[i], e[i])), v8_max(vec8_dot(e[i], e[i]), least));
        vec8 w = vec8_add_scaled(r[i], v8_clamp01(at), e[i]);
        edges = v8_min(vec8_dot(w, w), edges);
    }
    vec8 n = vec8_cross(e[2], e[0]);
    v8 n2 = vec8_dot(n, n), inverse = v8_div(one, v8_max(n2, least)), height = vec8_dot(n, r[0]);
    v8 side[3]; /* not positive: inside */
    for (int i = 0; i < 3; i++)
        side[i] = vec8_dot(vec8_cross(n, e[i]), r[i]);
    m8 outside =
        m8_or(m8_or(v8_greater(side[0], zero), v8_greater(side[1], zero)), v8_greater(side[2], zero));
    m8 inside = m8_without(v8_greater(n2, least), outside);
    v8 face = v8_mul(v8_mul(height, height), inverse);
    *out_lower = v8_min(v8_choose(inside, face, edges), edges);
    /* The foot by its weights along two edges: of a sliver it may be off, but never off the triangle. */
    v8 s = v8_clamp01(v8_mul(v8_sub(zero, side[2]), inverse)),
       t = v8_clamp01(v8_mul(v8_sub(zero, side[0]), inverse));
    t = v8_min(t, v8_sub(one, s));
    vec8 foot = vec8_add_scaled(vec8_add_scaled(r[0], s, e[0]), v8_sub(zero, t), e[2]);
    *out_upper = v8_min(vec8_dot(foot, foot), edges);
}

LANES_FN bw_result visit_leaf(bw_nearest_search *q, uint32_t leaf)
{
    const bw_wide *tree = q->side->tree;
    const uint32_t count = tree->leaves[leaf].count;
    const float u = 0x1p-24f;
    _Alignas(32) bw_wide_corners gathered;
    framed f;
    v8 lower, upper;
    float size = 0.0f, kept[BW_WIDTH];
    frame_leaf(q, bw_wide_leaf_corners(tree, q->side->mesh, leaf, &gathered), &f);
    point_triangles_both(&f, &lower, &upper);
    for (int k = 0; k < 3; k++) {
        float x = f.to[k] < 0.0f ? -f.to[k] : f.to[k];
        size = x > size ? x : size;
    }
    size += f.size;
    q->counts.primitive_tests += count;
    if (size > 0x1p-20f && size < 0x1p10f) {
        const float length = 1.75f * f.error + u * (21.0f * size + 18.0f * f.size);
        const float best = v8_lowest(upper); /* unused slots repeat the first */
        if (best < q->limit * q->limit) {
            q->leaf = leaf;
            q->slot = bw_wide_lowest(~m8_bits(v8_greater(upper, v8_all(best))) & 0xFFu);
            bw_nearest_lower(q, (sqrtf(best) + length) * (1.0f + 4.0f * u));
        }
        if (q->about)
            return BW_OK;
        const float loss =
            (length * (2.0f * q->limit + length) + 0x1.2p-13f * size * (2.0f * f.size)) * (1.0f + 16.0f * u);
        lower = v8_sub(v8_mul(lower, v8_all(1.0f - 0x1p-21f)), v8_all(loss));
    } else if (q->about) {
        return BW_OK;
    } else {
        lower = v8_all(0.0f); /* products may underflow, or nothing is known: floats do not tell */
    }
    const float cut = q->limit * q->limit * (1.0f + 0x1p-21f);
    uint32_t lanes = ~m8_bits(v8_greater(lower, v8_all(cut))) & ((1u << count) - 1);
    if (lanes == 0)
        return BW_OK;
    const pick8 order = pick8_of(lane_lists[lanes]);
    v8_store(kept, lower);
    v8_store(q->lower + q->count, v8_pick(kept, order));
    pick8_words(q->primitive + q->count, tree->primitives + leaf * (size_t)BW_WIDTH, order);
    q->count += bw_wide_bits(lanes);
    return q->count <= BW_NEAREST_LIST ? BW_OK : bw_nearest_reserve(q);
}

/* Asks for what a child is read from. */
LANES_FN void fetch_child(const bw_nearest_search *q, uint32_t ref)
{
    const bw_wide *tree = q->side->tree;
    const size_t index = ref & ~BW_WIDE_LEAF;
    if ((ref & BW_WIDE_LEAF) == 0) {
        const char *node = (const char *)&tree->nodes[index];
        for (size_t i = 0; i < sizeof *tree->nodes; i += 64)
            __builtin_prefetch(node + i);
        if (q->lenses != NULL)
            for (size_t i = 0; i < sizeof *q->lenses; i += 64)
                __builtin_prefetch((const char *)&q->lenses[index] + i);
    } else if (tree->corners != NULL) {
        const char *corners = (const char *)&tree->corners[index];
        for (size_t i = 0; i < sizeof *tree->corners; i += 64)
            __builtin_prefetch(corners + i);
    }
}

LANES_TARGET static bw_result descend(bw_nearest_search *q, const bw_allocator *allocator)
{
    const bw_wide *tree = q->side->tree;
    bw_nearest_group room[BW_NEAREST_STACK];
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, allocator);
    bw_result result = BW_OK;
    uint32_t node = 0, lanes = (1u << tree->nodes[0].count) - 1;
    uint64_t nodes = 1, leaves = 0, tests = tree->nodes[0].count;
    v8 bound = node_bounds(q, 0);
    for (;;) {
        lanes &= ~m8_bits(v8_greater(bound, v8_all(q->bound)));
        if (lanes == 0) {
            const bw_nearest_group *top = bw_stack_pop(&stack);
            if (top == NULL)
                break;
            bound = v8_load(top->bound);
            lanes = top->lanes;
            node = top->node;
            continue;
        }
        const uint32_t lane = v8_least_lane(bound, lanes), child = tree->nodes[node].child[lane];
        lanes &= ~(1u << lane);
        if (lanes != 0)
            fetch_child(q, tree->nodes[node].child[v8_least_lane(bound, lanes)]);
        if ((child & BW_WIDE_LEAF) != 0) {
            leaves++;
            result = visit_leaf(q, child & ~BW_WIDE_LEAF);
            if (result != BW_OK)
                break;
            continue;
        }
        if (lanes != 0) {
            bw_nearest_group *top = bw_stack_push(&stack);
            if (top == NULL) {
                result = BW_ERROR_MEMORY;
                break;
            }
            v8_store(top->bound, bound);
            top->node = node;
            top->lanes = lanes;
        }
        node = child;
        lanes = (1u << tree->nodes[node].count) - 1;
        bound = node_bounds(q, node);
        nodes++;
        tests += tree->nodes[node].count;
    }
    q->counts.nodes_visited += nodes + leaves;
    q->counts.box_tests += tests;
    bw_stack_release(&stack);
    return result;
}

#endif
