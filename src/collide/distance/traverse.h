/* The descent through two wide trees that looks for primitives near each other: the nearest pair, or all
 * within a distance. Boxes and triangles are compared in float, in a frame that turns with the nearest pair
 * found; whatever may be within the limit goes to a visitor, which measures in double. */
#ifndef BW_COLLIDE_DISTANCE_TRAVERSE_H
#define BW_COLLIDE_DISTANCE_TRAVERSE_H

#include "base/memory.h"
#include "collide/distance/kernels.h"

typedef struct bw_distance_query bw_distance_query;
struct bw_distance_query {
    double limit2; /* pairs whose squared distance is beyond it are not wanted; the visitor may lower it */
    bool nearest;  /* the visitor will lower it: near pairs first */
    bw_vec3 on_a, on_b; /* the points of the pair for which the visitor lowered it last */
    /* Takes up two primitives that may be within the limit; false stops the walk, which then returns result.
     * apart: they certainly do not meet. */
    bool (*visit)(bw_distance_query *query, uint32_t a, uint32_t b, bool apart);
    /* Takes up two leaves whose boxes are within the limit, instead of their triangles; NULL: visit does. */
    bool (*leaves)(bw_distance_query *query, uint32_t leaf_a, uint32_t leaf_b);
    bw_result result;
    /* Asked now and then whether to go on; none: go on. A stopped walk returns BW_OK and sets cancelled. */
    bw_progress progress;
    bool cancelled;
    bw_witness *witness; /* leaves to look at first, and where the nearest pair was; NULL: none */
    uint64_t nodes_visited, box_tests, primitive_tests;
};

bw_result bw_distance_traverse(const bw_metric_side *a, const bw_metric_side *b, bw_simd level,
                               const bw_allocator *allocator, bw_distance_query *query);

#endif
