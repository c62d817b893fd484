/* The last levels of the quality builder: a few references, sorted once along each axis, split by full
 * sweeps.
 */
#include "tree/build/aabb.h"

#include <math.h>
#include <string.h>

enum { SWEPT = BW_REF_FEW };

typedef int32_t int_lanes __attribute__((vector_size(32)));

typedef struct sweep {
    _Alignas(32) bw_ref refs[SWEPT];
    uint8_t order[3][SWEPT]; /* places in refs, ascending along each axis within every range that is still
                              together */
    const bw_split_job *job;
    uint32_t begin; /* in the order */
} sweep;

static inline void unite(bw_aabb *u, const bw_ref *ref)
{
    bw_aabb other = bw_aabb_load(ref->low);
    bw_aabb_add(u, &other);
}

/* The number of lower keys, for each of the first count: quadratic, but without a branch. The others are the
 * highest. */
__attribute__((always_inline)) static inline void rank_any(const int32_t keys[SWEPT], uint32_t count,
                                                           int32_t ranks[SWEPT])
{
    for (uint32_t first = 0; first < count; first += BW_WIDTH) {
        int_lanes key, below = {0};
        memcpy(&key, keys + first, sizeof key);
        for (uint32_t k = 0; k < count; k++)
            below += key > keys[k]; /* true is -1 */
        below = -below;
        memcpy(ranks + first, &below, sizeof below);
    }
}

static void rank_plain(const int32_t keys[SWEPT], uint32_t count, int32_t ranks[SWEPT])
{
    rank_any(keys, count, ranks);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void rank_avx2(const int32_t keys[SWEPT], uint32_t count,
                                                      int32_t ranks[SWEPT])
{
    rank_any(keys, count, ranks);
}
#endif

static void sort_axis(sweep *f, uint32_t count, int axis)
{
    int32_t keys[SWEPT], ranks[SWEPT];
    for (uint32_t i = 0; i < count; i++) {
        float centre = f->refs[i].low[axis] - f->refs[i].negative_high[axis] + 0.0f;
        int32_t bits;
        memcpy(&bits, &centre, sizeof bits);
        bits ^= bits < 0 ? 0x7fffffff : 0;                         /* ascends as the floats do */
        keys[i] = (int32_t)(((uint32_t)bits & ~(SWEPT - 1u)) | i); /* all differ */
    }
    for (uint32_t i = count; i < SWEPT; i++)
        keys[i] = INT32_MAX;
#if BW_SIMD_X86
    if (f->job->simd >= BW_SIMD_AVX2)
        rank_avx2(keys, count, ranks);
    else
#endif
        rank_plain(keys, count, ranks);
    for (uint32_t i = 0; i < count; i++)
        f->order[axis][ranks[i]] = (uint8_t)i;
}

typedef struct sweep_split {
    float cost;
    int axis;
    uint32_t left;
} sweep_split;

static uint32_t leaves_of(uint32_t n)
{
    return (n + BW_WIDTH - 1) / BW_WIDTH;
}

/* Where a range may be split: places, ascending. */
typedef struct places {
    uint32_t count;
    uint8_t at[SWEPT];
} places;

static places allowed_places(uint32_t count, uint32_t leaves)
{
    places p;
    p.count = 0;
    for (uint32_t i = 1; i < count; i++) {
        p.at[p.count] = (uint8_t)i;
        p.count += leaves_of(i) + leaves_of(count - i) <= leaves;
    }
    return p;
}

/* The unions between places first, each reference once; then running unions over those from both ends. */
static void sweep_axis(const sweep *f, int axis, uint32_t first, uint32_t count, const places *p,
                       sweep_split *best)
{
    const uint8_t *order = f->order[axis] + first;
    const float inverse_unit = f->job->inverse_unit;
    bw_aabb part[SWEPT];
    uint32_t at = 0;
    for (uint32_t k = 0; k <= p->count; k++) {
        const uint32_t end = k < p->count ? p->at[k] : count;
        part[k] = bw_aabb_load(f->refs[order[at++]].low);
        while (at < end)
            unite(&part[k], &f->refs[order[at++]]);
    }
    float above[SWEPT];
    bw_aabb run = part[p->count];
    for (uint32_t k = p->count; k-- > 0;) {
        above[k] = bw_aabb_area(&run, inverse_unit);
        bw_aabb_add(&run, &part[k]);
    }
    run = part[0];
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t left = p->at[k];
        float cost = bw_aabb_area(&run, inverse_unit) * (float)leaves_of(left) +
                     above[k] * (float)leaves_of(count - left);
        if (cost < best->cost)
            *best = (sweep_split){cost, axis, left};
        bw_aabb_add(&run, &part[k + 1]);
    }
}

static sweep_split find_split(const sweep *f, uint32_t first, uint32_t count, uint32_t leaves,
                              const bw_box *box)
{
    sweep_split best = {INFINITY, 0, BW_WIDTH};
    const places p = allowed_places(count, leaves);
    float side[3], longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        side[axis] = box->max[axis] - box->min[axis];
        longest = side[axis] > longest ? side[axis] : longest;
    }
    for (int axis = 0; axis < 3; axis++)
        if (side[axis] >= BW_AXIS_WORTH * longest)
            sweep_axis(f, axis, first, count, &p, &best);
    return best;
}

/* Keeps the order of the three lists on both sides. */
static void divide_lists(sweep *f, const sweep_split *split, uint32_t first, uint32_t count)
{
    bool left[SWEPT] = {false};
    for (uint32_t i = 0; i < split->left; i++)
        left[f->order[split->axis][first + i]] = true;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == split->axis)
            continue;
        uint8_t right[SWEPT], *order = f->order[axis] + first;
        uint32_t at = 0, rest = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint8_t which = order[i];
            order[at] = which;
            right[rest] = which;
            at += left[which];
            rest += !left[which];
        }
        memcpy(order + at, right, rest);
    }
}

static void close_leaf(const sweep *f, uint32_t node, uint32_t first, uint32_t count, const bw_box *box)
{
    const bw_split_job *job = f->job;
    for (uint32_t i = 0; i < count; i++)
        job->order[f->begin + first + i] = f->refs[f->order[0][first + i]].tagged_id - BW_REF_TAG;
    bw_split_node *leaf = &job->nodes[node];
    leaf->box = *box;
    leaf->first = f->begin + first;
    leaf->count = count;
    bw_split_node_close(leaf, job->inverse_unit, 0);
}

static void build(sweep *f, uint32_t node, uint32_t first, uint32_t count, uint32_t leaves)
{
    bw_aabb all = bw_aabb_empty();
    for (uint32_t i = 0; i < count; i++)
        unite(&all, &f->refs[f->order[0][first + i]]);
    const bw_box box = bw_aabb_box(&all);
    sweep_split split = {INFINITY, 0, BW_WIDTH};
    if (leaves > 1 && count > 1)
        split = find_split(f, first, count, leaves, &box);
    /* What fits into one leaf goes into two, where one is to spare, only if it lies far apart: a leaf that is
     * not full is a waste. */
    if (count <= BW_WIDTH && !(split.cost < 0.7f * bw_aabb_area(&all, f->job->inverse_unit))) {
        close_leaf(f, node, first, count, &box);
        return;
    }
    divide_lists(f, &split, first, count);
    uint32_t left_leaves = bw_split_leaves_left(leaves, split.left, count - split.left);
    bw_split_node *n = &f->job->nodes[node];
    n->count = 0;
    n->right = node + 2 * left_leaves;
    build(f, node + 1, first, split.left, left_leaves);
    build(f, n->right, first + split.left, count - split.left, leaves - left_leaves);
    bw_split_node_join(f->job->nodes, node, f->job->inverse_unit, 0, f->job->simd);
}

void bw_split_sweep(const bw_split_job *job, const bw_range *range)
{
    sweep f;
    f.job = job;
    f.begin = job->base + range->begin;
    uint32_t count = range->end - range->begin;
    memcpy(f.refs, job->refs[range->buffer] + range->begin, count * sizeof *f.refs);
    for (int axis = 0; axis < 3; axis++)
        sort_axis(&f, count, axis);
    build(&f, range->node, 0, count, range->leaves);
}
