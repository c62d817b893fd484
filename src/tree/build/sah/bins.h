/* The bins of one split. */
#ifndef BW_TREE_BUILD_SAH_BINS_H
#define BW_TREE_BUILD_SAH_BINS_H

#include "tree/build/sah/partition.h"

/* What a bin holds: the union of its references as (low, -, negative high, -), and their number. */
typedef struct bw_bin_axis {
    float box[BW_BINS][8];
    uint32_t count[BW_BINS];
} bw_bin_axis;

typedef struct bw_bins {
    bw_bin_axis axis[3];    /* of the axes that are worth it, the longest side's first */
    float low[4], scale[4]; /* bin = (low + high - this->low) * scale, within 0 .. bins - 1 */
    int which[4];           /* which axis each is */
    uint32_t axes;          /* how many */
    uint32_t bins;
    uint32_t total;
} bw_bins;

/* Lays out `bins` bins over the hint. */
void bw_bins_begin(bw_bins *b, const bw_box *hint, uint32_t bins);
/* Adds every stride-th of count references. packed, if not NULL (stride 1 then), receives each one's bins, a
 * byte an axis. */
void bw_bins_add(bw_bins *b, const bw_ref *refs, uint32_t count, uint32_t stride, uint32_t *packed,
                 bw_simd simd);

/* The bin of one reference on the k-th axis. */
static inline uint32_t bw_bins_of(const bw_bins *b, const bw_ref *ref, int k)
{
    float centre = ref->low[b->which[k]] - ref->negative_high[b->which[k]];
    float at = (centre - b->low[k]) * b->scale[k], top = (float)(b->bins - 1);
    at = at > 0 ? at : 0;
    return (uint32_t)(int32_t)(at < top ? at : top);
}

/* Where to cut. */
typedef struct bw_best_split {
    int axis;      /* of the bins' axes, which; -1: no cut, all references fall into one bin on every axis */
    uint32_t bin;  /* the bin in which the cut lies */
    uint32_t left; /* references on the left; of the sample, if it is one */
    float cost;
    bool loose; /* sample only: anywhere within the bin is about as good */
    bw_box left_hint, right_hint;
} bw_best_split;

/* whole: the bins hold all references of the range, not a sample. leaves: how many the range may have. */
bw_best_split bw_bins_best_split(const bw_bins *b, uint32_t leaves, bool whole, float inverse_unit);

#endif
