/* Trees of k-DOPs (tree/reference/kdop/kdop.h) behind the public functions. */
#include "tree/kind.h"

static uint32_t k_of(bw_volume volume)
{
    return volume == BW_VOLUME_KDOP14 ? 14 : volume == BW_VOLUME_KDOP18 ? 18 : 26;
}

static bw_result build(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks)
{
    bw_primitive_list list;
    bw_result result = bw_primitive_list_make(tree, mesh, tasks, &list);
    if (result != BW_OK)
        return result;
    result = bw_kdop_build(&tree->allocator, k_of(tree->volume), mesh, list.boxes, list.primitives,
                           tree->primitives, &tree->kdop);
    bw_primitive_list_release(tree, &list);
    return result;
}

static void release(bw_tree *tree)
{
    bw_kdop_release(&tree->allocator, &tree->kdop);
}

static bw_result update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                        bw_update_report *report, bw_fault *where)
{
    (void)where;
    (void)desc;
    bw_kdop_refit(&tree->kdop, mesh, report);
    return BW_OK;
}

static const char *check(const bw_tree *tree, const bw_mesh *mesh)
{
    return bw_kdop_check(&tree->kdop, mesh, &tree->allocator, tree->mesh_primitives, tree->quarantine,
                         tree->quarantined);
}

static void stats(const bw_tree *tree, bw_tree_stats *out)
{
    bw_paired paired = bw_kdop_paired(&tree->kdop);
    bw_paired_stats(&paired, out);
}

static bw_box bounds(const bw_tree *tree)
{
    return bw_kdop_box(bw_kdop_at(&tree->kdop, 0));
}

static bw_result visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    bw_paired paired = bw_kdop_paired(&tree->kdop);
    return bw_paired_visit(&paired, &tree->allocator, visitor, user);
}

const bw_tree_kind bw_kind_kdop = {build, release, false, update, check, stats, bounds, visit};
