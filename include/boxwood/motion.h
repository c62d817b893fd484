/* Boxwood: flight plans: where every vertex of a mesh is at every time of a span.
 *
 * The position of a vertex at a time is the number that bw_motion_position returns: it is evaluated in double
 * and, where the motion's scalar is BW_F32, rounded to the nearest float. Everything that the library says
 * about a moving mesh is said about these positions.
 */
#ifndef BOXWOOD_MOTION_H
#define BOXWOOD_MOTION_H

#include <boxwood/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One vertex: c[0] + c[1] u + c[2] u^2 + c[3] u^3 with u = t - origin. Rest, uniform motion, free fall and
 * cubic curves. Evaluated as c[0] + u (c[1] + u (c[2] + u c[3])). */
typedef struct bw_plan {
    double origin;
    bw_vec3 c[4];
} bw_plan;

typedef enum bw_motion_kind {
    BW_MOTION_KEYFRAMES = 0, /* positions at some times, linear in between */
    BW_MOTION_VELOCITY = 1,  /* a position and a velocity a vertex */
    BW_MOTION_PLANS = 2      /* a plan a vertex */
} bw_motion_kind;

/* A view: the library never owns or changes what it points to. */
typedef struct bw_motion {
    bw_motion_kind kind;
    uint32_t vertex_count;
    bw_scalar scalar; /* the type of stored coordinates, and of positions at any time */
    uint32_t stride;  /* bytes from one stored vertex to the next, as in bw_mesh; 0: tight */

    /* KEYFRAMES: at least two. Between the times T0 and T1 of two, the position is (1 - s) a + s b with
     * s = (t - T0) / (T1 - T0): monotone in a and b, so that vertices in order at both keyframes are in order
     * in between. */
    uint32_t frame_count;
    const double *times;       /* strictly ascending, in any distances */
    const void *const *frames; /* the x, y, z of all vertices at each time */

    /* VELOCITY: position + velocity (t - begin). */
    const void *positions, *velocities;

    /* PLANS. The scalar says only what positions are rounded to. */
    const bw_plan *plans;

    double begin, end; /* VELOCITY, PLANS: the span in which the motion is defined; begin <= end */
} bw_motion;

/* Looks at every number of a motion. BW_ERROR_ARGUMENT for a view that cannot be read or a span that is not
 * one (times not finite, beyond BW_EXACT_MAX, or not ascending by BW_EXACT_MIN at least); BW_ERROR_NOT_FINITE
 * or BW_ERROR_RANGE for the first number at fault, and the fault then names its place: vertex, axis, value,
 * and as element the keyframe; otherwise the degree (0 position, 1 velocity, ...), or BW_NONE for a plan's
 * origin or a sum that leaves the range, whose bound is the value.
 *
 * Stored positions must be as a mesh's. Plans and velocities must keep |c[0]| + |c[1] u| + |c[2] u^2| +
 * |c[3] u^3| within BW_COORDINATE_MAX for every u of the span. */
BW_API bw_result bw_motion_validate(const bw_motion *motion, bw_fault *fault);

/* For the functions below the motion must be valid. */

/* The first and the last time; either may be NULL. */
BW_API void bw_motion_span(const bw_motion *motion, double *begin, double *end);
/* v < vertex_count, t within the span. Magnitudes below BW_EXACT_MIN become 0. */
BW_API bw_vec3 bw_motion_position(const bw_motion *motion, uint32_t v, double t);
/* All positions at t, tight, of the motion's scalar: 3 * vertex_count of them. BW_ERROR_ARGUMENT for a time
 * outside the span. */
BW_API bw_result bw_motion_sample(const bw_motion *motion, double t, void *positions, bw_fault *fault);
/* The plan of one vertex at a time, for kinds other than KEYFRAMES; keyframes give the straight line of the
 * segment that begins at or before t, which is not evaluated with the same roundings. */
BW_API bw_plan bw_motion_plan(const bw_motion *motion, uint32_t v, double t);

/* The position of a plan at a time, in double, no magnitude made zero. */
BW_API bw_vec3 bw_plan_position(const bw_plan *plan, double t);

/* Where the order of two plans along an axis may change. Positions are rounded, so a crossing is a short span
 * of time: before `from` the order is certain to stay what it is just after the time asked about, within
 * [from, to] the positions may be equal or in either order, from `to` on it is certainly `order`, until the
 * next crossing. */
typedef struct bw_crossing {
    double from, to;
    /* The sign of a - b; before: 0 where they are as good as equal at the time asked about; order: 0 where
     * they stay so to the end */
    int before, order;
} bw_crossing;

/* The next crossing of two plans in (after, until]. False, and *out untouched, where there is none: the order
 * stays (identical plans never cross). Plans that meet without changing places are reported too, with order
 * as before. Plans as good as equal at `after` are in a crossing that begins there. */
BW_API bool bw_plan_crossing(const bw_plan *a, const bw_plan *b, int axis, double after, double until,
                             bw_crossing *out);

#ifdef __cplusplus
}
#endif
#endif
