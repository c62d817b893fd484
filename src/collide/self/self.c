/* The contacts of a body with itself. No pose is needed: a body that stands still in its own frame. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/distance/metric.h"
#include "collide/pair/pair.h"
#include "collide/separation/separation.h"
#include "collide/span/pair_cache.h"

static bw_result collide_self(const bw_cache_query *query, bw_hit_sink *sink)
{
    const bw_collide_desc *desc = sink->desc;
    const bw_body *body = query->a;
    bw_wide_options options = {
        .tasks = desc->tasks, .witness = desc->witness, .separation = query->pose->separation};
    if (desc->cache != NULL)
        options.fans = bw_pair_cache_fans(desc->cache, body);
    return bw_wide_self(&(bw_wide_side){&body->tree->wide, body->mesh}, &options, sink);
}

bw_result bw_collide_self(const bw_body *body, const bw_collide_desc *desc, bw_collide_report *report,
                          bw_fault *fault)
{
    static const bw_collide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (body == NULL || body->tree == NULL || body->mesh == NULL || report == NULL ||
        (unsigned)desc->mode > BW_COLLIDE_COUNT || (desc->hits == NULL && desc->hit_capacity > 0) ||
        bw_tasks_check(desc->tasks) != BW_OK || !(desc->separation >= 0.0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_body still = {body->tree, body->mesh, NULL};
    bw_metric_side side;
    bw_result result = bw_metric_prepare_lazily(&still, &side);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_relative_pose pose = {true, false, bw_transform_identity(), NULL};
    bw_separation separation;
    if (desc->separation > 0.0) {
        result = bw_separation_prepare(&separation, desc->separation, &still, &still, &pose);
        pose.separation = &separation;
    }
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_cancel cancel;
    bw_hit_sink sink = {.desc = desc, .cancel = bw_cancel_init(&cancel, desc->progress)};
    /* A list of the cache knows contacts, and of neighbours nothing. */
    const bool plain = desc->separation == 0.0 && desc->rings == 0;
    const bw_cache_query query = {&still, &still, &pose};
    result = plain && desc->cache != NULL ? bw_pair_cache_query(desc->cache, &query, collide_self, &sink)
                                          : bw_traverse_in_order(&query, collide_self, &sink);
    if (result == BW_OK)
        bw_report_set(report, sink.report);
    return bw_fail(fault, result);
}
