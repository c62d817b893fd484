/* Validation of motions and plans: finite, in range, times ascending. */
#include "motion/validate.h"
#include "base/fault.h"

#include "motion/curve.h"

static bw_defect defect_of(double x, double smallest, double largest)
{
    if (isnan(x))
        return BW_DEFECT_NAN;
    if (isinf(x))
        return BW_DEFECT_INFINITE;
    double m = fabs(x);
    return m > largest || (m != 0 && m < smallest) ? BW_DEFECT_RANGE : BW_DEFECT_NONE;
}

static bool time_sound(double t)
{
    return fabs(t) <= BW_EXACT_MAX; /* false for a NaN */
}

static bool span_sound(const bw_motion *motion)
{
    if (motion->kind != BW_MOTION_KEYFRAMES)
        return time_sound(motion->begin) && time_sound(motion->end) && motion->begin <= motion->end;
    if (motion->frame_count < 2 || motion->times == NULL || motion->frames == NULL)
        return false;
    for (uint32_t k = 0; k < motion->frame_count; k++) {
        if (!time_sound(motion->times[k]) || (motion->frames[k] == NULL && motion->vertex_count > 0))
            return false;
        if (k > 0 && !(motion->times[k] - motion->times[k - 1] >= BW_EXACT_MIN))
            return false;
    }
    return true;
}

static bool view_sound(const bw_motion *motion)
{
    if ((unsigned)motion->kind > BW_MOTION_PLANS || (unsigned)motion->scalar > BW_F64)
        return false;
    size_t size = motion->scalar == BW_F64 ? sizeof(double) : sizeof(float);
    if (motion->stride != 0 && (motion->stride < 3 * size || motion->stride % size != 0))
        return false;
    if (motion->vertex_count == 0 || motion->kind == BW_MOTION_KEYFRAMES)
        return true;
    if (motion->kind == BW_MOTION_VELOCITY)
        return motion->positions != NULL && motion->velocities != NULL;
    return motion->plans != NULL;
}

bw_fault bw_plan_fault_of(const bw_plan *plan, double begin, double end)
{
    bw_defect defect = defect_of(plan->origin, 0, BW_EXACT_MAX);
    if (defect != BW_DEFECT_NONE)
        return (bw_fault){.defect = defect, .element = BW_NONE, .axis = BW_NONE, .value = plan->origin};
    double u = fmax(fabs(begin - plan->origin), fabs(end - plan->origin));
    for (uint32_t axis = 0; axis < 3; axis++) {
        bw_curve curve = bw_plan_curve(plan, (int)axis);
        double sum = 0, power = 1;
        for (uint32_t i = 0; i < 4; i++) {
            defect = defect_of(curve.c[i], 0, BW_EXACT_MAX);
            if (defect != BW_DEFECT_NONE)
                return (bw_fault){.defect = defect, .element = i, .axis = axis, .value = curve.c[i]};
            sum += fabs(curve.c[i]) * power;
            power *= u; /* at most 2^903 */
        }
        if (!(sum <= BW_COORDINATE_MAX))
            return (bw_fault){.defect = BW_DEFECT_RANGE, .element = BW_NONE, .axis = axis, .value = sum};
    }
    return BW_FAULT_NOWHERE;
}

static bw_defect look_at_frames(const bw_motion *motion, uint32_t first, bw_fault *where)
{
    for (uint32_t k = 0; k < motion->frame_count; k++)
        for (uint32_t v = first; v < motion->vertex_count; v++)
            for (uint32_t axis = 0; axis < 3; axis++) {
                double x = bw_motion_stored(motion, motion->frames[k], v, (int)axis);
                bw_defect defect = defect_of(x, BW_EXACT_MIN, BW_COORDINATE_MAX);
                if (defect != BW_DEFECT_NONE) {
                    *where =
                        (bw_fault){.defect = defect, .element = k, .vertex = v, .axis = axis, .value = x};
                    return defect;
                }
            }
    return BW_DEFECT_NONE;
}

static bw_defect look_at_plans(const bw_motion *motion, uint32_t first, bw_fault *where)
{
    for (uint32_t v = first; v < motion->vertex_count; v++) {
        bw_plan plan = bw_motion_plan(motion, v, motion->begin);
        const bw_fault fault = bw_plan_fault_of(&plan, motion->begin, motion->end);
        if (fault.defect != BW_DEFECT_NONE) {
            *where = fault;
            where->vertex = v;
            return fault.defect;
        }
    }
    return BW_DEFECT_NONE;
}

bw_result bw_motion_validate_from(const bw_motion *motion, uint32_t first, bw_fault *where)
{
    if (motion == NULL || !view_sound(motion) || !span_sound(motion))
        return BW_ERROR_ARGUMENT;
    return bw_defect_result(motion->kind == BW_MOTION_KEYFRAMES ? look_at_frames(motion, first, where)
                                                                : look_at_plans(motion, first, where));
}

bw_result bw_motion_validate(const bw_motion *motion, bw_fault *fault)
{
    bw_fault where = BW_FAULT_NOWHERE;
    const bw_result result = bw_motion_validate_from(motion, 0, &where);
    return bw_fail_with(fault, result, &where);
}
