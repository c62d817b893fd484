/* Check of k-DOP trees, and the look at them that every binary tree has. */
#include "tree/reference/kdop/kdop.h"

static uint32_t link_of(const void *tree, uint32_t i, uint32_t *leaf)
{
    const bw_kdop_node *node = bw_kdop_at(tree, i);
    *leaf = node->leaf;
    return node->link;
}

static bw_box box_of(const void *tree, uint32_t i)
{
    return bw_kdop_box(bw_kdop_at(tree, i));
}

static double half_area(const void *tree, uint32_t i)
{
    const bw_kdop_node *node = bw_kdop_at(tree, i);
    double d[3];
    for (int a = 0; a < 3; a++)
        d[a] = (double)node->support[2 * a] + (double)node->support[2 * a + 1];
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

bw_paired bw_kdop_paired(const bw_kdop *tree)
{
    return (bw_paired){tree,         tree->count, tree->depth, tree->depth_sum,
                       tree->stride, link_of,     box_of,      half_area};
}

typedef struct check {
    const bw_kdop *tree;
    const bw_mesh *mesh; /* NULL: only what the nodes themselves tell */
} check;

static const char *check_leaf(const bw_kdop *tree, const bw_kdop_node *node, const bw_mesh *mesh)
{
    float tight[BW_KDOP_MAX];
    bw_kdop_of_primitive(tree->k, mesh, node->link, tight);
    for (uint32_t j = 0; j < tree->k; j++)
        if (node->support[j] != tight[j])
            return "a leaf's polytope is not that of its primitive";
    return NULL;
}

static const char *check_volume(void *context, uint32_t i, const uint32_t *parents)
{
    (void)parents;
    const check *c = context;
    const bw_kdop *tree = c->tree;
    const bw_kdop_node *node = bw_kdop_at(tree, i);
    for (uint32_t j = 0; j < tree->k; j += 2)
        if (!(-node->support[j + 1] <= node->support[j]))
            return "a polytope is empty or not a number";
    if (node->leaf)
        return c->mesh == NULL ? NULL : check_leaf(tree, node, c->mesh);
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
    bw_paired paired = bw_kdop_paired(tree);
    check c = {tree, mesh};
    return bw_paired_check(&paired, allocator, primitive_count, quarantine, quarantined, check_volume, &c);
}
