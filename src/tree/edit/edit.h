/* Single edits. Room has been made, arguments have been checked: none of this can fail. */
#ifndef BW_TREE_EDIT_EDIT_H
#define BW_TREE_EDIT_EDIT_H

#include "tree/wide/wide.h"

typedef struct bw_wide_editor {
    bw_wide *wide;
    const bw_mesh *mesh;
    bw_simd simd; /* a level, not AUTO */
} bw_wide_editor;

/* What one insertion may need at most. */
enum { BW_EDIT_NODES = 1, BW_EDIT_LEAVES = 1, BW_EDIT_VERTICES = 2 * 3 * BW_WIDTH };

void bw_wide_insert_one(const bw_wide_editor *e, uint32_t primitive);
void bw_wide_remove_one(const bw_wide_editor *e, uint32_t primitive);

/* Writes what the leaf keeps of its primitives, and its box into its lane; then the boxes above, while they
 * change. */
void bw_wide_refresh_leaf(const bw_wide_editor *e, uint32_t leaf);
void bw_wide_refresh_above(const bw_wide_editor *e, uint32_t node);
/* Puts a child into a lane and tells it so; the lane's box stays as it is. */
void bw_wide_adopt(bw_wide *wide, uint32_t node, uint32_t lane, uint32_t child);
/* Takes a lane out of a node: the last one fills the gap. */
void bw_wide_take_lane(bw_wide *wide, uint32_t index, uint32_t lane);
/* Half the surface. */
double bw_wide_area(const bw_box *box);

#endif
