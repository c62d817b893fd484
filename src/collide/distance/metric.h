/* Distances between wide trees: boxes and corners in one common frame, lower bounds of their distances, and a
 * descent that takes up near pairs first and drops those beyond a limit that may shrink on the way.
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
/* At most the squared distance of the boxes. */
double bw_metric_bound(const bw_metric_boxes *a, uint32_t i, const bw_metric_boxes *b, uint32_t j);

typedef struct bw_metric_query bw_metric_query;
struct bw_metric_query {
    double limit2; /* pairs whose distance is beyond its root are not wanted; the visitor may lower it */
    /* Takes up two primitives that may be within the limit; false stops the walk, which then returns result.
     */
    bool (*visit)(bw_metric_query *query, uint32_t a, uint32_t b);
    bw_result result;
    uint64_t nodes_visited, box_tests, primitive_tests;
};

bw_result bw_metric_walk(const bw_metric_side *a, const bw_metric_side *b, const bw_allocator *allocator,
                         bw_metric_query *query);

#endif
