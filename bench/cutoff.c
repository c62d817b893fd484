#include "cutoff.h"

#include "anytime/watch.h"
#include "collide/wide_walk.h"
#include "tree/tree.h"

cutoff_answer cutoff_query(const anytime_object *object, const bw_transform *given, uint64_t max_steps,
                           uint64_t nanoseconds)
{
    bw_watch watch;
    bw_watch_start(&watch,
                   &(bw_adb_query_desc){.limit_time = nanoseconds != 0, .max_nanoseconds = nanoseconds});
    const bw_wide *tree = &object->tree->wide;
    const bw_wide_side side = {tree, &object->view};
    const bw_collide_desc desc = {.mode = BW_COLLIDE_ANY};
    bw_sink sink = {.desc = &desc};
    bw_pose pose;
    bench_require(bw_pose_between(&(bw_body){object->tree, &object->view, NULL},
                                  &(bw_body){object->tree, &object->view, given}, &pose) == BW_OK,
                  "a pose was refused");
    bw_wide_plan plan = {.a = &side,
                         .b = &side,
                         .pose = &pose,
                         .kernels = bw_wide_kernels_for(bw_simd_level(BW_SIMD_AUTO)),
                         .allocator = bw_allocator_or_heap(NULL)};
    bw_wide_frame_prepare(&plan.frame, &pose, &tree->bounds, &tree->bounds);
    bw_wide_walk walk;
    bw_wide_walk_init(&walk, &plan, &sink);
    cutoff_answer out = {false, false, 0};
    bool going = bw_wide_walk_push(&walk, &(bw_wide_item){0, 0, 0xFFu, 0xFFu});
    const bw_wide_item *top;
    while (going && out.steps < max_steps && !bw_watch_over(&watch)) {
        if (walk.waiting_count > 0) { /* leaves that wait, one a step */
            going = bw_wide_compare_leaves(&walk, walk.waiting[--walk.waiting_count]);
            out.steps++;
            continue;
        }
        top = bw_stack_pop(&walk.stack);
        if (top == NULL) {
            out.finished = true;
            break;
        }
        const bw_wide_item item = *top;
        const bw_wide_meeting meeting = bw_wide_walk_visit(&walk, &item);
        const uint64_t compared = sink.report.box_tests;
        out.steps++;
        if (meeting.others != 0)
            going = bw_wide_walk_nodes(&walk, &item, meeting.others);
        if (going && meeting.leaves != 0) {
            going = bw_wide_walk_leaves(&walk, &item, meeting.leaves);
            out.steps += sink.report.box_tests > compared;
        }
    }
    out.found = sink.report.hits > 0;
    bw_wide_walk_release(&walk);
    return out;
}
