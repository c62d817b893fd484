/* Files and their motion, all on one clock. */
#include "progress.h"
#include "track.h"
#include "weld.h"

#include <math.h>
#include <stdlib.h>

static double number_at(const model_film *film, uint32_t frame, size_t i)
{
    return film->scalar == BW_F64 ? ((const double *)film->frames[frame])[i]
                                  : (double)((const float *)film->frames[frame])[i];
}

/* All frames mapped by the pose, as doubles. */
static bool map_frames(track_object *o, const bw_transform *pose, fault *why)
{
    const model_film *film = &o->model.film;
    size_t n = o->model.vertex_count;
    uint32_t frames = film->frame_count > 0 ? film->frame_count : 1;
    o->posed = tool_alloc(3 * n * frames, sizeof *o->posed);
    for (uint32_t k = 0; k < frames; k++)
        for (size_t v = 0; v < n; v++) {
            double x[3];
            for (size_t axis = 0; axis < 3; axis++)
                x[axis] = film->frame_count > 0 ? number_at(film, k, 3 * v + axis)
                                                : o->model.positions[3 * v + axis];
            bw_vec3 p = bw_transform_point(pose, (bw_vec3){x[0], x[1], x[2]});
            if (!bw_exact_range(&p, 1))
                return fault_set(why, "%s: frame %u: vertex %zu: its pose moves it out of the exact range",
                                 o->model.file, k, v);
            double *to = o->posed + 3 * (n * k + v);
            to[0] = p.x;
            to[1] = p.y;
            to[2] = p.z;
        }
    return true;
}

bool track_open(track *t, const char *file, const animation_desc *desc, const bw_transform *pose, fault *why)
{
    track_object o = {.moves = false};
    progress_step("reading %s", file);
    bool fine = animation_read(file, desc, &o.model, why);
    progress_end();
    if (!fine)
        return false;
    model_warn(&o.model);
    t->objects = tool_resize(t->objects, t->count + 1, sizeof *t->objects);
    t->objects[t->count] = o;
    track_object *kept = &t->objects[t->count++];
    kept->moves = kept->model.film.frame_count > 1;
    if (kept->model.indices == NULL)
        return fault_set(why, "%s: only points: track needs triangles", file);
    return pose == NULL || map_frames(kept, pose, why);
}

/* Many formats repeat a vertex for each of its faces. Neighbours would then touch themselves at all times:
 * vertices that are at one place in every frame become one. A triangle that would lose a corner stays as it
 * is. */
static void weld_object(track_object *o)
{
    uint32_t n = o->model.vertex_count;
    uint32_t *same = tool_alloc(n, sizeof *same), *now = tool_alloc(n, sizeof *now);
    bw_mesh at = o->mesh;
    at.scalar = o->motion.scalar;
    at.positions = o->frames[0];
    uint32_t places = weld_equal(&at, same);
    for (uint32_t k = 1; k < o->frame_count && places < n; k++) {
        at.positions = o->frames[k];
        weld_equal(&at, now);
        places = weld_refine(same, now, n);
    }
    for (size_t i = 0; places < n && i < o->model.triangle_count; i++) {
        uint32_t *c = o->model.indices + 3 * i;
        if (c[0] >= n || c[1] >= n || c[2] >= n)
            continue;
        uint32_t a = same[c[0]], b = same[c[1]], d = same[c[2]];
        if (a == b || b == d || d == a)
            continue;
        c[0] = a;
        c[1] = b;
        c[2] = d;
    }
    o->welded = n - places;
    free(same);
    free(now);
}

bool track_align(track *t, fault *why)
{
    t->begin = INFINITY;
    t->end = -INFINITY;
    for (uint32_t i = 0; i < t->count; i++) {
        const model_film *film = &t->objects[i].model.film;
        if (!t->objects[i].moves)
            continue;
        t->begin = fmin(t->begin, film->times[0]);
        t->end = fmax(t->end, film->times[film->frame_count - 1]);
    }
    if (!(t->begin < t->end))
        return fault_set(why, "nothing moves: boxwood check is for files that stand still");
    for (uint32_t i = 0; i < t->count; i++) {
        track_object *o = &t->objects[i];
        const model_film *film = &o->model.film;
        uint32_t own = o->moves ? film->frame_count : 1, n = 0;
        o->times = tool_alloc((size_t)own + 2, sizeof *o->times);
        o->frames = tool_alloc((size_t)own + 2, sizeof *o->frames);
        bool wide = o->posed != NULL || film->frame_count == 0 || film->scalar == BW_F64;
        for (uint32_t k = 0; k < own; k++) {
            const void *frame = o->posed != NULL        ? o->posed + 3 * (size_t)o->model.vertex_count * k
                                : film->frame_count > 0 ? film->frames[k]
                                                        : (const void *)o->model.positions;
            double time = o->moves ? film->times[k] : t->begin;
            if (k == 0 && time > t->begin) { /* it rests until its film begins */
                o->times[n] = t->begin;
                o->frames[n++] = frame;
            }
            o->times[n] = time;
            o->frames[n++] = frame;
        }
        if (o->times[n - 1] < t->end) {
            o->times[n] = t->end;
            o->frames[n] = o->frames[n - 1];
            n++;
        }
        o->frame_count = n;
        o->mesh = model_view(&o->model);
        o->motion = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                                .vertex_count = o->model.vertex_count,
                                .scalar = wide ? BW_F64 : BW_F32,
                                .frame_count = n,
                                .times = o->times,
                                .frames = o->frames};
        bw_motion_report at;
        bw_result result = bw_motion_validate(&o->motion, &at);
        if (result == BW_ERROR_NOT_FINITE || result == BW_ERROR_RANGE)
            return fault_set(why, "%s: frame %u: vertex %u: %c = %g: %s", o->model.file, at.frame, at.vertex,
                             "xyz"[at.axis], at.value, bw_defect_string(at.defect));
        if (result != BW_OK)
            return fault_set(why, "%s: %s", o->model.file, bw_result_string(result));
        if (t->self)
            weld_object(o);
    }
    return true;
}

void track_free(track *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        free(t->objects[i].times);
        free(t->objects[i].frames);
        free(t->objects[i].posed);
        model_free(&t->objects[i].model);
    }
    free(t->objects);
    free(t->contacts);
}
