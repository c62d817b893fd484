/* Van den Bergen 1997, section 3: halve the box across its longest axis and sort every primitive to the side
 * on which the middle of its projection lies; where all fall on one side, split into halves by count. */
#include "tree/reference/kdop/kdop.h"

#include "base/stack.h"

#include <stddef.h>

typedef struct range {
    uint32_t node, begin, end, depth;
} range;

static bw_box box_of_range(const bw_box *boxes, uint32_t begin, uint32_t end)
{
    bw_box all = boxes[begin];
    for (uint32_t i = begin + 1; i < end; i++) {
        for (int k = 0; k < 3; k++) {
            all.min[k] = boxes[i].min[k] < all.min[k] ? boxes[i].min[k] : all.min[k];
            all.max[k] = boxes[i].max[k] > all.max[k] ? boxes[i].max[k] : all.max[k];
        }
    }
    return all;
}

static int longest_axis(const bw_box *box)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->max[k] - box->min[k] > box->max[axis] - box->min[axis])
            axis = k;
    return axis;
}

/* Reorders [begin, end) so that the negative side comes first; returns where the positive side begins. */
static uint32_t partition(bw_box *boxes, uint32_t *primitives, uint32_t begin, uint32_t end, int axis,
                          float middle)
{
    uint32_t low = begin, high = end;
    while (low < high) {
        /* Twice the midpoint of the projection; box coordinates stay far below where the sum could overflow.
         */
        if (boxes[low].min[axis] + boxes[low].max[axis] <= 2.0f * middle) {
            low++;
            continue;
        }
        high--;
        bw_box box = boxes[low];
        boxes[low] = boxes[high];
        boxes[high] = box;
        uint32_t primitive = primitives[low];
        primitives[low] = primitives[high];
        primitives[high] = primitive;
    }
    return low;
}

/* Links and boxes; the other sides of polytopes come from a refit. */
static bw_result build(const bw_allocator *allocator, bw_box *boxes, uint32_t *primitives, uint32_t count,
                       bw_kdop *tree)
{
    range first[256];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(range *)bw_stack_push(&stack) = (range){0, 0, count, 0};
    uint32_t next = 1;
    range *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        range r = *top;
        bw_kdop_node *node = bw_kdop_at(tree, r.node);
        const bw_box box = box_of_range(boxes, r.begin, r.end);
        for (int axis = 0; axis < 3; axis++) {
            node->support[2 * axis] = box.max[axis];
            node->support[2 * axis + 1] = -box.min[axis];
        }
        if (r.end - r.begin == 1) {
            node->link = primitives[r.begin];
            node->leaf = 1;
            tree->depth = r.depth > tree->depth ? r.depth : tree->depth;
            tree->depth_sum += r.depth;
            continue;
        }
        int axis = longest_axis(&box);
        uint32_t split =
            partition(boxes, primitives, r.begin, r.end, axis, 0.5f * (box.min[axis] + box.max[axis]));
        if (split == r.begin || split == r.end)
            split = r.begin + (r.end - r.begin) / 2;
        node->link = next;
        if (!bw_stack_grow(&stack, 2)) {
            bw_stack_release(&stack);
            return BW_ERROR_MEMORY;
        }
        *(range *)bw_stack_push(&stack) = (range){next + 1, split, r.end, r.depth + 1};
        *(range *)bw_stack_push(&stack) = (range){next, r.begin, split, r.depth + 1};
        next += 2;
    }
    bw_stack_release(&stack);
    return BW_OK;
}

/* The axis-aligned boxes decide the topology, whatever the volumes. */
bw_result bw_kdop_build(const bw_allocator *allocator, uint32_t k, const bw_mesh *mesh, bw_box *boxes,
                        uint32_t *primitives, uint32_t count, bw_kdop *out)
{
    uint32_t stride = (uint32_t)(offsetof(bw_kdop_node, support) + k * sizeof(float));
    bw_kdop tree = {.k = k, .stride = stride, .count = 2 * count - 1};
    tree.nodes = bw_allocate_zero(allocator, tree.count, stride);
    bw_result result =
        tree.nodes == NULL ? BW_ERROR_MEMORY : build(allocator, boxes, primitives, count, &tree);
    if (result != BW_OK) {
        bw_kdop_release(allocator, &tree);
        return result;
    }
    if (k > 6)
        bw_kdop_refit(&tree, mesh, &(bw_update_report){0});
    *out = tree;
    return BW_OK;
}

void bw_kdop_release(const bw_allocator *allocator, bw_kdop *tree)
{
    bw_release(allocator, tree->nodes, tree->count, tree->stride);
    *tree = (bw_kdop){0};
}
