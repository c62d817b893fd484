#include "cutoff.h"

#include "anytime/query/deadline.h"
#include "collide/pair/narrow_phase.h"
#include "collide/pair/traverse.h"
#include "tree/tree.h"

static cutoff_answer best_first(const anytime_object *object, const bw_transform *pose, uint64_t max_steps,
                                uint64_t nanoseconds)
{
    const bw_body a = {object->tree, &object->view, NULL}, b = {object->tree, &object->view, pose};
    bw_collide_report report = {0};
    uint64_t least = UINT64_MAX;
    for (int run = 0; run < (nanoseconds != 0 ? 3 : 1); run++) {
        const uint64_t start = bw_anytime_clock(NULL);
        bench_require(bw_collide(&a, &b, NULL, &report, NULL) == BW_OK, "an exact query failed");
        const uint64_t took = bw_anytime_clock(NULL) - start;
        least = took < least ? took : least;
    }
    const bool in_time = report.nodes_visited <= max_steps && (nanoseconds == 0 || least <= nanoseconds);
    return (cutoff_answer){in_time && report.hit_count > 0, in_time, report.nodes_visited};
}

static cutoff_answer depth_first(const anytime_object *object, const bw_transform *given, uint64_t max_steps,
                                 uint64_t nanoseconds)
{
    bw_deadline watch;
    bw_deadline_start(
        &watch, &(bw_anytime_query_desc){.limit_time = nanoseconds != 0, .max_nanoseconds = nanoseconds});
    const bw_wide *tree = &object->tree->wide;
    const bw_wide_side side = {tree, &object->view};
    const bw_collide_desc desc = {.mode = BW_COLLIDE_ANY};
    bw_hit_sink sink = {.desc = &desc};
    bw_relative_pose pose;
    bench_require(bw_relative_pose_between(&(bw_body){object->tree, &object->view, NULL},
                                           &(bw_body){object->tree, &object->view, given}, &pose) == BW_OK,
                  "a pose was refused");
    bw_wide_plan plan = {.a = &side,
                         .b = &side,
                         .pose = &pose,
                         .kernels = bw_wide_kernels_for(bw_simd_level(BW_SIMD_AUTO)),
                         .allocator = bw_allocator_or_heap(NULL)};
    bw_error_bounds_prepare(&plan.frame, plan.kernels, &pose, &tree->bounds, &tree->bounds);
    bw_traversal walk;
    bw_traversal_init(&walk, &plan, &sink);
    cutoff_answer out = {false, false, 0};
    bool going = bw_traversal_push(&walk, &(bw_wide_item){0, 0, 0xFFu, 0xFFu});
    const bw_wide_item *top;
    while (going && out.steps < max_steps &&
           !bw_deadline_over(&watch, walk.waiting_visits > 0 ? BW_STEP_LEAVES : BW_STEP_PLAIN)) {
        if (walk.waiting_visits > 0) { /* leaves that wait, those below two nodes a step */
            going = bw_wide_compare_visit(&walk, &walk.visits[--walk.waiting_visits]);
            walk.waiting_pairs = 0;
            out.steps++;
            continue;
        }
        top = bw_stack_pop(&walk.stack);
        if (top == NULL) {
            out.finished = true;
            break;
        }
        const bw_wide_item item = *top;
        const bw_wide_meeting meeting = bw_traversal_visit(&walk, &item);
        const uint64_t compared = sink.report.box_tests;
        out.steps++;
        if (meeting.others != 0)
            going = bw_traversal_nodes(&walk, &item, meeting.others);
        if (going && meeting.leaves != 0) {
            going = bw_traversal_leaves(&walk, &item, meeting.leaves);
            out.steps += sink.report.box_tests > compared;
        }
    }
    out.found = sink.report.hit_count > 0;
    bw_traversal_release(&walk);
    return out;
}

cutoff_answer cutoff_query(const anytime_object *object, const bw_transform *pose, cutoff_order order,
                           uint64_t max_steps, uint64_t nanoseconds)
{
    return order == CUTOFF_BEST_FIRST ? best_first(object, pose, max_steps, nanoseconds)
                                      : depth_first(object, pose, max_steps, nanoseconds);
}
