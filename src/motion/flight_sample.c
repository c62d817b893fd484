/* Positions of motions and plans at a time. */
#include "base/fault.h"
#include "base/simd/f64x2.h"
#include "base/simd/level.h"
#include "motion/flight.h"

void bw_motion_span(const bw_motion *motion, double *begin, double *end)
{
    bool keyframes = motion->kind == BW_MOTION_KEYFRAMES;
    if (begin != NULL)
        *begin = keyframes ? motion->times[0] : motion->begin;
    if (end != NULL)
        *end = keyframes ? motion->times[motion->frame_count - 1] : motion->end;
}

bw_vec3 bw_motion_position(const bw_motion *motion, uint32_t v, double t)
{
    return (bw_vec3){bw_motion_coordinate(motion, v, 0, t), bw_motion_coordinate(motion, v, 1, t),
                     bw_motion_coordinate(motion, v, 2, t)};
}

/* r a + s b: between keyframes r is 1 - s; of positions and velocities it is 1, and s the time that has
 * passed. Plain loops over tight triples, for the compiler to vectorise, here and with the wider registers;
 * the same bits. */
static inline __attribute__((always_inline)) void blend_any(const float *restrict a, const float *restrict b,
                                                            double r, double s, size_t count,
                                                            float *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)(r * (double)a[i] + s * (double)b[i]) + 0.0f;
}

static void blend_f32(const float *a, const float *b, double r, double s, size_t count, float *out)
{
    blend_any(a, b, r, s, count, out);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void blend_f32_avx2(const float *a, const float *b, double r, double s,
                                                           size_t count, float *out)
{
    blend_any(a, b, r, s, count, out);
}
#endif

static void blend_f64(const double *restrict a, const double *restrict b, double r, double s, size_t count,
                      double *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        double x = r * a[i] + s * b[i];
        out[i] = fabs(x) < BW_EXACT_MIN ? 0.0 : x;
    }
}

static void blend_range(const bw_motion *motion, double t, uint32_t first, uint32_t count, void *positions)
{
    const void *from = motion->positions, *to = motion->velocities;
    double r = 1, s = t - motion->begin;
    if (motion->kind == BW_MOTION_KEYFRAMES) {
        uint32_t segment = bw_motion_segment(motion, t);
        from = motion->frames[segment];
        to = motion->frames[segment + 1];
        s = bw_motion_fraction(motion, segment, t);
        r = 1 - s;
    }
    size_t begin = 3 * (size_t)first, coordinates = 3 * (size_t)count;
    if (motion->scalar == BW_F64) {
        const double *a = from, *b = to;
        blend_f64(a + begin, b + begin, r, s, coordinates, (double *)positions + begin);
        return;
    }
    const float *a = from, *b = to;
#if BW_SIMD_X86
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2) {
        blend_f32_avx2(a + begin, b + begin, r, s, coordinates, (float *)positions + begin);
        return;
    }
#endif
    blend_f32(a + begin, b + begin, r, s, coordinates, (float *)positions + begin);
}

static d2 xy_of(const bw_vec3 *c)
{
    return d2_load((const double *)(const void *)c);
}

/* As bw_curve_at, x and y at once. */
static void sample_plans(const bw_motion *motion, double t, uint32_t first, uint32_t count, void *positions)
{
    const bool wide = motion->scalar == BW_F64;
    for (uint32_t v = first; v < first + count; v++) {
        const bw_plan *plan = &motion->plans[v];
        const bw_vec3 *c = plan->c;
        const double u = t - plan->origin;
        const d2 w = d2_all(u),
                 xy = xy_of(&c[0]) + w * (xy_of(&c[1]) + w * (xy_of(&c[2]) + w * xy_of(&c[3])));
        const double z = c[0].z + u * (c[1].z + u * (c[2].z + u * c[3].z));
        const double x[3] = {d2_low(xy), d2_high(xy), z};
        for (size_t axis = 0; axis < 3; axis++)
            if (wide)
                ((double *)positions)[3 * (size_t)v + axis] = bw_motion_round(BW_F64, x[axis]);
            else
                ((float *)positions)[3 * (size_t)v + axis] = (float)x[axis] + 0.0f;
    }
}

void bw_motion_sample_range(const bw_motion *motion, double t, uint32_t first, uint32_t count,
                            void *positions)
{
    if (motion->kind == BW_MOTION_PLANS) {
        sample_plans(motion, t, first, count, positions);
        return;
    }
    bool wide = motion->scalar == BW_F64;
    if (bw_motion_stride(motion) == 3 * (wide ? sizeof(double) : sizeof(float))) {
        blend_range(motion, t, first, count, positions);
        return;
    }
    for (uint32_t v = first; v < first + count; v++)
        for (int axis = 0; axis < 3; axis++) {
            double x = bw_motion_coordinate(motion, v, axis, t);
            if (wide)
                ((double *)positions)[3 * (size_t)v + (size_t)axis] = x;
            else
                ((float *)positions)[3 * (size_t)v + (size_t)axis] = (float)x;
        }
}

bw_result bw_motion_sample(const bw_motion *motion, double t, void *positions, bw_fault *fault)
{
    if (motion == NULL || (positions == NULL && motion->vertex_count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    double begin, end;
    bw_motion_span(motion, &begin, &end);
    if (!(t >= begin && t <= end))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_motion_sample_range(motion, t, 0, motion->vertex_count, positions);
    return bw_fail(fault, BW_OK);
}

bw_plan bw_motion_plan(const bw_motion *motion, uint32_t v, double t)
{
    if (motion->kind == BW_MOTION_PLANS)
        return motion->plans[v];
    uint32_t segment = motion->kind == BW_MOTION_KEYFRAMES ? bw_motion_segment(motion, t) : UINT32_MAX;
    bw_curve c[3];
    for (int axis = 0; axis < 3; axis++)
        c[axis] = bw_motion_curve(motion, v, axis, segment);
    bw_plan plan = {.origin = c[0].origin};
    for (int i = 0; i < 4; i++)
        plan.c[i] = (bw_vec3){c[0].c[i], c[1].c[i], c[2].c[i]};
    return plan;
}

bw_vec3 bw_plan_position(const bw_plan *plan, double t)
{
    double x[3];
    for (int axis = 0; axis < 3; axis++) {
        bw_curve curve = bw_plan_curve(plan, axis);
        x[axis] = bw_curve_at(&curve, t);
    }
    return (bw_vec3){x[0], x[1], x[2]};
}
