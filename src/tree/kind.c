#include "tree/kind.h"

#include "tree/wide_fill.h"

bw_result bw_primitive_list_make(const bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                                 bw_primitive_list *out)
{
    bw_primitive_list list = {bw_allocate(&tree->allocator, tree->primitives, sizeof *list.boxes),
                              bw_allocate(&tree->allocator, tree->primitives, sizeof *list.primitives)};
    if (list.boxes == NULL || list.primitives == NULL) {
        bw_primitive_list_release(tree, &list);
        return BW_ERROR_MEMORY;
    }
    uint32_t kept = 0, skipped = 0;
    for (uint32_t i = 0; i < tree->mesh_primitives; i++) {
        if (skipped < tree->quarantined && tree->quarantine[skipped] == i)
            skipped++;
        else
            list.primitives[kept++] = i;
    }
    bw_wide_boxes(mesh, list.primitives, kept, list.boxes, tasks, BW_SIMD_AUTO);
    *out = list;
    return BW_OK;
}

void bw_primitive_list_release(const bw_tree *tree, bw_primitive_list *list)
{
    bw_release(&tree->allocator, list->boxes, tree->primitives, sizeof *list->boxes);
    bw_release(&tree->allocator, list->primitives, tree->primitives, sizeof *list->primitives);
    *list = (bw_primitive_list){NULL, NULL};
}
