/* Trees of other volumes than axis-aligned boxes, behind the public functions: each as the one of tree.h's
 * structures that tree->volume names. */
#ifndef BW_TREE_VOLUME_H
#define BW_TREE_VOLUME_H

#include "tree/tree.h"

/* The k of a k-DOP, or 0. */
uint32_t bw_volume_k(bw_volume volume);

/* Builds from the tree's primitives: boxes[i] belongs to primitives[i]; both are permuted. */
bw_result bw_volume_build(bw_tree *tree, const bw_mesh *mesh, bw_box *boxes, uint32_t *primitives);
void bw_volume_release(bw_tree *tree);
bw_result bw_volume_refit(bw_tree *tree, const bw_mesh *mesh, bw_refit_report *report);
const char *bw_volume_check(const bw_tree *tree, const bw_mesh *mesh);
void bw_volume_stats(const bw_tree *tree, bw_tree_stats *out);
bw_box bw_volume_bounds(const bw_tree *tree);
bw_result bw_volume_visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user);

#endif
