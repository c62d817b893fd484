/* Check of OBB trees, and the look at them that every binary tree has. */
#include "tree/reference/obb/obb.h"

#include "mesh/view.h"

#include <float.h>
#include <math.h>

static uint32_t link_of(const void *tree, uint32_t i, uint32_t *leaf)
{
    const bw_obb_node *node = &((const bw_obb *)tree)->nodes[i];
    *leaf = bw_obb_is_leaf(node);
    return node->link & ~BW_OBB_LEAF;
}

static bw_box box_of(const void *tree, uint32_t i)
{
    return bw_obb_box(&((const bw_obb *)tree)->nodes[i]);
}

static double eighth_area(const void *tree, uint32_t i)
{
    const bw_obb_node *node = &((const bw_obb *)tree)->nodes[i];
    double x = (double)node->half[0], y = (double)node->half[1], z = (double)node->half[2];
    return x * y + y * z + z * x;
}

bw_paired bw_obb_paired(const bw_obb *tree)
{
    return (bw_paired){tree,    tree->count, tree->depth, tree->depth_sum, sizeof *tree->nodes,
                       link_of, box_of,      eighth_area};
}

/* The furthest corner below a node, along each axis. */
typedef struct furthest {
    double extent[3];
} furthest;

typedef struct check {
    const bw_obb *tree;
    const bw_mesh *mesh; /* NULL: only what the nodes themselves tell */
    furthest *reaches;
} check;

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

/* Every box on the way from the leaf to the root must contain the primitive's corners. */
static const char *check_primitive(const check *c, uint32_t leaf, const uint32_t *parents)
{
    bw_vec3 corners[3];
    bw_mesh_view_corners(c->mesh, c->tree->nodes[leaf].link & ~BW_OBB_LEAF, corners);
    for (uint32_t i = leaf; i != BW_NONE; i = parents[i]) {
        const bw_obb_node *node = &c->tree->nodes[i];
        bw_obb_frame frame = bw_obb_frame_of(node);
        for (int j = 0; j < 3; j++) {
            double y[3], slack = bw_obb_error(&frame, &corners[j]);
            bw_obb_coordinates(&frame, &corners[j], y);
            for (int k = 0; k < 3; k++) {
                if (!(fabs(y[k]) + slack <= (double)node->half[k]))
                    return "a primitive leaves a box above it";
                c->reaches[i].extent[k] = fmax(c->reaches[i].extent[k], fabs(y[k]));
            }
        }
    }
    return NULL;
}

/* A box may exceed its furthest corner by what rounding asks for, and no more: the extent is a float, and its
 * margin is that of the whole mesh. */
static const char *check_tight(const bw_obb *tree, const furthest *reaches)
{
    double slack = 0x1p-42 * (tree->reach[0] + tree->reach[1] + tree->reach[2]) + 0x1p-148;
    for (uint32_t i = 0; i < tree->count; i++) {
        for (int k = 0; k < 3; k++) {
            double allowed = reaches[i].extent[k] * (1 + 0x1p-22) + slack;
            if (!((double)tree->nodes[i].half[k] <= allowed))
                return "a box is larger than its primitives ask for";
        }
    }
    return NULL;
}

static const char *check_volume(void *context, uint32_t i, const uint32_t *parents)
{
    const check *c = context;
    const bw_obb_node *node = &c->tree->nodes[i];
    const char *fault = check_box(c->tree, node);
    return fault != NULL || c->mesh == NULL || !bw_obb_is_leaf(node) ? fault : check_primitive(c, i, parents);
}

const char *bw_obb_check(const bw_obb *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                         uint32_t primitive_count, const uint32_t *quarantine, uint32_t quarantined)
{
    bw_paired paired = bw_obb_paired(tree);
    check c = {tree, mesh, bw_allocate_zero(allocator, tree->count, sizeof(furthest))};
    if (c.reaches == NULL)
        return "out of memory while checking";
    const char *fault =
        bw_paired_check(&paired, allocator, primitive_count, quarantine, quarantined, check_volume, &c);
    if (fault == NULL && mesh != NULL)
        fault = check_tight(tree, c.reaches);
    bw_release(allocator, c.reaches, tree->count, sizeof *c.reaches);
    return fault;
}
