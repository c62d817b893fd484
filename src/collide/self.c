/* The contacts of a body with itself, on wide trees: a node is compared with itself child by child, so that
 * every pair of leaves is met once. No pose is needed: a body that stands still in its own frame. */
#include "base/stack.h"
#include "collide/metric.h"
#include "collide/shared_features.h"
#include "collide/sink.h"
#include "mesh/view.h"
#include "tree/kind.h"

typedef struct ref_pair {
    uint32_t a, b; /* references as in bw_wide_node.child; equal: the node with itself */
} ref_pair;

typedef struct self_query {
    const bw_metric_side *side;
    const bw_metric_boxes *leaves; /* the primitives of each leaf with their boxes */
    bw_sink *sink;
    bool stopped;
} self_query;

/* A bit for each child of b that the box of child i of a overlaps. */
static uint32_t overlaps(const float min_a[3][BW_WIDTH], const float max_a[3][BW_WIDTH], uint32_t i,
                         const float min_b[3][BW_WIDTH], const float max_b[3][BW_WIDTH], uint32_t count)
{
    uint32_t mask = 0;
    for (uint32_t j = 0; j < BW_WIDTH; j++) {
        bool apart = false;
        for (int k = 0; k < 3; k++)
            apart |= (min_a[k][i] > max_b[k][j]) | (min_b[k][j] > max_a[k][i]);
        mask |= (uint32_t)!apart << j;
    }
    return mask & ((1u << count) - 1);
}

static void test_primitives(self_query *q, uint32_t a, uint32_t b)
{
    if (a > b) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    const bw_mesh *mesh = q->side->mesh;
    bw_vec3 corners_a[3], corners_b[3];
    bw_view_corners(mesh, a, corners_a);
    bw_view_corners(mesh, b, corners_b);
    bool exact = false;
    bw_contact kind = mesh->indices == NULL
                          ? bw_triangle_triangle_counted(corners_a, corners_b, &exact)
                          : bw_contact_beyond_shared(corners_a, mesh->indices + 3 * (size_t)a, corners_b,
                                                     mesh->indices + 3 * (size_t)b, &exact);
    q->sink->report.primitive_tests++;
    q->sink->report.exact_tests += exact;
    if (kind != BW_CONTACT_NONE)
        q->stopped = !bw_sink_hit(q->sink, a, b, kind);
}

static void test_leaves(self_query *q, uint32_t leaf_a, uint32_t leaf_b)
{
    const bw_metric_boxes *a = &q->leaves[leaf_a], *b = &q->leaves[leaf_b];
    for (uint32_t i = 0; i < a->count && !q->stopped; i++) {
        uint32_t mask = overlaps(a->min, a->max, i, b->min, b->max, b->count);
        if (leaf_a == leaf_b)
            mask &= ~((2u << i) - 1); /* each pair once, and none with itself */
        q->sink->report.box_tests += b->count;
        for (; mask != 0 && !q->stopped; mask &= mask - 1)
            test_primitives(q, a->child[i], b->child[__builtin_ctz(mask)]);
    }
}

/* The pairs of children to go on with, in a fixed order. */
static uint32_t list_pairs(const self_query *q, ref_pair p, ref_pair out[BW_WIDTH * BW_WIDTH])
{
    const bw_wide *tree = q->side->tree;
    uint32_t count = 0;
    bool leaf_a = (p.a & BW_WIDE_LEAF) != 0, leaf_b = (p.b & BW_WIDE_LEAF) != 0;
    if (leaf_a || leaf_b) {
        /* The leaf keeps its box, which stands in its parent. */
        uint32_t leaf = leaf_a ? p.a : p.b;
        const bw_wide_node *node = &tree->nodes[leaf_a ? p.b : p.a];
        const bw_wide_leaf *at = &tree->leaves[leaf & ~BW_WIDE_LEAF];
        const bw_wide_node *home = &tree->nodes[at->parent];
        uint32_t mask = overlaps(home->min, home->max, at->lane, node->min, node->max, node->count);
        for (; mask != 0; mask &= mask - 1)
            out[count++] = (ref_pair){leaf, node->child[__builtin_ctz(mask)]};
        q->sink->report.box_tests += node->count;
        return count;
    }
    const bw_wide_node *a = &tree->nodes[p.a], *b = &tree->nodes[p.b];
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t mask = overlaps(a->min, a->max, i, b->min, b->max, b->count);
        if (p.a == p.b)
            mask = (mask & ~((1u << i) - 1)) | 1u << i;
        for (; mask != 0; mask &= mask - 1)
            out[count++] = (ref_pair){a->child[i], b->child[__builtin_ctz(mask)]};
        q->sink->report.box_tests += b->count;
    }
    return count;
}

static bw_result walk(self_query *q, const bw_allocator *allocator)
{
    ref_pair first[512], pairs[BW_WIDTH * BW_WIDTH], *top;
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(ref_pair *)bw_stack_push(&stack) = (ref_pair){0, 0};
    bw_result result = BW_OK;
    while (!q->stopped && (top = bw_stack_pop(&stack)) != NULL) {
        ref_pair p = *top;
        q->sink->report.nodes_visited++;
        if ((p.a & p.b & BW_WIDE_LEAF) != 0) {
            test_leaves(q, p.a & ~BW_WIDE_LEAF, p.b & ~BW_WIDE_LEAF);
            continue;
        }
        uint32_t count = list_pairs(q, p, pairs);
        if (!bw_stack_grow(&stack, count)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        while (count-- > 0)
            *(ref_pair *)bw_stack_push(&stack) = pairs[count];
    }
    bw_stack_release(&stack);
    return result;
}

bw_result bw_collide_self(const bw_body *body, const bw_collide_desc *desc, bw_collide_report *report)
{
    static const bw_collide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL || report == NULL ||
        (unsigned)desc->mode > BW_COLLIDE_COUNT || (desc->hits == NULL && desc->capacity > 0))
        return BW_ERROR_ARGUMENT;
    bw_body still = {body->tree, body->mesh, NULL};
    bw_metric_side side;
    bw_result result = bw_metric_prepare(&still, &side);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    uint32_t leaves = side.tree->leaf_count;
    if (leaves == 0) {
        *report = (bw_collide_report){0};
        return BW_OK;
    }
    bw_metric_boxes *boxes = bw_allocate(&allocator, leaves, sizeof *boxes);
    if (boxes == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        bw_metric_children(&side, BW_WIDE_LEAF | leaf, &boxes[leaf]);
    bw_sink sink = {.desc = desc};
    self_query query = {&side, boxes, &sink, false};
    result = walk(&query, &allocator);
    bw_release(&allocator, boxes, leaves, sizeof *boxes);
    if (result == BW_OK)
        *report = sink.report;
    return result;
}
