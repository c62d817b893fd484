/* Contacts of primitives that only their owner knows: boxes by the trees, the rest by the owner's test. */
#include "collide/distance/metric.h"
#include "collide/hit_sink.h"
#include "tree/kind.h"

typedef struct user_query {
    bw_metric_query base; /* first, so that a pointer to it is one to the whole */
    bw_user_pair_fn *test;
    void *user;
    bw_hit_sink *sink;
} user_query;

static bool ask_owner(bw_metric_query *base, uint32_t a, uint32_t b)
{
    user_query *q = (user_query *)base;
    if (!bw_hit_sink_wanted(q->sink))
        return false;
    bw_contact kind = q->test(q->user, a, b);
    return kind == BW_CONTACT_NONE || bw_hit_sink_add(q->sink, a, b, kind);
}

bw_result bw_collide_user(const bw_body *a, const bw_body *b, bw_user_pair_fn *test, void *user,
                          const bw_collide_desc *desc, bw_collide_report *report)
{
    static const bw_collide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (a == NULL || b == NULL || a->tree == NULL || b->tree == NULL || test == NULL || report == NULL ||
        (unsigned)desc->mode > BW_COLLIDE_COUNT || (desc->hits == NULL && desc->capacity > 0))
        return BW_ERROR_ARGUMENT;
    bw_metric_side sides[2];
    bw_result result = bw_metric_prepare(a, &sides[0]);
    if (result == BW_OK)
        result = bw_metric_prepare(b, &sides[1]);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_cancel cancel;
    bw_hit_sink sink = {.desc = desc, .cancel = bw_cancel_init(&cancel, desc->progress, desc->progress_user)};
    /* Boxes at no distance from each other: they overlap or touch. */
    user_query q = {.base = {.limit2 = 0.0, .visit = ask_owner}, .test = test, .user = user, .sink = &sink};
    result = bw_metric_walk(&sides[0], &sides[1], &allocator, &q.base);
    if (result != BW_OK)
        return result;
    sink.report.nodes_visited = q.base.nodes_visited;
    sink.report.box_tests = q.base.box_tests;
    sink.report.primitive_tests = q.base.primitive_tests;
    *report = sink.report;
    return BW_OK;
}
