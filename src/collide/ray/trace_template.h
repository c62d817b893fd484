/* The traversal of one ray, for one level of base/simd/f32x8.h.
 *
 * What was met and is still to be taken up stands on a stack of groups: a node, which of its children, and
 * where the ray enters each. A node is pushed once, whatever it has. */
#ifndef BW_COLLIDE_RAY_TRACE_TEMPLATE_H
#define BW_COLLIDE_RAY_TRACE_TEMPLATE_H

#include "collide/ray/leaf_template.h"

/* Makes a ray ready; false where it is for the fallback. */
RAY_FN bool ray_set(bw_ray_state *s, const bw_ray_target *t, bw_ray_ready *r, ray_boxes *b, ray_line *line)
{
    if (t->side.map == NULL && ray_set_near(s, t, r, b, line))
        return true;
    bw_ray_state_line(s);
    if (!bw_ray_ready_set(t, s->origin, s->through, r))
        return false;
    ray_boxes_set(r, b);
    ray_line_of(s, line);
    return true;
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

/* Where a node is, in bytes from the first. */
RAY_FN size_t ray_node(const bw_ray_target *t, uint64_t ref, bool prepared)
{
    if (prepared)
        return bw_ray_offset(ref);
    bw_wide_need_node(t->side.tree, (uint32_t)ref);
    return ref * sizeof(bw_wide_node);
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
    const char *at = base + bw_ray_offset(ref);
    BW_PREFETCH(at);
    BW_PREFETCH(at + 64);
    BW_PREFETCH(at + 128);
    BW_PREFETCH(at + 192);
    BW_PREFETCH(at + 256);
}

typedef struct ray_group {
    _Alignas(64) float enter[BW_WIDTH];
    uint64_t node;        /* in bytes from the first */
    const uint8_t *order; /* see ray_order */
    uint64_t mask;
    _Alignas(
        64) float leave[BW_WIDTH]; /* not below bw_ray_limit of what is in a child ahead, if start is 0 */
} ray_group;

/* The column of bw_ray_first_lane by which a ray goes through the children of a node. */
RAY_FN const uint8_t *ray_order(bw_ray_sight sight, uint64_t ref)
{
    return sight.table + (ref >> sight.shift & 7);
}

/* The first lane of a set, by the order of a group. */
RAY_FN uint32_t ray_first_of(const uint8_t *order, uint64_t mask)
{
    return order[8 * mask];
}

/* Which of the lanes of a set to take up first. The wide tree has its children in no order. */
RAY_FN uint32_t ray_first(const uint8_t *order, const float *enter, uint64_t mask, int mode, bool prepared)
{
    if (prepared)
        return ray_first_of(order, mask);
    if (mode != BW_RAY_NEAR)
        return bw_wide_lowest(mask);
    return v8_least_lane(v8_load(enter), (uint32_t)mask);
}

/* ---- the traversal ---- */

/* Drops what is beyond the limit; returns the new top. */
RAY_FN ray_group *ray_pack(ray_group *stack, ray_group *top, v8 end)
{
    ray_group *kept = stack;
    for (ray_group *g = stack; g != top; g++) {
        const uint64_t mask = g->mask & RAY_WITHIN(v8_load(g->enter), end);
        *kept = *g;
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

/* What a ray takes through the nodes of a tree. */
typedef struct ray_walk {
    const char *base;
    const char *first[3], *last[3]; /* the rows of the first node that it meets first, and last */
    bw_ray_sight sight;
} ray_walk;

/* Which children of a node are met, and where each is entered. node: in bytes from the first. */
RAY_FN uint32_t ray_meet_node(const ray_walk *w, const ray_boxes *b, size_t node, v8 end, v8 *enter,
                              v8 *leave)
{
    v8 in[3], out[3];
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        in[k] = RAY_MUL_SUB(ray_row(w->first[k], node), b->inverse[k], b->near[k]);
        out[k] = RAY_MUL_SUB(ray_row(w->last[k], node), b->inverse[k], b->far[k]);
    }
    *enter = v8_max(v8_max(in[0], in[1]), v8_max(in[2], v8_all(0.0f)));
    *leave = v8_min(v8_min(out[0], out[1]), v8_min(out[2], end));
    return RAY_WITHIN(*enter, *leave);
}

/* What was taken up last. */
typedef struct ray_taken {
    const ray_group *group;
    uint32_t lane;
} ray_taken;

/* Takes up the first of the children that are met, and leaves the others on the stack. */
RAY_FN uint64_t ray_descend(const ray_walk *w, uint64_t ref, size_t node, uint32_t mask, v8 enter, v8 leave,
                            ray_group **top, ray_taken *taken, int mode, bool prepared)
{
    ray_group *group = *top;
    const char *at = w->base + node;
    const uint8_t *order = ray_order(w->sight, ref);
    if (mode == BW_RAY_NEAR) {
        v8_store(group->enter, enter);
        v8_store(group->leave, v8_mul(leave, v8_all(1.0f + 0x1p-19f)));
    }
    const uint32_t lane = ray_first(order, group->enter, mask, mode, prepared);
    const uint64_t left = mask & ~((uint64_t)1 << lane), child = ray_child(at, lane, prepared);
    if (prepared) { /* the next one; where there is none, what is read now. Not by a branch */
        const uint64_t next = ray_child(at, ray_first_of(order, left), true);
        ray_fetch(w->base, next ^ ((next ^ child) & ((uint64_t)0 - (left == 0))));
    }
    group->node = node;
    group->order = order;
    group->mask = left;
    taken->group = group;
    taken->lane = lane;
    *top = group + (left != 0);
    return child;
}

/* Of a ray that is made ready. False where the tree is too deep. */
RAY_FN bool ray_walk_tree(bw_ray_state *s, const bw_ray_target *t, bw_ray_ready *r, ray_boxes *boxes,
                          const ray_line *line, int mode, bool prepared)
{
    ray_walk w = {.base = prepared ? (const char *)t->layout->nodes : (const char *)t->side.tree->nodes,
                  .sight = bw_ray_sight_of(r->octant)};
    const ray_rows *rows = &rows_of[r->octant];
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        w.first[k] = w.base + rows->first[k];
        w.last[k] = w.base + rows->last[k];
    }
    v8 end = v8_all(INFINITY), enter, leave;
    ray_taken taken;
    if (s->best.t < (double)INFINITY)
        end = v8_all(bw_ray_limit(r, s->best.t));
    uint64_t nodes = 1, leaves = 0, ref = prepared ? t->layout->root : 0;
    ray_group stack[BW_RAY_DEPTH], *top = stack;
    bool known = true;
    /* The root first: many rays meet nothing, and the part for triangles is for others. */
    size_t node = ray_node(t, ref, prepared);
    uint32_t mask = ray_meet_node(&w, boxes, node, end, &enter, &leave);
    if (mask == 0)
        goto done;
    if (r->line < 0.0f) /* it is still to come, and has time while the traversal goes on */
        ray_aim(t, line, r);
    if (mode == BW_RAY_NEAR)
        for (int i = 0; i < RAY_FEW; i++) { /* which ray_prune reads whatever there is */
            v8_store(stack[i].enter, v8_all(0.0f));
            stack[i].mask = 0;
        }
    ref = ray_descend(&w, ref, node, mask, enter, leave, &top, &taken, mode, prepared);
    for (;;) {
        while (!ray_is_leaf(ref, prepared)) {
            node = ray_node(t, ref, prepared);
            nodes++;
            if (prepared)
                BW_PREFETCH(w.base + node + offsetof(bw_ray_node, child));
            mask = ray_meet_node(&w, boxes, node, end, &enter, &leave);
            if (mask == 0)
                goto pop;
            if (!prepared && top == stack + BW_RAY_DEPTH) {
                known = false;
                goto done;
            }
            ref = ray_descend(&w, ref, node, mask, enter, leave, &top, &taken, mode, prepared);
        }
        {
            bw_ray_leaf room;
            float longest;
            uint32_t crossed;
            leaves++;
            if (!prepared && top != stack && top[-1].mask != 0)
                ray_fetch_wide(t->side.tree,
                               (uint32_t)ray_child(w.base + top[-1].node,
                                                   ray_first(NULL, top[-1].enter, top[-1].mask, mode, false),
                                                   false));
            const bw_ray_leaf *leaf = ray_leaf(t, w.base, ref, prepared, &room, &longest);
            const uint32_t maybe = ray_meet_leaf(r, leaf, longest, &crossed);
            if (maybe != 0) {
                const double before = s->best.t;
                const uint32_t kept = !prepared   ? ray_kept(t, (uint32_t)ref & ~BW_WIDE_LEAF)
                                      : t->floats ? 0xFFu
                                                  : 0;
                /* A contact there is not beyond where the ray leaves the leaf: mostly that is enough to know
                 * that nothing nearer is left, long before the parameter is known. */
                if (mode == BW_RAY_NEAR && prepared && (maybe & crossed) != 0 && r->start == 0.0 &&
                    taken.group->enter[taken.lane] > 0x1p-60f)
                    top = ray_prune(stack, top, v8_all(taken.group->leave[taken.lane]));
                if (!ray_decide(s, line, leaf, maybe, crossed, kept, mode, r, boxes))
                    break;
                if (mode == BW_RAY_NEAR && top != stack && s->best.t != before) {
                    end = v8_all(bw_ray_limit(r, s->best.t));
                    top = ray_prune(stack, top, end);
                }
            }
        }
    pop:;
        uint64_t waiting;
        do {
            if (top == stack)
                goto done;
            waiting = top[-1].mask;
            top -= waiting == 0;
        } while (mode == BW_RAY_NEAR && waiting == 0);
        const uint32_t lane = ray_first(top[-1].order, top[-1].enter, waiting, mode, prepared);
        waiting &= ~((uint64_t)1 << lane);
        ref = ray_child(w.base + top[-1].node, lane, prepared);
        taken.group = top - 1;
        taken.lane = lane;
        top[-1].mask = waiting;
        top -= waiting == 0;
    }
done:
    s->nodes = nodes;
    s->leaves = leaves;
    return known;
}

#define RAY_TRACE(name, mode, prepared)                                                                      \
    RAY_TARGET static bool name(bw_ray_state *s)                                                             \
    {                                                                                                        \
        bw_ray_ready r;                                                                                      \
        ray_boxes boxes;                                                                                     \
        ray_line line;                                                                                       \
        return ray_set(s, s->target, &r, &boxes, &line) &&                                                   \
               ray_walk_tree(s, s->target, &r, &boxes, &line, mode, prepared);                               \
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

#if WIDE_LEVEL == 3
/* bw_ray_usual_fn. The state is never where another function sees it, so that most of it stays in
 * registers. */
RAY_FN bw_result ray_usual(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                           bw_ray_hit *hit, bw_raycast_report *report, bw_fault *fault, int mode)
{
    /* What is needed at the end only is kept in memory: registers are for the traversal. */
    struct {
        const bw_body *body;
        const bw_ray *ray;
        const bw_raycast_desc *desc;
        bw_ray_hit *hit;
        bw_fault *fault;
        double unit;
    } end = {.body = body, .ray = ray, .desc = desc, .hit = hit, .fault = fault};
    const struct bw_ray_layout *layout = body->tree->wide.rays;
    bw_ray_target t;
    bw_ray_state s;
    bw_ray_ready r;
    ray_boxes boxes;
    ray_line line;
    t.layout = layout;
    t.place = &layout->place;
    t.floats = true;
    t.roundings = 1.0f;
    s.target = NULL; /* decisions have the corners, and do not ask for it */
    s.origin = &ray->origin;
    s.visit = NULL;
    s.user = NULL;
    s.result = BW_OK;
    s.best.primitive = BW_NONE;
    s.best.kind = BW_CONTACT_NONE;
    s.best.t = (double)INFINITY;
    if (!ray_set_line(t.place, ray_load(&ray->origin), ray_load(&ray->direction), !ray->between, &r, &boxes,
                      &line))
        return bw_raycast_other(body, ray, desc, hit, report, fault);
    if (ray->t_max > 0.0)
        s.best.t = ray->t_max / r.unit;
    end.unit = r.unit;
    __asm__ volatile("" : : "r"(&end) : "memory");
    const bool known = ray_walk_tree(&s, &t, &r, &boxes, &line, mode, true) && s.result == BW_OK;
    __asm__ volatile("" : : "r"(&end) : "memory");
    if (!known)
        return bw_raycast_other(end.body, end.ray, end.desc, end.hit, NULL, end.fault);
    end.hit->primitive = s.best.primitive;
    end.hit->kind = s.best.kind;
    end.hit->t = s.best.primitive != BW_NONE ? s.best.t * end.unit : (double)INFINITY;
    return bw_fail(end.fault, BW_OK);
}

RAY_TARGET static bw_result usual_near(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                                       bw_ray_hit *hit, bw_raycast_report *report, bw_fault *fault)
{
    return ray_usual(body, ray, desc, hit, report, fault, BW_RAY_NEAR);
}

RAY_TARGET static bw_result usual_some(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                                       bw_ray_hit *hit, bw_raycast_report *report, bw_fault *fault)
{
    return ray_usual(body, ray, desc, hit, report, fault, BW_RAY_SOME);
}

#    define RAY_USUAL                                                                                        \
        {                                                                                                    \
            usual_near, usual_some                                                                           \
        }
#endif

#endif
