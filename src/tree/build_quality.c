/* The quality builder: a binary tree by the surface-area heuristic, collapsed into nodes of eight. Large
 * ranges are divided one after the other, each in parallel, until there are enough small ones; then subtrees
 * are built side by side. What is large depends on the range alone, and every subtree has its place, so
 * threads change nothing. */
#include "base/array.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "tree/build_union.h"

enum {
    GRAIN = 4096,
    SPARE = 16 /* one more leaf is allowed for so many */
};

static void build_subtree(const bw_split_job *job, const bw_range *range)
{
    uint32_t count = range->end - range->begin;
    if (count <= BW_REF_FEW) {
        bw_split_few(job, range);
        return;
    }
    bw_range left, right;
    bw_split_range(job, range, &left, &right); /* not large: cannot fail */
    bw_split_node *node = &job->nodes[range->node];
    node->count = 0;
    node->right = right.node;
    build_subtree(job, &left);
    build_subtree(job, &right);
    bw_split_node_join(job->nodes, range->node, job->inverse_unit, 0, job->simd);
}

/* A queue of ranges: large ones leave their node behind and append their parts, the others are subtrees to
 * build. */
typedef struct top {
    bw_array ranges;
    const bw_split_job *job;
} top;

static inline bw_range *range_at(const top *t, size_t i)
{
    return bw_array_at(&t->ranges, i);
}

static inline bool is_large(const bw_range *range)
{
    return range->end - range->begin > BW_REF_LARGE;
}

static void build_subtrees(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const top *t = context;
    for (uint32_t i = begin; i < end; i++)
        if (!is_large(range_at(t, i)))
            build_subtree(t->job, range_at(t, i));
}

static bool split_large(top *t)
{
    for (size_t i = 0; i < t->ranges.count; i++) {
        bw_range range = *range_at(t, i);
        if (!is_large(&range))
            continue;
        bw_range *parts = bw_array_extend(&t->ranges, 2);
        if (parts == NULL || !bw_split_range(t->job, &range, &parts[0], &parts[1]))
            return false;
        t->job->nodes[range.node].count = 0;
        t->job->nodes[range.node].right = parts[1].node;
    }
    return true;
}

static bool build_binary(const bw_split_job *job, const bw_range *whole)
{
    top t = {bw_array_of(sizeof(bw_range), job->allocator), job};
    bw_range *first = bw_array_push(&t.ranges);
    if (first != NULL)
        *first = *whole;
    bool good = first != NULL && split_large(&t);
    if (good) {
        bw_parallel(job->tasks, build_subtrees, &t, (uint32_t)t.ranges.count, 1);
        for (size_t i = t.ranges.count; i-- > 0;) /* parts stand after the whole */
            if (is_large(range_at(&t, i)))
                bw_split_node_join(job->nodes, range_at(&t, i)->node, job->inverse_unit, 0, job->simd);
    }
    bw_array_release(&t.ranges);
    return good;
}

typedef struct load {
    const bw_box_source *source;
    bw_ref *refs;
    bw_box *parts; /* the union of each GRAIN boxes */
} load;

static void load_batch(const load *l, uint32_t first, uint32_t count, bw_union *all)
{
    bw_box room[BW_SOURCE_BATCH];
    const bw_box *boxes = bw_source_boxes(l->source, first, count, room);
    for (uint32_t i = 0; i < count; i++) {
        bw_ref *ref = &l->refs[first + i];
        bw_union box = bw_union_of_box(&boxes[i]);
        bw_union_add(all, &box);
        bw_union_store(&box, ref->low);
        ref->tagged_id = bw_source_primitive(l->source, first + i) + BW_REF_TAG;
        ref->zero = 0;
    }
}

static void load_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const load *l = context;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t first = block * GRAIN, count = l->source->count;
        uint32_t last = count - first < GRAIN ? count : first + GRAIN;
        bw_union all = bw_union_empty();
        for (; first < last; first += BW_SOURCE_BATCH)
            load_batch(l, first, last - first < BW_SOURCE_BATCH ? last - first : BW_SOURCE_BATCH, &all);
        l->parts[block] = bw_union_box(&all);
    }
}

/* Fills the first buffer; the whole range, and the unit of areas. */
static void load_refs(bw_split_job *job, const bw_box_source *source, bw_box *parts, bw_range *whole)
{
    load l = {source, job->refs[0], parts};
    const uint32_t count = source->count;
    uint32_t blocks = (count + GRAIN - 1) / GRAIN;
    bw_parallel(job->tasks, load_blocks, &l, blocks, 1);
    bw_box all = parts[0];
    for (uint32_t block = 1; block < blocks; block++)
        all = bw_box_union(&all, &parts[block]);
    uint32_t leaves = (count + BW_WIDTH - 1) / BW_WIDTH;
    *whole = (bw_range){.end = count, .leaves = leaves + leaves / SPARE, .hint = all};
    job->inverse_unit = bw_box_inverse_unit(&all);
}

bw_result bw_wide_build_quality(const bw_wide_desc *desc, const bw_box_source *source, bw_wide *out)
{
    const uint32_t count = source->count;
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const size_t leaves = (count + BW_WIDTH - 1) / BW_WIDTH, places = 2 * (leaves + leaves / SPARE) - 1;
    const size_t blocks = (count + GRAIN - 1) / GRAIN;
    bw_split_job job = {.simd = source->simd, .tasks = desc->tasks, .allocator = &allocator};
    job.refs[0] = bw_allocate(&allocator, count, sizeof(bw_ref));
    job.refs[1] = bw_allocate(&allocator, count, sizeof(bw_ref));
    job.bins = bw_allocate(&allocator, count, sizeof *job.bins);
    job.order = bw_allocate(&allocator, count, sizeof *job.order);
    job.nodes = bw_allocate(&allocator, places, sizeof *job.nodes);
    bw_box *parts = bw_allocate(&allocator, blocks, sizeof *parts);
    bw_result result = BW_ERROR_MEMORY;
    if (job.refs[0] != NULL && job.refs[1] != NULL && job.bins != NULL && job.order != NULL &&
        job.nodes != NULL && parts != NULL) {
        bw_range whole;
        load_refs(&job, source, parts, &whole);
        if (build_binary(&job, &whole))
            result = bw_wide_collapse(job.nodes, job.order, count, &allocator, desc->tasks, out);
    }
    bw_release(&allocator, parts, blocks, sizeof *parts);
    bw_release(&allocator, job.nodes, places, sizeof *job.nodes);
    bw_release(&allocator, job.order, count, sizeof *job.order);
    bw_release(&allocator, job.bins, count, sizeof *job.bins);
    bw_release(&allocator, job.refs[1], count, sizeof(bw_ref));
    bw_release(&allocator, job.refs[0], count, sizeof(bw_ref));
    return result;
}
