/* The depth buffer: 1 / depth, which is linear over the picture, larger meaning nearer; 0 is empty. */
#ifndef BW_CULL_DEPTH_H
#define BW_CULL_DEPTH_H

#include "base/memory.h"
#include "base/simd/level.h"
#include "cull/view.h"

enum { DEPTH_LEVELS = 16 };

struct bw_depth {
    bw_allocator allocator;
    bw_simd simd;
    uint32_t width, height;
    bw_camera camera;
    uint32_t levels; /* at least 1: the buffer itself */
    float *level[DEPTH_LEVELS];
    uint32_t level_width[DEPTH_LEVELS], level_height[DEPTH_LEVELS];
    uint32_t dirty[4]; /* x0, y0, x1, y1 of pixels drawn since the pyramid was made; x0 >= x1: none */
};

bw_result bw_depth_create_at(const bw_allocator *allocator, uint32_t width, uint32_t height, bw_simd simd,
                             bw_depth **out);

/* The pixels that the outline of a box touches and its least depth. false: it reaches the near plane, or all
 * of space. */
typedef struct bw_footprint {
    double x0, y0, x1, y1; /* in pixels, not cut to the picture */
    double nearest;        /* 1 / depth */
} bw_footprint;
bool bw_depth_footprint(const bw_depth *depth, const bw_box *box, bw_footprint *out);
bool bw_depth_hides_footprint(bw_depth *depth, const bw_footprint *footprint);

#endif
