/* The search: what happens in each piece of time, several side by side, and the contacts that come of it. */
#include "body.h"
#include "interrupt.h"
#include "progress.h"
#include "track/store.h"

#include <math.h>
#include <stdlib.h>

/* The events of a piece while they are found. */
typedef struct finding {
    const track *track;
    const track_mover *movers;
    const track_near *near; /* of a mover that is a store */
    track_events *out;
} finding;

/* The part of a store, by the triangle of the parts that are near; that becomes one of the file. */
static uint32_t near_part(const track *t, const track_near *near, uint32_t *triangle)
{
    uint32_t low = 0, high = near->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (near->first[middle] <= *triangle)
            low = middle;
        else
            high = middle;
    }
    /* Parts without triangles begin where the next does. */
    *triangle = t->parts[near->parts[low]].first_triangle + (*triangle - near->first[low]);
    return near->parts[low];
}

/* As an event of two parts. */
static bool keep_event(void *user, const bw_timeline_event *told)
{
    finding *f = user;
    const track *t = f->track;
    const track_mover *m[2] = {&f->movers[told->object_a], &f->movers[told->object_b]};
    uint32_t triangles[2] = {told->triangle_a, told->triangle_b}, parts[2];
    for (int k = 0; k < 2; k++) {
        if (t->objects[m[k]->object].store) {
            parts[k] = near_part(t, f->near, &triangles[k]);
            continue;
        }
        if (m[k]->part != BW_NONE)
            triangles[k] += t->parts[m[k]->part].first_triangle;
        parts[k] = m[k]->part != BW_NONE ? m[k]->part : track_part_of(t, m[k]->object, triangles[k]);
    }
    double depth;
    rules_verdict verdict = rules_judge(t->rules, parts[0], parts[1], &depth);
    track_events *out = f->out;
    if (verdict == RULES_ASIDE || verdict == RULES_ALLOWED) {
        out->aside += told->begins;
        return true;
    }
    bw_timeline_event e = *told;
    e.object_a = parts[0];
    e.object_b = parts[1];
    e.triangle_a = triangles[0];
    e.triangle_b = triangles[1];
    out->list = tool_grow(out->list, out->count, &out->capacity, sizeof *out->list);
    out->list[out->count++] = e;
    return !t->first_only && !interrupt_asked();
}

/* The movers of a piece. Of a store those parts that others come near, or it is not among them. */
typedef struct cast {
    bw_moving *moving;
    bw_motion *motions;
    track_rest *rests;
    track_mover *movers;
    uint32_t count;
    track_near near;
} cast;

static bool cast_near(const track *t, const track_piece *piece, const track_mover *m, cast *c, fault *why)
{
    if (!track_store_near(t, m->object, piece, &c->near, why))
        return false;
    const bw_mesh *mesh = &c->near.all.mesh;
    if (mesh->triangle_count == 0)
        return true;
    c->motions[c->count] = track_placed_motion(t, &c->near.all, piece, &c->rests[c->count]);
    c->moving[c->count] = (bw_moving){mesh, &c->motions[c->count]};
    c->movers[c->count++] = *m;
    return true;
}

static bool cast_movers(const track *t, const track_piece *piece, const track_mover *movers, uint32_t count,
                        cast *c, fault *why)
{
    *c = (cast){.moving = tool_alloc(count, sizeof *c->moving),
                .motions = tool_alloc(count, sizeof *c->motions),
                .rests = tool_alloc(count, sizeof *c->rests),
                .movers = tool_alloc(count, sizeof *c->movers)};
    for (uint32_t i = 0; i < count; i++) {
        const track_mover *m = &movers[i];
        const track_object *o = &t->objects[m->object];
        const bool whole = m->part == BW_NONE;
        if (o->store) {
            if (!cast_near(t, piece, m, c, why))
                return false;
            continue;
        }
        const uint32_t k = c->count++;
        c->movers[k] = *m;
        c->motions[k] = whole ? track_motion(o, piece, &c->rests[k])
                              : track_part_motion(t, &t->parts[m->part], piece, &c->rests[k]);
        c->moving[k] = (bw_moving){whole ? &o->mesh : &t->parts[m->part].mesh, &c->motions[k]};
    }
    return true;
}

static void cast_free(cast *c)
{
    free(c->moving);
    free(c->motions);
    free(c->rests);
    free(c->movers);
    track_near_free(&c->near);
}

bool track_find_events(const track *t, const track_mover *movers, uint32_t mover_count, uint32_t number,
                       track_events *out, fault *why)
{
    const track_piece *piece = &t->pieces[number];
    *out = (track_events){.list = NULL};
    cast c;
    const bool cast_fine = cast_movers(t, piece, movers, mover_count, &c, why);
    if (!cast_fine || (c.count < mover_count && c.count < 2)) { /* nothing comes near the store */
        cast_free(&c);
        return cast_fine;
    }
    finding f = {t, c.movers, &c.near, out};
    bw_timeline_desc desc = {.mode = t->first_only && !rules_any(t->rules) ? BW_TIMELINE_FIRST
                                                                           : BW_TIMELINE_TRIANGLES,
                             .self = t->self,
                             .from = piece->from,
                             .to = piece->instant ? piece->to + 1 : piece->to,
                             .on_event = keep_event,
                             .user = &f};
    bw_timeline_report report_out = {0};
    bw_fault where = {0};
    bw_result result = bw_contact_timeline(c.moving, c.count, &desc, &report_out, &where);
    out->instants = report_out.instant_count;
    uint32_t object = where.element < c.count ? c.movers[where.element].object : 0;
    cast_free(&c);
    return result == BW_OK ||
           (result == BW_ERROR_INDEX || result == BW_ERROR_EMPTY
                ? fault_set(why, "%s: %s", t->objects[object].model.file, bw_result_string(result))
                : fault_set(why, "%s", bw_result_string(result)));
}

uint32_t track_movers(const track *t, track_mover **out)
{
    uint32_t count = 0;
    track_mover *list = tool_alloc(t->by_parts ? t->part_count : t->count, sizeof *list);
    for (uint32_t i = 0; i < (t->by_parts ? t->part_count : t->count); i++)
        if (!t->by_parts)
            list[count++] = (track_mover){i, BW_NONE};
        else if (rules_uses(t->rules, i) && t->parts[i].mesh.triangle_count > 0)
            list[count++] = (track_mover){t->parts[i].object, i};
    *out = list;
    /* A single part has nothing to meet but itself. */
    return count < (t->self ? 1 : 2) ? 0 : count;
}

/* A piece, until it is its turn. */
typedef struct job {
    const track *track;
    const track_mover *movers;
    uint32_t mover_count, piece;
    track_events events;
    bool failed;
    fault why;
} job;

static void run_jobs(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *jobs = context;
    for (uint32_t i = begin; i < end && !interrupt_asked(); i++) {
        job *j = &jobs[i];
        j->failed = !track_find_events(j->track, j->movers, j->mover_count, j->piece, &j->events, &j->why);
        progress_done(1);
    }
}

/* As many pieces at a time as keep the threads at work; their events wait for their turn. */
static bool search_pieces(track *t, track_stitch *s, const track_mover *movers, uint32_t mover_count,
                          const bw_tasks *tasks, fault *why)
{
    const uint32_t at_a_time = t->first_only ? 1 : 4 * tasks->worker_count;
    job *jobs = tool_alloc(at_a_time, sizeof *jobs);
    bool fine = true;
    for (uint32_t first = 0; first < t->piece_count && fine && !(t->first_only && t->contact_count > 0);
         first += at_a_time) {
        uint32_t count = t->piece_count - first < at_a_time ? t->piece_count - first : at_a_time;
        for (uint32_t i = 0; i < count; i++) {
            jobs[i].track = t;
            jobs[i].movers = movers;
            jobs[i].mover_count = mover_count;
            jobs[i].piece = first + i;
            jobs[i].events = (track_events){.list = NULL};
            jobs[i].failed = false;
        }
        tasks->parallel_for(tasks->user, run_jobs, jobs, count, 1);
        if (interrupt_asked())
            fine = fault_set(why, "interrupted");
        for (uint32_t i = 0; i < count; i++) {
            const job *j = &jobs[i];
            if (fine && j->failed)
                fine = fault_set(why, "%s", j->why.text);
            fine = fine && (track_stitch_piece(s, &t->pieces[j->piece], j->piece == 0,
                                               j->piece + 1 == t->piece_count, &j->events) ||
                            fault_set(why, "what happens from %g to %g s does not hold together",
                                      t->pieces[j->piece].from, t->pieces[j->piece].to));
            free(j->events.list);
        }
    }
    free(jobs);
    return fine;
}

bool track_search(track *t, const bw_tasks *tasks, fault *why)
{
    track_mover *movers;
    uint32_t count = track_movers(t, &movers);
    track_stitch *s = track_stitch_start(t);
    progress_step("looking for contacts from %g to %g s", t->begin, t->end);
    progress_total(t->piece_count > 1 ? t->piece_count : 0);
    double start = seconds_now();
    interrupt_watch();
    bool fine = count == 0 || search_pieces(t, s, movers, count, tasks, why);
    interrupt_unwatch();
    t->seconds = seconds_now() - start;
    progress_end();
    free(movers);
    track_stitch_end(s);
    return fine;
}
