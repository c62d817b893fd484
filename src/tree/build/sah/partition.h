/* One split of the quality builder: references sorted into bins, the cheapest cut by the surface-area
 * heuristic, and the two sides moved apart. I. Wald, "On fast Construction of SAH-based Bounding Volume
 * Hierarchies", RT 2007. Beyond it, cuts are priced by the leaves and nodes that each side will need, all of
 * eight: a cut at a multiple of 8, 64, 512 ... wins where it costs little area, and so leaves and nodes come
 * out full. Such a cut lies within a bin; the references of that bin are then divided by their centres. */
#ifndef BW_TREE_BUILD_SAH_PARTITION_H
#define BW_TREE_BUILD_SAH_PARTITION_H

#include "tree/build/collapse.h"

/* A primitive's box as one register, and whose it is. With the upper bounds negated a union is a single
 * minimum, and low - negative_high is twice the centre. */
typedef struct bw_ref {
    float low[3];
    uint32_t tagged_id; /* id + BW_REF_TAG */
    float negative_high[3];
    uint32_t zero;
} bw_ref;

/* Makes any id, read as a float along with the bounds, an ordinary number: small integers would be denormal
 * ones, which slow arithmetic down. */
#define BW_REF_TAG 0x30000000u

enum {
    BW_BINS = 32,
    BW_REF_LARGE = 1 << 15 /* ranges above this are binned from a sample and divided in parallel */
};

/* An axis along which a range is shorter than this part of its longest side is hardly ever the best to cut.
 */
#define BW_AXIS_WORTH 0.4f

/* A range of references on its way to a subtree. */
typedef struct bw_range {
    uint32_t begin, end;
    uint32_t node;   /* where its subtree stands: 2 * leaves - 1 places from there */
    uint32_t leaves; /* how many it may have: at least a leaf for each eight references */
    uint32_t buffer; /* which of the two arrays holds the references */
    uint32_t depth;  /* splits above it */
    bw_box hint;     /* holds about all of it: the bins' range */
} bw_range;

typedef struct bw_split_job {
    bw_ref *refs[2];
    uint32_t *bins;  /* one word a reference: its bins on three axes */
    uint32_t *order; /* the ids of leaves' primitives, in the references' place, */
    uint32_t base;   /* which begins here */
    bw_split_node *nodes;
    float inverse_unit;
    bw_simd simd;
    const bw_tasks *tasks;
    uint32_t *words; /* bw_split_words of them */
} bw_split_job;

/* What counting the blocks of all large ranges takes. */
size_t bw_split_words(uint32_t count);

/* Divides a range of more than 8 references: moves them to the other buffer and names the two parts. Ranges
 * that do not overlap may be divided side by side, then without tasks. */
void bw_split_range(const bw_split_job *job, const bw_range *range, bw_range *left, bw_range *right);

/* Builds the subtree of a range: alone, or, where it is large, with the job's tasks. The same tree comes out.
 * The second may fail when memory runs out. */
void bw_split_subtree(const bw_split_job *job, const bw_range *range);
bool bw_split_large(const bw_split_job *job, const bw_allocator *allocator, const bw_range *range);

/* Builds the whole subtree of a few references (at most BW_REF_FEW) by full sweeps. */
enum { BW_REF_FEW = 64 };
void bw_split_sweep(const bw_split_job *job, const bw_range *range);

/* Shares `leaves` between two sides of n_left and n_right references. */
uint32_t bw_split_leaves_left(uint32_t leaves, uint32_t n_left, uint32_t n_right);

#endif
