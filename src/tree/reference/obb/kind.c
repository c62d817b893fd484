/* Trees of oriented boxes (tree/reference/obb/obb.h) behind the public functions. */
#include "tree/kind.h"

static bw_result build(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks)
{
    bw_primitive_list list;
    bw_result result = bw_primitive_list_make(tree, mesh, tasks, &list);
    if (result != BW_OK)
        return result;
    result = bw_obb_build(&tree->allocator, mesh, list.primitives, tree->primitives, &tree->obb);
    bw_primitive_list_release(tree, &list);
    return result;
}

static void release(bw_tree *tree)
{
    bw_obb_release(&tree->allocator, &tree->obb);
}

static bw_result update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                        bw_update_report *report, bw_fault *where)
{
    (void)where;
    (void)desc;
    report->action = BW_UPDATE_DID_REBUILD;
    report->reason = "boxes along principal axes are not the boxes of their children's";
    return bw_obb_rebuild(&tree->allocator, &tree->obb, mesh, report);
}

static const char *check(const bw_tree *tree, const bw_mesh *mesh)
{
    return bw_obb_check(&tree->obb, mesh, &tree->allocator, tree->mesh_primitives, tree->quarantine,
                        tree->quarantined);
}

static void stats(const bw_tree *tree, bw_tree_stats *out)
{
    bw_paired paired = bw_obb_paired(&tree->obb);
    bw_paired_stats(&paired, out);
}

static bw_box bounds(const bw_tree *tree)
{
    return tree->obb.bounds;
}

static bw_result visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    bw_paired paired = bw_obb_paired(&tree->obb);
    return bw_paired_visit(&paired, &tree->allocator, visitor, user);
}

const bw_tree_kind bw_kind_obb = {build, release, false, update, check, stats, bounds, visit};
