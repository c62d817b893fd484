/* The traversal of one ray, for one level of base/simd/f32x8.h.
 *
 * What was met and is still to be taken up stands on a stack of groups: a node, which of its children, and
 * where the ray enters each. A node is pushed once, whatever it has. */
#ifndef BW_COLLIDE_RAY_TRACE_TEMPLATE_H
#define BW_COLLIDE_RAY_TRACE_TEMPLATE_H

#include "collide/ray/leaf_template.h"

/* Makes a ray ready; false where it is for the fallback. */
RAY_FN bool ray_set(bw_ray_state *s, bw_ray_ready *r, ray_boxes *b)
{
    if (s->target->side.map == NULL && ray_set_near(s, r, b))
        return true;
    bw_ray_state_line(s);
    if (!bw_ray_ready_set(s->target, s->origin, s->through, r))
        return false;
    for (int k = 0; k < 3; k++) {
        b->inverse[k] = v8_all(r->inverse[k]);
        b->near[k] = v8_all(r->near[k]);
        b->far[k] = v8_all(r->far[k]);
    }
    return true;
}

/* What ray_set leaves for later: many rays meet nothing. */
RAY_FN void ray_aim_now(const bw_ray_target *t, const bw_vec3 *origin, const bw_vec3 *through,
                        bw_ray_ready *r)
{
    if (r->line < 0.0f)
        ray_aim(t, origin, through, r);
}

/* Where a node has the planes that a ray meets first and last along each axis, in bytes. */
typedef struct ray_rows {
    uint32_t first[3], last[3];
} ray_rows;
#define RAY_ROW(octant, axis, last) (32 * (axis) + (((octant) >> (axis)&1) != (last) ? 96 : 0))
#define RAY_ROWS(o)                                                                                          \
    {                                                                                                        \
        {RAY_ROW(o, 0, 0), RAY_ROW(o, 1, 0), RAY_ROW(o, 2, 0)},                                              \
        {                                                                                                    \
            RAY_ROW(o, 0, 1), RAY_ROW(o, 1, 1), RAY_ROW(o, 2, 1)                                             \
        }                                                                                                    \
    }
static const ray_rows rows_of[8] = {RAY_ROWS(0), RAY_ROWS(1), RAY_ROWS(2), RAY_ROWS(3),
                                    RAY_ROWS(4), RAY_ROWS(5), RAY_ROWS(6), RAY_ROWS(7)};

RAY_FN v8 ray_row(const char *node, size_t row)
{
    return v8_load((const float *)(const void *)(node + row));
}

/* ---- what differs between the two layouts. A reference is one of bw_ray_node or of bw_wide_node. ---- */

RAY_FN bool ray_is_leaf(uint64_t ref, bool prepared)
{
    return (ref & (prepared ? BW_RAY_LEAF : BW_WIDE_LEAF)) != 0;
}

RAY_FN uint64_t ray_child(const char *node, uint32_t lane, bool prepared)
{
    return prepared ? ((const bw_ray_node *)(const void *)node)->child[lane]
                    : ((const bw_wide_node *)(const void *)node)->child[lane];
}

RAY_FN const char *ray_node(const bw_ray_target *t, const char *base, uint64_t ref, bool prepared)
{
    if (prepared)
        return base + (ref & ~(uint64_t)63);
    bw_wide_need_node(t->side.tree, (uint32_t)ref);
    return base + ref * sizeof(bw_wide_node);
}

/* Asks for what is read of a node or leaf of the wide tree. */
RAY_FN void ray_fetch_wide(const bw_wide *tree, uint32_t ref)
{
    const uint32_t index = ref & ~BW_WIDE_LEAF;
    const bool leaf = (ref & BW_WIDE_LEAF) != 0;
    if (leaf && tree->corners == NULL)
        return;
    const char *at = leaf ? (const char *)(tree->corners + index) : (const char *)(tree->nodes + index);
    BW_PREFETCH(at);
    BW_PREFETCH(at + 64);
    BW_PREFETCH(at + 128);
    BW_PREFETCH(at + 192);
    if (leaf) {
        BW_PREFETCH(at + 256);
        BW_PREFETCH(tree->primitives + (size_t)index * BW_WIDTH);
    }
}

/* Asks for what a reference names. */
RAY_FN void ray_fetch(const char *base, uint64_t ref)
{
    const char *at = base + (ref & BW_RAY_OFFSET);
    BW_PREFETCH(at);
    BW_PREFETCH(at + 64);
    BW_PREFETCH(at + 128);
    BW_PREFETCH(at + 192);
    BW_PREFETCH(at + 256);
}

typedef struct ray_group {
    _Alignas(64) float enter[BW_WIDTH];
    uint64_t node;  /* in bytes from the first */
    uint64_t flips; /* 256 times what bw_ray_flips says */
    uint64_t mask;
} ray_group;

/* The first lane of a set, by the flips of a group. */
RAY_FN uint32_t ray_first_of(uint64_t flips, uint64_t mask)
{
    return (&bw_ray_first_lane[0][0])[flips + mask];
}

/* Which of the lanes of a set to take up first. The wide tree has its children in no order. */
RAY_FN uint32_t ray_first(uint64_t flips, const float *enter, uint32_t mask, int mode, bool prepared)
{
    if (prepared)
        return ray_first_of(flips, mask);
    if (mode != BW_RAY_NEAR)
        return bw_wide_lowest(mask);
    return v8_least_lane(v8_load(enter), mask);
}

/* ---- the traversal ---- */

/* Drops what is beyond the limit; returns the new top. */
RAY_FN ray_group *ray_pack(ray_group *stack, ray_group *top, v8 end)
{
    ray_group *kept = stack;
    for (ray_group *g = stack; g != top; g++) {
        const v8 enter = v8_load(g->enter);
        const uint64_t mask = g->mask & RAY_WITHIN(enter, end);
        v8_store(kept->enter, enter);
        kept->node = g->node;
        kept->flips = g->flips;
        kept->mask = mask;
        kept += mask != 0;
    }
    return kept;
}

enum { RAY_FEW = 4 }; /* groups */

/* The same. Most rays have a few groups, and after a contact nothing is left in them: without a branch for
 * each. Those below the top may be left empty. */
RAY_FN ray_group *ray_prune(ray_group *stack, ray_group *top, v8 end)
{
    if (top > stack + RAY_FEW)
        return ray_pack(stack, top, end);
    uint32_t all = 0;
    for (int i = 0; i < RAY_FEW; i++) {
        const uint32_t mask = (uint32_t)stack[i].mask & RAY_WITHIN(v8_load(stack[i].enter), end);
        stack[i].mask = mask;
        all |= mask << 8 * i;
    }
    all &= (uint32_t)(((uint64_t)1 << 8 * (top - stack)) - 1);
    return all == 0 ? stack : stack + (bw_wide_highest(all) >> 3) + 1;
}

RAY_FN bool ray_trace(bw_ray_state *s, int mode, bool prepared)
{
    const bw_ray_target *t = s->target;
    bw_ray_ready r;
    ray_boxes boxes;
    if (!ray_set(s, &r, &boxes))
        return false;
    const char *base = prepared ? (const char *)t->layout->nodes : (const char *)t->side.tree->nodes;
    const ray_rows *rows = &rows_of[r.octant];
    const size_t x0 = rows->first[0], y0 = rows->first[1], z0 = rows->first[2], x1 = rows->last[0],
                 y1 = rows->last[1], z1 = rows->last[2];
    const v8 ix = boxes.inverse[0], iy = boxes.inverse[1], iz = boxes.inverse[2];
    const v8 nx = boxes.near[0], ny = boxes.near[1], nz = boxes.near[2];
    const v8 fx = boxes.far[0], fy = boxes.far[1], fz = boxes.far[2];
    const uint8_t *flips_of = bw_ray_flips[r.octant];
    uint64_t flips = 0;
    v8 end = v8_all(INFINITY);
    if (s->best.t < (double)INFINITY)
        end = v8_all(bw_ray_limit(&r, s->best.t));
    uint64_t nodes = 0, leaves = 0, ref = prepared ? t->layout->root : 0;
    ray_group stack[BW_RAY_DEPTH], *top = stack;
    bool known = true;
    if (mode == BW_RAY_NEAR)
        for (int i = 0; i < RAY_FEW; i++) { /* which ray_prune reads whatever there is */
            v8_store(stack[i].enter, v8_all(0.0f));
            stack[i].mask = 0;
        }
    for (;;) {
        while (!ray_is_leaf(ref, prepared)) {
            const char *node = ray_node(t, base, ref, prepared);
            nodes++;
            if (prepared) {
                BW_PREFETCH(node + 192);
                flips = (uint64_t)flips_of[bw_ray_order(ref)] << 8;
            }
            const v8 in_x = RAY_MUL_SUB(ray_row(node, x0), ix, nx),
                     in_y = RAY_MUL_SUB(ray_row(node, y0), iy, ny),
                     in_z = RAY_MUL_SUB(ray_row(node, z0), iz, nz);
            const v8 out_x = RAY_MUL_SUB(ray_row(node, x1), ix, fx),
                     out_y = RAY_MUL_SUB(ray_row(node, y1), iy, fy),
                     out_z = RAY_MUL_SUB(ray_row(node, z1), iz, fz);
            const v8 enter = v8_max(v8_max(in_x, in_y), v8_max(in_z, v8_all(0.0f)));
            const v8 leave = v8_min(v8_min(out_x, out_y), v8_min(out_z, end));
            const uint32_t mask = RAY_WITHIN(enter, leave);
            if (mask == 0)
                goto pop;
            ray_aim_now(t, s->origin, s->through, &r); /* while the traversal goes on */
            if (!prepared && top == stack + BW_RAY_DEPTH) {
                known = false;
                goto done;
            }
            if (mode == BW_RAY_NEAR)
                v8_store(top->enter, enter);
            const uint32_t lane = ray_first(flips, top->enter, mask, mode, prepared);
            const uint32_t left = mask & ~(1u << lane);
            ref = ray_child(node, lane, prepared);
            if (prepared)
                ray_fetch(base, ray_child(node, ray_first_of(flips, left), true));
            top->node = (uint64_t)(node - base);
            top->flips = flips;
            top->mask = left;
            top += left != 0;
        }
        {
            bw_ray_leaf room;
            float longest;
            uint32_t crossed;
            leaves++;
            if (!prepared && top != stack && top[-1].mask != 0)
                ray_fetch_wide(t->side.tree,
                               (uint32_t)ray_child(
                                   base + top[-1].node,
                                   ray_first(0, top[-1].enter, (uint32_t)top[-1].mask, mode, false), false));
            const bw_ray_leaf *leaf = ray_leaf(t, base, ref, prepared, &room, &longest);
            const uint32_t maybe = ray_meet_leaf(&r, leaf, longest, &crossed);
            if (maybe != 0) {
                const double before = s->best.t;
                const uint32_t kept = !prepared   ? ray_kept(t, (uint32_t)ref & ~BW_WIDE_LEAF)
                                      : t->floats ? 0xFFu
                                                  : 0;
                if (!ray_decide(s, leaf, maybe, crossed, kept, mode))
                    break;
                if (mode == BW_RAY_NEAR && s->best.t != before) {
                    end = v8_all(bw_ray_limit(&r, s->best.t));
                    top = ray_prune(stack, top, end);
                }
            }
        }
    pop:;
        uint32_t mask;
        do {
            if (top == stack)
                goto done;
            mask = (uint32_t)top[-1].mask;
            top -= mask == 0;
        } while (mode == BW_RAY_NEAR && mask == 0);
        const uint32_t lane = ray_first(top[-1].flips, top[-1].enter, mask, mode, prepared),
                       left = mask & ~(1u << lane);
        ref = ray_child(base + top[-1].node, lane, prepared);
        top[-1].mask = left;
        top -= left == 0;
    }
done:
    s->nodes = nodes;
    s->leaves = leaves;
    return known;
}

#define RAY_TRACE(name, mode, prepared)                                                                      \
    RAY_TARGET static bool name(bw_ray_state *s)                                                             \
    {                                                                                                        \
        return ray_trace(s, mode, prepared);                                                                 \
    }
RAY_TRACE(trace_near, BW_RAY_NEAR, false)
RAY_TRACE(trace_some, BW_RAY_SOME, false)
RAY_TRACE(trace_each, BW_RAY_EACH, false)
RAY_TRACE(trace_near_prepared, BW_RAY_NEAR, true)
RAY_TRACE(trace_some_prepared, BW_RAY_SOME, true)
RAY_TRACE(trace_each_prepared, BW_RAY_EACH, true)

#define RAY_TRACES                                                                                           \
    {                                                                                                        \
        {trace_near, trace_some, trace_each},                                                                \
        {                                                                                                    \
            trace_near_prepared, trace_some_prepared, trace_each_prepared                                    \
        }                                                                                                    \
    }

#endif
