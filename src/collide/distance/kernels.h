/* The inner loops of distance queries: eight boxes or eight triangles at a time, at three levels of one
 * source (base/simd/f32x8.h) that give the same bits.
 *
 * Bounds are of squared distances in a frame (collide/distance/frame.h). Those of boxes hold as they are;
 * those of triangles are within a margin that comes with them. */
#ifndef BW_COLLIDE_DISTANCE_KERNELS_H
#define BW_COLLIDE_DISTANCE_KERNELS_H

#include "base/simd/f32x4.h"
#include "base/simd/level.h"
#include "collide/distance/frame.h"
#include "tree/wide/wide.h"

#include <math.h>

/* Eight boxes along the axes of the frame. */
typedef struct bw_distance_boxes {
    float low[3][BW_WIDTH], high[3][BW_WIDTH];
} bw_distance_boxes;

/* One, x, y, z and something. */
typedef struct bw_distance_box {
    v4 low, high;
} bw_distance_box;

static inline void bw_distance_boxes_set(bw_distance_boxes *boxes, uint32_t lane, bw_distance_box box)
{
    for (int axis = 0; axis < 3; axis++) {
        boxes->low[axis][lane] = box.low[axis];
        boxes->high[axis][lane] = box.high[axis];
    }
}

struct bw_distance_hull;

/* A leaf in the frame: its corners relative to its own origin. */
typedef struct bw_distance_leaf {
    float corner[3][3][BW_WIDTH]; /* [corner][axis][slot] */
    bw_distance_boxes boxes;      /* of the triangles, relative too */
    double origin[3];             /* in the frame */
    float size;                   /* the largest |coordinate| */
    float error; /* no coordinate is farther than this from that of the exact corner in the frame */
    uint32_t count;
    const uint32_t *primitives; /* by slot */
} bw_distance_leaf;

/* How two leaves stand to each other. Pairs: bit 8 i + j for slot i of b and slot j of a. */
typedef struct bw_distance_gap {
    float offset[3];                  /* from the origin of a to that of b */
    float size;                       /* no coordinate of the two is larger, relative to the origin of a */
    float extent;                     /* no edge is longer along any axis */
    float delta;                      /* relative coordinates of the two are off by at most this */
    uint64_t near;                    /* pairs that may be within the limit */
    uint64_t apart;                   /* of these, pairs whose boxes certainly do not meet */
    float bound[BW_WIDTH * BW_WIDTH]; /* squared gaps of the boxes, good to 4 delta in length */
} bw_distance_gap;

/* How two leaves stand to each other, before any pair is dropped. */
static inline void bw_distance_gap_set(const bw_distance_leaf *a, const bw_distance_leaf *b,
                                       bw_distance_gap *gap)
{
    float largest = 0.0f;
    for (int i = 0; i < 3; i++) {
        gap->offset[i] = (float)(b->origin[i] - a->origin[i]);
        const float size = gap->offset[i] < 0.0f ? -gap->offset[i] : gap->offset[i];
        largest = size > largest ? size : largest;
    }
    gap->size = a->size + b->size + largest;
    gap->extent = 2.0f * (a->size > b->size ? a->size : b->size);
    /* The offset is rounded, and its sum with a coordinate. */
    gap->delta = (a->error + b->error) + 0x1p-22f * gap->size;
    const uint64_t rows = b->count > 0 ? UINT64_MAX >> BW_WIDTH * (BW_WIDTH - b->count) : 0;
    gap->near = rows & ((1u << a->count) - 1) * UINT64_C(0x0101010101010101);
    gap->apart = 0;
}

struct bw_nearest_search;

typedef struct bw_distance_kernels {
    /* Those of a node's children; lens may be NULL. */
    void (*boxes)(const bw_distance_map *map, const bw_wide_node *node, const bw_lens *lens,
                  bw_distance_boxes *out);
    /* Bounds of the squared distances of eight boxes from eight: entry and bit 8 i + j for box i of b (of
     * those in rows) and box j of a. The bits of those that are not beyond the limit are set, in lanes of a
     * only. */
    uint64_t (*pairs)(const bw_distance_boxes *a, uint32_t lanes, const bw_distance_boxes *b, uint32_t rows,
                      float limit2, float bound[BW_WIDTH * BW_WIDTH]);
    void (*leaf)(const bw_distance_map *map, const bw_wide_corners *corners, const uint32_t *primitives,
                 uint32_t count, bw_distance_leaf *out);
    /* The box of all the leaf's triangles in the frame. */
    void (*shadow)(const bw_distance_map *map, const bw_wide_corners *corners, bw_distance_box *out);
    /* Whether two leaves are beyond the limit from each other along the line between them. */
    bool (*beyond)(const bw_distance_leaf *a, const bw_distance_leaf *b, double limit);
    /* Of the pairs in gap->near drops those whose boxes are beyond the limit, and bounds the others. */
    void (*leaf_pair)(const bw_distance_leaf *a, const bw_distance_leaf *b, double limit,
                      bw_distance_gap *gap);
    /* Drops those that are beyond the limit along a direction of the frame, from a to b, no longer
     * than 1. */
    void (*along)(const bw_distance_leaf *a, const bw_distance_leaf *b, const float n[3], double limit,
                  bw_distance_gap *gap);
    /* Squared distances of up to eight pairs of triangles, slots of a and of b in the bytes of two words. Too
     * small by any amount, too large by at most what bw_distance_threshold allows for; a pair that may meet
     * is 0 where the bit of its lane in `apart` is not set. */
    void (*triangles)(const bw_distance_leaf *a, const bw_distance_leaf *b, const bw_distance_gap *gap,
                      uint64_t slots_a, uint64_t slots_b, uint32_t apart, float out[BW_WIDTH]);
    /* Of the boxes in lanes those that are not beyond the limit from all parts of a hull, as bits; and whether one box, which
     * is not beyond it from the box around them, is. */
    uint32_t (*near_hull)(const bw_distance_boxes *boxes, uint32_t lanes, const struct bw_distance_hull *hull,
                          float limit2);
    bool (*near_parts)(const bw_distance_box *box, const struct bw_distance_hull *hull, float limit2);
    /* Of one point: from the root to all leaves that may have the nearest one (collide/distance/nearest.h);
     * the list may have entries when it is done. */
    bw_result (*descend)(struct bw_nearest_search *search, const bw_allocator *allocator);
} bw_distance_kernels;

/* What a squared distance of `triangles` must exceed to be certainly beyond the limit.
 * size and delta are those of the gap, extent is that of the larger leaf. */
static inline float bw_distance_threshold(double limit, float size, float extent, float delta)
{
    if (!(size > 0x1p-20f)) /* so small beside the bodies that products underflow: floats say nothing */
        return INFINITY;
    double reach = limit + 4.0 * (double)delta;
    return bw_distance_round_up(reach * reach * (1.0 + 0x1p-18) + 0x1p-18 * (double)size * (double)size +
                                0x1p-12 * (double)size * (double)extent);
}

/* level as bw_simd_level gives it. */
const bw_distance_kernels *bw_distance_kernels_for(bw_simd level);

extern const bw_distance_kernels bw_distance_kernels_128, bw_distance_kernels_avx2;

#endif
