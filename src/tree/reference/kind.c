/* The binary trees of tree/reference behind the public functions: polytopes (boxes among them) and oriented
 * boxes. */
#include "tree/kind.h"

static bool is_obb(const bw_tree *tree)
{
    return tree->kind == &bw_kind_obb;
}

static bw_paired paired_of(const bw_tree *tree)
{
    return is_obb(tree) ? bw_obb_paired(&tree->obb) : bw_kdop_paired(&tree->kdop);
}

static uint32_t k_of(bw_volume volume)
{
    return volume == BW_VOLUME_AABB     ? 6
           : volume == BW_VOLUME_KDOP14 ? 14
           : volume == BW_VOLUME_KDOP18 ? 18
                                        : 26;
}

static bw_result build(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks, bw_cancel *cancel)
{
    (void)cancel; /* these are carried through */
    bw_primitive_list list;
    bw_result result = bw_primitive_list_make(tree, mesh, tasks, &list);
    if (result != BW_OK)
        return result;
    result = is_obb(tree)
                 ? bw_obb_build(&tree->allocator, mesh, list.primitives, tree->primitives, &tree->obb)
                 : bw_kdop_build(&tree->allocator, k_of(tree->volume), mesh, list.boxes, list.primitives,
                                 tree->primitives, &tree->kdop);
    bw_primitive_list_release(tree, &list);
    return result;
}

static void release(bw_tree *tree)
{
    if (is_obb(tree))
        bw_obb_release(&tree->allocator, &tree->obb);
    else
        bw_kdop_release(&tree->allocator, &tree->kdop);
}

static bw_result update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                        bw_update_report *report, bw_fault *where)
{
    (void)where;
    (void)desc;
    if (!is_obb(tree)) {
        bw_kdop_refit(&tree->kdop, mesh, report);
        return BW_OK;
    }
    report->action = BW_UPDATE_DID_REBUILD;
    report->reason = "boxes along principal axes are not the boxes of their children's";
    return bw_obb_rebuild(&tree->allocator, &tree->obb, mesh, report);
}

static const char *check(const bw_tree *tree, const bw_mesh *mesh)
{
    return is_obb(tree) ? bw_obb_check(&tree->obb, mesh, &tree->allocator, tree->mesh_primitives,
                                       tree->quarantine, tree->quarantined)
                        : bw_kdop_check(&tree->kdop, mesh, &tree->allocator, tree->mesh_primitives,
                                        tree->quarantine, tree->quarantined);
}

static void stats(const bw_tree *tree, bw_tree_stats *out)
{
    bw_paired paired = paired_of(tree);
    bw_paired_stats(&paired, out);
}

static bw_box bounds(const bw_tree *tree)
{
    return is_obb(tree) ? tree->obb.bounds : bw_kdop_box(bw_kdop_at(&tree->kdop, 0));
}

static bw_result visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    bw_paired paired = paired_of(tree);
    return bw_paired_visit(&paired, &tree->allocator, visitor, user);
}

#define KIND                                                                                                 \
    {                                                                                                        \
        build, release, false, update, check, stats, bounds, visit                                           \
    }
const bw_tree_kind bw_kind_kdop = KIND, bw_kind_obb = KIND;
