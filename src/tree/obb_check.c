/* Check, statistics and visit of OBB trees. */
#include "tree/obb.h"

#include "base/stack.h"
#include "mesh/view.h"

#include <float.h>
#include <math.h>

/* What the check finds out about each node. */
typedef struct known {
    uint32_t parent;
    double extent[3]; /* the furthest corner below it, along each axis */
} known;

static bool orthonormal(const bw_obb_node *node)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = 0.0;
            for (int k = 0; k < 3; k++)
                dot += (double)node->axis[i][k] * (double)node->axis[j][k];
            if (!(fabs(dot - (i == j)) <= BW_OBB_SKEW))
                return false;
        }
    }
    return true;
}

static const char *check_box(const bw_obb *tree, const bw_obb_node *node)
{
    if (!orthonormal(node))
        return "a box's axes are not orthonormal";
    for (int k = 0; k < 3; k++) {
        if (!(node->half[k] >= 0.0f && node->half[k] <= FLT_MAX && fabsf(node->centre[k]) <= FLT_MAX))
            return "a box is empty or not a number";
        double reach = fabs((double)node->centre[k]);
        for (int i = 0; i < 3; i++)
            reach += fabs((double)node->axis[i][k]) * (double)node->half[i];
        if (!(reach <= tree->reach[k]))
            return "a box reaches further than the tree says";
    }
    return NULL;
}

static bool test_and_set(uint8_t *bits, uint32_t i)
{
    uint8_t bit = (uint8_t)(1u << (i & 7));
    bool was = (bits[i >> 3] & bit) != 0;
    bits[i >> 3] |= bit;
    return was;
}

/* Every box on the way from the leaf to the root must contain the primitive's corners. */
static const char *check_primitive(const bw_obb *tree, const bw_mesh *mesh, known *nodes, uint32_t leaf)
{
    bw_vec3 corners[3];
    bw_view_corners(mesh, tree->nodes[leaf].link & ~BW_OBB_LEAF, corners);
    for (uint32_t i = leaf; i != BW_NONE; i = nodes[i].parent) {
        const bw_obb_node *node = &tree->nodes[i];
        bw_obb_frame frame = bw_obb_frame_of(node);
        for (int c = 0; c < 3; c++) {
            double y[3], slack = bw_obb_error(&frame, &corners[c]);
            bw_obb_coordinates(&frame, &corners[c], y);
            for (int k = 0; k < 3; k++) {
                if (!(fabs(y[k]) + slack <= (double)node->half[k]))
                    return "a primitive leaves a box above it";
                nodes[i].extent[k] = fmax(nodes[i].extent[k], fabs(y[k]));
            }
        }
    }
    return NULL;
}

static const char *check_structure(const bw_obb *tree, known *nodes, uint8_t *seen, uint32_t primitive_count,
                                   uint32_t expected)
{
    uint32_t leaves = 0;
    nodes[0].parent = BW_NONE;
    for (uint32_t i = 1; i < tree->count; i++)
        nodes[i].parent = i; /* none yet */
    for (uint32_t i = 0; i < tree->count; i++) {
        const bw_obb_node *node = &tree->nodes[i];
        const char *fault = check_box(tree, node);
        if (fault != NULL)
            return fault;
        uint32_t link = node->link & ~BW_OBB_LEAF;
        if (bw_obb_is_leaf(node)) {
            leaves++;
            if (link >= primitive_count)
                return "a leaf names a primitive that the mesh does not have";
            if (test_and_set(seen, link))
                return "a primitive stands in two leaves, or in one and in quarantine";
            continue;
        }
        if (link <= i || link >= tree->count - 1)
            return "a node's children do not stand after it";
        for (uint32_t child = link; child < link + 2; child++) {
            if (nodes[child].parent != child)
                return "a node has two parents";
            nodes[child].parent = i;
        }
    }
    return leaves == expected ? NULL : "a primitive stands in no leaf";
}

/* A box may exceed its furthest corner by what rounding asks for, and no more: the extent is a float, and its
 * margin is that of the whole mesh. */
static const char *check_tight(const bw_obb *tree, const known *nodes)
{
    double slack = 0x1p-42 * (tree->reach[0] + tree->reach[1] + tree->reach[2]) + 0x1p-148;
    for (uint32_t i = 0; i < tree->count; i++) {
        for (int k = 0; k < 3; k++) {
            double allowed = nodes[i].extent[k] * (1 + 0x1p-22) + slack;
            if (!((double)tree->nodes[i].half[k] <= allowed))
                return "a box is larger than its primitives ask for";
        }
    }
    return NULL;
}

const char *bw_obb_check(const bw_obb *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                         uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined)
{
    uint32_t expected = primitive_count - quarantined;
    if (tree->count != 2 * expected - 1)
        return "the number of nodes does not fit the number of primitives";
    size_t bytes = (size_t)primitive_count / 8 + 1;
    known *nodes = bw_allocate_zero(allocator, tree->count, sizeof *nodes);
    uint8_t *seen = bw_allocate_zero(allocator, bytes, 1);
    const char *fault = "out of memory while checking";
    if (nodes != NULL && seen != NULL) {
        for (uint32_t i = 0; i < quarantined; i++)
            test_and_set(seen, quarantine[i]);
        fault = check_structure(tree, nodes, seen, primitive_count, expected);
        for (uint32_t i = 0; i < tree->count && fault == NULL && mesh != NULL; i++)
            if (bw_obb_is_leaf(&tree->nodes[i]))
                fault = check_primitive(tree, mesh, nodes, i);
        if (fault == NULL && mesh != NULL)
            fault = check_tight(tree, nodes);
    }
    bw_release(allocator, nodes, tree->count, sizeof *nodes);
    bw_release(allocator, seen, bytes, 1);
    return fault;
}

static double eighth_area(const bw_obb_node *node)
{
    double x = (double)node->half[0], y = (double)node->half[1], z = (double)node->half[2];
    return x * y + y * z + z * x;
}

void bw_obb_stats(const bw_obb *tree, bw_tree_stats *out)
{
    double sum = 0.0, root = eighth_area(&tree->nodes[0]);
    for (uint32_t i = 0; i < tree->count; i++)
        sum += eighth_area(&tree->nodes[i]);
    out->nodes = tree->count;
    out->leaves = (tree->count + 1) / 2;
    out->depth = tree->depth;
    out->mean_leaf_depth = (double)tree->depth_sum / out->leaves;
    out->sah_cost = root > 0.0 ? sum / root : tree->count;
    out->bytes += (size_t)tree->count * sizeof *tree->nodes;
}

typedef struct visit {
    uint32_t node, depth;
} visit;

bw_result bw_obb_visit(const bw_obb *tree, const bw_allocator *allocator, bw_tree_visitor *visitor,
                       void *user)
{
    visit first[128];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(visit *)bw_stack_push(&stack) = (visit){0, 0};
    bw_result result = BW_OK;
    visit *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        visit v = *top;
        const bw_obb_node *node = &tree->nodes[v.node];
        bw_box box = bw_obb_box(node);
        bool leaf = bw_obb_is_leaf(node);
        uint32_t link = node->link & ~BW_OBB_LEAF;
        if (!visitor(user, &box, v.depth, leaf ? &link : NULL, leaf))
            break;
        if (leaf)
            continue;
        if (!bw_stack_grow(&stack, 2)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        *(visit *)bw_stack_push(&stack) = (visit){link + 1, v.depth + 1};
        *(visit *)bw_stack_push(&stack) = (visit){link, v.depth + 1};
    }
    bw_stack_release(&stack);
    return result;
}
