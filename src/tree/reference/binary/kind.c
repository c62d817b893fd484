/* The reference tree (tree/reference/binary/binary.h) behind the public functions. */
#include "tree/kind.h"

static bw_result build(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks)
{
    bw_primitive_list list;
    bw_result result = bw_primitive_list_make(tree, mesh, tasks, &list);
    if (result != BW_OK)
        return result;
    result = bw_binary_build_midpoint(&tree->allocator, list.boxes, list.primitives, tree->primitives,
                                      &tree->binary);
    bw_primitive_list_release(tree, &list);
    return result;
}

static void release(bw_tree *tree)
{
    bw_binary_release(&tree->allocator, &tree->binary);
}

static bw_result update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                        bw_update_report *report, bw_fault *where)
{
    (void)where;
    (void)desc;
    bw_binary_refit(&tree->binary, mesh, report);
    return BW_OK;
}

static const char *check(const bw_tree *tree, const bw_mesh *mesh)
{
    return bw_binary_check(&tree->binary, mesh, &tree->allocator, tree->mesh_primitives, tree->quarantine,
                           tree->quarantined);
}

static void stats(const bw_tree *tree, bw_tree_stats *out)
{
    bw_paired paired = bw_binary_paired(&tree->binary);
    bw_paired_stats(&paired, out);
}

static bw_box bounds(const bw_tree *tree)
{
    return bw_binary_box(&tree->binary.nodes[0]);
}

static bw_result visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    bw_paired paired = bw_binary_paired(&tree->binary);
    return bw_paired_visit(&paired, &tree->allocator, visitor, user);
}

const bw_tree_kind bw_kind_binary = {build, release, false, update, check, stats, bounds, visit};
