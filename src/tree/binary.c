/* Refit, check and statistics of the reference tree. */
#include "tree/binary.h"

#include "base/stack.h"
#include "mesh/view.h"

#include <string.h>

static bw_box primitive_box(const bw_mesh *mesh, uint32_t primitive)
{
    bw_vec3 corners[3];
    bw_view_corners(mesh, primitive, corners);
    return bw_box_of_points(corners, 3);
}

static bw_box children_box(const bw_binary_node *left, const bw_binary_node *right)
{
    bw_box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = left->min[k] < right->min[k] ? left->min[k] : right->min[k];
        box.max[k] = left->max[k] > right->max[k] ? left->max[k] : right->max[k];
    }
    return box;
}

static bool same_box(const bw_binary_node *node, const bw_box *box)
{
    for (int k = 0; k < 3; k++)
        if (node->min[k] != box->min[k] || node->max[k] != box->max[k])
            return false;
    return true;
}

/* Van den Bergen's section 5: children have larger indices, so one pass in reverse order suffices. */
void bw_binary_refit(bw_binary *tree, const bw_mesh *mesh, bw_refit_report *report)
{
    for (uint32_t i = tree->count; i-- > 0;) {
        bw_binary_node *node = &tree->nodes[i];
        bw_box box = node->leaf ? primitive_box(mesh, node->link)
                                : children_box(&tree->nodes[node->link], &tree->nodes[node->link + 1]);
        report->changed += !same_box(node, &box);
        memcpy(node->min, box.min, sizeof box.min);
        memcpy(node->max, box.max, sizeof box.max);
    }
    report->boxes += tree->count;
}

/* One bit a primitive or node. */
static bool test_and_set(uint8_t *bits, uint32_t i)
{
    uint8_t bit = (uint8_t)(1u << (i & 7));
    bool was = (bits[i >> 3] & bit) != 0;
    bits[i >> 3] |= bit;
    return was;
}

static const char *check_node(const bw_binary *tree, uint32_t i, const bw_mesh *mesh,
                              uint32_t primitive_count, uint8_t *seen_primitives, uint8_t *seen_nodes)
{
    const bw_binary_node *node = &tree->nodes[i];
    for (int k = 0; k < 3; k++)
        if (!(node->min[k] <= node->max[k]))
            return "a box is empty or not a number";
    if (node->leaf > 1)
        return "a node is neither leaf nor inner node";
    if (node->leaf) {
        if (node->link >= primitive_count)
            return "a leaf names a primitive that the mesh does not have";
        if (test_and_set(seen_primitives, node->link))
            return "a primitive stands in two leaves, or in one and in quarantine";
        if (mesh != NULL) {
            bw_box tight = primitive_box(mesh, node->link);
            if (!same_box(node, &tight))
                return "a leaf's box is not the box of its primitive";
        }
        return NULL;
    }
    if (node->link <= i || node->link >= tree->count - 1)
        return "a node's children do not stand after it";
    if (test_and_set(seen_nodes, node->link) || test_and_set(seen_nodes, node->link + 1))
        return "a node has two parents";
    bw_box tight = children_box(&tree->nodes[node->link], &tree->nodes[node->link + 1]);
    return same_box(node, &tight) ? NULL : "a node's box is not the box of its children";
}

const char *bw_binary_check(const bw_binary *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                            uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined)
{
    uint32_t expected = primitive_count - quarantined;
    if (tree->count != 2 * expected - 1)
        return "the number of nodes does not fit the number of primitives";
    size_t primitive_bytes = (size_t)primitive_count / 8 + 1, node_bytes = (size_t)tree->count / 8 + 1;
    uint8_t *seen = bw_allocate_zero(allocator, primitive_bytes + node_bytes, 1);
    if (seen == NULL)
        return "out of memory while checking";
    for (uint32_t i = 0; i < quarantined; i++)
        test_and_set(seen, quarantine[i]);
    const char *fault = NULL;
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < tree->count && fault == NULL; i++) {
        fault = check_node(tree, i, mesh, primitive_count, seen, seen + primitive_bytes);
        leaves += tree->nodes[i].leaf;
    }
    /* No primitive twice and the right number of leaves: each is there once. No node with two parents,
     * parents before children and the right number of nodes: it is one tree. */
    if (fault == NULL && leaves != expected)
        fault = "a primitive stands in no leaf";
    bw_release(allocator, seen, primitive_bytes + node_bytes, 1);
    return fault;
}

static double half_area(const bw_binary_node *node)
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = (double)node->max[k] - (double)node->min[k];
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

void bw_binary_stats(const bw_binary *tree, bw_tree_stats *out)
{
    double sum = 0.0, root = half_area(&tree->nodes[0]);
    for (uint32_t i = 0; i < tree->count; i++)
        sum += half_area(&tree->nodes[i]);
    out->nodes = tree->count;
    out->leaves = (tree->count + 1) / 2;
    out->depth = tree->depth;
    out->mean_leaf_depth = (double)tree->depth_sum / out->leaves;
    /* Boxes without area are all met or none: every node counts in full. */
    out->sah_cost = root > 0.0 ? sum / root : tree->count;
    out->bytes += (size_t)tree->count * sizeof *tree->nodes;
}

typedef struct visit {
    uint32_t node, depth;
} visit;

bw_result bw_binary_visit(const bw_binary *tree, const bw_allocator *allocator, bw_tree_visitor *visitor,
                          void *user)
{
    visit first[128];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(visit *)bw_stack_push(&stack) = (visit){0, 0};
    bw_result result = BW_OK;
    visit *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        visit v = *top;
        const bw_binary_node *node = &tree->nodes[v.node];
        bw_box box = bw_binary_box(node);
        if (!visitor(user, &box, v.depth, node->leaf ? &node->link : NULL, node->leaf))
            break;
        if (node->leaf)
            continue;
        if (!bw_stack_grow(&stack, 2)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        *(visit *)bw_stack_push(&stack) = (visit){node->link + 1, v.depth + 1};
        *(visit *)bw_stack_push(&stack) = (visit){node->link, v.depth + 1};
    }
    bw_stack_release(&stack);
    return result;
}
