/* Van den Bergen 1997, section 3: halve the box across its longest axis and sort every primitive to the side
 * on which the middle of its projection lies; where all fall on one side, split into halves by count. */
#include "tree/reference/binary/binary.h"

#include "base/stack.h"

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

bw_result bw_binary_build_midpoint(const bw_allocator *allocator, bw_box *boxes, uint32_t *primitives,
                                   uint32_t count, bw_binary *out)
{
    bw_binary_node *nodes = bw_allocate(allocator, 2 * (size_t)count - 1, sizeof *nodes);
    if (nodes == NULL)
        return BW_ERROR_MEMORY;
    range first[256];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(range *)bw_stack_push(&stack) = (range){0, 0, count, 0};
    bw_binary tree = {nodes, 2 * count - 1, 0, 0};
    uint32_t next = 1;
    range *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        range r = *top;
        bw_box box = box_of_range(boxes, r.begin, r.end);
        bw_binary_node *node = &nodes[r.node];
        *node = (bw_binary_node){
            {box.min[0], box.min[1], box.min[2]}, 0, {box.max[0], box.max[1], box.max[2]}, 0};
        if (r.end - r.begin == 1) {
            node->link = primitives[r.begin];
            node->leaf = 1;
            tree.depth = r.depth > tree.depth ? r.depth : tree.depth;
            tree.depth_sum += r.depth;
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
            bw_release(allocator, nodes, 2 * (size_t)count - 1, sizeof *nodes);
            return BW_ERROR_MEMORY;
        }
        *(range *)bw_stack_push(&stack) = (range){next + 1, split, r.end, r.depth + 1};
        *(range *)bw_stack_push(&stack) = (range){next, r.begin, split, r.depth + 1};
        next += 2;
    }
    bw_stack_release(&stack);
    *out = tree;
    return BW_OK;
}

void bw_binary_release(const bw_allocator *allocator, bw_binary *tree)
{
    bw_release(allocator, tree->nodes, tree->count, sizeof *tree->nodes);
    *tree = (bw_binary){NULL, 0, 0, 0};
}
