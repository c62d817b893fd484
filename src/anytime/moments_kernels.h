/* The inner loop of the estimate: the distances M of eight parts of one body from a part of the other, at
 * three levels of one source that give the same bits. */
#ifndef BW_ANYTIME_MOMENTS_KERNELS_H
#define BW_ANYTIME_MOMENTS_KERNELS_H

#include "anytime/moments.h"
#include "base/simd.h"

#include <boxwood/anytime.h>

/* From the units of b to those of a. */
typedef struct bw_moment_map {
    float m[3][3], t[3];
    float scale; /* how much larger the pose makes b, about: the mean length of its columns */
} bw_moment_map;

/* The parts of a node of b in the units of a. */
typedef struct bw_moment_mapped {
    float mean[3][BW_WIDTH];
    float spread[6][BW_WIDTH];
    uint32_t code[BW_WIDTH];
} bw_moment_mapped;

/* Hazards by class and distance (bw_adb_model.hazard), and what to make of a pair's. */
typedef struct bw_moment_scale {
    const float (*hazard)[BW_ADB_KNOTS];
    float prune_at, count_at;
} bw_moment_scale;

/* The pairs of a mask: those of at least prune_at and count_at, and the sum over all. */
typedef struct bw_moment_weights {
    uint64_t kept, counting;
    float sum;
} bw_moment_weights;

typedef struct bw_moment_kernels {
    void (*map)(const bw_moment_map *map, const bw_moment_node *node, bw_moment_mapped *out);
    /* out[8 i + j] = M of part j of a and part i of b, for the rows i that have a bit 8 i + j in mask; the
     * others are left as they are. */
    void (*distances)(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                      float out[BW_WIDTH * BW_WIDTH]);
    /* out[8 i + j] = the hazard of the pair, for those of the mask; -1 for all others and for those below
     * prune_at. */
    bw_moment_weights (*weigh)(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                               const bw_moment_scale *scale, float out[BW_WIDTH * BW_WIDTH]);
    /* The index of the largest of 64 floats, the first of equals. */
    uint32_t (*largest)(const float values[BW_WIDTH * BW_WIDTH]);
    /* Whether all of a model is as it must be, but for the errors of its settings, which are at most 1. */
    bool (*sound)(const bw_adb_model *model);
} bw_moment_kernels;

const bw_moment_kernels *bw_moment_kernels_for(bw_simd level);

extern const bw_moment_kernels bw_moment_kernels_scalar;
#if BW_SIMD_X86
extern const bw_moment_kernels bw_moment_kernels_sse;
extern const bw_moment_kernels bw_moment_kernels_avx2;
#endif

#endif
