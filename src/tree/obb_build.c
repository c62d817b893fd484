/* Build and rebuild of OBB trees, top-down (Gottschalk, Lin, Manocha 1996, section 4): a set is divided
 * across the longest axis of its box at the mean of its primitives' centroids; where all fall on one side,
 * into halves by count. */
#include "tree/obb.h"

#include "base/stack.h"
#include "geom/box.h"
#include "geom/vec.h"
#include "mesh/view.h"

#include <string.h>

typedef struct range {
    uint32_t node, begin, end, depth;
} range;

/* Three times the centroid along the axis. */
static double along(const bw_mesh *mesh, uint32_t primitive, bw_vec3 axis)
{
    bw_vec3 c[3];
    bw_view_corners(mesh, primitive, c);
    return bw_vec3_dot(bw_vec3_add(bw_vec3_add(c[0], c[1]), c[2]), axis);
}

/* Reorders [begin, end) so that the near side comes first; returns where the far side begins. */
static uint32_t partition(const bw_mesh *mesh, uint32_t *primitives, uint32_t begin, uint32_t end,
                          const bw_obb_fit *fit)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (fit->box.half[i] > fit->box.half[longest])
            longest = i;
    const float *a = fit->box.axis[longest];
    bw_vec3 axis = {(double)a[0], (double)a[1], (double)a[2]};
    double limit = 3 * bw_vec3_dot(fit->mean, axis);
    uint32_t low = begin, high = end;
    while (low < high) {
        if (along(mesh, primitives[low], axis) <= limit) {
            low++;
            continue;
        }
        high--;
        uint32_t primitive = primitives[low];
        primitives[low] = primitives[high];
        primitives[high] = primitive;
    }
    return low == begin || low == end ? begin + (end - begin) / 2 : low;
}

static void extend_reach(double reach[3], const bw_obb_node *box)
{
    for (int k = 0; k < 3; k++) {
        double r = fabs((double)box->centre[k]);
        for (int i = 0; i < 3; i++)
            r += fabs((double)box->axis[i][k]) * (double)box->half[i];
        r *= 1 + 0x1p-40;
        reach[k] = r > reach[k] ? r : reach[k];
    }
}

static bw_box bounds_of(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count)
{
    bw_box all = bw_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 corners[3];
        bw_view_corners(mesh, primitives[i], corners);
        bw_box box = bw_box_of_points(corners, 3);
        all = bw_box_union(&all, &box);
    }
    return all;
}

bw_result bw_obb_build(const bw_allocator *allocator, const bw_mesh *mesh, uint32_t *primitives,
                       uint32_t count, bw_obb *out)
{
    bw_obb tree = {NULL, 2 * count - 1, 0, 0, bounds_of(mesh, primitives, count), {0, 0, 0}};
    tree.nodes = bw_allocate(allocator, tree.count, sizeof *tree.nodes);
    if (tree.nodes == NULL)
        return BW_ERROR_MEMORY;
    range first[256];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(range *)bw_stack_push(&stack) = (range){0, 0, count, 0};
    uint32_t next = 1;
    range *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        range r = *top;
        bw_obb_fit fit;
        bw_obb_fit_primitives(mesh, primitives + r.begin, r.end - r.begin, &fit);
        extend_reach(tree.reach, &fit.box);
        bw_obb_node *node = &tree.nodes[r.node];
        *node = fit.box;
        if (r.end - r.begin == 1) {
            node->link = BW_OBB_LEAF | primitives[r.begin];
            tree.depth = r.depth > tree.depth ? r.depth : tree.depth;
            tree.depth_sum += r.depth;
            continue;
        }
        node->link = next;
        if (!bw_stack_grow(&stack, 2)) {
            bw_stack_release(&stack);
            bw_obb_release(allocator, &tree);
            return BW_ERROR_MEMORY;
        }
        uint32_t split = partition(mesh, primitives, r.begin, r.end, &fit);
        *(range *)bw_stack_push(&stack) = (range){next + 1, split, r.end, r.depth + 1};
        *(range *)bw_stack_push(&stack) = (range){next, r.begin, split, r.depth + 1};
        next += 2;
    }
    bw_stack_release(&stack);
    *out = tree;
    return BW_OK;
}

void bw_obb_release(const bw_allocator *allocator, bw_obb *tree)
{
    bw_release(allocator, tree->nodes, tree->count, sizeof *tree->nodes);
    *tree = (bw_obb){0};
}

bw_result bw_obb_rebuild(const bw_allocator *allocator, bw_obb *tree, const bw_mesh *mesh,
                         bw_refit_report *report)
{
    uint32_t leaves = (tree->count + 1) / 2, count = 0;
    uint32_t *primitives = bw_allocate(allocator, leaves, sizeof *primitives);
    if (primitives == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < tree->count; i++)
        if (bw_obb_is_leaf(&tree->nodes[i]))
            primitives[count++] = tree->nodes[i].link & ~BW_OBB_LEAF;
    bw_obb fresh;
    bw_result result = bw_obb_build(allocator, mesh, primitives, count, &fresh);
    bw_release(allocator, primitives, leaves, sizeof *primitives);
    if (result != BW_OK)
        return result;
    for (uint32_t i = 0; i < tree->count; i++)
        report->changed += memcmp(&tree->nodes[i], &fresh.nodes[i], sizeof *tree->nodes) != 0;
    report->boxes += tree->count;
    report->rebuilt = true;
    bw_obb_release(allocator, tree);
    *tree = fresh;
    return BW_OK;
}
