/* A ray made ready for traversal.
 *
 * The ray is o + T d with d as it is given (or mapped), the difference of its two points or that over a unit,
 * and T from where the ray enters the tree where it starts far away. Boxes: the planes of an axis are met at plane * inverse - near and plane * inverse - far,
 * with the origin moved outward by a margin. Triangles: seen along the ray, on the two axes across the one
 * along which it moves fastest. Margins and bounds are derived in docs/lab/rays.md. */
#ifndef BW_COLLIDE_RAY_READY_H
#define BW_COLLIDE_RAY_READY_H

#include "collide/ray/target.h"

#include <math.h>

typedef struct bw_ray_ready {
    float inverse[3], near[3], far[3];
    float slope[2], offset[2]; /* d and o on the two axes across, at 0 of the axis along it */
    /* Products of two corners in a leaf whose box has the longest side m are off by less than
     * w (BW_RAY_PRODUCTS w + line) + square, with w = 2 m + around. */
    float line, square, around;
    uint32_t axis;   /* along which it moves fastest */
    uint32_t octant; /* bit k: backward along axis k */
    double start;    /* unit t = start + T */
    double unit;     /* of T: that of the state, or 1 */
} bw_ray_ready;

/* The largest |1 / d|: along an axis along which a ray moves less, it stays within the margin of a box. */
#define BW_RAY_INVERSE_MAX 0x1p80f
/* The largest step is between these, and the reach of ray and tree below the third. */
#define BW_RAY_STEP_MIN 0x1p-20f
#define BW_RAY_STEP_MAX 0x1p20f
#define BW_RAY_REACH_MAX 0x1p30f
/* In units of u = 2^-24. */
#define BW_RAY_MARGIN (8.0f * 0x1p-24f)
#define BW_RAY_AROUND (40.0f * 0x1p-24f)
#define BW_RAY_PRODUCTS (16.4f * 0x1p-24f)
/* The error e0 of a corner that is seen along the ray: u (roundings * reach + 2 |offset|), 2^-45 of the reach
 * for what is known in double, and both ways of the slack. The bound is linear in it, and square. */
#define BW_RAY_ERROR (1.02f * 0x1p-24f)
#define BW_RAY_DOUBLE 0x1p-45f
#define BW_RAY_LINE 4.04f
#define BW_RAY_SQUARE 2.04f

/* False where the numbers are not of ordinary size, or not allowed. */
bool bw_ray_ready_set(const bw_ray_target *target, const bw_vec3 *origin, const bw_vec3 *through,
                      bw_ray_ready *out);

/* The largest T at which contacts up to t may be. */
static inline float bw_ray_limit(const bw_ray_ready *ready, double t)
{
    const double end = t * ready->unit, start = ready->start;
    const double above = ((end - start) + 0x1p-40 * (end + start)) * (1.0 + 0x1p-20) + 0x1p-100;
    return above < 0x1p100 ? (float)above : INFINITY;
}

#endif
