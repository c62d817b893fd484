/* All overlapping pairs: one walk down the tree that carries, for the subtree at hand, the list of later
 * subtrees that meet it. At a leaf that is the list of its neighbours; its objects are laid out by column
 * once and tested eight at a time. */
#include "base/stack.h"
#include "scene/modern/kernels.h"
#include "scene/modern/modern.h"

#include <math.h>
#include <string.h>

typedef struct candidate {
    bw_node_ref ref;
    float box[6];
} candidate;

typedef struct joiner {
    const bw_modern_tree *tree;
    bw_stack candidates;
    bw_pair_sink *sink;
    bw_stack *pairs; /* of a parallel part; NULL: straight to the sink */
    uint64_t tested;
    bool failed;
} joiner;

/* The objects of a leaf by column; +infinity beyond the last. */
typedef struct columns {
    _Alignas(32) float at[6][32];
} columns;

static candidate *candidate_at(const joiner *j, size_t index)
{
    return (candidate *)(void *)j->candidates.items + index;
}

static bool add(joiner *j, bw_node_ref ref, const float box[6])
{
    candidate *top = bw_stack_push(&j->candidates);
    if (top == NULL)
        return false;
    top->ref = ref;
    memcpy(top->box, box, sizeof top->box);
    return true;
}

static bool add_child(joiner *j, const bw_modern_node *node, uint32_t slot)
{
    float box[6];
    for (int i = 0; i < 6; i++)
        box[i] = node->box[i][slot];
    return add(j, node->child[slot], box);
}

static inline void put(joiner *j, bw_id a, bw_id b)
{
    if (j->pairs == NULL) {
        bw_pair_sink_put(j->sink, bw_pair_of(a, b), (bw_pair_path){0});
        return;
    }
    bw_pair *pair = bw_stack_push(j->pairs);
    if (pair == NULL)
        j->failed = true;
    else
        *pair = bw_pair_of(a, b);
}

static void transpose_scalar(const bw_modern_leaf *leaf, uint32_t count, columns *out)
{
    for (int i = 0; i < 6; i++)
        for (uint32_t k = 0; k < 32; k++)
            out->at[i][k] = k < count ? leaf->boxes[k][i] : INFINITY;
}

static uint32_t columns_meet_scalar(const columns *c, uint32_t count, const float query[8])
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool meets = true;
        for (int i = 0; i < 6; i++)
            meets &= c->at[i][k] <= query[i];
        mask |= (uint32_t)meets << k;
    }
    return mask;
}

#if BW_SIMD_X86

static void transpose_avx2(const bw_modern_leaf *leaf, uint32_t count, columns *out)
{
    uint32_t rounded = (count + 7) & ~7u;
    for (uint32_t k = 0; k < rounded; k++)
        for (int i = 0; i < 6; i++)
            out->at[i][k] = k < count ? leaf->boxes[k][i] : INFINITY;
}

BW_AVX2 static inline uint32_t columns_meet_avx2(const columns *c, uint32_t count, const float query[8])
{
    __m256 q[6];
    for (int i = 0; i < 6; i++)
        q[i] = _mm256_set1_ps(query[i]);
    uint32_t mask = 0;
    for (uint32_t k = 0; k < count; k += 8) {
        __m256 meets = _mm256_cmp_ps(_mm256_load_ps(&c->at[0][k]), q[0], _CMP_LE_OQ);
        for (int i = 1; i < 6; i++)
            meets = _mm256_and_ps(meets, _mm256_cmp_ps(_mm256_load_ps(&c->at[i][k]), q[i], _CMP_LE_OQ));
        mask |= (uint32_t)_mm256_movemask_ps(meets) << k;
    }
    return mask;
}

#endif

#define TEMPLATE "scene/modern/pairs_template.h"
#include "scene/modern/each_level.h"

static bool join(joiner *j, bw_node_ref ref, const float box[6])
{
    return AT_LEVEL(j->tree->base.simd, join, j, ref, box, 0) && !j->failed;
}

/* ---- in parallel: parts are subtrees with their candidates, in the order of the walk ---- */

typedef struct part {
    bw_node_ref ref;
    float box[6];
    uint32_t begin, count; /* of its candidates */
} part;

typedef struct parts {
    const bw_modern_tree *tree;
    bw_pair_sink *sink;
    bw_stack list;       /* of part */
    bw_stack candidates; /* of candidate */
    bw_stack *pairs;     /* by part */
    uint64_t *tested;
    bool *failed;
} parts;

/* Cuts the tree into subtrees `levels` below the root. */
static bool cut(parts *p, joiner *j, bw_node_ref ref, const float box[6], size_t begin, int levels)
{
    size_t end = j->candidates.count;
    if (levels == 0 || bw_modern_is_leaf(ref)) {
        part *top = bw_stack_push(&p->list);
        if (top == NULL)
            return false;
        *top = (part){.ref = ref, .begin = (uint32_t)p->candidates.count, .count = (uint32_t)(end - begin)};
        memcpy(top->box, box, sizeof top->box);
        for (size_t at = begin; at < end; at++) {
            candidate *c = bw_stack_push(&p->candidates);
            if (c == NULL)
                return false;
            *c = *candidate_at(j, at);
        }
        return true;
    }
    const bw_modern_node *node = bw_modern_node_at(p->tree, bw_modern_node_of(ref));
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        if (node->child[slot] == 0)
            continue;
        float own[6], query[8] = {0};
        for (int i = 0; i < 6; i++)
            own[i] = node->box[i][slot];
        bw_packed_query(own, query);
        uint32_t siblings = node_meets_scalar(node, query) & ~((2u << slot) - 1u);
        for (; siblings != 0; siblings &= siblings - 1)
            if (!add_child(j, node, (uint32_t)__builtin_ctz(siblings)))
                return false;
        for (size_t at = begin; at < end; at++)
            if (!narrow_scalar(j, at, query))
                return false;
        if (!cut(p, j, node->child[slot], own, end, levels - 1))
            return false;
        j->candidates.count = end;
    }
    return true;
}

static void join_parts(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    parts *p = user;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        const part *at = (const part *)(void *)p->list.items + k;
        candidate first[128];
        joiner j = {.tree = p->tree, .sink = p->sink, .pairs = &p->pairs[k]};
        j.candidates = bw_stack_over(first, sizeof first, sizeof *first, p->tree->base.allocator);
        const candidate *theirs = (const candidate *)(void *)p->candidates.items + at->begin;
        bool ok = true;
        for (uint32_t i = 0; i < at->count && ok; i++)
            ok = add(&j, theirs[i].ref, theirs[i].box);
        p->failed[k] = !ok || !join(&j, at->ref, at->box);
        p->tested[k] = j.tested;
        bw_stack_release(&j.candidates);
    }
}

static bw_result join_parallel(parts *p, joiner *j)
{
    const bw_allocator *allocator = p->tree->base.allocator;
    const bw_tasks *tasks = p->tree->base.tasks;
    if (!cut(p, j, p->tree->root, p->tree->bounds, 0, 2))
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
    candidate first[128];
    joiner j = {.tree = tree, .sink = sink};
    j.candidates = bw_stack_over(first, sizeof first, sizeof *first, base->allocator);
    bw_result result;
    if (base->tasks != NULL && base->tasks->worker_count > 1) {
        parts p = {.tree = tree, .sink = sink};
        p.list = bw_stack_over(NULL, 0, sizeof(part), base->allocator);
        p.candidates = bw_stack_over(NULL, 0, sizeof(candidate), base->allocator);
        result = join_parallel(&p, &j);
        bw_stack_release(&p.list);
        bw_stack_release(&p.candidates);
    } else {
        result = join(&j, tree->root, tree->bounds) ? BW_OK : BW_ERROR_MEMORY;
    }
    sink->report.tested_count = j.tested;
    bw_stack_release(&j.candidates);
    return result;
}
