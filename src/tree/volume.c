#include "tree/volume.h"

#include <assert.h>

uint32_t bw_volume_k(bw_volume volume)
{
    return volume == BW_VOLUME_KDOP14   ? 14
           : volume == BW_VOLUME_KDOP18 ? 18
           : volume == BW_VOLUME_KDOP26 ? 26
                                        : 0;
}

bw_result bw_volume_build(bw_tree *tree, const bw_mesh *mesh, bw_box *boxes, uint32_t *primitives)
{
    assert(tree->volume != BW_VOLUME_AABB);
    if (tree->volume == BW_VOLUME_OBB)
        return bw_obb_build(&tree->allocator, mesh, primitives, tree->primitives, &tree->obb);
    return bw_kdop_build(&tree->allocator, bw_volume_k(tree->volume), mesh, boxes, primitives,
                         tree->primitives, &tree->kdop);
}

void bw_volume_release(bw_tree *tree)
{
    bw_obb_release(&tree->allocator, &tree->obb);
    bw_kdop_release(&tree->allocator, &tree->kdop);
}

bw_result bw_volume_refit(bw_tree *tree, const bw_mesh *mesh, bw_refit_report *report)
{
    if (tree->volume == BW_VOLUME_OBB)
        return bw_obb_rebuild(&tree->allocator, &tree->obb, mesh, report);
    bw_kdop_refit(&tree->kdop, mesh, report);
    return BW_OK;
}

const char *bw_volume_check(const bw_tree *tree, const bw_mesh *mesh)
{
    if (tree->volume == BW_VOLUME_OBB)
        return bw_obb_check(&tree->obb, mesh, &tree->allocator, tree->mesh_primitives, tree->quarantine,
                            tree->quarantined);
    return bw_kdop_check(&tree->kdop, mesh, &tree->allocator, tree->mesh_primitives, tree->quarantine,
                         tree->quarantined);
}

void bw_volume_stats(const bw_tree *tree, bw_tree_stats *out)
{
    if (tree->volume == BW_VOLUME_OBB)
        bw_obb_stats(&tree->obb, out);
    else
        bw_kdop_stats(&tree->kdop, out);
}

bw_box bw_volume_bounds(const bw_tree *tree)
{
    return tree->volume == BW_VOLUME_OBB ? tree->obb.bounds : bw_kdop_box(bw_kdop_at(&tree->kdop, 0));
}

bw_result bw_volume_visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    if (tree->volume == BW_VOLUME_OBB)
        return bw_obb_visit(&tree->obb, &tree->allocator, visitor, user);
    return bw_kdop_visit(&tree->kdop, &tree->allocator, visitor, user);
}
