/* All overlapping pairs (scene/modern/pairs_template.h), alone or by parts with threads. */
#include "scene/modern/kernels.h"

#include <string.h>

static bool join(bw_modern_joiner *j, bw_node_ref ref, const float box[6], int levels)
{
    return bw_modern_kernels_for(j->tree->base.simd)->join(j, ref, box, 0, levels) && !j->failed;
}

/* ---- in parallel: parts are subtrees with their candidates, in the order of the walk ---- */

typedef struct parts {
    const bw_modern_tree *tree;
    bw_pair_sink *sink;
    bw_stack list;       /* of bw_modern_part */
    bw_stack candidates; /* of bw_modern_candidate */
    bw_stack *pairs;     /* by part */
    uint64_t *tested;
    bool *failed;
} parts;

static void join_parts(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    parts *p = user;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        const bw_modern_part *at = (const bw_modern_part *)(void *)p->list.items + k;
        bw_modern_candidate first[128];
        bw_modern_joiner j = {.tree = p->tree, .sink = p->sink, .pairs = &p->pairs[k]};
        j.candidates = bw_stack_over(first, sizeof first, sizeof *first, p->tree->base.allocator);
        p->failed[k] = at->count > j.candidates.capacity && !bw_stack_grow(&j.candidates, at->count);
        if (!p->failed[k]) {
            memcpy(j.candidates.items, p->candidates.items + at->begin * sizeof *first,
                   at->count * sizeof *first);
            j.candidates.count = at->count;
            p->failed[k] = !join(&j, at->top.ref, at->top.box, 0);
        }
        p->tested[k] = j.tested;
        bw_stack_release(&j.candidates);
    }
}

static bw_result join_parallel(parts *p, bw_modern_joiner *j)
{
    const bw_allocator *allocator = p->tree->base.allocator;
    const bw_tasks *tasks = p->tree->base.tasks;
    j->parts = &p->list;
    j->own = &p->candidates;
    if (!join(j, p->tree->root, p->tree->bounds, 2)) /* only cuts the tree */
        return BW_ERROR_MEMORY;
    size_t count = p->list.count;
    p->pairs = bw_allocate(allocator, count, sizeof *p->pairs);
    p->tested = bw_allocate_zero(allocator, count, sizeof *p->tested);
    p->failed = bw_allocate_zero(allocator, count, sizeof *p->failed);
    bw_result result = BW_ERROR_MEMORY;
    if (p->pairs != NULL && p->tested != NULL && p->failed != NULL) {
        for (size_t k = 0; k < count; k++)
            p->pairs[k] = bw_stack_over(NULL, 0, sizeof(bw_pair), allocator);
        tasks->parallel_for(tasks->user, join_parts, p, (uint32_t)count, 1);
        result = BW_OK;
        for (size_t k = 0; k < count; k++)
            if (p->failed[k])
                result = BW_ERROR_MEMORY;
        for (size_t k = 0; k < count; k++) {
            const bw_pair *pairs = (const bw_pair *)(void *)p->pairs[k].items;
            for (size_t i = 0; i < p->pairs[k].count && result == BW_OK; i++)
                bw_pair_sink_put(p->sink, pairs[i], (bw_pair_path){0});
            j->tested += p->tested[k];
            bw_stack_release(&p->pairs[k]);
        }
    }
    bw_release(allocator, p->pairs, count, sizeof *p->pairs);
    bw_release(allocator, p->tested, count, sizeof *p->tested);
    bw_release(allocator, p->failed, count, sizeof *p->failed);
    return result;
}

bw_result bw_modern_pairs(const bw_scene_tree *base, bw_pair_sink *sink)
{
    const bw_modern_tree *tree = (const bw_modern_tree *)base;
    if (tree->root == 0)
        return BW_OK;
    bw_modern_candidate first[128];
    bw_modern_joiner j = {.tree = tree, .sink = sink};
    j.candidates = bw_stack_over(first, sizeof first, sizeof *first, base->allocator);
    bw_result result;
    if (base->tasks != NULL && base->tasks->worker_count > 1) {
        parts p = {.tree = tree, .sink = sink};
        p.list = bw_stack_over(NULL, 0, sizeof(bw_modern_part), base->allocator);
        p.candidates = bw_stack_over(NULL, 0, sizeof(bw_modern_candidate), base->allocator);
        result = join_parallel(&p, &j);
        bw_stack_release(&p.list);
        bw_stack_release(&p.candidates);
    } else {
        result = join(&j, tree->root, tree->bounds, 0) ? BW_OK : BW_ERROR_MEMORY;
    }
    sink->report.tested_count = j.tested;
    bw_stack_release(&j.candidates);
    return result;
}
