/* Files and their motion, all on one clock. */
#include "progress.h"
#include "track/store.h"
#include "track/track.h"
#include "weld.h"

#include <math.h>
#include <stdlib.h>

bool track_open(track *t, const char *file, const animation_desc *desc, size_t memory, fault *why)
{
    track_object o = {.moves = false};
    progress_step("reading %s", file);
    bool fine = memory > 0 ? track_store_open(file, memory, &o, why)
                           : animation_open(file, desc, &o.model, &o.stream, why);
    progress_end();
    if (!fine)
        return false;
    model_warn(&o.model);
    t->objects = tool_resize(t->objects, t->count + 1, sizeof *t->objects);
    t->objects[t->count++] = o;
    return o.store || o.model.indices != NULL ||
           fault_set(why, "%s: only points: track needs triangles", file);
}

bool track_hold(track *t, uint32_t object, const bw_transform *pose, fault *why)
{
    track_object *o = &t->objects[object];
    if (o->store) {
        track_store_map(o->store, pose);
        return true;
    }
    progress_step("reading %s", o->model.file);
    bool fine = film_hold(&o->model, &o->stream, pose, FILM_IN_MEMORY, why);
    progress_end();
    o->moves = fine && o->model.film.frame_count > 1;
    return fine;
}

/* Many formats repeat a vertex for each of its faces. Neighbours would then touch themselves at all times:
 * vertices that are at one place in every frame become one. A triangle that would lose a corner stays as it
 * is. */
static void weld_object(track_object *o)
{
    uint32_t n = o->model.vertex_count;
    uint32_t *same = tool_alloc(n, sizeof *same), *now = tool_alloc(n, sizeof *now);
    bw_mesh at = o->mesh;
    at.scalar = o->scalar;
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

/* Its frames over the whole time: it rests before and after its film. */
static void align(track_object *o, double begin, double end)
{
    const model_film *film = &o->model.film;
    uint32_t own = o->moves ? film->frame_count : 1, n = 0;
    o->times = tool_alloc((size_t)own + 2, sizeof *o->times);
    o->frames = tool_alloc((size_t)own + 2, sizeof *o->frames);
    o->scalar = o->moves ? film->scalar : BW_F64;
    for (uint32_t k = 0; k < own; k++) {
        const void *frame = o->moves ? film->frames[k] : (const void *)o->model.positions;
        double time = o->moves ? film->times[k] : begin;
        if (k == 0 && time > begin) {
            o->times[n] = begin;
            o->frames[n++] = frame;
        }
        o->times[n] = time;
        o->frames[n++] = frame;
    }
    if (o->times[n - 1] < end) {
        o->times[n] = end;
        o->frames[n] = o->frames[n - 1];
        n++;
    }
    o->frame_count = n;
    o->mesh = model_view(&o->model);
}

/* Keyframes of a piece, about, so that threads find pieces to share; the same for any number of threads. */
enum { PIECE_KEYFRAMES = 8 };

static void add_border(double **borders, size_t *count, size_t *capacity, double time)
{
    *borders = tool_grow(*borders, *count, capacity, sizeof **borders);
    (*borders)[(*count)++] = time;
}

/* Pieces between the jumps of all objects, and no longer than some keyframes: a search divided at keyframes finds
 * what the whole one does. */
static void divide(track *t)
{
    double *borders = NULL, *keys = NULL;
    size_t count = 0, capacity = 0, key_count = 0, key_capacity = 0;
    bool last = false; /* something jumps at the very end */
    for (uint32_t i = 0; i < t->count; i++) {
        const track_object *o = &t->objects[i];
        for (uint32_t k = 1; k < o->frame_count; k++) {
            if (o->times[k] != o->times[k - 1])
                continue;
            add_border(&borders, &count, &capacity, o->times[k]);
            last |= o->times[k] == t->end;
        }
        for (uint32_t k = 0; o->moves && k < o->frame_count; k++)
            add_border(&keys, &key_count, &key_capacity, o->times[k]);
    }
    for (uint32_t i = 0; i < t->cut_count; i++)
        add_border(&borders, &count, &capacity, t->cuts[i]);
    key_count = sampler_merge(keys, key_count);
    for (size_t i = PIECE_KEYFRAMES; i + PIECE_KEYFRAMES / 2 < key_count; i += PIECE_KEYFRAMES)
        add_border(&borders, &count, &capacity, keys[i]);
    free(keys);
    count = sampler_merge(borders, count);
    t->pieces = tool_alloc(count + 2, sizeof *t->pieces);
    double from = t->begin;
    for (size_t i = 0; i < count; i++) {
        if (!(borders[i] > from && borders[i] < t->end))
            continue;
        t->pieces[t->piece_count++] = (track_piece){from, borders[i], false};
        from = borders[i];
    }
    t->pieces[t->piece_count++] = (track_piece){from, t->end, false};
    if (last)
        t->pieces[t->piece_count++] = (track_piece){t->end, t->end, true};
    free(borders);
}

bw_motion track_motion(const track_object *o, const track_piece *piece, track_rest *two)
{
    bw_motion motion = {
        .kind = BW_MOTION_KEYFRAMES, .vertex_count = o->model.vertex_count, .scalar = o->scalar};
    if (piece->instant) {
        *two = (track_rest){{piece->to, piece->to + 1},
                            {o->frames[o->frame_count - 1], o->frames[o->frame_count - 1]}};
        motion.frame_count = 2;
        motion.times = two->times;
        motion.frames = two->frames;
        return motion;
    }
    /* From the last frame at the beginning, after a jump there, to the first at the end. */
    uint32_t first = 0, last;
    while (first + 1 < o->frame_count && o->times[first + 1] <= piece->from)
        first++;
    for (last = first + 1; o->times[last] < piece->to;)
        last++;
    motion.frame_count = last - first + 1;
    motion.times = o->times + first;
    motion.frames = o->frames + first;
    return motion;
}

static bool validate(const track *t, const track_object *o, fault *why)
{
    for (uint32_t i = 0; i < t->piece_count; i++) {
        track_rest two;
        bw_motion motion = track_motion(o, &t->pieces[i], &two);
        bw_fault at;
        bw_result result = bw_motion_validate(&motion, &at);
        if (result == BW_ERROR_NOT_FINITE || result == BW_ERROR_RANGE)
            return fault_set(why, "%s: %g s: vertex %u: %c = %g: %s", o->model.file, motion.times[at.element],
                             at.vertex, "xyz"[at.axis], at.value, at.text);
        if (result != BW_OK)
            return fault_set(why, "%s: %s", o->model.file, bw_result_string(result));
    }
    return true;
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
    for (uint32_t i = 0; i < t->count; i++)
        align(&t->objects[i], t->begin, t->end);
    divide(t);
    for (uint32_t i = 0; i < t->count; i++) {
        if (!t->objects[i].store && !validate(t, &t->objects[i], why))
            return false;
        if (t->self)
            weld_object(&t->objects[i]);
    }
    track_make_parts(t);
    return true;
}

void track_free(track *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        free(t->objects[i].times);
        free(t->objects[i].frames);
        track_store_close(t->objects[i].store);
        stream_close(&t->objects[i].stream);
        model_free(&t->objects[i].model);
    }
    track_free_parts(t);
    free(t->objects);
    for (size_t i = 0; i < t->contact_count; i++)
        track_contact_free(&t->contacts[i]);
    free(t->contacts);
    free(t->pieces);
}
