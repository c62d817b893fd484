/* The inner loops of the passes over the tree (kinetic/segment/compile.c): one node each, all lanes at once,
 * by whether the motion is of doubles. */
#ifndef BW_KINETIC_SEGMENT_KERNELS_H
#define BW_KINETIC_SEGMENT_KERNELS_H

#include "kinetic/kinetic.h"

typedef struct bw_segment_kernels {
    /* The extents of a node at a time, into a row, and its reach's end. */
    void (*boxes[2])(bw_kinetic *k, bw_frame frame, uint32_t node, uint32_t row);
    /* Those at the end of a segment whose start is in its row: lines and reach. sides[lane] gets the sides that
     * have events; returns the sides of any lane. */
    uint32_t (*lines[2])(bw_kinetic *k, bw_frame start, bw_frame end, uint32_t node, uint8_t sides[BW_WIDTH]);
} bw_segment_kernels;

const bw_segment_kernels *bw_segment_kernels_for(bw_simd level);

extern const bw_segment_kernels bw_segment_kernels_128, bw_segment_kernels_avx2;

#endif
