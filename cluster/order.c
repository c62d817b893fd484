/* The order of pairs, by a kd-tree over parts, and what pairs cost. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

/* Deciding two parts of which most triangles are far from each other costs about what reading so many triangles does. */
enum { PAIR_COST = 200, COST_MAX = 1 << 30 };

/* A part with which pairs go. */
typedef struct leaf {
    float at[3]; /* the middle of its box */
    uint32_t part;
    uint64_t cost; /* of its pairs */
} leaf;

/* Numbers of parts decide between equal places: the order depends on nothing else. */
static bool before(const leaf *a, const leaf *b, int axis)
{
    return a->at[axis] < b->at[axis] || (!(b->at[axis] < a->at[axis]) && a->part < b->part);
}

static void swap_leaves(leaf *a, leaf *b)
{
    leaf t = *a;
    *a = *b;
    *b = t;
}

/* Puts those before the pivot first, then it; how many these are, and their cost. */
static size_t divide(leaf *list, size_t count, int axis, uint64_t *cost)
{
    leaf *middle = list + count / 2, *last = list + count - 1;
    if (before(middle, list, axis))
        swap_leaves(middle, list);
    if (before(last, list, axis))
        swap_leaves(last, list);
    if (before(middle, last, axis)) /* the median of three stands last */
        swap_leaves(middle, last);
    size_t lower = 0;
    *cost = 0;
    for (size_t i = 0; i + 1 < count; i++)
        if (before(&list[i], last, axis)) {
            *cost += list[i].cost;
            if (i != lower)
                swap_leaves(&list[i], &list[lower]);
            lower++;
        }
    swap_leaves(&list[lower], last);
    return lower;
}

/* Puts the fewest leaves first, lower ones along the axis before higher ones, that cost `half`; at least one, and not all. */
static size_t halve(leaf *list, size_t count, int axis, uint64_t half)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        uint64_t cost;
        const size_t lower = divide(list + low, high - low, axis, &cost);
        if (cost >= half) {
            high = low + lower;
            continue;
        }
        const uint64_t with = cost + list[low + lower].cost;
        low += lower + 1;
        if (with >= half) {
            high = low;
            break;
        }
        half -= with;
    }
    return high < count ? high : count - 1;
}

static int longest_side(const leaf *list, size_t count)
{
    float low[3], high[3];
    memcpy(low, list->at, sizeof low);
    memcpy(high, list->at, sizeof high);
    for (size_t i = 1; i < count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = list[i].at[k] < low[k] ? list[i].at[k] : low[k];
            high[k] = list[i].at[k] > high[k] ? list[i].at[k] : high[k];
        }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis])
            axis = k;
    return axis;
}

static void arrange(leaf *list, size_t count)
{
    while (count > 1) {
        uint64_t total = 0;
        for (size_t i = 0; i < count; i++)
            total += list[i].cost;
        const size_t half = halve(list, count, longest_side(list, count), (total + 1) / 2);
        /* The smaller half by a call: log2 of them at once. */
        if (half < count - half) {
            arrange(list, half);
            list += half;
            count -= half;
        } else {
            arrange(list + half, count - half);
            count = half;
        }
    }
}

typedef struct ordering {
    const uint32_t *primitives;
    uint32_t *degrees; /* pairs of each part */
    uint64_t *sums;    /* of each part: the cost of pairs that go with it, then where these begin */
} ordering;

static uint32_t size_of(const ordering *o, uint32_t part)
{
    return o->primitives ? o->primitives[part] : 1;
}

static uint32_t cost_of(const ordering *o, uint64_t pair)
{
    const uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    uint64_t cost = PAIR_COST;
    if (o->primitives)
        cost += o->primitives[a] / o->degrees[a] + o->primitives[b] / o->degrees[b];
    return (uint32_t)(cost < COST_MAX ? cost : COST_MAX);
}

/* The part with which a pair goes. */
static uint32_t first_of(const ordering *o, uint64_t pair)
{
    const uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    return (uint64_t)size_of(o, b) * o->degrees[a] > (uint64_t)size_of(o, a) * o->degrees[b] ? b : a;
}

static int by_value(const void *p, const void *q)
{
    const uint64_t *x = p, *y = q;
    return (*x > *y) - (*x < *y);
}

/* Mostly a part has two or three. */
static void sort_by_value(uint64_t *list, size_t count)
{
    enum { FEW = 16 };
    if (count > FEW) {
        qsort(list, count, sizeof *list, by_value);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint64_t pair = list[i];
        size_t k = i;
        for (; k > 0 && list[k - 1] > pair; k--)
            list[k] = list[k - 1];
        list[k] = pair;
    }
}

static leaf *make_leaves(const ordering *o, const bw_box *boxes, uint32_t box_count, size_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < box_count; i++)
        *count += o->sums[i] > 0;
    leaf *list = malloc((*count > 0 ? *count : 1) * sizeof *list), *to = list;
    for (uint32_t i = 0; list && i < box_count; i++)
        if (o->sums[i] > 0) {
            *to = (leaf){.part = i, .cost = o->sums[i]};
            for (int k = 0; k < 3; k++)
                to->at[k] = 0.5f * boxes[i].min[k] + 0.5f * boxes[i].max[k];
            to++;
        }
    return list;
}

/* Pairs behind each other by their leaves, those of a leaf by value. counts: of each part, pairs that go with it. */
static void place(const ordering *o, const leaf *leaves, size_t leaf_count, uint32_t *counts,
                  const uint64_t *from, uint64_t *to, size_t pair_count)
{
    uint64_t until = 0;
    for (size_t i = 0; i < leaf_count; i++) {
        o->sums[leaves[i].part] = until;
        until += counts[leaves[i].part];
    }
    for (size_t i = 0; i < pair_count; i++)
        to[o->sums[first_of(o, from[i])]++] = from[i];
    for (size_t i = 0; i < leaf_count; i++) {
        const uint32_t part = leaves[i].part;
        sort_by_value(to + o->sums[part] - counts[part], counts[part]);
    }
}

uint32_t *cluster_order(const bw_box *boxes, uint32_t box_count, const uint32_t *primitives, uint64_t *pairs,
                        size_t pair_count)
{
    const size_t parts = (size_t)box_count + 1, some = pair_count > 0 ? pair_count : 1;
    ordering o = {primitives, calloc(parts, sizeof *o.degrees), calloc(parts, sizeof *o.sums)};
    uint32_t *counts = calloc(parts, sizeof *counts), *costs = malloc(some * sizeof *costs);
    uint64_t *given = malloc(some * sizeof *given);
    leaf *leaves = NULL;
    size_t leaf_count = 0;
    if (o.degrees && o.sums && counts && costs && given) {
        for (size_t i = 0; i < pair_count; i++) {
            o.degrees[pairs[i] >> 32]++;
            o.degrees[(uint32_t)pairs[i]]++;
        }
        for (size_t i = 0; i < pair_count; i++) {
            const uint32_t part = first_of(&o, pairs[i]);
            o.sums[part] += cost_of(&o, pairs[i]);
            counts[part]++;
        }
        leaves = make_leaves(&o, boxes, box_count, &leaf_count);
    }
    if (leaves) {
        arrange(leaves, leaf_count);
        memcpy(given, pairs, pair_count * sizeof *pairs);
        place(&o, leaves, leaf_count, counts, given, pairs, pair_count);
        for (size_t i = 0; i < pair_count; i++)
            costs[i] = cost_of(&o, pairs[i]);
    } else {
        free(costs);
        costs = NULL;
    }
    free(leaves);
    free(given);
    free(counts);
    free(o.sums);
    free(o.degrees);
    return costs;
}

void cluster_cut(const uint32_t *costs, size_t pair_count, uint32_t pieces, size_t *cuts)
{
    uint64_t total = 0, until = 0;
    for (size_t i = 0; i < pair_count; i++)
        total += costs[i];
    uint32_t piece = 0;
    cuts[0] = 0;
    for (size_t i = 0; i < pair_count; i++) {
        /* Pair i begins the next pieces whose share ends before it. */
        while (piece + 1 < pieces && (double)until >= (double)total * (piece + 1) / pieces)
            cuts[++piece] = i;
        until += costs[i];
    }
    while (piece < pieces)
        cuts[++piece] = pair_count;
}
