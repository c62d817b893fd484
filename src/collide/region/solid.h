/* A region made ready for a query: planes, or a segment with a radius. Boxes are tested with margins, so that
 * none hides what it holds; triangles exactly. */
#ifndef BW_COLLIDE_REGION_SOLID_H
#define BW_COLLIDE_REGION_SOLID_H

#include "collide/distance/metric.h"
#include "geom/exact/half_spaces.h"

#include <boxwood/region.h>

typedef struct bw_solid {
    bool round; /* a segment with a radius; otherwise planes */
    bw_vec3 segment[2];
    double radius;
    bw_plane box[6]; /* those of a box */
    const bw_plane *planes;
    uint32_t all; /* planes: one bit each */
} bw_solid;

/* BW_ERROR_ARGUMENT, BW_ERROR_NOT_FINITE, BW_ERROR_RANGE, BW_ERROR_UNSUPPORTED. It stays where it is. */
bw_result bw_solid_set(const bw_region *region, bw_solid *out);

/* How much of a box, and so of what it holds, is in the solid; where that is not certain, a part. mask: the
 * planes that cut a box around it; receives those that cut this one. */
bw_overlap bw_solid_box(const bw_solid *solid, const bw_metric_boxes *boxes, uint32_t lane, uint32_t *mask);
/* How much of a triangle, by the planes of the mask. */
bw_overlap bw_solid_triangle(const bw_solid *solid, const bw_vec3 corners[3], uint32_t mask, bool *exact);

#endif
