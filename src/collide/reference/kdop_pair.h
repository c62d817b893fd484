#ifndef BW_COLLIDE_REFERENCE_KDOP_PAIR_H
#define BW_COLLIDE_REFERENCE_KDOP_PAIR_H

#include "collide/hit_sink.h"
#include "collide/relative_pose.h"
#include "tree/reference/kdop/kdop.h"

typedef struct bw_kdop_side {
    const bw_kdop *tree;
    const bw_mesh *mesh;
} bw_kdop_side;

/* All contacts of two k-DOP trees of one k, given to the sink. */
bw_result bw_kdop_pair(const bw_kdop_side *a, const bw_kdop_side *b, const bw_relative_pose *pose,
                       bw_hit_sink *sink);

#endif
