/* The traversal of van den Bergen 1997, section 4: pairs of nodes whose boxes overlap are unfolded, the
 * larger volume first, until two primitives face each other. */
#include "collide/binary_pair.h"

#include "base/stack.h"
#include "collide/sat.h"
#include "geom/triangle.h"

#include <math.h>

typedef struct pair {
    uint32_t a, b;
} pair;

typedef struct traversal {
    const bw_binary_side *a, *b;
    const bw_pose *pose;
    bw_sink *sink;
    bw_sat sat;
    double volume_ratio; /* by which the pose scales volumes of b */
    uint32_t cached;     /* the primitive of b whose mapped corners are at hand */
    bw_vec3 corners_b[3];
} traversal;

static int separating_axis(const traversal *t, const bw_binary_node *a, const bw_binary_node *b)
{
    if (!t->pose->identity)
        return bw_sat_separates(&t->sat, a->min, a->max, b->min, b->max);
    for (int k = 0; k < 3; k++)
        if (a->min[k] > b->max[k] || b->min[k] > a->max[k])
            return k;
    return -1;
}

static bool boxes_apart(traversal *t, const bw_binary_node *a, const bw_binary_node *b)
{
    t->sink->report.box_tests++;
    int axis = separating_axis(t, a, b);
    if (t->sink->desc->axis_exits != NULL)
        t->sink->desc->axis_exits[axis < 0 ? BW_AXIS_OVERLAP : axis]++;
    return axis >= 0;
}

static double volume(const bw_binary_node *node)
{
    return ((double)node->max[0] - (double)node->min[0]) * ((double)node->max[1] - (double)node->min[1]) *
           ((double)node->max[2] - (double)node->min[2]);
}

/* Two leaves: the exact test. False when the query ends, by the sink's wish or for *result. */
static bool test_primitives(traversal *t, uint32_t a, uint32_t b, bw_result *result)
{
    bw_vec3 corners_a[3];
    if (t->cached != b) {
        if (!bw_pose_corners(t->pose, t->b->mesh, b, t->corners_b)) {
            *result = BW_ERROR_RANGE;
            return false;
        }
        t->cached = b;
    }
    bw_view_corners(t->a->mesh, a, corners_a);
    bool exact = false;
    bw_contact kind = bw_triangle_triangle_counted(corners_a, t->corners_b, &exact);
    t->sink->report.primitive_tests++;
    if (t->sink->on_test != NULL)
        t->sink->on_test(t->sink->on_test_user, a, b);
    t->sink->report.exact_tests += exact;
    return kind == BW_CONTACT_NONE || bw_sink_hit(t->sink, a, b, kind);
}

/* Which of two nodes to replace by its children; a volume that is not a number (overflow) counts as the
 * larger. */
static bool unfolds_a(const traversal *t, const bw_binary_node *a, const bw_binary_node *b)
{
    if (a->leaf || b->leaf)
        return !a->leaf;
    return !(volume(a) < t->volume_ratio * volume(b));
}

bw_result bw_binary_pair(const bw_binary_side *a, const bw_binary_side *b, const bw_pose *pose, bw_sink *sink)
{
    traversal t = {.a = a, .b = b, .pose = pose, .sink = sink, .volume_ratio = 1.0, .cached = BW_NONE};
    const bw_binary_node *nodes_a = a->tree->nodes, *nodes_b = b->tree->nodes;
    if (!pose->identity) {
        bw_box bounds_a = bw_binary_box(&nodes_a[0]), bounds_b = bw_binary_box(&nodes_b[0]);
        bw_sat_prepare(&t.sat, &pose->map, &bounds_a, &bounds_b, sink->desc->box_test);
        const double(*m)[4] = pose->map.m;
        t.volume_ratio = fabs(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
    }
    pair first[512];
    bw_allocator allocator = bw_allocator_or_heap(sink->desc->allocator);
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &allocator);
    *(pair *)bw_stack_push(&stack) = (pair){0, 0};
    bw_result result = BW_OK;
    pair *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        pair p = *top;
        const bw_binary_node *na = &nodes_a[p.a], *nb = &nodes_b[p.b];
        sink->report.nodes_visited++;
        if (boxes_apart(&t, na, nb))
            continue;
        if (na->leaf && nb->leaf) {
            if (!test_primitives(&t, na->link, nb->link, &result))
                break;
            continue;
        }
        if (!bw_stack_grow(&stack, 2)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        bool unfold_a = unfolds_a(&t, na, nb);
        pair left = unfold_a ? (pair){na->link, p.b} : (pair){p.a, nb->link};
        pair right = unfold_a ? (pair){na->link + 1, p.b} : (pair){p.a, nb->link + 1};
        *(pair *)bw_stack_push(&stack) = right;
        *(pair *)bw_stack_push(&stack) = left;
    }
    bw_stack_release(&stack);
    return result;
}
