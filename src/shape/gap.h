/* The signed distance of two cores: one function per pair of kinds. */
#ifndef BW_SHAPE_GAP_H
#define BW_SHAPE_GAP_H

#include "shape/gjk.h"

typedef struct bw_gap_query {
    double limit;          /* where the cores are proved farther apart, only `lower` is known; at least 0 */
    bw_shape_cache *cache; /* NULL: none */
    bool kind_only;        /* of cores that cross it is enough to know that they do, beyond the margin */
    bool common_point;     /* and on_a is to be a point of both */
    bool fine;             /* the points are not to be rough */
} bw_gap_query;

/* How two cores stand to each other; a.core is not above b.core. */
void bw_gap_between(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out);

/* Two boxes whose poses are rotations to 2^-49: all of it where they cross; where they do not, `lower` is that
 * of the best of the 15 axes, and upper is infinite. */
void bw_gap_of_boxes(const bw_convex *a, const bw_convex *b, double limit, bw_gap *out);

#endif
