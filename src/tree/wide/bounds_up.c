/* Boxes of inner lanes, bottom-up. Nodes stand in depth-first order, so a chunk of the array holds whole
 * subtrees and the tops of a few that end beyond it: chunks run in parallel, and the tops, at most a path
 * each, come last. */
#include "tree/wide/bounds_up.h"
#include "base/tasks.h"

static inline void push_to_parent(bw_wide *wide, uint32_t index)
{
    const bw_wide_node *node = &wide->nodes[index];
    const bw_box box = bw_wide_reduce(node);
    if (node->parent == BW_NONE)
        wide->bounds = box;
    else
        bw_wide_set_lane(&wide->nodes[node->parent], node->parent_lane, &box);
}

static void fit_chunks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    bw_wide *wide = context;
    for (uint32_t chunk = begin; chunk < end; chunk++) {
        uint32_t first, last;
        bw_wide_chunk(wide, chunk, &first, &last);
        for (uint32_t i = last; i-- > first;)
            if (wide->nodes[i].end <= last)
                push_to_parent(wide, i);
    }
}

void bw_wide_each_top(const bw_wide *wide, void (*push)(void *context, uint32_t index), void *context)
{
    /* A node whose subtree passes the end of its chunk is an ancestor of the first node of the next chunk.
     * Taken from the last chunk back, and from below upward, every node comes after the nodes beneath it. */
    for (uint32_t chunk = bw_wide_chunks(wide); chunk-- > 0;) {
        uint32_t first, last;
        bw_wide_chunk(wide, chunk, &first, &last);
        if (last == wide->node_count)
            continue;
        for (uint32_t i = wide->nodes[last].parent; i != BW_NONE && i >= first; i = wide->nodes[i].parent)
            push(context, i);
    }
}

static void push_top(void *context, uint32_t index)
{
    push_to_parent(context, index);
}

void bw_wide_bounds_up(bw_wide *wide, const bw_tasks *tasks)
{
    if (!wide->preorder) {
        for (uint32_t i = wide->node_count; i-- > 0;)
            if (wide->nodes[i].count != 0)
                push_to_parent(wide, i);
        return;
    }
    bw_parallel(tasks, fit_chunks, wide, bw_wide_chunks(wide), 1);
    bw_wide_each_top(wide, push_top, wide);
}
