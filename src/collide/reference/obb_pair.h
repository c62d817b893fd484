#ifndef BW_COLLIDE_REFERENCE_OBB_PAIR_H
#define BW_COLLIDE_REFERENCE_OBB_PAIR_H

#include "collide/hit_sink.h"
#include "collide/relative_pose.h"
#include "tree/reference/obb/obb.h"

typedef struct bw_obb_side {
    const bw_obb *tree;
    const bw_mesh *mesh;
} bw_obb_side;

/* All contacts of two OBB trees, given to the sink. */
bw_result bw_obb_pair(const bw_obb_side *a, const bw_obb_side *b, const bw_relative_pose *pose,
                      bw_hit_sink *sink);

#endif
