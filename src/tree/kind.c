/* The table of tree kinds. */
#include "tree/kind.h"

#include "tree/wide/leaf_corners.h"

void bw_tree_list_primitives(const bw_tree *tree, uint32_t *out)
{
    uint32_t kept = 0, skipped = 0;
    for (uint32_t i = 0; i < tree->mesh_primitives; i++) {
        if (skipped < tree->quarantined && tree->quarantine[skipped] == i)
            skipped++;
        else
            out[kept++] = i;
    }
}

bw_result bw_primitive_list_make(const bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                                 bw_primitive_list *out)
{
    bw_primitive_list list = {bw_allocate(&tree->allocator, tree->primitives, sizeof *list.boxes),
                              bw_allocate(&tree->allocator, tree->primitives, sizeof *list.primitives)};
    if (list.boxes == NULL || list.primitives == NULL) {
        bw_primitive_list_release(tree, &list);
        return BW_ERROR_MEMORY;
    }
    bw_tree_list_primitives(tree, list.primitives);
    bw_wide_boxes(mesh, list.primitives, tree->primitives, list.boxes, tasks);
    *out = list;
    return BW_OK;
}

void bw_primitive_list_release(const bw_tree *tree, bw_primitive_list *list)
{
    bw_release(&tree->allocator, list->boxes, tree->primitives, sizeof *list->boxes);
    bw_release(&tree->allocator, list->primitives, tree->primitives, sizeof *list->primitives);
    *list = (bw_primitive_list){NULL, NULL};
}

bw_result bw_tree_rebuild(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks, bw_update_report *report)
{
    bw_tree fresh = *tree;
    bw_result result = tree->kind->build(&fresh, mesh, tasks, NULL);
    if (result != BW_OK)
        return result;
    tree->kind->release(tree);
    *tree = fresh;
    bw_tree_stats stats = {0};
    tree->kind->stats(tree, &stats);
    report->action = BW_UPDATE_DID_REBUILD;
    report->quality = 1.0;
    report->boxes = stats.nodes;
    return BW_OK;
}

bw_wide_desc bw_tree_wide_desc(const bw_tree *tree, const bw_tasks *tasks, bw_cancel *cancel)
{
    return (bw_wide_desc){.builder = tree->builder == BW_BUILDER_FAST ? BW_WIDE_FAST : BW_WIDE_QUALITY,
                          .allocator = &tree->allocator,
                          .tasks = tasks,
                          .cancel = cancel};
}
