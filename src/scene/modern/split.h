/* Halving sets of centres: bounds, quantiles and partitions. */
#ifndef BW_SCENE_MODERN_SPLIT_H
#define BW_SCENE_MODERN_SPLIT_H

#include "base/simd/f32x4.h"

typedef struct bw_centre_key {
    float centre[3]; /* doubled */
    uint32_t item;
} bw_centre_key;

typedef struct bw_centre_range {
    float low[3], high[3];
} bw_centre_range;

bw_centre_range bw_centre_range_of(const bw_centre_key *keys, uint32_t count);
/* The axis along which they spread most. */
int bw_centre_widest(const bw_centre_range *range);
/* A plane with about `wanted` of the keys below it and some on both sides. low < high on this axis. */
float bw_centre_plane(const bw_centre_key *keys, uint32_t count, int axis, uint32_t wanted,
                      const bw_centre_range *range);
/* Brings those below a plane to the front; returns their number. */
uint32_t bw_centre_partition(bw_centre_key *keys, uint32_t count, int axis, float plane);

#endif
