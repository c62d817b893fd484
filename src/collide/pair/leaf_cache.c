/* Leaves made ready for comparison: corners moved to the origin, in float. */
#include "collide/pair/leaf_cache.h"

#include "mesh/view.h"

void bw_wide_leaf_cache_init(bw_wide_leaf_cache *cache, const bw_wide *tree, const bw_mesh *mesh,
                             const bw_wide_kernels *kernels, const bw_error_bounds *frame, bool second)
{
    cache->tree = tree;
    cache->mesh = mesh;
    cache->kernels = kernels;
    cache->frame = frame;
    cache->second = second;
    cache->shift = 0;
    cache->mask = BW_WIDE_LEAF_CACHE_PAIR - 1; /* more would only be more to fetch */
    bw_wide_leaf_cache_set_keys(cache, NULL);
}

void bw_wide_leaf_cache_set_keys(bw_wide_leaf_cache *cache, const uint32_t *keys)
{
    cache->keys = keys;
    for (uint32_t i = 0; i < BW_WIDE_LEAF_CACHE; i++)
        cache->leaf[i] = BW_NONE;
}

void bw_wide_leaf_cache_halve(bw_wide_leaf_cache *cache)
{
    cache->shift = 1;
    cache->mask = BW_WIDE_LEAF_CACHE - 1;
    bw_wide_leaf_cache_set_keys(cache, cache->keys);
}

static void load_keys(const bw_wide_leaf_cache *cache, bw_wide_ready *r)
{
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        const uint32_t *v = cache->mesh->indices + 3 * (size_t)r->primitives[i < r->count ? i : 0];
        for (int k = 0; k < 3; k++) {
            r->vertex[k][i] = v[k];
            r->key[k][i] = cache->keys[v[k]];
        }
    }
}

void bw_wide_leaf_load(bw_wide_leaf_cache *cache, uint32_t leaf, uint32_t slot)
{
    const bw_wide *tree = cache->tree;
    const bw_wide_corners *corners = &cache->gathered[slot];
    if (tree->corners != NULL)
        corners = &tree->corners[leaf];
    else
        bw_wide_leaf_gather_at(tree, cache->mesh, leaf, cache->kernels == bw_wide_kernels_for(BW_SIMD_AVX2),
                               &cache->gathered[slot]);
    const uint32_t *primitives = tree->primitives + leaf * (size_t)BW_WIDTH, count = tree->leaves[leaf].count;
    cache->leaf[slot] = leaf;
    if (cache->keys != NULL) {
        cache->kernels->own_leaf(cache->frame, corners, primitives, count, &cache->ready[slot]);
        load_keys(cache, &cache->ready[slot]);
        return;
    }
    cache->kernels->prepare_leaf(cache->frame, cache->second, corners, primitives, count,
                                 &cache->ready[slot]);
}
