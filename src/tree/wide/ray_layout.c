/* The layout of a wide tree for rays: making it, and proving that it is the tree's. */
#include "tree/wide/ray_layout.h"
#include "base/fault.h"

#include "base/tasks.h"
#include "geom/ray.h"
#include "mesh/view.h"
#include "tree/kind.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(bw_ray_node) == 256 && sizeof(bw_ray_leaf) == 320, "whole cache lines");
_Static_assert(offsetof(bw_ray_node, max) == offsetof(bw_wide_node, max), "the rows of both kinds of nodes");

enum { GRAIN = 512 };

static float larger(float a, float b)
{
    return a > b ? a : b;
}

void bw_ray_place_set(const bw_box *bounds, bw_ray_place *out)
{
    float reach = 0.0f, side = 0.0f;
    for (int k = 0; k < 3; k++) {
        reach = larger(reach, larger(-bounds->min[k], bounds->max[k]));
        side = larger(side, bounds->max[k] - bounds->min[k]);
    }
    for (int k = 0; k < 3; k++) {
        out->low[k] = bounds->min[k] - 8.0f * side;
        out->high[k] = bounds->max[k] + 8.0f * side;
    }
    out->low[3] = out->high[3] = 0.0f;
    out->reach = reach;
    out->reach_around = (2.0f * reach + 8.0f * side) * (1.0f + 0x1p-20f);
    const float near = (float)BW_RAY_FAR * (1.0f - 0x1p-24f);
    for (int k = 0; k < 4; k++) {
        out->near_low[k] = larger(out->low[k], -near);
        out->near_high[k] = out->high[k] < near ? out->high[k] : near;
    }
}

/* The upper bits of a float that is not below a length, as a reference has them. */
static uint64_t length_bits(float length)
{
    enum { LOST = BW_RAY_LENGTH_SHIFT + BW_RAY_FLIPS_SHIFT };
    uint32_t bits;
    memcpy(&bits, &length, sizeof bits);
    return (uint64_t)((bits + ((1u << LOST) - 1)) >> LOST) << BW_RAY_FLIPS_SHIFT;
}

/* The longest side of a lane's box, rounded up. */
static float longest_side(const bw_wide_node *node, uint32_t lane)
{
    float longest = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float side = (node->max[axis][lane] - node->min[axis][lane]) * (1.0f + 0x1p-22f);
        longest = side > longest ? side : longest;
    }
    return longest;
}

/* Sorts children by their middles along an axis. */
static void sort_along(const float middle[BW_WIDTH], uint32_t *children, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t child = children[i];
        uint32_t at = i;
        for (; at > 0 && middle[children[at - 1]] > middle[child]; at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
}

/* How well a group of children, sorted along an axis, is told apart there by its middle: the gap between the
 * boxes of the halves, negative where they overlap. */
static float gap_of(const bw_wide_node *node, uint32_t axis, const uint32_t *children, uint32_t count)
{
    const uint32_t half = (count + 1) / 2;
    if (count < 2)
        return 0.0f;
    float below = node->max[axis][children[0]], above = node->min[axis][children[half]];
    for (uint32_t i = 1; i < half; i++)
        below = node->max[axis][children[i]] > below ? node->max[axis][children[i]] : below;
    for (uint32_t i = half + 1; i < count; i++)
        above = node->min[axis][children[i]] < above ? node->min[axis][children[i]] : above;
    return above - below;
}

/* The bits of slots that rays flip, as a reference has them: axes[i] is that of bit 2 - i. */
static uint64_t flips_bits(const uint32_t axes[3])
{
    uint64_t bits = 0;
    for (uint32_t octant = 0; octant < 4; octant++)
        for (uint32_t i = 0; i < 3; i++)
            bits |= (uint64_t)(octant >> axes[i] & 1) << (BW_RAY_FLIPS_SHIFT + 3 * octant + 2 - i);
    return bits;
}

/* Which slot each child of a node takes, and what a reference to the node says of their order: groups of
 * children are halved three times, all along one axis each time. */
static uint64_t assign_slots(const bw_wide_node *node, uint32_t slot_of[BW_WIDTH])
{
    float middle[3][BW_WIDTH];
    uint32_t children[BW_WIDTH], first[BW_WIDTH + 1] = {0, node->count}, axes[3], halved = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        children[i] = i;
        for (int axis = 0; axis < 3; axis++)
            middle[axis][i] = 0.5f * node->min[axis][i] + 0.5f * node->max[axis][i];
    }
    for (uint32_t groups = 1; groups < BW_WIDTH; groups *= 2) {
        uint32_t widest = 0, sorted[3][BW_WIDTH];
        float most = -INFINITY;
        for (uint32_t axis = 0; axis < 3; axis++) {
            float gap = 0.0f;
            memcpy(sorted[axis], children, sizeof children);
            for (uint32_t g = 0; g < groups; g++) {
                sort_along(middle[axis], sorted[axis] + first[g], first[g + 1] - first[g]);
                gap += gap_of(node, axis, sorted[axis] + first[g], first[g + 1] - first[g]);
            }
            widest = gap > most ? axis : widest;
            most = gap > most ? gap : most;
        }
        memcpy(children, sorted[widest], sizeof children);
        axes[halved++] = widest;
        for (uint32_t g = groups; g-- > 0;) {
            const uint32_t from = first[g], count = first[g + 1] - from;
            first[2 * g + 2] = from + count;
            first[2 * g + 1] = from + (count + 1) / 2;
            first[2 * g] = from;
        }
    }
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        if (first[slot + 1] > first[slot])
            slot_of[children[first[slot]]] = slot;
    return flips_bits(axes);
}

static uint64_t reference_of(const struct bw_ray_layout *layout, const bw_wide *wide,
                             const bw_wide_node *node, uint32_t lane)
{
    const uint32_t child = node->child[lane];
    if ((child & BW_WIDE_LEAF) == 0) {
        uint32_t slot_of[BW_WIDTH];
        return (uint64_t)child * sizeof(bw_ray_node) << BW_RAY_OFFSET_SHIFT |
               assign_slots(&wide->nodes[child], slot_of);
    }
    const uint64_t offset = ((uint64_t)layout->node_count + 1) * sizeof(bw_ray_node) +
                            (uint64_t)(child & ~BW_WIDE_LEAF) * sizeof(bw_ray_leaf);
    return offset << BW_RAY_OFFSET_SHIFT | length_bits(longest_side(node, lane)) | BW_RAY_LEAF;
}

static void clear_node(bw_ray_node *out)
{
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
            out->min[axis][slot] = BW_WIDE_EMPTY;
            out->max[axis][slot] = -BW_WIDE_EMPTY;
        }
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        out->child[slot] = BW_RAY_NO_CHILD;
}

static void fill_node(const struct bw_ray_layout *layout, const bw_wide *wide, const bw_wide_node *node,
                      bw_ray_node *out)
{
    uint32_t slot_of[BW_WIDTH];
    clear_node(out);
    assign_slots(node, slot_of);
    for (uint32_t i = 0; i < node->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out->min[axis][slot_of[i]] = node->min[axis][i];
            out->max[axis][slot_of[i]] = node->max[axis][i];
        }
        out->child[slot_of[i]] = reference_of(layout, wide, node, i);
    }
}

static void fill_leaf(const bw_wide *wide, const bw_mesh *mesh, uint32_t leaf, bw_ray_leaf *out)
{
    const uint32_t *primitives = wide->primitives + (size_t)leaf * BW_WIDTH;
    const uint32_t count = wide->leaves[leaf].count;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        bw_vec3 corners[3] = {{0}};
        out->primitive[slot] = slot < count ? primitives[slot] : BW_NONE;
        if (count > 0) /* else a hole, which nothing refers to */
            bw_mesh_view_corners(mesh, primitives[slot < count ? slot : 0], corners);
        for (int i = 0; i < 3; i++) {
            out->corner[i][0][slot] = (float)corners[i].x;
            out->corner[i][1][slot] = (float)corners[i].y;
            out->corner[i][2][slot] = (float)corners[i].z;
        }
    }
}

/* Nodes above a leaf, at most BW_RAY_DEPTH + 1. */
static uint32_t depth_of(const bw_wide *wide, uint32_t leaf)
{
    uint32_t depth = 0;
    for (uint32_t node = wide->leaves[leaf].parent; node != BW_NONE && depth <= BW_RAY_DEPTH;
         node = wide->nodes[node].parent)
        depth++;
    return depth;
}

typedef struct fill_job {
    const bw_wide *wide;
    const bw_mesh *mesh;
    struct bw_ray_layout *layout;
} fill_job;

static void fill_nodes(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const fill_job *job = context;
    for (uint32_t i = first; i < last; i++)
        fill_node(job->layout, job->wide, &job->wide->nodes[i], &job->layout->nodes[i]);
}

static void fill_leaves(void *context, uint32_t first, uint32_t last, uint32_t worker)
{
    (void)worker;
    const fill_job *job = context;
    bw_ray_leaf *leaves = (bw_ray_leaf *)(void *)(job->layout->nodes + job->layout->node_count + 1);
    for (uint32_t i = first; i < last; i++)
        fill_leaf(job->wide, job->mesh, i, &leaves[i]);
}

/* In cache lines. */
static size_t lines_of(uint32_t node_count, uint32_t leaf_count)
{
    return ((size_t)node_count + 1) * (sizeof(bw_ray_node) / 64) +
           (size_t)leaf_count * (sizeof(bw_ray_leaf) / 64);
}

struct bw_ray_layout *bw_ray_layout_make(const bw_wide *wide, const bw_mesh *mesh,
                                         const bw_allocator *allocator, const bw_tasks *tasks)
{
    struct bw_ray_layout *layout = bw_allocate_zero(allocator, 1, sizeof *layout);
    bw_ray_node *nodes =
        layout == NULL ? NULL : bw_allocate(allocator, lines_of(wide->node_count, wide->leaf_count), 64);
    if (nodes == NULL) {
        bw_release(allocator, layout, 1, sizeof *layout);
        return NULL;
    }
    uint32_t slot_of[BW_WIDTH];
    layout->nodes = nodes;
    layout->node_count = wide->node_count;
    layout->leaf_count = wide->leaf_count;
    layout->floats = mesh->scalar == BW_F32;
    layout->vertices = mesh->vertex_count;
    layout->triangles = mesh->triangle_count;
    layout->root = assign_slots(&wide->nodes[0], slot_of);
    bw_ray_place_set(&wide->bounds, &layout->place);
    clear_node(&nodes[wide->node_count]);
    fill_job job = {wide, mesh, layout};
    bw_parallel(tasks, fill_nodes, &job, wide->node_count, GRAIN);
    bw_parallel(tasks, fill_leaves, &job, wide->leaf_count, GRAIN);
    for (uint32_t i = 0; i < wide->leaf_count; i++) {
        const uint32_t depth = wide->leaves[i].count == 0 ? 0 : depth_of(wide, i);
        layout->depth = depth > layout->depth ? depth : layout->depth;
    }
    layout->usual = layout->floats && mesh->indices != NULL && layout->depth <= BW_RAY_DEPTH &&
                    layout->place.reach >= BW_RAY_TREE_MIN && layout->place.reach <= BW_RAY_TREE_MAX;
    return layout;
}

void bw_ray_layout_release(struct bw_ray_layout *layout, const bw_allocator *allocator)
{
    if (layout != NULL)
        bw_release(allocator, layout->nodes, lines_of(layout->node_count, layout->leaf_count), 64);
    bw_release(allocator, layout, 1, sizeof *layout);
}

void bw_ray_layout_drop(bw_wide *wide)
{
    bw_ray_layout_release(wide->rays, &wide->allocator);
    wide->rays = NULL;
}

size_t bw_ray_layout_bytes(const bw_wide *wide)
{
    return wide->rays == NULL
               ? 0
               : sizeof *wide->rays + 64 * lines_of(wide->rays->node_count, wide->rays->leaf_count);
}

/* Every child of a node stands in one slot, with its box. */
static bool same_children(const struct bw_ray_layout *layout, const bw_wide *wide, const bw_wide_node *node,
                          const bw_ray_node *copy)
{
    uint32_t found = 0, used = 0;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        used += copy->child[slot] != BW_RAY_NO_CHILD;
    for (uint32_t i = 0; i < node->count; i++)
        for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
            bool same = copy->child[slot] == reference_of(layout, wide, node, i);
            for (int axis = 0; axis < 3; axis++)
                same &= copy->min[axis][slot] == node->min[axis][i] &&
                        copy->max[axis][slot] == node->max[axis][i];
            found += same;
        }
    return found == node->count && used == node->count;
}

const char *bw_ray_layout_check(const bw_wide *wide, const bw_mesh *mesh)
{
    const struct bw_ray_layout *layout = wide->rays;
    if (layout == NULL)
        return NULL;
    if (layout->node_count != wide->node_count || layout->leaf_count != wide->leaf_count)
        return "the layout for rays has other numbers of nodes and leaves";
    for (uint32_t i = 0; i < wide->node_count; i++)
        if (!same_children(layout, wide, &wide->nodes[i], &layout->nodes[i]))
            return "a node of the layout for rays differs";
    const bw_ray_leaf *leaves = bw_ray_layout_leaves(layout);
    for (uint32_t i = 0; i < wide->leaf_count; i++) {
        if (mesh != NULL && wide->leaves[i].count > 0) {
            bw_ray_leaf leaf;
            fill_leaf(wide, mesh, i, &leaf);
            if (memcmp(&leaf, &leaves[i], sizeof leaf) != 0)
                return "a leaf of the layout for rays differs";
        }
        if (wide->leaves[i].count > 0 && depth_of(wide, i) > layout->depth)
            return "the layout for rays is deeper than it says";
    }
    return NULL;
}

bw_result bw_tree_prepare_rays(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks, bw_fault *fault)
{
    if (tree == NULL || mesh == NULL || bw_tasks_check(tasks) != BW_OK)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (tree->kind != &bw_kind_wide)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    const bw_result result = bw_tree_accepts(tree, mesh);
    if (result != BW_OK || tree->wide.node_count == 0)
        return bw_fail(fault, result);
    struct bw_ray_layout *layout = bw_ray_layout_make(&tree->wide, mesh, &tree->wide.allocator, tasks);
    if (layout == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_ray_layout_drop(&tree->wide);
    tree->wide.rays = layout;
    return bw_fail(fault, BW_OK);
}
