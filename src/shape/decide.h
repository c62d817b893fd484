/* How two placed shapes meet, in integers: what filters leave open. */
#ifndef BW_SHAPE_DECIDE_H
#define BW_SHAPE_DECIDE_H

#include "shape/convex.h"

/* The vertices between whose hulls the distance of the cores is taken. */
typedef struct bw_nearest_features {
    int count;           /* 1 to 4 pairs; 4: the cores cross */
    uint32_t a[4], b[4]; /* points of the cores */
    bool meet;           /* the cores have a point in common */
    bw_vec3
        direction; /* else: from b to a between the nearest points, rounded once; its largest coordinate is below 1 */
} bw_nearest_features;

/* Exact for the points of bw_convex_point, and the radii. features may be NULL; it is not filled for
 * half-spaces. Always ends: each step comes nearer to the origin, exactly. */
bw_contact_kind bw_shape_decide(const bw_convex *a, const bw_convex *b, bw_nearest_features *features);

#endif
