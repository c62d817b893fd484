/* Check, statistics and visit of k-DOP trees. */
#include "tree/kdop.h"

#include "base/stack.h"

/* One bit a primitive or node. */
static bool test_and_set(uint8_t *bits, uint32_t i)
{
    uint8_t bit = (uint8_t)(1u << (i & 7));
    bool was = (bits[i >> 3] & bit) != 0;
    bits[i >> 3] |= bit;
    return was;
}

static const char *check_leaf(const bw_kdop *tree, const bw_kdop_node *node, const bw_mesh *mesh)
{
    float tight[BW_KDOP_MAX];
    bw_kdop_of_primitive(tree->k, mesh, node->link, tight);
    for (uint32_t j = 0; j < tree->k; j++)
        if (node->support[j] != tight[j])
            return "a leaf's polytope is not that of its primitive";
    return NULL;
}

static const char *check_node(const bw_kdop *tree, uint32_t i, const bw_mesh *mesh, uint32_t primitive_count,
                              uint8_t *seen_primitives, uint8_t *seen_nodes)
{
    const bw_kdop_node *node = bw_kdop_at(tree, i);
    for (uint32_t j = 0; j < tree->k; j += 2)
        if (!(-node->support[j + 1] <= node->support[j]))
            return "a polytope is empty or not a number";
    if (node->leaf > 1)
        return "a node is neither leaf nor inner node";
    if (node->leaf) {
        if (node->link >= primitive_count)
            return "a leaf names a primitive that the mesh does not have";
        if (test_and_set(seen_primitives, node->link))
            return "a primitive stands in two leaves, or in one and in quarantine";
        return mesh == NULL ? NULL : check_leaf(tree, node, mesh);
    }
    if (node->link <= i || node->link >= tree->count - 1)
        return "a node's children do not stand after it";
    if (test_and_set(seen_nodes, node->link) || test_and_set(seen_nodes, node->link + 1))
        return "a node has two parents";
    const float *left = bw_kdop_at(tree, node->link)->support;
    const float *right = bw_kdop_at(tree, node->link + 1)->support;
    for (uint32_t j = 0; j < tree->k; j++)
        if (node->support[j] != (left[j] > right[j] ? left[j] : right[j]))
            return "a node's polytope is not the smallest around its children";
    return NULL;
}

const char *bw_kdop_check(const bw_kdop *tree, const bw_mesh *mesh, const bw_allocator *allocator,
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
        leaves += bw_kdop_at(tree, i)->leaf;
    }
    if (fault == NULL && leaves != expected)
        fault = "a primitive stands in no leaf";
    bw_release(allocator, seen, primitive_bytes + node_bytes, 1);
    return fault;
}

static double half_area(const bw_kdop_node *node)
{
    double d[3];
    for (int a = 0; a < 3; a++)
        d[a] = (double)node->support[2 * a] + (double)node->support[2 * a + 1];
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

void bw_kdop_stats(const bw_kdop *tree, bw_tree_stats *out)
{
    double sum = 0.0, root = half_area(bw_kdop_at(tree, 0));
    for (uint32_t i = 0; i < tree->count; i++)
        sum += half_area(bw_kdop_at(tree, i));
    out->nodes = tree->count;
    out->leaves = (tree->count + 1) / 2;
    out->depth = tree->depth;
    out->mean_leaf_depth = (double)tree->depth_sum / out->leaves;
    out->sah_cost = root > 0.0 ? sum / root : tree->count;
    out->bytes += (size_t)tree->count * tree->stride;
}

typedef struct visit {
    uint32_t node, depth;
} visit;

bw_result bw_kdop_visit(const bw_kdop *tree, const bw_allocator *allocator, bw_tree_visitor *visitor,
                        void *user)
{
    visit first[128];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(visit *)bw_stack_push(&stack) = (visit){0, 0};
    bw_result result = BW_OK;
    visit *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        visit v = *top;
        const bw_kdop_node *node = bw_kdop_at(tree, v.node);
        bw_box box = bw_kdop_box(node);
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
