/* The Morton order of pairs, and their costs. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

typedef struct keyed {
    uint64_t key, pair;
} keyed;

/* 21 bits with two free places after each. */
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

typedef struct grid {
    double low[3], scale[3];
} grid;

static grid grid_of(const bw_box *boxes, uint32_t count)
{
    grid g = {{0}, {0}};
    for (int k = 0; k < 3; k++) {
        double low = 0, high = 0;
        for (uint32_t i = 0; i < count; i++) {
            double at = (double)boxes[i].min[k];
            low = i == 0 || at < low ? at : low;
            high = i == 0 || at > high ? at : high;
        }
        g.low[k] = low;
        g.scale[k] = high > low ? 2097151.0 / (high - low) : 0;
    }
    return g;
}

static uint64_t key_of(const grid *g, const bw_box *a, const bw_box *b)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        float begin = a->min[k] > b->min[k] ? a->min[k] : b->min[k];
        key |= spread((uint64_t)(((double)begin - g->low[k]) * g->scale[k])) << k;
    }
    return key;
}

/* Least significant byte first; bytes that are the same everywhere cost nothing. Returns where the result is. */
static keyed *sort(keyed *from, keyed *to, size_t count)
{
    for (int word = 0; word < 2; word++)
        for (int shift = 0; shift < 64; shift += 8) {
            size_t starts[257] = {0};
            for (size_t i = 0; i < count; i++)
                starts[(((word ? from[i].key : from[i].pair) >> shift) & 255) + 1]++;
            bool same = false;
            for (int i = 1; i <= 256; i++)
                same |= starts[i] == count;
            if (same)
                continue;
            for (int i = 0; i < 256; i++)
                starts[i + 1] += starts[i];
            for (size_t i = 0; i < count; i++)
                to[starts[((word ? from[i].key : from[i].pair) >> shift) & 255]++] = from[i];
            keyed *other = from;
            from = to;
            to = other;
        }
    return from;
}

bool cluster_order(const bw_box *boxes, uint32_t box_count, uint64_t *pairs, size_t pair_count)
{
    if (pair_count == 0)
        return true;
    if (pair_count > SIZE_MAX / sizeof(keyed))
        return false;
    keyed *list = malloc(pair_count * sizeof *list), *other = malloc(pair_count * sizeof *other);
    if (list && other) {
        const grid g = grid_of(boxes, box_count);
        for (size_t i = 0; i < pair_count; i++)
            list[i] = (keyed){key_of(&g, &boxes[pairs[i] >> 32], &boxes[(uint32_t)pairs[i]]), pairs[i]};
        const keyed *sorted = sort(list, other, pair_count);
        for (size_t i = 0; i < pair_count; i++)
            pairs[i] = sorted[i].pair;
    }
    bool fine = list && other;
    free(list);
    free(other);
    return fine;
}

/* Deciding two parts of which most triangles are far from each other costs about what reading so many triangles does. */
enum { PAIR_COST = 200, COST_MAX = 1 << 30 };

uint32_t *cluster_costs(uint32_t box_count, const uint32_t *primitives, const uint64_t *pairs,
                        size_t pair_count)
{
    uint32_t *degrees = calloc((size_t)box_count + 1, sizeof *degrees);
    uint32_t *costs = malloc((pair_count > 0 ? pair_count : 1) * sizeof *costs);
    if (!degrees || !costs) {
        free(degrees);
        free(costs);
        return NULL;
    }
    for (size_t i = 0; i < pair_count; i++) {
        degrees[pairs[i] >> 32]++;
        degrees[(uint32_t)pairs[i]]++;
    }
    for (size_t i = 0; i < pair_count; i++) {
        const uint32_t a = (uint32_t)(pairs[i] >> 32), b = (uint32_t)pairs[i];
        uint64_t cost = PAIR_COST;
        if (primitives)
            cost += primitives[a] / degrees[a] + primitives[b] / degrees[b];
        costs[i] = (uint32_t)(cost < COST_MAX ? cost : COST_MAX);
    }
    free(degrees);
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
