/* Linear trajectories of candidates side by side, compared in vectors. */
#define KERNELS bw_track_kernels_128
#include "kinetic/linear_tracks_template.h"

#include <string.h>

/* ---- reading them ---- */

static inline double along(const bw_vec3 *v, uint32_t axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static bool load_plan(const bw_flight *flight, uint32_t v, uint32_t extent, uint32_t i, bw_linear_tracks *out)
{
    bool planned = bw_flight_planned(flight, v);
    const bw_plan *plan = planned ? &flight->plans[v] : &flight->motion.plans[v];
    const uint32_t axis = extent / 2;
    const double sign = extent % 2 == 0 ? -1 : 1;
    out->origin[i] = plan->origin;
    out->at[i] = sign * along(&plan->c[0], axis);
    out->slope[i] = sign * along(&plan->c[1], axis);
    return (planned && flight->planned[v] == BW_FLIGHT_STRAIGHT) ||
           (along(&plan->c[2], axis) == 0 && along(&plan->c[3], axis) == 0);
}

/* Of vertices without a plan of their own; a bit for each that has one, which is loaded all the same. */
static inline __attribute__((always_inline)) uint32_t load_stored(const bw_flight *flight, uint32_t extent,
                                                                  const uint32_t *vertices, uint32_t count,
                                                                  bool doubles, bw_linear_tracks *out)
{
    const bw_motion *m = &flight->motion;
    const size_t stride = bw_motion_stride(m),
                 offset = extent / 2 * (doubles ? sizeof(double) : sizeof(float));
    const char *positions = (const char *)m->positions + offset,
               *velocities = (const char *)m->velocities + offset;
    const double sign = extent % 2 == 0 ? -1 : 1;
    const uint8_t *planned = flight->planned;
    uint32_t plans = 0;
    for (uint32_t i = 0; i < count; i++) {
        const void *p = positions + vertices[i] * stride, *w = velocities + vertices[i] * stride;
        plans |= (uint32_t)(planned != NULL && planned[vertices[i]] != 0) << i;
        out->origin[i] = m->begin;
        out->at[i] = sign * (doubles ? *(const double *)p : (double)*(const float *)p);
        out->slope[i] = sign * (doubles ? *(const double *)w : (double)*(const float *)w);
    }
    return plans;
}

/* The same for any motion but keyframes. */
static inline uint32_t load_any(const bw_flight *flight, uint32_t extent, const uint32_t *vertices,
                                uint32_t count, bw_linear_tracks *out)
{
    if (flight->motion.kind != BW_MOTION_VELOCITY)
        return (1u << count) - 1;
    return flight->motion.scalar == BW_F64 ? load_stored(flight, extent, vertices, count, true, out)
                                           : load_stored(flight, extent, vertices, count, false, out);
}

bool bw_linear_tracks_load(const bw_flight *flight, uint32_t extent, const uint32_t *vertices, uint32_t count,
                           bw_linear_tracks *out)
{
    if (flight->motion.kind == BW_MOTION_KEYFRAMES)
        return false;
    out->count = count;
    out->padded = (count + 3) / 4 * 4;
    bool straight = true;
    for (uint32_t left = load_any(flight, extent, vertices, count, out); left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        straight = load_plan(flight, vertices[i], extent, i, out) && straight;
    }
    for (uint32_t i = count; i < out->padded; i++) {
        out->origin[i] = out->origin[0];
        out->at[i] = out->at[0];
        out->slope[i] = out->slope[0];
    }
    return straight;
}

static void repeat_first_two(bw_linear_tracks *c)
{
    c->count = c->padded = BW_BOX_COURSES;
    for (uint32_t i = 0; i < 2; i++) {
        c->origin[6 + i] = c->origin[i];
        c->at[6 + i] = c->at[i];
        c->slope[6 + i] = c->slope[i];
    }
}

static bool load_one(const bw_flight *flight, uint32_t v, uint32_t extent, bw_linear_tracks *out)
{
    const bw_motion *m = &flight->motion;
    if (m->kind != BW_MOTION_VELOCITY || bw_flight_planned(flight, v))
        return load_plan(flight, v, extent, extent, out);
    double sign = extent % 2 == 0 ? -1 : 1;
    out->origin[extent] = m->begin;
    out->at[extent] = sign * bw_motion_stored(m, m->positions, v, (int)(extent / 2));
    out->slope[extent] = sign * bw_motion_stored(m, m->velocities, v, (int)(extent / 2));
    return true;
}

bool bw_linear_tracks_load_box(const bw_flight *flight, const uint32_t vertices[6], bw_linear_tracks *out)
{
    if (flight->motion.kind == BW_MOTION_KEYFRAMES)
        return false;
    bool straight = true;
    for (uint32_t extent = 0; extent < 6; extent++)
        straight = load_one(flight, vertices[extent], extent, out) && straight;
    repeat_first_two(out);
    return straight;
}

bool bw_linear_tracks_load_vertex(const bw_flight *flight, uint32_t v, bw_linear_tracks *out)
{
    const uint32_t all[6] = {v, v, v, v, v, v};
    return bw_linear_tracks_load_box(flight, all, out);
}

/* ---- times ---- */

/* The neighbours of a finite number. */
static inline double above(double x)
{
    uint64_t bits;
    x += 0.0; /* no -0 */
    memcpy(&bits, &x, sizeof bits);
    bits += x < 0 ? UINT64_MAX : 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double below(double x)
{
    return -above(-x);
}

double bw_linear_track_failure(double now, double soonest, double end)
{
    if (soonest == INFINITY || !(now < end))
        return INFINITY;
    double t = now + soonest * (1 - 0x1p-50), after = above(now);
    if (t == INFINITY)
        return INFINITY;
    t = below(t);
    t = t > after ? t : after;
    return t <= end ? t : INFINITY;
}

/* ---- in vectors ---- */

static const bw_track_kernels *kernels_for(bw_simd simd)
{
    return BW_SIMD_PICK(simd, &bw_track_kernels);
}

uint32_t bw_linear_tracks_place(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_simd simd,
                                bw_places *out)
{
    return kernels_for(simd)->place(c, now, scalar, out) & ((1u << c->count) - 1);
}

uint32_t bw_linear_tracks_open(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first,
                               bw_simd simd)
{
    return kernels_for(simd)->open(c, at, first) & ((1u << c->count) - 1);
}

double bw_linear_tracks_closest(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first,
                                bw_simd simd)
{
    return kernels_for(simd)->closest(c, at, first);
}

uint32_t bw_linear_tracks_meet(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                               bw_scalar scalar, bw_simd simd, double soonest[BW_BOX_COURSES])
{
    return kernels_for(simd)->meet(first, second, now, scalar, soonest);
}
