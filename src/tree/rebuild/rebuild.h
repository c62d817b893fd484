/* Rebuilding parts of a wide tree, and deciding when that pays. */
#ifndef BW_TREE_REBUILD_REBUILD_H
#define BW_TREE_REBUILD_REBUILD_H

#include "tree/build/build.h"

/* A subtree to put in the place of the one below a node: a tree over the same primitives, in the same form.
 */
typedef struct bw_wide_graft {
    uint32_t node; /* its root in the old tree; not 0 */
    bw_wide tree;
} bw_wide_graft;

/* Lays the tree out again, depth-first and without holes, with the grafts (ascending by node, none below
 * another) in place. BW_ERROR_MEMORY: the tree is as it was. The grafts stay the caller's. */
bw_result bw_wide_relayout(bw_wide *wide, const bw_wide_graft *grafts, uint32_t graft_count);

/* Rebuilds the subtrees below the nodes (ascending, none below another, none the root) at the mesh's
 * positions. costs, if not NULL, is that of bw_wide_node_costs: a subtree that does not come out cheaper is
 * left alone. */
bw_result bw_wide_rebuild_parts(bw_wide *wide, const bw_mesh *mesh, const uint32_t *nodes, uint32_t count,
                                const float *costs, const bw_wide_desc *desc);
/* Rebuilds everything from the primitives in the tree, in the form it has. desc->allocator is not used. */
bw_result bw_wide_rebuild(bw_wide *wide, const bw_mesh *mesh, const bw_wide_desc *desc);

/* Rebuilds everything over these primitives instead of those in the tree. */
bw_result bw_wide_rebuild_over(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                               const bw_wide_desc *desc);

/* The number of primitives below a node. */
uint32_t bw_wide_count_below(const bw_wide *wide, uint32_t node);

/* What the policy weighs, all in units of one refit of the whole tree. Zero means the default. */
typedef struct bw_wide_policy {
    double query; /* what the queries between two updates cost while the tree is good; 0: 8 */
    double build; /* what a rebuild costs; 0: 80 for the quality builder, 20 for the fast one */
} bw_wide_policy;

/* After a refit or after edits: adds up what queries are taken to lose because boxes have grown since the
 * tree was built, and once that exceeds what it costs to mend it, rebuilds the worst parts, or all of it.
 * Fills action, reason and quality of the report. If memory is short, or the caller has enough, the tree
 * stays as it is, which the reason says. */
void bw_wide_maintain(bw_wide *wide, const bw_mesh *mesh, const bw_wide_policy *policy,
                      const bw_wide_desc *desc, bw_update_report *report);

/* The part of it that looks after edits: does nothing, and returns false, until there was one for every eight
 * primitives. Also gives back the room that they wasted. */
bool bw_wide_mend_edits(bw_wide *wide, const bw_mesh *mesh, const bw_wide_desc *desc,
                        bw_update_report *report);

#endif
