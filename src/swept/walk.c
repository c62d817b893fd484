/* The broad phase of a step: the walk over pairs of nodes of swept trees, down to pairs of features whose boxes
 * meet. Which nodes are opened next is decided as in every traversal (collide/pair/open.h). */
#include "swept/swept.h"

#include "base/stack.h"

static uint32_t lanes(uint32_t count)
{
    return (1u << count) - 1;
}

/* The pairs of children that meet. */
static bw_wide_meeting visit(bw_swept_traversal *walk, const bw_wide_item *item)
{
    const bw_wide_node *a = &walk->a->tree.nodes[item->a], *b = &walk->b->tree.nodes[item->b];
    const uint32_t of_a = item->lanes & lanes(a->count), of_b = item->rows & lanes(b->count);
    bw_wide_meeting meeting = bw_swept_kernels_of(walk->simd)->nodes(a, of_a, b, of_b, walk->grow);
    walk->box_tests += (uint64_t)bw_wide_bits(of_a) * bw_wide_bits(of_b);
    if (walk->a == walk->b && item->a == item->b) { /* each pair once, and each child with itself */
        meeting.leaves &= BW_WIDE_BELOW | BW_WIDE_SELF;
        meeting.others &= BW_WIDE_BELOW | BW_WIDE_SELF;
    }
    return meeting;
}

static bool open_children(const bw_swept_traversal *walk, const bw_wide_item *item, uint64_t others,
                          bw_stack *stack)
{
    const bw_wide *a = &walk->a->tree, *b = &walk->b->tree;
    const bw_wide_node *of_a = &a->nodes[item->a], *of_b = &b->nodes[item->b];
    const bw_wide_visit v = {a, b, walk->a == walk->b, of_a->min, of_a->max, of_b->min, of_b->max};
    return bw_wide_push_children(stack, &v, item, others);
}

static void compare_leaves(bw_swept_traversal *walk, const bw_wide_item *item, uint64_t leaves)
{
    const bw_wide_node *a = &walk->a->tree.nodes[item->a], *b = &walk->b->tree.nodes[item->b];
    const bw_swept_kernels *kernels = bw_swept_kernels_of(walk->simd);
    for (; leaves != 0 && !walk->stop; leaves &= leaves - 1) {
        bw_wide_leaf_pair pair = bw_wide_leaves_at(a, b, bw_wide_lowest(leaves));
        kernels->leaves(walk, pair.a, pair.b);
    }
}

uint32_t bw_swept_split(bw_swept_traversal *walk, const bw_swept_item *item,
                        bw_swept_item out[BW_SWEPT_SPLIT])
{
    uint32_t count = 0;
    if (item->leaves != 0) {
        out[count++] = *item;
        return count;
    }
    bw_wide_item room[BW_SWEPT_SPLIT]; /* each is of another pair of children, at least */
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, walk->allocator);
    const bw_wide_meeting meeting = visit(walk, &item->nodes);
    for (uint64_t left = meeting.leaves; left != 0; left &= left - 1)
        out[count++] = (bw_swept_item){item->nodes, left & ~(left - 1)};
    (void)open_children(walk, &item->nodes, meeting.others, &stack);
    for (const bw_wide_item *top; (top = bw_stack_pop(&stack)) != NULL;)
        out[count++] = (bw_swept_item){*top, 0};
    return count;
}

bool bw_swept_traverse_from(bw_swept_traversal *walk, const bw_swept_item *start)
{
    if (start->leaves != 0) {
        compare_leaves(walk, &start->nodes, start->leaves);
        return true;
    }
    bw_wide_item room[256];
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, walk->allocator);
    bool good = bw_wide_push(&stack, &walk->a->tree, &walk->b->tree, start->nodes);
    const bw_wide_item *top;
    while (good && !walk->stop && (top = bw_stack_pop(&stack)) != NULL) {
        const bw_wide_item item = *top;
        const bw_wide_meeting meeting = visit(walk, &item);
        compare_leaves(walk, &item, meeting.leaves);
        good = open_children(walk, &item, meeting.others, &stack);
    }
    bw_stack_release(&stack);
    return good;
}
