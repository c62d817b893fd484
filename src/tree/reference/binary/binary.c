/* Refit and check of the reference tree. */
#include "tree/reference/binary/binary.h"

#include "mesh/view.h"

#include <string.h>

static bw_box primitive_box(const bw_mesh *mesh, uint32_t primitive)
{
    bw_vec3 corners[3];
    bw_mesh_view_corners(mesh, primitive, corners);
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
void bw_binary_refit(bw_binary *tree, const bw_mesh *mesh, bw_update_report *report)
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

static uint32_t link_of(const void *tree, uint32_t i, uint32_t *leaf)
{
    const bw_binary_node *node = &((const bw_binary *)tree)->nodes[i];
    *leaf = node->leaf;
    return node->link;
}

static bw_box box_of(const void *tree, uint32_t i)
{
    return bw_binary_box(&((const bw_binary *)tree)->nodes[i]);
}

static double half_area(const void *tree, uint32_t i)
{
    const bw_binary_node *node = &((const bw_binary *)tree)->nodes[i];
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = (double)node->max[k] - (double)node->min[k];
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

bw_paired bw_binary_paired(const bw_binary *tree)
{
    return (bw_paired){tree,    tree->count, tree->depth, tree->depth_sum, sizeof *tree->nodes,
                       link_of, box_of,      half_area};
}

typedef struct check {
    const bw_binary *tree;
    const bw_mesh *mesh; /* NULL: only what the nodes themselves tell */
} check;

static const char *check_volume(void *context, uint32_t i, const uint32_t *parents)
{
    (void)parents;
    const check *c = context;
    const bw_binary_node *node = &c->tree->nodes[i];
    for (int k = 0; k < 3; k++)
        if (!(node->min[k] <= node->max[k]))
            return "a box is empty or not a number";
    if (!node->leaf) {
        bw_box tight = children_box(&c->tree->nodes[node->link], &c->tree->nodes[node->link + 1]);
        return same_box(node, &tight) ? NULL : "a node's box is not the box of its children";
    }
    if (c->mesh == NULL)
        return NULL;
    bw_box tight = primitive_box(c->mesh, node->link);
    return same_box(node, &tight) ? NULL : "a leaf's box is not the box of its primitive";
}

const char *bw_binary_check(const bw_binary *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                            uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined)
{
    bw_paired paired = bw_binary_paired(tree);
    check c = {tree, mesh};
    return bw_paired_check(&paired, allocator, primitive_count, quarantine, quarantined, check_volume, &c);
}
