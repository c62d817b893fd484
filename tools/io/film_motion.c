/* The frames as the library takes them. */
#include "io/film.h"

#include <inttypes.h>

bw_motion animation_motion(const model *m)
{
    const model_film *film = &m->film;
    return (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                       .vertex_count = m->vertex_count,
                       .scalar = film->scalar,
                       .frame_count = film->frame_count,
                       .times = film->times,
                       .frames = (const void *const *)film->frames};
}

static bool name_fault(const model *m, bw_result result, const bw_motion_report *report, fault *why)
{
    const double *times = m->film.times;
    for (uint32_t i = 0; result == BW_ERROR_ARGUMENT && i + 1 < m->film.frame_count; i++)
        if (!(times[i + 1] > times[i]))
            return fault_set(why, "%s: frame %" PRIu32 " is at %g s, and the one before it at %g s", m->file,
                             i + 1, times[i + 1], times[i]);
    if (result == BW_ERROR_NOT_FINITE || result == BW_ERROR_RANGE)
        return fault_set(
            why, "%s: frame %" PRIu32 " (%g s): vertex %" PRIu32 ": %c = %g (%" PRIu64 " such number%s)",
            m->file, report->frame, times[report->frame], report->vertex, "xyz"[report->axis % 3],
            report -> value, report -> defective, report -> defective == 1 ? "" : "s");
    return fault_set(why, "%s: its motion: %s", m->file, bw_result_string(result));
}

bool film_finish(model *m, fault *why)
{
    if (m->film.frame_count == 0)
        return true;
    bw_motion motion = animation_motion(m);
    bw_motion_report report = {.defective = 0};
    /* A single frame is no motion; looked at twice, it can be judged like one. */
    const void *const twice[2] = {m->film.frames[0], m->film.frames[0]};
    static const double any_times[2] = {0, 1};
    const bool single = m->film.frame_count == 1;
    if (single) {
        motion.frame_count = 2;
        motion.frames = twice;
        motion.times = any_times;
    }
    bw_result result = bw_motion_validate(&motion, &report);
    if (result != BW_OK) {
        name_fault(m, result, &report, why);
        model_free(m);
        return false;
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        bw_vec3 p = bw_motion_position(&motion, v, motion.times[0]);
        double *q = m->positions + 3 * (size_t)v;
        q[0] = p.x;
        q[1] = p.y;
        q[2] = p.z;
    }
    if (single)
        film_free(&m->film);
    return true;
}
