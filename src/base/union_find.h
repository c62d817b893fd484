/* Disjoint sets of numbers, over an array of parents: parent[x] == x for the root of each set, its lowest
 * element. */
#ifndef BW_BASE_UNION_FIND_H
#define BW_BASE_UNION_FIND_H

#include <boxwood/base.h>

static inline void bw_sets_init(uint32_t *parent, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++)
        parent[x] = x;
}

/* The root of an element's set; paths are halved. */
static inline uint32_t bw_sets_root(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

static inline void bw_sets_unite(uint32_t *parent, uint32_t x, uint32_t y)
{
    x = bw_sets_root(parent, x);
    y = bw_sets_root(parent, y);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

#endif
