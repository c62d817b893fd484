/* A slow, exact-minded renderer: one ray through the centre of each pixel against every triangle, in double.
 */
#ifndef BW_TEST_PICTURE_H
#define BW_TEST_PICTURE_H

#include "oracle/random.h"

#include <boxwood/cull.h>

typedef struct solid {
    bw_id id;
    float positions[24];
    uint32_t indices[36];
    uint32_t vertex_count, triangle_count;
    bool closed;
    bw_box box;
    bw_mesh mesh; /* of the last occluder made of it */
    bw_transform pose;
    bool posed; /* drawn under the pose; box and positions are without it */
} solid;

/* A box, a tetrahedron or a single triangle somewhere in a cube of that side. */
solid solid_random(bws_random *random, double side, double size);
bw_occluder solid_occluder(solid *s);

bw_view view_random(bws_random *random, double side);

/* For each pixel 1 / depth of the nearest solid at its centre (0: none) and which it is (UINT32_MAX: none, or
 * two are too close to call). */
void picture_render(const bw_view *view, const solid *solids, uint32_t count, uint32_t width, uint32_t height,
                    double *depth, uint32_t *which);

#endif
