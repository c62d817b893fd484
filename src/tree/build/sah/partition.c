/* One split of the quality builder: bins, the cheapest split, and the two sides moved apart. */
#include "tree/build/sah/partition.h"

#include "base/tasks.h"
#include "tree/build/sah/bins.h"
#include "tree/build/sah/nth.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    WHOLE = 8192,  /* up to so many references all decide where to split, beyond it a sample does */
    SAMPLE = 4096, /* at least so many then */
    BLOCK = 8192,  /* references that a task moves */
    FEW_BLOCKS = BW_REF_LARGE / BLOCK,
    BALANCED_DEPTH = 64 /* below this, ranges are halved by count, so that no input makes a deep tree */
};

uint32_t bw_split_leaves_left(uint32_t leaves, uint32_t n_left, uint32_t n_right)
{
    uint32_t need_left = (n_left + BW_WIDTH - 1) / BW_WIDTH, need_right = (n_right + BW_WIDTH - 1) / BW_WIDTH;
    uint64_t spare = leaves - need_left - need_right;
    assert(n_left > 0 && n_right > 0 && leaves >= need_left + need_right);
    return need_left + (uint32_t)(spare * n_left / ((uint64_t)n_left + n_right));
}

static void name_parts(const bw_range *range, uint32_t left_count, const bw_box *left_hint,
                       const bw_box *right_hint, bw_range *left, bw_range *right)
{
    uint32_t count = range->end - range->begin;
    uint32_t leaves = bw_split_leaves_left(range->leaves, left_count, count - left_count);
    *left = (bw_range){range->begin,      range->begin + left_count, range->node + 1, leaves,
                       1 - range->buffer, range->depth + 1,          *left_hint};
    *right = (bw_range){range->begin + left_count,
                        range->end,
                        range->node + 2 * leaves,
                        range->leaves - leaves,
                        1 - range->buffer,
                        range->depth + 1,
                        *right_hint};
}

/* A key that ascends with the centre, and among equals with the place: all keys differ. */
static inline uint64_t centre_key(const bw_ref *ref, int axis, uint32_t place)
{
    float centre = ref->low[axis] - ref->negative_high[axis] + 0.0f; /* no -0 */
    uint32_t bits;
    memcpy(&bits, &centre, sizeof bits);
    bits ^= (bits >> 31) != 0 ? 0xffffffffu : 0x80000000u;
    return (uint64_t)bits << 32 | place;
}

/* Marks of a reference whose bin is that of the split, once its side is known. */
enum { SIDE_LEFT = 0, SIDE_RIGHT = 255 };

/* A split under way. */
typedef struct splitting {
    const bw_split_job *job;
    const bw_range *range;
    const bw_bins *bins;
    int k, along;  /* which of the bins' axes, and which axis of space that is */
    uint32_t bin;  /* in which the split lies */
    uint32_t left; /* references that go left */
    bool loose;    /* anywhere within the bin is about as good */
    const bw_ref *from;
    bw_ref *to;
    uint32_t *packed;
    uint32_t count;
    uint32_t *below, *inside; /* of each block: references in bins before the split's, and in it */
} splitting;

static splitting begin_splitting(const bw_split_job *job, const bw_range *range, const bw_bins *bins,
                                 const bw_best_split *split)
{
    return (splitting){.job = job,
                       .range = range,
                       .bins = bins,
                       .k = split->axis,
                       .along = bins->which[split->axis],
                       .bin = split->bin,
                       .loose = split->loose,
                       .from = job->refs[range->buffer] + range->begin,
                       .to = job->refs[1 - range->buffer] + range->begin,
                       .packed = job->bins + range->begin,
                       .count = range->end - range->begin};
}

static inline uint32_t bin_of(const splitting *c, uint32_t i)
{
    return c->packed[i] >> 8 * c->k & 255;
}

/* Divides the references of the split's bin: the `inside` lowest go left. Where they are to go is not in use
 * yet: it lends its room to the keys. */
static void divide_bin(const splitting *c, uint32_t inside)
{
    uint64_t *keys = (uint64_t *)(void *)c->to;
    uint32_t held = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        keys[held] = i;
        held += bin_of(c, i) == c->bin;
    }
    for (uint32_t i = 0; i < held; i++)
        keys[i] = centre_key(&c->from[keys[i]], c->along, (uint32_t)keys[i]);
    bw_select_nth(keys, held, inside);
    for (uint32_t i = 0; i < held; i++) {
        uint32_t *word = &c->packed[(uint32_t)keys[i]];
        *word = (*word & ~(255u << 8 * c->k)) | (uint32_t)(i < inside ? SIDE_LEFT : SIDE_RIGHT) << 8 * c->k;
    }
}

/* Copies references first..last-1 to their sides, in order, without a branch to mispredict. */
static void partition(const splitting *c, uint32_t first, uint32_t last, bw_ref *restrict left,
                      bw_ref *restrict right)
{
    const bw_ref *restrict from = c->from;
    for (uint32_t i = first; i < last; i++) {
        bool goes_left = bin_of(c, i) <= c->bin; /* SIDE_LEFT is below every bin, SIDE_RIGHT above */
        bw_ref *to = goes_left ? left : right;
        *to = from[i];
        left += goes_left;
        right += !goes_left;
    }
}

/* No axis tells the references apart, or the tree grows too deep: halves by count, the first one full. */
static void halve(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    uint32_t count = range->end - range->begin;
    uint32_t left_count = count / 2;
    left_count += (BW_WIDTH - left_count % BW_WIDTH) % BW_WIDTH;
    memcpy(job->refs[1 - range->buffer] + range->begin, job->refs[range->buffer] + range->begin,
           count * sizeof(bw_ref));
    name_parts(range, left_count, &range->hint, &range->hint, left, right);
}

/* The range of the centres, as a box around them. */
static bw_box centre_box(const bw_ref *refs, uint32_t count)
{
    bw_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            float centre = 0.5f * (refs[i].low[axis] - refs[i].negative_high[axis]);
            box.min[axis] = centre < box.min[axis] ? centre : box.min[axis];
            box.max[axis] = centre > box.max[axis] ? centre : box.max[axis];
        }
    return box;
}

/* Every reference has a say. */
static void split_whole(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    const uint32_t count = range->end - range->begin;
    const bw_ref *refs = job->refs[range->buffer] + range->begin;
    _Alignas(32) bw_bins bins;
    bw_box hint = range->hint;
    bw_best_split split = {.axis = -1};
    for (int attempt = 0; attempt < 2 && split.axis < 0; attempt++) {
        if (attempt == 1) /* the hint was far too large, or left an axis out */
            hint = centre_box(refs, count);
        bw_bins_begin(&bins, &hint, count < 512 ? BW_BINS / 2 : BW_BINS);
        bw_bins_add(&bins, refs, count, 1, job->bins + range->begin, job->simd);
        split = bw_bins_best_split(&bins, range->leaves, true, job->inverse_unit);
    }
    if (split.axis < 0 || range->depth >= BALANCED_DEPTH) {
        halve(job, range, left, right);
        return;
    }
    splitting c = begin_splitting(job, range, &bins, &split);
    uint32_t before = 0;
    for (uint32_t bin = 0; bin < split.bin; bin++)
        before += bins.axis[split.axis].count[bin];
    if (split.left - before != bins.axis[split.axis].count[split.bin])
        divide_bin(&c, split.left - before);
    partition(&c, 0, count, c.to, c.to + split.left);
    name_parts(range, split.left, &split.left_hint, &split.right_hint, left, right);
}

/* The ranges of blocks begin..end-1. */
static void count_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const splitting *c = context;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t first = block * BLOCK, last = c->count - first < BLOCK ? c->count : first + BLOCK;
        uint32_t below = 0, inside = 0;
        for (uint32_t i = first; i < last; i++) {
            uint32_t bin = bw_bins_of(c->bins, &c->from[i], c->k);
            c->packed[i] = bin << 8 * c->k;
            below += bin < c->bin;
            inside += bin == c->bin;
        }
        c->below[block] = below;
        c->inside[block] = inside;
    }
}

/* below holds where each block's left references go. */
static void move_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const splitting *c = context;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t first = block * BLOCK, last = c->count - first < BLOCK ? c->count : first + BLOCK;
        uint32_t left = c->below[block];
        partition(c, first, last, c->to + left, c->to + c->left + first - left);
    }
}

/* The number of references to send left: near the boundary that the sample chose, and a multiple of a full
 * subtree where the split's bin allows it. */
static uint32_t snap(uint32_t below, uint32_t inside, uint32_t count, bool loose)
{
    uint32_t target = below + inside;
    if (!loose)
        return target;
    for (uint32_t unit = 512; unit >= BW_WIDTH; unit /= BW_WIDTH) {
        uint32_t left = target - target % unit;
        if (left > below && left < count)
            return left;
    }
    return target;
}

/* False if the sample misled. */
static bool place_sampled(splitting *c)
{
    const bw_tasks *tasks = c->job->tasks;
    const uint32_t blocks = (c->count + BLOCK - 1) / BLOCK;
    bw_parallel(blocks > FEW_BLOCKS ? tasks : NULL, count_blocks, c, blocks, 1);
    uint32_t below = 0, inside = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        below += c->below[block];
        inside += c->inside[block];
    }
    /* For a large range it makes no difference, and dividing the bin would be one thread's work. */
    c->left = snap(below, inside, c->count, c->loose && blocks <= FEW_BLOCKS);
    uint32_t need = (c->left + BW_WIDTH - 1) / BW_WIDTH + (c->count - c->left + BW_WIDTH - 1) / BW_WIDTH;
    if (c->left == 0 || c->left >= c->count || need > c->range->leaves)
        return false;
    if (c->left != below + inside)
        divide_bin(c, c->left - below);
    uint32_t at = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        uint32_t first = block * BLOCK, last = c->count - first < BLOCK ? c->count : first + BLOCK, here = 0;
        if (c->left == below + inside) /* the bin goes left as a whole */
            here = c->below[block] + c->inside[block];
        else if (c->inside[block] == 0)
            here = c->below[block];
        else
            for (uint32_t i = first; i < last; i++)
                here += bin_of(c, i) <= c->bin;
        c->below[block] = at;
        at += here;
    }
    bw_parallel(blocks > FEW_BLOCKS ? tasks : NULL, move_blocks, c, blocks, 1);
    return true;
}

size_t bw_split_words(uint32_t count)
{
    return 2 * (size_t)(2 * (count / BLOCK) + 2);
}

/* Those of a large range: it has at least 4 blocks, so that twice as many places as whole ones hold two words
 * for each, and ranges that do not overlap have their own. */
static uint32_t *words_of(const bw_split_job *job, const bw_range *range)
{
    return job->words + 2 * (size_t)(range->begin / (BLOCK / 2));
}

/* A sample of the references decides about where; then all are counted, and moved to places that do not
 * depend on who moves which block. */
static void split_sampled(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    const uint32_t count = range->end - range->begin, blocks = (count + BLOCK - 1) / BLOCK;
    _Alignas(32) bw_bins bins;
    bw_bins_begin(&bins, &range->hint, BW_BINS);
    bw_bins_add(&bins, job->refs[range->buffer] + range->begin, count, count / SAMPLE, NULL, job->simd);
    bw_best_split split = bw_bins_best_split(&bins, range->leaves, false, job->inverse_unit);
    if (split.axis < 0 || range->depth >= BALANCED_DEPTH) {
        split_whole(job, range, left, right);
        return;
    }
    splitting c = begin_splitting(job, range, &bins, &split);
    uint32_t local[2 * FEW_BLOCKS], *counts = blocks > FEW_BLOCKS ? words_of(job, range) : local;
    c.below = counts;
    c.inside = counts + blocks;
    if (place_sampled(&c))
        name_parts(range, c.left, &split.left_hint, &split.right_hint, left, right);
    else
        split_whole(job, range, left, right);
}

void bw_split_range(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    if (range->end - range->begin > WHOLE)
        split_sampled(job, range, left, right);
    else
        split_whole(job, range, left, right);
}
