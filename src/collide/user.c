/* Contacts of primitives that only their owner knows: boxes by the traversal by distance, the rest by the
 * owner's test. */
#include "base/fault.h"
#include "base/sized.h"
#include "collide/distance/distance.h"
#include "collide/hit_sink.h"
#include "tree/kind.h"

typedef struct user_query {
    bw_distance_query base; /* first, so that a pointer to it is one to the whole */
    bw_metric_side sides[2];
    bw_user_pair_fn *test;
    void *user;
    bw_hit_sink *sink;
} user_query;

static bool meet(const bw_metric_boxes *a, uint32_t i, const bw_metric_boxes *b, uint32_t j)
{
    bool meet = true;
    for (int k = 0; k < 3; k++)
        meet &= a->min[k][i] <= b->max[k][j] && b->min[k][j] <= a->max[k][i];
    return meet;
}

static bool ask_owner(bw_distance_query *base, uint32_t leaf_a, uint32_t leaf_b)
{
    user_query *q = (user_query *)base;
    bw_metric_boxes a, b;
    bw_metric_children(&q->sides[0], BW_WIDE_LEAF | leaf_a, &a);
    bw_metric_children(&q->sides[1], BW_WIDE_LEAF | leaf_b, &b);
    base->box_tests += (uint64_t)a.count * b.count;
    for (uint32_t j = 0; j < b.count; j++)
        for (uint32_t i = 0; i < a.count; i++) {
            if (!meet(&a, i, &b, j))
                continue;
            base->primitive_tests++;
            if (!bw_hit_sink_wanted(q->sink))
                return false;
            bw_contact_kind kind = q->test(q->user, a.child[i], b.child[j]);
            if (kind != BW_CONTACT_NONE && !bw_hit_sink_add(q->sink, a.child[i], b.child[j], kind))
                return false;
        }
    return true;
}

bw_result bw_collide_user(const bw_body *a, const bw_body *b, bw_user_pair_fn *test, void *user,
                          const bw_collide_desc *desc, bw_collide_report *report, bw_fault *fault)
{
    static const bw_collide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (a == NULL || b == NULL || a->tree == NULL || b->tree == NULL || test == NULL || report == NULL ||
        (unsigned)desc->mode > BW_COLLIDE_COUNT || (desc->hits == NULL && desc->hit_capacity > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_cancel cancel;
    bw_hit_sink sink = {.desc = desc, .cancel = bw_cancel_init(&cancel, desc->progress)};
    /* Boxes at no distance from each other: they overlap or touch. */
    user_query q = {.base = {.limit2 = 0.0, .leaves = ask_owner}, .test = test, .user = user, .sink = &sink};
    bw_result result = bw_metric_prepare(a, &q.sides[0]);
    if (result == BW_OK)
        result = bw_metric_prepare(b, &q.sides[1]);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    result = bw_distance_traverse(&q.sides[0], &q.sides[1], BW_SIMD_AUTO, &allocator, &q.base);
    if (result != BW_OK)
        return bw_fail(fault, result);
    sink.report.nodes_visited = q.base.nodes_visited;
    sink.report.box_tests = q.base.box_tests;
    sink.report.primitive_tests = q.base.primitive_tests;
    bw_report_set(report, sink.report);
    return bw_fail(fault, BW_OK);
}
