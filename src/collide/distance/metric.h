/* Distances between wide trees: boxes and corners in one common frame.
 *
 * Everything is measured in the common frame (the world): each body's pose maps its corners by
 * bw_transform_point, and its boxes to axis-aligned boxes that hold the mapped corners. No inverse is needed,
 * and nonuniform scales measure as they should. Bounds are rounded so that they never exceed a true distance.
 */
#ifndef BW_COLLIDE_DISTANCE_METRIC_H
#define BW_COLLIDE_DISTANCE_METRIC_H

#include "base/memory.h"
#include "tree/wide/wide.h"

#include <boxwood/collide.h>

typedef struct bw_metric_side {
    const bw_wide *tree;
    const bw_mesh *mesh;
    const bw_primitives *owner; /* of user primitives, who knows their boxes; NULL: the mesh's */
    const bw_transform *map;    /* NULL: none */
    bool check;                 /* mapped corners may fall below the exact range: test each that is used */
    double margin[3];           /* covers the rounding of mapped corners and boxes */
} bw_metric_side;

/* Checks the pose; BW_ERROR_UNSUPPORTED for a tree that is not wide, BW_ERROR_NOT_FINITE, BW_ERROR_RANGE.
 * Boxes that are written when first looked at are written (prepare), or asked for by whoever reads them
 * through bw_metric_children, which does so (prepare_lazily). */
bw_result bw_metric_prepare_lazily(const bw_body *body, bw_metric_side *out);
bw_result bw_metric_prepare(const bw_body *body, bw_metric_side *out);
/* The corners of a primitive in the common frame. False when one leaves the exact range. */
bool bw_metric_corners(const bw_metric_side *side, uint32_t primitive, bw_vec3 out[3]);

/* Up to eight boxes. */
typedef struct bw_metric_boxes {
    float min[3][BW_WIDTH], max[3][BW_WIDTH];
    uint32_t count;
    uint32_t child[BW_WIDTH]; /* as in bw_wide_node, or primitives */
} bw_metric_boxes;

/* Of the children of a node, or of the primitives of a leaf (BW_WIDE_LEAF | leaf). */
void bw_metric_children(const bw_metric_side *side, uint32_t ref, bw_metric_boxes *out);
/* A box around everything; inverted, from infinity to its negative, for an empty tree. */
void bw_metric_bounds(const bw_metric_side *side, double low[3], double high[3]);

#endif
