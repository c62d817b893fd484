/* The public pair query: checks its input and chooses the traversal for the kind of trees. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/contains/body.h"
#include "collide/contains/closed.h"
#include "collide/pair/pair.h"
#include "collide/separation/separation.h"
#include "collide/span/pair_cache.h"
#include "tree/kind.h"

#if BW_RESEARCH
#    include "collide/reference/kdop_pair.h"
#    include "collide/reference/obb_pair.h"
#endif

static bool is_body(const bw_body *body)
{
    return body != NULL && body->tree != NULL && body->mesh != NULL;
}

/* Of two trees of the same kind. */
static bw_result collide_trees(const bw_cache_query *query, bw_hit_sink *sink)
{
    const bw_body *a = query->a, *b = query->b;
    const bw_relative_pose *pose = query->pose;
    const bw_tree *ta = a->tree, *tb = b->tree;
    if (ta->primitives == 0 || tb->primitives == 0)
        return BW_OK;
#if BW_RESEARCH
    if (ta->kind == &bw_kind_obb)
        return bw_obb_pair(
            &ta->obb, &tb->obb,
            &(bw_binary_traversal){.mesh_a = a->mesh, .mesh_b = b->mesh, .pose = pose, .sink = sink});
    if (ta->kind == &bw_kind_kdop)
        return bw_kdop_pair(
            &ta->kdop, &tb->kdop,
            &(bw_binary_traversal){.mesh_a = a->mesh, .mesh_b = b->mesh, .pose = pose, .sink = sink});
#endif
    bw_wide_options options = {.tasks = sink->desc->tasks, .witness = sink->desc->witness};
    return bw_wide_pair(&(bw_wide_side){&ta->wide, a->mesh}, &(bw_wide_side){&tb->wide, b->mesh}, pose,
                        &options, sink);
}

static bool is_closed(const bw_body *body, int place, bw_pair_cache *cache)
{
    return cache != NULL ? bw_pair_cache_closed(cache, place, body) : bw_body_closed(body);
}

/* Two bodies apart: is one inside the other? In the frame of a, as the contacts were decided. */
static bw_result find_containment(const bw_body *a, const bw_body *b, const bw_relative_pose *pose,
                                  const bw_collide_desc *desc, bw_containment *out)
{
    bw_body local_a = {a->tree, a->mesh, NULL},
            local_b = {b->tree, b->mesh, pose->identity ? NULL : &pose->map};
    bw_metric_side side_a, side_b;
    bw_result result = bw_metric_prepare(&local_a, &side_a);
    if (result == BW_OK)
        result = bw_metric_prepare(&local_b, &side_b);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bool inside = false;
    result = bw_body_inside(&side_a, &side_b, &allocator, &inside);
    if (result == BW_OK && inside && is_closed(a, 0, desc->cache))
        *out = BW_CONTAINMENT_B_IN_A;
    if (result != BW_OK || *out != BW_CONTAINMENT_NONE)
        return result;
    result = bw_body_inside(&side_b, &side_a, &allocator, &inside);
    if (result == BW_OK && inside && is_closed(b, 1, desc->cache))
        *out = BW_CONTAINMENT_A_IN_B;
    return result;
}

bw_result bw_collide(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                     bw_collide_report *report, bw_fault *fault)
{
    static const bw_collide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (!is_body(a) || !is_body(b) || report == NULL || (unsigned)desc->mode > BW_COLLIDE_COUNT ||
        (unsigned)desc->box_test > BW_BOX_TEST_SAT_LITE || (desc->hits == NULL && desc->hit_capacity > 0) ||
        bw_tasks_check(desc->tasks) != BW_OK || !(desc->separation >= 0.0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_tree_accepts_lazily(a->tree, a->mesh);
    if (result == BW_OK)
        result = bw_tree_accepts_lazily(b->tree, b->mesh);
    if (result == BW_OK && (desc->containment || desc->separation > 0.0) && a->tree->kind != &bw_kind_wide)
        result = BW_ERROR_UNSUPPORTED;
    if (result == BW_OK && (a->tree->kind != b->tree->kind || a->tree->volume != b->tree->volume))
        result = BW_ERROR_UNSUPPORTED;
    bw_relative_pose pose;
    if (result == BW_OK)
        result = bw_relative_pose_between(a, b, &pose);
    bw_separation separation;
    if (result == BW_OK && desc->separation > 0.0) {
        result = bw_separation_prepare(&separation, desc->separation, a, b, &pose);
        pose.separation = &separation;
    }
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_cancel cancel;
    bw_hit_sink sink = {.desc = desc, .cancel = bw_cancel_init(&cancel, desc->progress)};
    bool plain = a->tree->kind == &bw_kind_wide && desc->axis_exits == NULL && pose.separation == NULL;
    const bw_cache_query query = {a, b, &pose};
    result = plain && desc->cache != NULL ? bw_pair_cache_query(desc->cache, &query, collide_trees, &sink)
                                          : bw_traverse_in_order(&query, collide_trees, &sink);
    if (result == BW_OK && desc->containment && sink.report.hit_count == 0 && sink.report.status == BW_DONE)
        result = find_containment(a, b, &pose, desc, &sink.report.containment);
    if (result == BW_OK)
        bw_report_set(report, sink.report);
    return bw_fail(fault, result);
}
