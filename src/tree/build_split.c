#include "tree/build_split.h"

#include "base/tasks.h"
#include "tree/build_bins.h"
#include "tree/build_select.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = 4096,      /* references that decide where a large range is cut */
    BLOCK = 8192,       /* references of a large range that a task moves */
    BALANCED_DEPTH = 64 /* below this, ranges are halved by count, so that no input makes a deep tree */
};

uint32_t bw_split_leaves_left(uint32_t leaves, uint32_t n_left, uint32_t n_right)
{
    uint32_t need_left = (n_left + BW_WIDTH - 1) / BW_WIDTH, need_right = (n_right + BW_WIDTH - 1) / BW_WIDTH;
    uint64_t spare = leaves - need_left - need_right;
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

/* Marks of a reference whose bin is that of the cut, once its side is known. */
enum { SIDE_LEFT = 0, SIDE_RIGHT = 255 };

static inline uint32_t with_bin(uint32_t packed, int axis, uint32_t bin)
{
    return (packed & ~(255u << 8 * axis)) | bin << 8 * axis;
}

/* Divides the references of the cut's bin: the `inside` lowest go left. keys has room for all of the range.
 */
static void divide_bin(const bw_ref *refs, uint32_t *packed, uint32_t count, int axis, uint32_t bin,
                       uint32_t inside, uint64_t *keys)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < count; i++) {
        keys[held] = i;
        held += (packed[i] >> 8 * axis & 255) == bin;
    }
    for (uint32_t k = 0; k < held; k++)
        keys[k] = centre_key(&refs[keys[k]], axis, (uint32_t)keys[k]);
    bw_select_lowest(keys, held, inside);
    for (uint32_t k = 0; k < held; k++) {
        uint32_t place = (uint32_t)keys[k];
        packed[place] = with_bin(packed[place], axis, k < inside ? SIDE_LEFT : SIDE_RIGHT);
    }
}

/* Copies to the sides, in order, without a branch to mispredict. */
static void move_apart(const bw_ref *restrict from, const uint32_t *restrict packed, uint32_t count, int axis,
                       uint32_t first_right_bin, bw_ref *restrict left, bw_ref *restrict right)
{
    for (uint32_t i = 0; i < count; i++) {
        bool goes_left = (packed[i] >> 8 * axis & 255) < first_right_bin;
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
    left_count = left_count < count ? left_count : BW_WIDTH;
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

static bool split_small(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    const uint32_t count = range->end - range->begin;
    const bw_ref *refs = job->refs[range->buffer] + range->begin;
    bw_ref *to = job->refs[1 - range->buffer] + range->begin;
    uint32_t *packed = job->bins + range->begin;
    _Alignas(32) bw_bins bins;
    bw_box hint = range->hint;
    bw_cut cut = {.axis = -1};
    for (int attempt = 0; attempt < 2 && cut.axis < 0; attempt++) {
        if (attempt == 1) /* the hint was far too large */
            hint = centre_box(refs, count);
        bw_bins_begin(&bins, &hint, count < 512 ? BW_BINS / 2 : BW_BINS);
        bw_bins_add(&bins, refs, count, 1, packed, job->simd);
        cut = bw_bins_cut(&bins, range->leaves, true, job->inverse_unit);
    }
    if (cut.axis < 0 || range->depth >= BALANCED_DEPTH) {
        halve(job, range, left, right);
        return true;
    }
    uint32_t before = 0;
    for (uint32_t bin = 0; bin < cut.bin; bin++)
        before += bins.axis[cut.axis].count[bin];
    uint32_t inside = cut.left - before;
    if (inside != bins.axis[cut.axis].count[cut.bin])
        divide_bin(refs, packed, count, cut.axis, cut.bin, inside, (uint64_t *)(void *)to);
    move_apart(refs, packed, count, cut.axis, cut.bin + 1, to, to + cut.left);
    name_parts(range, cut.left, &cut.left_hint, &cut.right_hint, left, right);
    return true;
}

/* A large range: bins from a sample, then every block counts, and moves its references to places that do not
 * depend on who moves which block. */
typedef struct large_split {
    const bw_split_job *job;
    const bw_range *range;
    const bw_bins *bins;
    int axis;
    uint32_t bin, first_right;
    uint32_t *below, *inside; /* of each block: references in bins before the cut's, and in it */
    uint32_t left_count;
} large_split;

static void count_block(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    large_split *s = context;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t first = s->range->begin + block * BLOCK;
        uint32_t last = s->range->end - first < BLOCK ? s->range->end : first + BLOCK;
        uint32_t below = 0, inside = 0;
        for (uint32_t i = first; i < last; i++) {
            uint32_t bin = bw_bins_of(s->bins, &s->job->refs[s->range->buffer][i], s->axis);
            s->job->bins[i] = bin << 8 * s->axis;
            below += bin < s->bin;
            inside += bin == s->bin;
        }
        s->below[block] = below;
        s->inside[block] = inside;
    }
}

/* Afterwards below holds where each block's left references go. */
static void move_block(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    large_split *s = context;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t first = s->range->begin + block * BLOCK;
        uint32_t last = s->range->end - first < BLOCK ? s->range->end : first + BLOCK;
        uint32_t left = s->below[block], right = s->left_count + block * BLOCK - left;
        bw_ref *to = s->job->refs[1 - s->range->buffer] + s->range->begin;
        move_apart(s->job->refs[s->range->buffer] + first, s->job->bins + first, last - first, s->axis,
                   s->first_right, to + left, to + right);
    }
}

/* The number of references to send left: near the boundary that the sample chose, and a multiple of a full
 * subtree where the cut's bin allows it. */
static uint32_t snap(uint32_t below, uint32_t inside, uint32_t count)
{
    uint32_t target = below + inside;
    for (uint32_t unit = 512; unit >= BW_WIDTH; unit /= BW_WIDTH) {
        uint32_t left = target - target % unit;
        if (left > below && left < count)
            return left;
    }
    return target;
}

static bool move_large(large_split *s, bw_range *left, bw_range *right, const bw_cut *cut)
{
    const bw_split_job *job = s->job;
    const bw_range *range = s->range;
    const uint32_t count = range->end - range->begin, blocks = (count + BLOCK - 1) / BLOCK;
    bw_parallel(job->tasks, count_block, s, blocks, 1);
    uint32_t below = 0, inside = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        below += s->below[block];
        inside += s->inside[block];
    }
    s->left_count = snap(below, inside, count);
    uint32_t need =
        (s->left_count + BW_WIDTH - 1) / BW_WIDTH + (count - s->left_count + BW_WIDTH - 1) / BW_WIDTH;
    if (s->left_count == 0 || s->left_count >= count || need > range->leaves)
        return false; /* the sample misled */
    uint32_t *packed = job->bins + range->begin;
    if (s->left_count != below + inside)
        divide_bin(job->refs[range->buffer] + range->begin, packed, count, s->axis, s->bin,
                   s->left_count - below, (uint64_t *)(void *)(job->refs[1 - range->buffer] + range->begin));
    uint32_t at = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        uint32_t first = block * BLOCK, last = count - first < BLOCK ? count : first + BLOCK, here = 0;
        if (s->inside[block] == 0)
            here = s->below[block];
        else
            for (uint32_t i = first; i < last; i++)
                here += (packed[i] >> 8 * s->axis & 255) < s->first_right;
        s->below[block] = at;
        at += here;
    }
    bw_parallel(job->tasks, move_block, s, blocks, 1);
    name_parts(range, s->left_count, &cut->left_hint, &cut->right_hint, left, right);
    return true;
}

static bool split_large(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    const uint32_t count = range->end - range->begin, blocks = (count + BLOCK - 1) / BLOCK;
    _Alignas(32) bw_bins bins;
    bw_bins_begin(&bins, &range->hint, BW_BINS);
    bw_bins_add(&bins, job->refs[range->buffer] + range->begin, count, count / SAMPLE, NULL, job->simd);
    bw_cut cut = bw_bins_cut(&bins, range->leaves, false, job->inverse_unit);
    if (cut.axis < 0 || range->depth >= BALANCED_DEPTH)
        return split_small(job, range, left, right);
    uint32_t *counts = bw_allocate(job->allocator, blocks, 2 * sizeof *counts);
    if (counts == NULL)
        return false;
    large_split s = {job, range, &bins, cut.axis, cut.bin, cut.bin + 1, counts, counts + blocks, 0};
    if (!move_large(&s, left, right, &cut))
        split_small(job, range, left, right);
    bw_release(job->allocator, counts, blocks, 2 * sizeof *counts);
    return true;
}

bool bw_split_range(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right)
{
    if (range->end - range->begin > BW_REF_LARGE)
        return split_large(job, range, left, right);
    return split_small(job, range, left, right);
}
