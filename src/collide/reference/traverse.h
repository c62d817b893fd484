/* The descent through two binary trees, of any volumes: pairs that are not apart are unfolded, the larger one
 * first, until two primitives face each other (van den Bergen 1997, section 4). The test and the layout come
 * as operations, inlined where this is called. */
#ifndef BW_COLLIDE_REFERENCE_TRAVERSE_H
#define BW_COLLIDE_REFERENCE_TRAVERSE_H

#include "base/stack.h"
#include "collide/hit_sink.h"
#include "collide/relative_pose.h"
#include "geom/exact/triangle.h"

#define BW_BINARY_TRAVERSAL_LEAF 0x80000000u /* set in a link that names a primitive */

typedef struct bw_binary_traversal {
    const bw_mesh *mesh_a, *mesh_b;
    const bw_relative_pose *pose;
    bw_hit_sink *sink;
    bool is_cached; /* the corners of a primitive of b, mapped, are at hand */
    uint32_t cached;
    bw_vec3 corners_b[3];
} bw_binary_traversal;

/* Of the nodes a and b (numbers) of the two trees. */
typedef struct bw_binary_traversal_ops {
    int (*apart)(const void *self, uint32_t a, uint32_t b); /* the number of an axis, or -1 */
    bool (*larger_a)(const void *self, uint32_t a,
                     uint32_t b); /* whether to unfold a; both are inner nodes */
    uint32_t (*link_a)(const void *self,
                       uint32_t a); /* the first child, or BW_BINARY_TRAVERSAL_LEAF | primitive */
    uint32_t (*link_b)(const void *self, uint32_t b);
} bw_binary_traversal_ops;

/* Two leaves: the exact test. False when the query ends, by the sink's wish or for *result. */
static inline bool bw_binary_traversal_primitives(bw_binary_traversal *w, uint32_t a, uint32_t b,
                                                  bw_result *result)
{
    bw_vec3 corners_a[3];
    if (!w->is_cached || w->cached != b) {
        if (!bw_relative_pose_corners(w->pose, w->mesh_b, b, w->corners_b)) {
            *result = BW_ERROR_RANGE;
            return false;
        }
        w->is_cached = true;
        w->cached = b;
    }
    bw_mesh_view_corners(w->mesh_a, a, corners_a);
    bool exact = false;
    bw_contact_kind kind = bw_triangle_triangle_counted(corners_a, w->corners_b, &exact);
    w->sink->report.primitive_tests++;
    if (w->sink->on_test != NULL)
        w->sink->on_test(w->sink->on_test_user, a, b);
    w->sink->report.exact_tests += exact;
    return kind == BW_CONTACT_NONE || bw_hit_sink_add(w->sink, a, b, kind);
}

typedef struct bw_binary_traversal_pair {
    uint32_t a, b;
} bw_binary_traversal_pair;

static inline __attribute__((always_inline)) bw_result
bw_binary_traversal_run(bw_binary_traversal *w, const void *self, const bw_binary_traversal_ops ops)
{
    bw_binary_traversal_pair first[512];
    bw_allocator allocator = bw_allocator_or_heap(w->sink->desc->allocator);
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &allocator);
    *(bw_binary_traversal_pair *)bw_stack_push(&stack) = (bw_binary_traversal_pair){0, 0};
    uint64_t *exits = w->sink->desc->axis_exits;
    bw_result result = BW_OK;
    uint64_t tests = 0;
    bw_binary_traversal_pair *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        bw_binary_traversal_pair p = *top;
        if (!bw_hit_sink_wanted(w->sink))
            break;
        tests++;
        int axis = ops.apart(self, p.a, p.b);
        if (exits != NULL)
            exits[axis < 0 ? BW_AXIS_OVERLAP : axis]++;
        if (axis >= 0)
            continue;
        uint32_t link_a = ops.link_a(self, p.a), link_b = ops.link_b(self, p.b);
        bool leaf_a = (link_a & BW_BINARY_TRAVERSAL_LEAF) != 0,
             leaf_b = (link_b & BW_BINARY_TRAVERSAL_LEAF) != 0;
        if (leaf_a && leaf_b) {
            if (!bw_binary_traversal_primitives(w, link_a & ~BW_BINARY_TRAVERSAL_LEAF,
                                                link_b & ~BW_BINARY_TRAVERSAL_LEAF, &result))
                break;
            continue;
        }
        if (!bw_stack_grow(&stack, 2)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        bool unfold_a = leaf_a || leaf_b ? leaf_b : ops.larger_a(self, p.a, p.b);
        *(bw_binary_traversal_pair *)bw_stack_push(&stack) =
            unfold_a ? (bw_binary_traversal_pair){link_a + 1, p.b}
                     : (bw_binary_traversal_pair){p.a, link_b + 1};
        *(bw_binary_traversal_pair *)bw_stack_push(&stack) =
            unfold_a ? (bw_binary_traversal_pair){link_a, p.b} : (bw_binary_traversal_pair){p.a, link_b};
    }
    w->sink->report.nodes_visited += tests;
    w->sink->report.box_tests += tests;
    bw_stack_release(&stack);
    return result;
}

#endif
