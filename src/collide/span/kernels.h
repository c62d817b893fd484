/* What looking ahead (candidates.h) does eight at a time: everything at both ends of a span of time. */
#ifndef BW_COLLIDE_SPAN_KERNELS_H
#define BW_COLLIDE_SPAN_KERNELS_H

#include "collide/pair/kernels.h"

/* A leaf. */
typedef struct bw_span_leaf {
    bw_wide_corners at[2]; /* of one origin */
    const uint32_t *primitives;
    uint32_t count;
    bw_eight_boxes boxes[2];
    float normal[3], weight; /* |normal| in the sum norm */
    float low[2], high[2];   /* along it */
    float reach;             /* the largest coordinate, relative to the origin */
} bw_span_leaf;

/* The boxes of a node's children, now and at the end. */
typedef struct bw_span_boxes {
    const float (*min)[BW_WIDTH], (*max)[BW_WIDTH];
    const bw_eight_boxes *end;
} bw_span_boxes;

/* Pairs of triangles whose boxes may meet, each with its own origin. */
typedef struct bw_span_batch {
    float a[2][3][3][BW_BATCH_ROW], b[2][3][3][BW_BATCH_ROW]; /* [end][corner][axis][lane] */
    float delta[BW_BATCH_ROW]; /* no coordinate is farther from the true one, at any time */
    uint32_t primitive_a[BW_BATCH_ROW], primitive_b[BW_BATCH_ROW];
    uint32_t count;
} bw_span_batch;

typedef struct bw_span_kernels {
    /* Which children of two nodes, whose boxes at the end are given too, may meet at some time. boxes_b: in
     * the frame of a. slack: how far off each coordinate may be. */
    bw_wide_meeting (*boxes)(const bw_wide_node *a, const bw_eight_boxes *end_a, uint32_t lanes,
                             const bw_wide_node *b, const bw_span_boxes *boxes_b, uint32_t rows, float slack);
    /* Eight boxes of b, or those of a node, in the frame of a. */
    void (*map)(const bw_error_bounds *frame, const void *boxes, bw_eight_boxes *out);
    /* Turns the corners of a leaf of b, in place, about their origin. */
    void (*turn)(const bw_error_bounds *frame, bw_wide_corners *corners);
    /* Fills all but the corners, primitives and count. */
    void (*prepare)(bw_span_leaf *leaf);
    /* Which triangles of two leaves may meet at some time by their slabs and boxes: bit 8 i + j for slot i of
     * b and slot j of a. */
    uint64_t (*leaves)(const bw_span_leaf *a, const bw_span_leaf *b, float slack, bw_wide_gap *gap);
    /* Adds the lowest up to eight pairs of a mask that is not empty to a batch with room for eight; returns
     * the rest of the mask. */
    uint64_t (*append)(const bw_span_leaf *a, const bw_span_leaf *b, const bw_wide_gap *gap, uint64_t mask,
                       bw_span_batch *batch);
    /* Of the pairs first .. first + 7 those that may meet, and when. */
    uint32_t (*trim)(const bw_span_batch *batch, uint32_t first, float from[BW_WIDTH], float to[BW_WIDTH]);
    /* Eight pairs of triangles by their corners, whose origin is 0 and which are exact: adds those of the
     * first `count` whose boxes meet to a batch with room for eight, relative to a corner of each pair. */
    void (*offer)(const bw_wide_corners *a, const bw_wide_corners *b, const uint32_t *primitive_a,
                  const uint32_t *primitive_b, uint32_t count, bw_wide_batch *batch);
} bw_span_kernels;

/* level as bw_simd_level gives it. */
const bw_span_kernels *bw_span_kernels_for(bw_simd level);

extern const bw_span_kernels bw_span_kernels_128, bw_span_kernels_avx2;

#endif
