/* The walk over pairs of nodes of swept trees, down to pairs of features whose boxes meet. */
#include "swept/swept.h"

#include "base/stack.h"
#include "collide/pair/kernels.h"

static inline uint32_t lanes(uint32_t count)
{
    return (1u << count) - 1;
}

static bool is_leaf(uint32_t reference)
{
    return (reference & BW_WIDE_LEAF) != 0;
}

uint32_t bw_swept_split(bw_swept_traversal *walk, bw_swept_item item, bw_swept_item out[BW_WIDTH * BW_WIDTH])
{
    const bw_swept_kernels *kernels = bw_swept_kernels_of(walk->simd);
    uint32_t count = 0;
    if (is_leaf(item.a) && is_leaf(item.b)) {
        out[count++] = item;
        return count;
    }
    if (is_leaf(item.a) || is_leaf(item.b)) {
        /* A leaf against the children of a node: by the box in the leaf's own parent. */
        const bw_wide *of_leaf = is_leaf(item.a) ? &walk->a->tree : &walk->b->tree;
        const bw_wide *of_node = is_leaf(item.a) ? &walk->b->tree : &walk->a->tree;
        const bw_wide_leaf *leaf = &of_leaf->leaves[(is_leaf(item.a) ? item.a : item.b) & ~BW_WIDE_LEAF];
        const bw_wide_node *node = &of_node->nodes[is_leaf(item.a) ? item.b : item.a];
        const bw_box box = bw_wide_lane_box(&of_leaf->nodes[leaf->parent], leaf->lane);
        uint32_t bits = kernels->meet(&box, walk->grow, node->min, node->max) & lanes(node->count);
        walk->box_tests += node->count;
        for (; bits != 0; bits &= bits - 1) {
            uint32_t child = node->child[bw_wide_lowest(bits)];
            out[count++] = is_leaf(item.a) ? (bw_swept_item){item.a, child} : (bw_swept_item){child, item.b};
        }
        return count;
    }
    const bw_wide_node *a = &walk->a->tree.nodes[item.a], *b = &walk->b->tree.nodes[item.b];
    uint8_t rows[BW_WIDTH];
    kernels->meet_rows(a->min, a->max, lanes(a->count), walk->grow, b->min, b->max, rows);
    walk->box_tests += (uint64_t)a->count * b->count;
    bool same = walk->a == walk->b && item.a == item.b;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t bits = rows[i] & lanes(b->count);
        if (same) /* each pair once, and each child with itself */
            bits &= ~lanes(i);
        for (; bits != 0; bits &= bits - 1)
            out[count++] = (bw_swept_item){a->child[i], b->child[bw_wide_lowest(bits)]};
    }
    return count;
}

bool bw_swept_traverse_from(bw_swept_traversal *walk, bw_swept_item item)
{
    bw_swept_item room[512], below[BW_WIDTH * BW_WIDTH];
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, walk->allocator);
    *(bw_swept_item *)bw_stack_push(&stack) = item;
    const bw_swept_kernels *kernels = bw_swept_kernels_of(walk->simd);
    bool good = true;
    const bw_swept_item *top;
    while (good && !walk->stop && (top = bw_stack_pop(&stack)) != NULL) {
        bw_swept_item now = *top;
        if (is_leaf(now.a) && is_leaf(now.b)) {
            kernels->leaves(walk, now.a & ~BW_WIDE_LEAF, now.b & ~BW_WIDE_LEAF);
            continue;
        }
        uint32_t count = bw_swept_split(walk, now, below);
        good = count == 0 || stack.capacity - stack.count >= count || bw_stack_grow(&stack, count);
        for (uint32_t i = count; good && i-- > 0;)
            *(bw_swept_item *)bw_stack_push(&stack) = below[i];
    }
    bw_stack_release(&stack);
    return good;
}
