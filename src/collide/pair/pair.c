/* The pair query and the self query of wide trees. */
#include "collide/pair/pair.h"
#include "collide/clearance/clearance.h"
#include "collide/pair/parallel.h"
#include "collide/pair/traverse.h"
#include "collide/self/fans.h"

#include "base/tasks.h"
#include "collide/pair/narrow_phase.h"
#include "tree/wide/deferred.h"

/* Only queries on large trees pay for the list that threads need. */
enum { PARALLEL_LEAVES = 256 };

/* Whether two leaves, given by number, still meet: looked at before anything else. */
static bool ask_witness(bw_traversal *walk, const bw_witness *witness)
{
    if (!witness->valid || witness->leaf_a >= walk->a->leaf_count || witness->leaf_b >= walk->b->leaf_count)
        return true;
    const bw_wide_leaf *a = &walk->a->leaves[witness->leaf_a], *b = &walk->b->leaves[witness->leaf_b];
    if (a->count == 0 || b->count == 0)
        return true;
    bw_wide_item item = {a->parent, b->parent, 1u << a->lane, 1u << b->lane};
    return bw_traversal_visit(walk, &item).leaves == 0 ||
           bw_wide_compare_leaves(walk, (bw_wide_leaf_pair){witness->leaf_a, witness->leaf_b});
}

static bw_result walk_alone(const bw_wide_plan *plan, bw_witness *witness, bw_hit_sink *sink)
{
    bw_traversal walk;
    bw_traversal_init(&walk, plan, sink);
    bool any_hit = walk.any_hit;
    if (any_hit && witness != NULL && !ask_witness(&walk, witness)) {
        bw_traversal_release(&walk);
        return walk.result;
    }
    walk.gathers = !any_hit && !plan->self;
    if (bw_traversal_push(&walk, &plan->root))
        bw_traversal_run(&walk);
    bw_traversal_deliver(&walk);
    if (any_hit && witness != NULL)
        *witness = (bw_witness){sink->report.status == BW_FOUND, walk.last.a, walk.last.b};
    bw_traversal_release(&walk);
    return walk.result;
}

/* By the clearance of one of the trees, where there is one: whether anything may be near at all. A search for
 * any contact looks at the parts that may be; others at all, in the order that is theirs without it. */
static bool keep_near(bw_wide_plan *plan, const bw_collide_desc *desc)
{
    bw_clearance_view view;
    if (desc->axis_exits != NULL ||
        !bw_clearance_view_init(&view, plan->a->tree, plan->b->tree, plan->pose, plan->kernels))
        return true;
    const uint32_t near = bw_clearance_near(&view, view.reach);
    if (desc->mode == BW_COLLIDE_ANY && view.of_a)
        plan->root.rows = near;
    else if (desc->mode == BW_COLLIDE_ANY)
        plan->root.lanes = near;
    return near != 0;
}

static bw_result run(bw_wide_plan *plan, const bw_wide_options *options, bw_hit_sink *sink)
{
    const bw_wide *a = plan->a->tree, *b = plan->b->tree;
    const bw_collide_desc *desc = sink->desc;
    if (a->node_count == 0 || b->node_count == 0)
        return BW_OK;
    plan->root = (bw_wide_item){0, 0, 0xFFu, 0xFFu};
    plan->kernels = bw_wide_kernels_for(bw_simd_level(options->simd));
    if (!plan->self && !keep_near(plan, desc))
        return BW_OK;
    plan->allocator = bw_allocator_or_heap(desc->allocator);
    bw_error_bounds_prepare(&plan->frame, plan->kernels, plan->pose, &a->bounds, &b->bounds);
    plan->use_sat =
        plan->pose->separation == NULL &&
        (desc->axis_exits != NULL || (desc->box_test == BW_BOX_TEST_SAT && !plan->pose->identity));
    if (plan->use_sat)
        bw_sat_prepare(&plan->sat, &plan->pose->map, &a->bounds, &b->bounds, desc->box_test);
    plan->use_obbs = !plan->self && bw_leaf_obb_frame_prepare(&plan->obbs, plan->pose, a, b);
    bool alone = bw_workers(options->tasks) <= 1 || desc->mode == BW_COLLIDE_ANY ||
                 desc->axis_exits != NULL ||
                 (a->leaf_count < PARALLEL_LEAVES && b->leaf_count < PARALLEL_LEAVES);
    bw_result result =
        alone ? walk_alone(plan, options->witness, sink) : bw_wide_parallel(plan, options->tasks, sink);
    bw_wide_tell_visits(a, sink->report.nodes_visited);
    if (b != a)
        bw_wide_tell_visits(b, sink->report.nodes_visited);
    return result;
}

bw_result bw_wide_pair(const bw_wide_side *a, const bw_wide_side *b, const bw_relative_pose *pose,
                       const bw_wide_options *options, bw_hit_sink *sink)
{
    bw_wide_plan plan;
    plan.a = a;
    plan.b = b;
    plan.pose = pose;
    plan.self = false;
    plan.fans = NULL;
    plan.keys = NULL;
    plan.rings = NULL;
    plan.rings_hide_contacts = false;
    return run(&plan, options, sink);
}

static bw_result run_self(bw_wide_plan *plan, const bw_wide_options *options, bw_hit_sink *sink)
{
    const bw_wide_side *side = plan->a;
    if (sink->desc->mode == BW_COLLIDE_ANY || plan->pose->separation != NULL ||
        !bw_fans_of_use(side->tree, side->mesh))
        return run(plan, options, sink);
    const bw_result result =
        bw_fans_find(side->tree, side->mesh, plan->fans, bw_wide_kernels_for(bw_simd_level(options->simd)));
    if (result != BW_OK)
        return result;
    plan->keys = plan->fans->keys;
    return run(plan, options, sink);
}

static bw_result run_self_with_rings(bw_wide_plan *plan, const bw_wide_options *options, bw_hit_sink *sink)
{
    const bw_collide_desc *desc = sink->desc;
    if (desc->rings == 0 && options->separation == NULL)
        return run_self(plan, options, sink);
    bw_rings rings;
    bw_result result =
        bw_rings_init(&rings, plan->a->mesh, desc->rings > 0 ? desc->rings : 1, desc->allocator);
    if (result != BW_OK)
        return result;
    plan->rings = &rings;
    plan->rings_hide_contacts = desc->rings > 0;
    result = run_self(plan, options, sink);
    plan->rings = NULL;
    bw_rings_release(&rings);
    return result;
}

bw_result bw_wide_self(const bw_wide_side *side, const bw_wide_options *options, bw_hit_sink *sink)
{
    const bw_relative_pose still = {true, false, bw_transform_identity(), options->separation};
    const bw_allocator allocator = bw_allocator_or_heap(sink->desc->allocator);
    bw_fan_store own = {.allocator = &allocator};
    bw_wide_plan plan = {.a = side, .b = side, .pose = &still, .self = true, .fans = options->fans};
    if (plan.fans == NULL)
        plan.fans = &own;
    const bw_result result = run_self_with_rings(&plan, options, sink);
    bw_fan_store_release(&own);
    return result;
}
