/* Rebuilding the subtrees of a tree that have degraded. */
#include "tree/rebuild/rebuild.h"

#include "tree/wide/leaf_corners.h"

#include <string.h>

/* Calls visit for every leaf below a node, depth-first, without recursion. */
static void each_leaf_below(const bw_wide *wide, uint32_t top, void (*visit)(void *context, uint32_t leaf),
                            void *context)
{
    uint32_t index = top, lane = 0;
    for (;;) {
        const bw_wide_node *node = &wide->nodes[index];
        if (lane == node->count) {
            if (index == top)
                return;
            lane = node->parent_lane + 1;
            index = node->parent;
        } else if (node->child[lane] & BW_WIDE_LEAF) {
            visit(context, node->child[lane++] & ~BW_WIDE_LEAF);
        } else {
            index = node->child[lane];
            lane = 0;
        }
    }
}

typedef struct gather {
    const bw_wide *wide;
    uint32_t *ids; /* NULL: count only */
    uint32_t count;
} gather;

static void gather_leaf(void *context, uint32_t leaf)
{
    gather *g = context;
    if (g->ids != NULL)
        memcpy(g->ids + g->count, g->wide->primitives + (size_t)leaf * BW_WIDTH,
               g->wide->leaves[leaf].count * sizeof *g->ids);
    g->count += g->wide->leaves[leaf].count;
}

uint32_t bw_wide_count_below(const bw_wide *wide, uint32_t node)
{
    gather g = {wide, NULL, 0};
    each_leaf_below(wide, node, gather_leaf, &g);
    return g.count;
}

/* A tree over the primitives, in the form of the old one. */
static bw_result build_over(const bw_wide *old, const bw_mesh *mesh, const uint32_t *ids, uint32_t count,
                            const bw_wide_desc *desc, bw_wide *out)
{
    bw_wide_desc own = *desc;
    own.allocator = &old->allocator;
    const bw_wide_form form = old->corners != NULL        ? BW_WIDE_CORNERS
                              : old->vertex_first != NULL ? BW_WIDE_VERTICES
                                                          : BW_WIDE_BARE;
    return bw_wide_build_mesh(&own, mesh, ids, count, form, out);
}

/* A tree over the primitives below a node. */
static bw_result build_below(const bw_wide *wide, uint32_t node, const bw_mesh *mesh,
                             const bw_wide_desc *desc, bw_wide *out)
{
    const uint32_t count = bw_wide_count_below(wide, node);
    gather g = {wide, bw_allocate(&wide->allocator, count, sizeof *g.ids), 0};
    if (g.ids == NULL)
        return BW_ERROR_MEMORY;
    each_leaf_below(wide, node, gather_leaf, &g);
    bw_result result = build_over(wide, mesh, g.ids, count, desc, out);
    bw_release(&wide->allocator, g.ids, count, sizeof *g.ids);
    return result;
}

bw_result bw_wide_rebuild_parts(bw_wide *wide, const bw_mesh *mesh, const uint32_t *nodes, uint32_t count,
                                const float *costs, const bw_wide_desc *desc)
{
    const bw_allocator allocator = wide->allocator;
    bw_wide_graft *grafts = bw_allocate(&allocator, count, sizeof *grafts);
    if (grafts == NULL)
        return count == 0 ? BW_OK : BW_ERROR_MEMORY;
    bw_result result = BW_OK;
    uint32_t made = 0;
    for (uint32_t i = 0; i < count && result == BW_OK; i++) {
        bw_wide_graft *graft = &grafts[made];
        graft->node = nodes[i];
        result = build_below(wide, nodes[i], mesh, desc, &graft->tree);
        if (result == BW_OK && costs != NULL && graft->tree.nodes[0].built_cost >= costs[nodes[i]])
            bw_wide_release(&graft->tree);
        else
            made += result == BW_OK;
    }
    if (result == BW_OK && made > 0)
        result = bw_wide_relayout(wide, grafts, made);
    while (made > 0)
        bw_wide_release(&grafts[--made].tree);
    bw_release(&allocator, grafts, count, sizeof *grafts);
    return result;
}

bw_result bw_wide_rebuild(bw_wide *wide, const bw_mesh *mesh, const bw_wide_desc *desc)
{
    if (wide->node_count == 0)
        return BW_OK;
    bw_wide fresh;
    bw_result result = build_below(wide, 0, mesh, desc, &fresh);
    if (result != BW_OK)
        return result;
    result = bw_wide_fit_obbs(&fresh, desc->tasks);
    if (result != BW_OK) {
        bw_wide_release(&fresh);
        return result;
    }
    bw_wide_release(wide);
    *wide = fresh;
    return BW_OK;
}

bw_result bw_wide_rebuild_over(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                               const bw_wide_desc *desc)
{
    bw_wide fresh;
    bw_result result = build_over(wide, mesh, primitives, count, desc, &fresh);
    if (result != BW_OK)
        return result;
    bw_wide_release(wide);
    *wide = fresh;
    return BW_OK;
}
