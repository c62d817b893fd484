/* A range of references made into a subtree. Large ranges are divided level by level, until there are enough
 * small ones; then subtrees are built side by side. What is large depends on the range alone, and every
 * subtree has its place, so threads change nothing. */
#include "base/array.h"
#include "base/tasks.h"
#include "tree/build/sah/partition.h"

void bw_split_subtree(const bw_split_job *job, const bw_range *range)
{
    uint32_t count = range->end - range->begin;
    if (count <= BW_REF_FEW) {
        bw_split_sweep(job, range);
        return;
    }
    bw_range left, right;
    bw_split_range(job, range, &left, &right);
    bw_split_node *node = &job->nodes[range->node];
    node->count = 0;
    node->right = right.node;
    bw_split_subtree(job, &left);
    bw_split_subtree(job, &right);
    bw_split_node_join(job->nodes, range->node, job->inverse_unit, 0, job->simd);
}

/* Ranges on their way: the large ones, level by level, each of which leaves its node behind, and the others,
 * which are subtrees to build. */
typedef struct top {
    bw_array large, small; /* of bw_range */
    bw_array parts;        /* of the level that is being divided, two for each range */
    size_t level;          /* where it begins among the large ones */
    bw_split_job job;
} top;

static inline bw_range *range_at(const bw_array *ranges, size_t i)
{
    return bw_array_at(ranges, i);
}

static inline bool is_large(const bw_range *range)
{
    return range->end - range->begin > BW_REF_LARGE;
}

static void split_ranges(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const top *t = context;
    for (uint32_t i = begin; i < end; i++) {
        const bw_range *range = range_at(&t->large, t->level + i);
        bw_range *left = range_at(&t->parts, 2 * (size_t)i), *right = range_at(&t->parts, 2 * (size_t)i + 1);
        bw_split_range(&t->job, range, left, right);
        t->job.nodes[range->node].count = 0;
        t->job.nodes[range->node].right = right->node;
    }
}

/* Few ranges one after the other, each in parallel; many side by side, which needs no waiting in between. The
 * same parts come out. */
static void split_level(top *t, uint32_t count)
{
    const bw_tasks *tasks = t->job.tasks;
    const bool many = count >= 2 * bw_workers(tasks);
    if (many)
        t->job.tasks = NULL;
    bw_parallel(many ? tasks : NULL, split_ranges, t, count, 1);
    t->job.tasks = tasks;
}

static bool sort_out(top *t, const bw_range *range)
{
    bw_range *slot = bw_array_push(is_large(range) ? &t->large : &t->small);
    if (slot != NULL)
        *slot = *range;
    return slot != NULL;
}

static bool split_large(top *t)
{
    while (t->level < t->large.count) {
        const uint32_t count = (uint32_t)(t->large.count - t->level);
        t->parts.count = 0;
        if (bw_array_extend(&t->parts, 2 * (size_t)count) == NULL)
            return false;
        split_level(t, count);
        t->level += count;
        for (size_t i = 0; i < t->parts.count; i++)
            if (!sort_out(t, range_at(&t->parts, i)))
                return false;
    }
    return true;
}

static void build_subtrees(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const top *t = context;
    for (uint32_t i = begin; i < end; i++)
        bw_split_subtree(&t->job, range_at(&t->small, i));
}

/* The larger ones first, so that no thread is left with a large one when the others are done. */
static void order_subtrees(bw_array *small)
{
    size_t front = 0;
    for (uint32_t least = BW_REF_LARGE / 4 * 3; least >= BW_REF_LARGE / 4; least -= BW_REF_LARGE / 4)
        for (size_t i = front; i < small->count; i++)
            if (range_at(small, i)->end - range_at(small, i)->begin > least) {
                const bw_range moved = *range_at(small, i);
                *range_at(small, i) = *range_at(small, front);
                *range_at(small, front++) = moved;
            }
}

bool bw_split_large(const bw_split_job *job, const bw_allocator *allocator, const bw_range *range)
{
    top t = {.job = *job};
    t.large = t.small = t.parts = bw_array_of(sizeof(bw_range), allocator);
    const bool good = sort_out(&t, range) && split_large(&t);
    if (good) {
        order_subtrees(&t.small);
        bw_parallel(job->tasks, build_subtrees, &t, (uint32_t)t.small.count, 1);
        for (size_t i = t.large.count; i-- > 0;) /* parts stand after the whole */
            bw_split_node_join(job->nodes, range_at(&t.large, i)->node, job->inverse_unit, 0, job->simd);
    }
    bw_array_release(&t.large);
    bw_array_release(&t.small);
    bw_array_release(&t.parts);
    return good;
}
