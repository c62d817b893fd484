/* Build and rebuild of OBB trees, top-down (Gottschalk, Lin, Manocha 1996, section 4): a set is divided
 * across the longest axis of its box at the mean of its primitives' centroids; where all fall on one side,
 * into halves by count. */
#include "tree/reference/obb/obb.h"

#include "base/stack.h"
#include "geom/box.h"
#include "geom/vec.h"
#include "mesh/view.h"

#include <string.h>

typedef struct range {
    uint32_t node, begin, end, depth;
} range;

/* Reorders [begin, end) so that the near side comes first; returns where the far side begins. */
static uint32_t partition(bw_obb_item *items, uint32_t begin, uint32_t end, const bw_obb_fit *fit)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (fit->box.half[i] > fit->box.half[longest])
            longest = i;
    const float *a = fit->box.axis[longest];
    bw_vec3 axis = {(double)a[0], (double)a[1], (double)a[2]};
    double limit = bw_vec3_dot(fit->mean, axis);
    uint32_t low = begin, high = end;
    while (low < high) {
        if (bw_vec3_dot(bw_obb_item_sum(&items[low]), axis) <= limit) {
            low++;
            continue;
        }
        high--;
        bw_obb_item item = items[low];
        items[low] = items[high];
        items[high] = item;
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

static bw_obb_scale copy_items(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                               bw_obb_item *items, bw_box *bounds)
{
    bw_box all = bw_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        items[i].primitive = primitives[i];
        bw_mesh_view_corners(mesh, primitives[i], items[i].corner);
        bw_box box = bw_box_of_points(items[i].corner, 3);
        all = bw_box_union(&all, &box);
    }
    bw_obb_scale scale = bw_obb_scale_of(&all);
    for (uint32_t i = 0; i < count; i++)
        bw_obb_item_measure(&items[i], scale.unit, mesh->indices == NULL);
    *bounds = all;
    return scale;
}

static bw_result build(const bw_allocator *allocator, bw_obb_item *items, uint32_t count,
                       const bw_obb_scale *scale, bw_obb *tree)
{
    range first[256];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(range *)bw_stack_push(&stack) = (range){0, 0, count, 0};
    uint32_t next = 1;
    range *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        range r = *top;
        bw_obb_fit fit;
        bw_obb_fit_items(items + r.begin, r.end - r.begin, scale, &fit);
        extend_reach(tree->reach, &fit.box);
        bw_obb_node *node = &tree->nodes[r.node];
        *node = fit.box;
        if (r.end - r.begin == 1) {
            node->link = BW_OBB_LEAF | items[r.begin].primitive;
            tree->depth = r.depth > tree->depth ? r.depth : tree->depth;
            tree->depth_sum += r.depth;
            continue;
        }
        node->link = next;
        if (!bw_stack_grow(&stack, 2)) {
            bw_stack_release(&stack);
            return BW_ERROR_MEMORY;
        }
        uint32_t split = partition(items, r.begin, r.end, &fit);
        *(range *)bw_stack_push(&stack) = (range){next + 1, split, r.end, r.depth + 1};
        *(range *)bw_stack_push(&stack) = (range){next, r.begin, split, r.depth + 1};
        next += 2;
    }
    bw_stack_release(&stack);
    return BW_OK;
}

bw_result bw_obb_build(const bw_allocator *allocator, const bw_mesh *mesh, const uint32_t *primitives,
                       uint32_t count, bw_obb *out)
{
    bw_obb tree = {.count = 2 * count - 1};
    tree.nodes = bw_allocate(allocator, tree.count, sizeof *tree.nodes);
    bw_obb_item *items = bw_allocate(allocator, count, sizeof *items);
    bw_result result = BW_ERROR_MEMORY;
    if (tree.nodes != NULL && items != NULL) {
        bw_obb_scale scale = copy_items(mesh, primitives, count, items, &tree.bounds);
        result = build(allocator, items, count, &scale, &tree);
    }
    bw_release(allocator, items, count, sizeof *items);
    if (result == BW_OK)
        *out = tree;
    else
        bw_obb_release(allocator, &tree);
    return result;
}

void bw_obb_release(const bw_allocator *allocator, bw_obb *tree)
{
    bw_release(allocator, tree->nodes, tree->count, sizeof *tree->nodes);
    *tree = (bw_obb){0};
}

bw_result bw_obb_rebuild(const bw_allocator *allocator, bw_obb *tree, const bw_mesh *mesh,
                         bw_update_report *report)
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
    bw_obb_release(allocator, tree);
    *tree = fresh;
    return BW_OK;
}
