/* The oriented boxes of leaves (tree/wide/leaf_obbs.h) of two bodies in one frame: pairs of leaves that they
 * prove apart need not be loaded. The margins are derived in docs/lab/needles-margins.md. */
#ifndef BW_COLLIDE_PAIR_LEAF_OBBS_H
#define BW_COLLIDE_PAIR_LEAF_OBBS_H

#include "collide/pair/error_bounds.h"
#include "tree/wide/wide.h"

/* What a query knows of the boxes of two bodies. */
typedef struct bw_leaf_obb_frame {
    float turn[3][3], shift[3]; /* from the second body's boxes to the first body's */
    /* How far apart along a direction d, beyond float sums, two boxes must be: share |d| in the sum norm, and
     * floor beside it. */
    float share, floor;
} bw_leaf_obb_frame;

/* False where one of the trees has no boxes, or where floats do not do. */
bool bw_leaf_obb_frame_prepare(bw_leaf_obb_frame *frame, const bw_relative_pose *pose, const bw_wide *a,
                               const bw_wide *b);

/* The boxes of the leaves below a node of the second body, in the first body's frame, with what its kernel
 * needs of each: the direction across its flat side, and how far the box reaches along it. */
typedef struct bw_leaf_obb_mapped {
    const bw_leaf_obbs *of; /* NULL: none yet */
    float centre[3][BW_WIDTH], axis[3][3][BW_WIDTH], half[3][BW_WIDTH];
    float flat[3][BW_WIDTH], reach[BW_WIDTH];
} bw_leaf_obb_mapped;

#endif
