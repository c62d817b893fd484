/* What the kinds of trees (reference, wide, oriented boxes, k-DOPs) do differently behind the public
 * functions. The mesh has been checked to be readable and the tree's own, and free of defects outside the
 * quarantine. */
#ifndef BW_TREE_KIND_H
#define BW_TREE_KIND_H

#include "tree/build/build.h"
#include "tree/tree.h"

typedef struct bw_tree_kind {
    /* Builds over the tree's primitives, as tree->desc says; on failure nothing is left allocated. */
    bw_result (*build)(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks, bw_cancel *cancel);
    void (*release)(bw_tree *tree);
    /* Whether update looks for bad coordinates and rebuilds itself; otherwise no coordinate is bad and the
     * policy is not to rebuild when it is called. */
    bool update_checks;
    /* Fits the boxes, by desc->policy; fills report, but for what the shell knows better, and where a
     * coordinate is bad. The tree is as it was on failure. */
    bw_result (*update)(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                        bw_update_report *report, bw_fault *where);
    const char *(*check)(const bw_tree *tree, const bw_mesh *mesh);
    void (*stats)(const bw_tree *tree, bw_tree_stats *out); /* adds to out->bytes */
    bw_box (*bounds)(const bw_tree *tree);
    bw_result (*visit)(const bw_tree *tree, bw_tree_visitor *visitor, void *user);
} bw_tree_kind;

extern const bw_tree_kind bw_kind_wide;
#if BW_RESEARCH
extern const bw_tree_kind bw_kind_kdop, bw_kind_obb; /* polytopes, boxes among them; oriented boxes */
#endif

/* Boxes and numbers of the primitives that are not in quarantine, for builders that permute them: room for
 * tree->primitives of each, from the tree's allocator. */
typedef struct bw_primitive_list {
    bw_box *boxes;
    uint32_t *primitives;
} bw_primitive_list;

/* The numbers alone, ascending. */
void bw_tree_list_primitives(const bw_tree *tree, uint32_t *out);
bw_result bw_primitive_list_make(const bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                                 bw_primitive_list *out);
void bw_primitive_list_release(const bw_tree *tree, bw_primitive_list *list);

/* How a wide tree's parts are built. */
bw_wide_desc bw_tree_wide_desc(const bw_tree *tree, const bw_tasks *tasks, bw_cancel *cancel);

/* An update by a rebuild: the old tree goes when the new one stands. */
bw_result bw_tree_rebuild(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                          bw_update_report *report);

#endif
