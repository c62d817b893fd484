#include "collide/wide_leaf.h"

#include "mesh/view.h"
#include "tree/wide_lazy.h"

static void store_corner(bw_wide_corners *out, uint32_t slot, int corner, bw_vec3 p)
{
    double relative[3] = {p.x - (double)out->origin[0], p.y - (double)out->origin[1],
                          p.z - (double)out->origin[2]};
    for (int axis = 0; axis < 3; axis++) {
        float f = (float)relative[axis], size = f < 0.0f ? -f : f;
        out->coordinate[corner][axis][slot] = f;
        out->magnitude = size > out->magnitude ? size : out->magnitude;
    }
}

void bw_wide_leaf_gather(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bw_wide_corners *out)
{
    const bw_wide_leaf *l = &tree->leaves[leaf];
    const uint32_t *primitives = tree->primitives + (size_t)leaf * BW_WIDTH;
    const bw_wide_node *parent = &tree->nodes[l->parent];
    for (int axis = 0; axis < 3; axis++) /* bounds are below 2^101, halves cannot overflow */
        out->origin[axis] = 0.5f * parent->min[axis][l->lane] + 0.5f * parent->max[axis][l->lane];
    out->magnitude = 0.0f;
    bw_wide_need_leaf(tree, leaf);
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        uint32_t primitive = primitives[slot < l->count ? slot : 0];
        for (uint32_t corner = 0; corner < 3; corner++)
            store_corner(out, slot, (int)corner,
                         bw_view_vertex(mesh, bw_view_index(mesh, primitive, corner)));
    }
}

void bw_wide_leaf_cache_init(bw_wide_leaf_cache *cache, const bw_wide *tree, const bw_mesh *mesh,
                             const bw_wide_kernels *kernels, const bw_wide_frame *frame, bool second)
{
    cache->tree = tree;
    cache->mesh = mesh;
    cache->kernels = kernels;
    cache->frame = frame;
    cache->second = second;
    for (int i = 0; i < BW_WIDE_LEAF_CACHE; i++)
        cache->leaf[i] = BW_NONE;
}

void bw_wide_leaf_load(bw_wide_leaf_cache *cache, uint32_t leaf)
{
    uint32_t slot = leaf % BW_WIDE_LEAF_CACHE;
    const bw_wide *tree = cache->tree;
    const bw_wide_corners *corners = &cache->gathered[slot];
    if (tree->corners != NULL)
        corners = &tree->corners[leaf];
    else
        bw_wide_leaf_gather(tree, cache->mesh, leaf, &cache->gathered[slot]);
    cache->kernels->prepare_leaf(cache->frame, cache->second, corners,
                                 tree->primitives + leaf * (size_t)BW_WIDTH, tree->leaves[leaf].count,
                                 &cache->ready[slot]);
    cache->leaf[slot] = leaf;
}
