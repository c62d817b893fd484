/* Which triangles of two moving meshes may meet within a span of time, and when: one traversal of both trees
 * with boxes that move on straight lines (Zachmann and Weller 2006, section 8: the last of the axes' entry
 * times, the first of their exit times), then, for each pair of triangles, directions that keep them apart.
 *
 * Vertices on curves are taken to be where their straight line is, give or take the bend of the curve. Times
 * are parts of the span, 0 to 1. All of it is conservative: what meets at a time is within the times
 * found. */
#ifndef BW_INCREMENTAL_SWEEP_H
#define BW_INCREMENTAL_SWEEP_H

#include "base/array.h"
#include "base/simd/level.h"
#include "incremental/moving_body.h"

/* One box at both ends. */
typedef struct bw_sweep_box {
    float min[2][3], max[2][3]; /* [end][axis] */
} bw_sweep_box;

/* The lanes of eight boxes, given at both ends, that may meet a box within [from, to], and when: from_out,
 * to_out. */
typedef uint32_t bw_sweep_lanes_fn(const bw_sweep_boxes *const boxes[2], const bw_sweep_box *box, float slack,
                                   float from, float to, float from_out[BW_WIDTH], float to_out[BW_WIDTH]);
bw_sweep_lanes_fn bw_sweep_lanes;
#if BW_SIMD_X86
bw_sweep_lanes_fn bw_sweep_lanes_avx2;
#endif

static inline bw_sweep_lanes_fn *bw_sweep_lanes_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level >= BW_SIMD_AVX2)
        return bw_sweep_lanes_avx2;
#endif
    (void)level;
    return bw_sweep_lanes;
}

static inline bw_sweep_box bw_sweep_box_of(const bw_sweep_boxes *const boxes[2], uint32_t lane)
{
    bw_sweep_box box;
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < 3; axis++) {
            box.min[end][axis] = boxes[end]->min[axis][lane];
            box.max[end][axis] = boxes[end]->max[axis][lane];
        }
    return box;
}

/* A pair of primitives and the part of the span in which they may meet. For one mesh a < b. */
typedef struct bw_sweep_pair {
    uint32_t a, b;
    float from, to;
} bw_sweep_pair;

typedef struct bw_sweep_counts {
    uint64_t nodes;      /* pairs of nodes */
    uint64_t leaves;     /* pairs of leaves whose boxes meet at some time */
    uint64_t candidates; /* pairs of primitives whose boxes do */
} bw_sweep_counts;

typedef struct bw_sweep {
    bw_mover *a, *b; /* the same for self-collision */
    bw_array pairs;  /* bw_sweep_pair, in the order of the walk */
    bw_array items;  /* the walk's stack */
    struct bw_sweep_leaf *cache[2];
    bw_sweep_counts counts;
    double slack;      /* a bound on all roundings of positions, several times over, and on how curves bend */
    float slack_float; /* the same for boxes */
    bw_sweep_lanes_fn *lanes;
    const bw_allocator *allocator;
} bw_sweep;

/* a == b: self. The allocator must stay. BW_ERROR_MEMORY. */
bw_result bw_sweep_create(const bw_allocator *allocator, bw_mover *a, bw_mover *b, bw_sweep *out);
void bw_sweep_release(bw_sweep *sweep);
size_t bw_sweep_bytes(const bw_sweep *sweep);
/* Fills pairs for a span. BW_ERROR_MEMORY: pairs holds a part. */
bw_result bw_sweep_run(bw_sweep *sweep, double from, double to);

/* Shrinks [*from, *to] to where two triangles, corners at both ends of the span given, may be nearer than
 * slack to each other; false: nowhere. */
bool bw_sweep_trim(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack, double *from, double *to);
/* Whether triangles that share a vertex by index (corner 0 of both), or an edge (corners 0 and 1 of both),
 * may meet beyond that at any time of the span. */
bool bw_sweep_trim_corner(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack);
bool bw_sweep_trim_edge(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack);

#endif
