#ifndef BW_COLLIDE_REFERENCE_BINARY_PAIR_H
#define BW_COLLIDE_REFERENCE_BINARY_PAIR_H

#include "collide/hit_sink.h"
#include "collide/relative_pose.h"
#include "tree/reference/binary/binary.h"

typedef struct bw_binary_side {
    const bw_binary *tree;
    const bw_mesh *mesh;
} bw_binary_side;

/* All contacts of two reference trees, given to the sink. */
bw_result bw_binary_pair(const bw_binary_side *a, const bw_binary_side *b, const bw_relative_pose *pose,
                         bw_hit_sink *sink);

#endif
