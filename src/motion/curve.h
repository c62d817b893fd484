/* Reading the caller's motion, inside the library: inline, without checks. */
#ifndef BW_MOTION_CURVE_H
#define BW_MOTION_CURVE_H

#include "motion/gap.h"

#include <math.h>

static inline size_t bw_motion_stride(const bw_motion *motion)
{
    if (motion->stride != 0)
        return motion->stride;
    return 3 * (motion->scalar == BW_F64 ? sizeof(double) : sizeof(float));
}

/* A coordinate out of stored triples. */
static inline double bw_motion_stored(const bw_motion *motion, const void *triples, uint32_t v, int axis)
{
    const char *p = (const char *)triples + v * bw_motion_stride(motion);
    if (motion->scalar == BW_F64)
        return ((const double *)(const void *)p)[axis];
    return (double)((const float *)(const void *)p)[axis];
}

/* What is evaluated becomes a position: rounded to the motion's scalar, no magnitude below the exact range,
 * and no -0. Monotone. */
static inline double bw_motion_round(bw_scalar scalar, double x)
{
    if (scalar == BW_F32)
        return (double)((float)x + 0.0f);
    return fabs(x) < BW_EXACT_MIN ? 0.0 : x;
}

static inline double bw_lerp(double a, double b, double s)
{
    return (1 - s) * a + s * b;
}

/* The keyframe k with times[k] <= t < times[k + 1]; for the last time the segment before it. */
static inline uint32_t bw_motion_segment(const bw_motion *motion, double t)
{
    uint32_t low = 0,
             high = motion->frame_count - 1; /* times[low] <= t, and t < times[high] or high is last */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (motion->times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline double bw_motion_fraction(const bw_motion *motion, uint32_t segment, double t)
{
    double from = motion->times[segment];
    double s = (t - from) / (motion->times[segment + 1] - from);
    return s < 1 ? s : 1;
}

static inline bw_curve bw_plan_curve(const bw_plan *plan, int axis)
{
    bw_curve curve = {.origin = plan->origin};
    for (int i = 0; i < 4; i++)
        curve.c[i] = axis == 0 ? plan->c[i].x : axis == 1 ? plan->c[i].y : plan->c[i].z;
    return curve;
}

/* The curve of a coordinate; for keyframes that of one segment (UINT32_MAX for other kinds). */
static inline bw_curve bw_motion_curve(const bw_motion *motion, uint32_t v, int axis, uint32_t segment)
{
    if (motion->kind == BW_MOTION_PLANS)
        return bw_plan_curve(&motion->plans[v], axis);
    if (motion->kind == BW_MOTION_VELOCITY)
        return (bw_curve){motion->begin,
                          {bw_motion_stored(motion, motion->positions, v, axis),
                           bw_motion_stored(motion, motion->velocities, v, axis)}};
    double a = bw_motion_stored(motion, motion->frames[segment], v, axis);
    double b = bw_motion_stored(motion, motion->frames[segment + 1], v, axis);
    double from = motion->times[segment];
    return (bw_curve){from, {a, (b - a) / (motion->times[segment + 1] - from)}};
}

/* A coordinate at a time within the span. */
static inline double bw_motion_coordinate(const bw_motion *motion, uint32_t v, int axis, double t)
{
    if (motion->kind == BW_MOTION_KEYFRAMES) {
        uint32_t segment = bw_motion_segment(motion, t);
        double a = bw_motion_stored(motion, motion->frames[segment], v, axis);
        double b = bw_motion_stored(motion, motion->frames[segment + 1], v, axis);
        return bw_motion_round(motion->scalar, bw_lerp(a, b, bw_motion_fraction(motion, segment, t)));
    }
    bw_curve curve = bw_motion_curve(motion, v, axis, UINT32_MAX);
    return bw_motion_round(motion->scalar, bw_curve_at(&curve, t));
}

#endif
