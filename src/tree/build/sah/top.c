/* The top of a large quality tree, over clusters instead of primitives. */
#include "tree/build/sah/top.h"

#include "base/tasks.h"
#include "tree/build/aabb.h"

#include <math.h>

enum {
    BINS = 32,
    DEEPEST = 48 /* ranges below are left to the builder of subtrees, which halves what it must */
};

static inline bw_top_range *range_at(const bw_array *ranges, size_t i)
{
    return bw_array_at(ranges, i);
}

/* ---- one division ---- */

typedef struct bin {
    bw_aabb box;
    uint32_t count; /* primitives */
} bin;

typedef struct split {
    float cost;
    int axis;      /* -1: none */
    uint32_t bin;  /* the last one that goes left */
    uint32_t left; /* primitives */
} split;

static inline float centre(const bw_cluster *c, int axis)
{
    return c->low[axis] - c->negative_high[axis];
}

static inline uint32_t bin_of(float at, float low, float scale)
{
    const float place = (at - low) * scale;
    return place < BINS - 1 ? (uint32_t)(int32_t)place : BINS - 1;
}

static void bound_centres(const bw_cluster *clusters, uint32_t count, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; axis++)
        low[axis] = high[axis] = centre(&clusters[0], axis);
    for (uint32_t i = 1; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const float at = centre(&clusters[i], axis);
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
}

static void consider_axis(const bin bins[BINS], uint32_t total, int axis, float inverse_unit, split *best)
{
    float above[BINS];
    bw_aabb run = bw_aabb_empty();
    for (uint32_t i = BINS; i-- > 1;) {
        bw_aabb_add(&run, &bins[i].box);
        above[i] = bw_aabb_area(&run, inverse_unit);
    }
    run = bw_aabb_empty();
    uint32_t left = 0;
    for (uint32_t i = 0; i + 1 < BINS; i++) {
        bw_aabb_add(&run, &bins[i].box);
        left += bins[i].count;
        if (left == 0 || left == total)
            continue;
        const float cost =
            bw_aabb_area(&run, inverse_unit) * (float)left + above[i + 1] * (float)(total - left);
        if (cost < best->cost)
            *best = (split){cost, axis, i, left};
    }
}

static inline float scale_of(float low, float high)
{
    return high - low > 0x1p-110f ? (float)BINS / (high - low) : 0;
}

static split find_split(const bw_top *top, const bw_top_range *range, const float low[3], const float high[3])
{
    const bw_cluster *clusters = bw_top_cluster(top, range, 0);
    const uint32_t count = range->clusters.end - range->clusters.begin;
    split best = {INFINITY, -1, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        const float scale = scale_of(low[axis], high[axis]);
        if (!(scale > 0))
            continue;
        bin bins[BINS];
        for (uint32_t i = 0; i < BINS; i++)
            bins[i] = (bin){bw_aabb_empty(), 0};
        for (uint32_t i = 0; i < count; i++) {
            bin *b = &bins[bin_of(centre(&clusters[i], axis), low[axis], scale)];
            const bw_aabb box = bw_aabb_load(clusters[i].low);
            bw_aabb_add(&b->box, &box);
            b->count += clusters[i].tagged_count - BW_REF_TAG;
        }
        consider_axis(bins, range->count, axis, top->inverse_unit, &best);
    }
    return best;
}

/* Moves the clusters to the other buffer, those that go left first, in order; returns how many these are. */
static uint32_t partition(const bw_top *top, const bw_top_range *range, const split *c, float low,
                          float scale)
{
    const bw_cluster *from = bw_top_cluster(top, range, 0);
    const uint32_t count = range->clusters.end - range->clusters.begin;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        left += bin_of(centre(&from[i], c->axis), low, scale) <= c->bin;
    bw_cluster *to = top->clusters[1 - range->clusters.buffer] + range->clusters.begin;
    uint32_t at[2] = {0, left};
    for (uint32_t i = 0; i < count; i++)
        to[at[bin_of(centre(&from[i], c->axis), low, scale) > c->bin]++] = from[i];
    return left;
}

/* Both halves are zero where the range cannot be divided. */
static void divide_range(const bw_top *top, const bw_top_range *range, bw_top_range halves[2])
{
    halves[0] = halves[1] = (bw_top_range){.count = 0};
    const bw_range *whole = &range->clusters;
    float low[3], high[3];
    bound_centres(bw_top_cluster(top, range, 0), whole->end - whole->begin, low, high);
    const split c = find_split(top, range, low, high);
    const uint32_t right = range->count - c.left;
    if (c.axis < 0 || whole->depth >= DEEPEST ||
        (c.left + BW_WIDTH - 1) / BW_WIDTH + (right + BW_WIDTH - 1) / BW_WIDTH > whole->leaves)
        return;
    const uint32_t middle =
        whole->begin + partition(top, range, &c, low[c.axis], scale_of(low[c.axis], high[c.axis]));
    const uint32_t leaves = bw_split_leaves_left(whole->leaves, c.left, right);
    halves[0] = halves[1] = *range;
    for (int i = 0; i < 2; i++) {
        halves[i].clusters.buffer = 1 - whole->buffer;
        halves[i].clusters.depth++;
    }
    halves[0].clusters.end = halves[1].clusters.begin = middle;
    halves[0].clusters.node = whole->node + 1;
    halves[1].clusters.node = whole->node + 2 * leaves;
    halves[0].clusters.leaves = leaves;
    halves[1].clusters.leaves = whole->leaves - leaves;
    halves[0].count = c.left;
    halves[1].count = right;
    halves[1].first += c.left;
}

/* ---- all of them ---- */

static void divide_level(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const bw_top *top = context;
    for (uint32_t i = begin; i < end; i++) {
        const bw_top_range *range = range_at(&top->divided, top->level + i);
        bw_top_range *halves = range_at(&top->halves, 2 * (size_t)i);
        divide_range(top, range, halves);
        top->nodes[range->clusters.node].count = 0;
        top->nodes[range->clusters.node].right = halves[1].clusters.node;
    }
}

static bool put(bw_array *ranges, const bw_top_range *range)
{
    bw_top_range *slot = bw_array_push(ranges);
    if (slot != NULL)
        *slot = *range;
    return slot != NULL;
}

/* The halves of a level join the next one, or the subtrees; ranges that could not be divided go there, too.
 */
static bool sort_out(bw_top *top, size_t count)
{
    const size_t end = top->level + count;
    size_t kept = top->level;
    bw_array next = bw_array_of(sizeof(bw_top_range), top->allocator);
    bool good = true;
    for (size_t i = top->level; i < end && good; i++) {
        const bw_top_range *halves = range_at(&top->halves, 2 * (i - top->level));
        if (halves[0].count == 0) {
            good = put(&top->subtrees, range_at(&top->divided, i));
            continue;
        }
        *range_at(&top->divided, kept++) = *range_at(&top->divided, i);
        for (int k = 0; k < 2 && good; k++)
            good = put(halves[k].count > BW_TOP_LARGE ? &next : &top->subtrees, &halves[k]);
    }
    top->divided.count = top->level = kept;
    for (size_t i = 0; i < next.count && good; i++)
        good = put(&top->divided, range_at(&next, i));
    bw_array_release(&next);
    return good;
}

static bool divide_all(bw_top *top)
{
    while (top->level < top->divided.count) {
        const size_t count = top->divided.count - top->level;
        top->halves.count = 0;
        if (bw_array_extend(&top->halves, 2 * count) == NULL)
            return false;
        bw_parallel(top->tasks, divide_level, top, (uint32_t)count, 1);
        if (!sort_out(top, count))
            return false;
    }
    return true;
}

bw_top bw_top_of(const bw_box_source *source, bw_split_node *nodes, const bw_tasks *tasks,
                 const bw_allocator *allocator)
{
    const bw_array ranges = bw_array_of(sizeof(bw_top_range), allocator);
    return (bw_top){.source = source,
                    .nodes = nodes,
                    .tasks = tasks,
                    .allocator = allocator,
                    .parts = bw_array_of(sizeof(bw_top_part), allocator),
                    .divided = ranges,
                    .subtrees = ranges,
                    .halves = ranges};
}

bool bw_top_whole(bw_top *top, uint32_t leaves)
{
    const bw_top_range whole = {.clusters = {.leaves = leaves}, .count = top->source->count};
    return put(&top->subtrees, &whole);
}

bool bw_top_divide(bw_top *top, uint32_t leaves)
{
    if (!bw_top_make_clusters(top))
        return false;
    bw_aabb all = bw_aabb_empty();
    for (uint32_t i = 0; i < top->cluster_count; i++) {
        const bw_aabb box = bw_aabb_load(top->clusters[0][i].low);
        bw_aabb_add(&all, &box);
    }
    const bw_box box = bw_aabb_box(&all);
    top->inverse_unit = bw_box_inverse_unit(&box);
    const bw_top_range whole = {.clusters = {.end = top->cluster_count, .leaves = leaves},
                                .count = top->source->count};
    return put(&top->divided, &whole) && divide_all(top);
}

void bw_top_release(bw_top *top)
{
    for (int i = 0; i < 2; i++)
        bw_release(top->allocator, top->clusters[i], top->cluster_count, sizeof *top->clusters[i]);
    bw_release(top->allocator, top->ends, bw_top_ends(top), sizeof *top->ends);
    bw_array_release(&top->parts);
    bw_array_release(&top->divided);
    bw_array_release(&top->subtrees);
    bw_array_release(&top->halves);
}
