/* Fitting wide trees to moved vertices. */
#ifndef BW_TREE_REFIT_REFIT_H
#define BW_TREE_REFIT_REFIT_H

#include "tree/refit/leaf.h"
#include "tree/wide/wide.h"

/* Fits every box (and, in the rigid form, the corners) to the mesh's present positions; wide was built from
 * this mesh's indices. If a coordinate of a primitive in the tree is not finite or out of range, nothing
 * changes, and desc->where names the first such primitive: BW_ERROR_NOT_FINITE, BW_ERROR_RANGE. The
 * same bits for any tasks and SIMD level. Adds to report->boxes; report->changed is counted, which costs a
 * little, only where count_changed is set. */
typedef struct bw_wide_refit_desc {
    const bw_tasks *tasks;
    bw_simd simd;
    bool count_changed;
    bw_fault *where; /* the place of an unsound coordinate; may be NULL */
    bool sound;      /* the caller knows that every coordinate is finite and in range: not looked at again */
} bw_wide_refit_desc;

bw_result bw_wide_refit(bw_wide *wide, const bw_mesh *mesh, const bw_wide_refit_desc *desc,
                        bw_update_report *report);

/* The same where only the vertices of the ranges moved since the last refit; ranges may overlap and come in
 * any order. A list of single vertices is a list of ranges of count 1. BW_ERROR_INDEX for a range beyond the
 * mesh. The first call makes the map from vertices to leaves (12 bytes or so a triangle), so it may fail with
 * BW_ERROR_MEMORY. */
bw_result bw_wide_refit_ranges(bw_wide *wide, const bw_mesh *mesh, const bw_vertex_range *ranges,
                               uint32_t range_count, const bw_wide_refit_desc *desc,
                               bw_update_report *report);

/* What the ways to refit share. */
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
void bw_wide_refit_end(const bw_wide_refit_job *job, uint32_t boxes, bw_update_report *report);
/* The box of a leaf at the present positions; writes its corners, if it has any. */
void bw_wide_refit_leaf(bw_wide_refit_job *job, uint32_t leaf, bw_box *box);

#endif
