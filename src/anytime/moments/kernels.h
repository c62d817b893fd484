/* The inner loop of the estimate: the distances M of eight parts of one body from a part of the other, at
 * two levels of one source that give the same bits. */
#ifndef BW_ANYTIME_MOMENTS_KERNELS_H
#define BW_ANYTIME_MOMENTS_KERNELS_H

#include "anytime/moments/moments.h"
#include "base/simd/level.h"

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

/* Hazards by class and distance (bw_anytime_model.hazard), and what to make of a pair's. */
typedef struct bw_moment_scale {
    const float (*hazard)[BW_ANYTIME_KNOTS];
    float prune_at, count_at;
} bw_moment_scale;

/* How many bits are set: by pairs, by fours, by eights, then all bytes at once. */
static inline uint32_t bw_moment_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)(bits * 0x0101010101010101u >> 56);
}

/* The pairs of a mask, one after the other in the order of their bits: eight at a time fill a vector, however
 * they lie in rows. */
typedef struct bw_moment_list {
    float hazard[BW_WIDTH * BW_WIDTH]; /* -1 for those below prune_at, and for what fills up the last eight */
    uint8_t bit[BW_WIDTH * BW_WIDTH];
} bw_moment_list;

/* Those of at least prune_at and count_at, as bits by their number in the list, and the sum over all. */
typedef struct bw_moment_weights {
    uint64_t kept, counting;
    float sum;
    uint32_t count;     /* of the list */
    uint32_t likeliest; /* the number of the largest, the first of equals */
    float value;        /* its hazard */
} bw_moment_weights;

typedef struct bw_moment_kernels {
    void (*map)(const bw_moment_map *map, const bw_moment_node *node, bw_moment_mapped *out);
    /* out[8 i + j] = M of part j of a and part i of b, for the rows i that have a bit 8 i + j in mask; the
     * others are left as they are. */
    void (*distances)(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                      float out[BW_WIDTH * BW_WIDTH]);
    /* The hazards of the pairs of a mask that is not empty. */
    bw_moment_weights (*weigh)(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                               const bw_moment_scale *scale, bw_moment_list *out);
    /* The number of the largest of those of a list that are still there: bits by number, some are set. The
     * first of equals. */
    uint32_t (*likeliest)(const bw_moment_list *list, uint64_t left);
    /* Whether all of a model is as it must be, but for the errors of its settings, which are at most 1. */
    bool (*sound)(const bw_anytime_model *model);
} bw_moment_kernels;

const bw_moment_kernels *bw_moment_kernels_for(bw_simd level);

extern const bw_moment_kernels bw_moment_kernels_128, bw_moment_kernels_avx2;

#endif
