/* A fresh traversal of the test tree: what the separation list is at a time, found without it. */
#include "timeline/separation/separation.h"

#include "base/stack.h"

/* A box of each tree: lanes, as in kinetic.h. */
typedef struct place {
    uint32_t a, b;
} place;

static uint32_t root_of(const bw_wide *wide)
{
    return wide->node_count * BW_WIDTH;
}

static uint32_t child_of(const bw_wide *wide, uint32_t lane)
{
    return lane == root_of(wide) ? 0 : wide->nodes[lane / BW_WIDTH].child[lane % BW_WIDTH];
}

static bw_box box_of(const bw_wide *wide, uint32_t lane)
{
    return lane == root_of(wide) ? wide->bounds
                                 : bw_wide_lane_box(&wide->nodes[lane / BW_WIDTH], lane % BW_WIDTH);
}

static void add_leaf(const bw_wide *wide, uint32_t child, const uint32_t **primitives, uint32_t *count)
{
    *primitives = wide->primitives + (size_t)(child & ~BW_WIDE_LEAF) * BW_WIDTH;
    *count = wide->leaves[child & ~BW_WIDE_LEAF].count;
}

bw_result bw_cut_visit(const bw_allocator *allocator, const bw_wide *a, const bw_wide *b, bool self,
                       bw_separation_visitor *visitor, void *user)
{
    place room[256];
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, allocator);
    bw_result result = BW_OK;
    *(place *)bw_stack_push(&stack) = (place){root_of(a), root_of(b)};
    const place *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        place at = *top;
        uint32_t child_a = child_of(a, at.a), child_b = child_of(b, at.b);
        bool leaf_a = (child_a & BW_WIDE_LEAF) != 0, leaf_b = (child_b & BW_WIDE_LEAF) != 0;
        bool same = self && at.a == at.b;
        bw_separation_entry entry = {.leaves = leaf_a && leaf_b, .a = box_of(a, at.a), .b = box_of(b, at.b)};
        entry.meeting = same || bw_box_overlaps(&entry.a, &entry.b);
        if (!entry.meeting || entry.leaves) {
            if (entry.leaves) {
                add_leaf(a, child_a, &entry.primitives_a, &entry.count_a);
                add_leaf(b, child_b, &entry.primitives_b, &entry.count_b);
            }
            if (!visitor(user, &entry))
                break;
            continue;
        }
        uint32_t count_a = leaf_a ? 1 : a->nodes[child_a].count,
                 count_b = leaf_b ? 1 : b->nodes[child_b].count;
        for (uint32_t i = count_b; i-- > 0;) /* the first comes out first */
            for (uint32_t j = same ? i + 1 : count_a; j-- > 0;) {
                place *slot = bw_stack_push(&stack);
                if (slot == NULL) {
                    bw_stack_release(&stack);
                    return BW_ERROR_MEMORY;
                }
                *slot =
                    (place){leaf_a ? at.a : child_a * BW_WIDTH + j, leaf_b ? at.b : child_b * BW_WIDTH + i};
            }
    }
    bw_stack_release(&stack);
    return result;
}
