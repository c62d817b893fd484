/* Queries on wide trees. All are exact in the sense of boxwood/collide.h, and give the same hits in the same
 * order, and the same counts, at every SIMD level and for any number of threads. (Where the callback stops a
 * query with several threads, the counts tell of all the work that was done, which is more than one thread
 * would have done.) */
#ifndef BW_COLLIDE_PAIR_PAIR_H
#define BW_COLLIDE_PAIR_PAIR_H

#include "base/simd/level.h"
#include "collide/hit_sink.h"
#include "collide/relative_pose.h"
#include "tree/tree.h"

typedef struct bw_wide_side {
    const bw_wide *tree;
    const bw_mesh *mesh;
} bw_wide_side;

/* All zero is the default. */
typedef struct bw_wide_options {
    bw_simd simd;
    const bw_tasks *tasks;     /* NULL: serial. Mode ANY is serial always */
    bw_witness *witness;       /* NULL: none is kept */
    struct bw_fan_store *fans; /* for bw_wide_self; NULL: none is kept */
    /* For bw_wide_self; NULL: contacts only. (Of two bodies it comes with the pose.) */
    const struct bw_separation *separation;
} bw_wide_options;

/* All contacts of two wide trees, given to the sink, whose descriptor says what is wanted. BW_ERROR_RANGE
 * where a mapped coordinate of b that an exact test needs leaves the exact range; BW_ERROR_MEMORY. */
bw_result bw_wide_pair(const bw_wide_side *a, const bw_wide_side *b, const bw_relative_pose *pose,
                       const bw_wide_options *options, bw_hit_sink *sink);

/* All contacts of a tree's primitives with each other, beyond what they share by index, a < b in every hit.
 */
bw_result bw_wide_self(const bw_wide_side *side, const bw_wide_options *options, bw_hit_sink *sink);

#endif
