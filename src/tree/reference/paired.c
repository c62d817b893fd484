/* What binary trees with one primitive per leaf share: check, statistics and visits. */
#include "tree/reference/paired.h"

#include "base/bits.h"
#include "base/stack.h"

/* Fills parents. No primitive twice and the right number of leaves: each is there once. No node with two
 * parents, parents before children and the right number of nodes: it is one tree. */
static const char *check_shape(const bw_paired *paired, uint32_t primitive_count, uint32_t expected,
                               uint8_t *seen, uint32_t *parents)
{
    uint32_t leaves = 0;
    parents[0] = BW_NONE;
    for (uint32_t i = 1; i < paired->count; i++)
        parents[i] = i; /* none yet */
    for (uint32_t i = 0; i < paired->count; i++) {
        uint32_t leaf, link = paired->link(paired->tree, i, &leaf);
        if (leaf > 1)
            return "a node is neither leaf nor inner node";
        if (leaf) {
            leaves++;
            if (link >= primitive_count)
                return "a leaf names a primitive that the mesh does not have";
            if (bw_bits_test_and_set(seen, link))
                return "a primitive stands in two leaves, or in one and in quarantine";
            continue;
        }
        if (link <= i || link >= paired->count - 1)
            return "a node's children do not stand after it";
        for (uint32_t child = link; child < link + 2; child++) {
            if (parents[child] != child)
                return "a node has two parents";
            parents[child] = i;
        }
    }
    return leaves == expected ? NULL : "a primitive stands in no leaf";
}

const char *bw_paired_check(const bw_paired *paired, const bw_allocator *allocator, uint32_t primitive_count,
                            const uint32_t *quarantine, uint32_t quarantined, bw_paired_volume *volume,
                            void *context)
{
    uint32_t expected = primitive_count - quarantined;
    if (paired->count != 2 * expected - 1)
        return "the number of nodes does not fit the number of primitives";
    size_t bytes = bw_bits_bytes(primitive_count);
    uint32_t *parents = bw_allocate(allocator, paired->count, sizeof *parents);
    uint8_t *seen = bw_allocate_zero(allocator, bytes, 1);
    const char *fault = "out of memory while checking";
    if (parents != NULL && seen != NULL) {
        for (uint32_t i = 0; i < quarantined; i++)
            bw_bits_test_and_set(seen, quarantine[i]);
        fault = check_shape(paired, primitive_count, expected, seen, parents);
        for (uint32_t i = 0; i < paired->count && fault == NULL; i++)
            fault = volume(context, i, parents);
    }
    bw_release(allocator, parents, paired->count, sizeof *parents);
    bw_release(allocator, seen, bytes, 1);
    return fault;
}

void bw_paired_stats(const bw_paired *paired, bw_tree_stats *out)
{
    double sum = 0.0, root = paired->area(paired->tree, 0);
    for (uint32_t i = 0; i < paired->count; i++)
        sum += paired->area(paired->tree, i);
    out->nodes = paired->count;
    out->leaves = (paired->count + 1) / 2;
    out->depth = paired->depth;
    out->mean_leaf_depth = (double)paired->depth_sum / out->leaves;
    /* Boxes without area are all met or none: every node counts in full. */
    out->sah_cost = root > 0.0 ? sum / root : paired->count;
    out->bytes += (size_t)paired->count * paired->node_bytes;
}

typedef struct visit {
    uint32_t node, depth;
} visit;

bw_result bw_paired_visit(const bw_paired *paired, const bw_allocator *allocator, bw_tree_visitor *visitor,
                          void *user)
{
    visit first[128];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    *(visit *)bw_stack_push(&stack) = (visit){0, 0};
    bw_result result = BW_OK;
    visit *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        visit v = *top;
        bw_box box = paired->box(paired->tree, v.node);
        uint32_t leaf, link = paired->link(paired->tree, v.node, &leaf);
        if (!visitor(user, &box, v.depth, leaf ? &link : NULL, leaf))
            break;
        if (leaf)
            continue;
        if (!bw_stack_grow(&stack, 2)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        *(visit *)bw_stack_push(&stack) = (visit){link + 1, v.depth + 1};
        *(visit *)bw_stack_push(&stack) = (visit){link, v.depth + 1};
    }
    bw_stack_release(&stack);
    return result;
}
