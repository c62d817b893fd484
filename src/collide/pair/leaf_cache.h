/* Leaves made ready for comparison, in a small cache: the children of a pair of nodes meet the same leaves
 * again and again. In the compact form of a tree the corners are gathered from the mesh first. */
#ifndef BW_COLLIDE_PAIR_LEAF_CACHE_H
#define BW_COLLIDE_PAIR_LEAF_CACHE_H

#include "collide/pair/kernels.h"
#include "tree/wide/gather_corners.h"

enum { BW_WIDE_LEAF_CACHE = 32, BW_WIDE_LEAF_CACHE_PAIR = 16 };

typedef struct bw_wide_leaf_cache {
    const bw_wide *tree;
    const bw_mesh *mesh;
    const bw_wide_kernels *kernels;
    const bw_error_bounds *frame;
    bool second;          /* body */
    uint32_t shift, mask; /* of the number of a leaf, to its slot; shift of that of a node, too */
    const uint32_t *keys; /* of the vertices of a mesh that is compared with itself; NULL: none */
    uint32_t leaf[BW_WIDE_LEAF_CACHE];
    bw_wide_ready ready[BW_WIDE_LEAF_CACHE];
    bw_wide_corners gathered[BW_WIDE_LEAF_CACHE];
} bw_wide_leaf_cache;

void bw_wide_leaf_cache_init(bw_wide_leaf_cache *cache, const bw_wide *tree, const bw_mesh *mesh,
                             const bw_wide_kernels *kernels, const bw_error_bounds *frame, bool second);

/* One of two caches of a mesh that is compared with itself: every other leaf, and more of them. */
void bw_wide_leaf_cache_halve(bw_wide_leaf_cache *cache);
/* From the next leaf on, keys by vertex (collide/self/fans.h). */
void bw_wide_leaf_cache_set_keys(bw_wide_leaf_cache *cache, const uint32_t *keys);

static inline uint32_t bw_wide_leaf_slot(const bw_wide_leaf_cache *cache, uint32_t leaf)
{
    return leaf >> cache->shift & cache->mask;
}

/* Where the leaves below a node stand: eight slots. */
static inline uint32_t bw_wide_leaf_group(const bw_wide_leaf_cache *cache, uint32_t node)
{
    return (node >> cache->shift) % (BW_WIDE_LEAF_CACHE / BW_WIDTH);
}

/* Fills a slot with a leaf that is not there. */
void bw_wide_leaf_load(bw_wide_leaf_cache *cache, uint32_t leaf, uint32_t slot);

/* Which children of a node are not there. */
static inline uint32_t bw_wide_leaves_missing(const bw_wide_leaf_cache *cache, uint32_t node)
{
    const uint32_t first = bw_wide_leaf_group(cache, node) * BW_WIDTH;
    const uint32_t *child = cache->tree->nodes[node].child;
    uint32_t missing = 0;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        missing |= (uint32_t)((cache->leaf[first + lane] | BW_WIDE_LEAF) != child[lane]) << lane;
    return missing;
}

/* Those children of a node, all of them leaves, that are asked for: where they stand, lane by lane. Valid until
 * another leaf of the tree is asked for. */
static inline bw_wide_ready *bw_wide_leaves_ready(bw_wide_leaf_cache *cache, uint32_t node, uint32_t lanes)
{
    const uint32_t first = bw_wide_leaf_group(cache, node) * BW_WIDTH;
    const uint32_t *child = cache->tree->nodes[node].child;
    uint32_t missing = bw_wide_leaves_missing(cache, node);
    for (missing &= lanes; missing != 0; missing &= missing - 1) {
        const uint32_t lane = bw_wide_lowest(missing);
        bw_wide_leaf_load(cache, child[lane] & ~BW_WIDE_LEAF, first + lane);
    }
    return &cache->ready[first];
}

/* Valid until another leaf of the tree is asked for. */
static inline bw_wide_ready *bw_wide_leaf_ready(bw_wide_leaf_cache *cache, uint32_t leaf)
{
    uint32_t slot = bw_wide_leaf_slot(cache, leaf);
    if (cache->leaf[slot] != leaf)
        bw_wide_leaf_load(cache, leaf, slot);
    return &cache->ready[slot];
}

#endif
