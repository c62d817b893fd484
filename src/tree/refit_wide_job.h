/* What the ways to refit share. */
#ifndef BW_TREE_REFIT_WIDE_JOB_H
#define BW_TREE_REFIT_WIDE_JOB_H

#include "tree/refit_wide.h"
#include "tree/refit_wide_leaf.h"

typedef struct bw_wide_refit_job {
    bw_wide *wide;
    const bw_mesh *mesh;
    bw_leaf_source source;
    const bw_tasks *tasks;
    bw_simd simd; /* a level, not AUTO */
    bool count_changed;
    bool past_cache;                  /* corners are too many to stay in the caches */
    uint32_t changed[BW_MAX_WORKERS]; /* boxes, by worker */
} bw_wide_refit_job;

bw_wide_refit_job bw_wide_refit_begin(bw_wide *wide, const bw_mesh *mesh, const bw_wide_refit_desc *desc);
void bw_wide_refit_end(const bw_wide_refit_job *job, uint32_t boxes, bw_refit_report *report);
/* The box of a leaf at the present positions; writes its corners, if it has any. */
void bw_wide_refit_leaf(bw_wide_refit_job *job, uint32_t leaf, bw_box *box);

#endif
