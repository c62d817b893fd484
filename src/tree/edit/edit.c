/* Primitives that come and go, behind the public functions. */
#include "base/fault.h"
#include "mesh/view.h"
#include "tree/edit/wide_edit.h"
#include "tree/kind.h"

static bool in_quarantine(const bw_tree *tree, uint32_t primitive)
{
    uint32_t low = 0, high = tree->quarantined;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tree->quarantine[middle] < primitive)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tree->quarantined && tree->quarantine[low] == primitive;
}

bw_result bw_tree_insert(bw_tree *tree, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                         bw_fault *fault)
{
    if (tree == NULL || mesh == NULL || (primitives == NULL && count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (tree->kind != &bw_kind_wide || tree->owner.box != NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if ((mesh->indices == NULL) != tree->points || mesh->vertex_count < tree->mesh_vertices ||
        bw_mesh_view_primitives(mesh) < tree->mesh_primitives)
        return bw_fail(fault, BW_ERROR_MISMATCH);
    if (bw_mesh_view_primitives(mesh) > BW_MAX_PRIMITIVES)
        return bw_fail(fault, BW_ERROR_SIZE);
    for (uint32_t i = 0; i < count; i++)
        if (in_quarantine(tree, primitives[i]))
            return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_wide_desc desc = bw_tree_wide_desc(tree, NULL, NULL);
    if (count > 0)
        result = bw_wide_insert(&tree->wide, mesh, primitives, count, &desc);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (mesh->vertex_count > tree->mesh_vertices)
        bw_wide_drop_map(&tree->wide); /* it knows the vertices there were */
    tree->edited = true;
    tree->changes++;
    bw_wide_changed(&tree->wide);
    tree->edits++;
    tree->mesh_primitives = bw_mesh_view_primitives(mesh);
    tree->mesh_vertices = mesh->vertex_count;
    tree->primitives = tree->wide.primitive_count;
    return bw_fail(fault, BW_OK);
}

bw_result bw_tree_remove(bw_tree *tree, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                         bw_fault *fault)
{
    if (tree == NULL || mesh == NULL || (primitives == NULL && count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (tree->kind != &bw_kind_wide || tree->owner.box != NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result result = bw_tree_accepts(tree, mesh);
    bw_wide_desc desc = bw_tree_wide_desc(tree, NULL, NULL);
    if (result == BW_OK && count > 0)
        result = bw_wide_remove(&tree->wide, mesh, primitives, count, &desc);
    if (result != BW_OK)
        return bw_fail(fault, result);
    tree->edited = true;
    tree->changes++;
    bw_wide_changed(&tree->wide);
    tree->edits++;
    tree->primitives = tree->wide.primitive_count;
    return bw_fail(fault, BW_OK);
}
