/* The search: what happens in each piece of time, several side by side, and the contacts that come of it. */
#include "body.h"
#include "interrupt.h"
#include "progress.h"
#include "track/track.h"

#include <math.h>
#include <stdlib.h>

/* The events of a piece while they are found. */
typedef struct finding {
    const track *track;
    const track_mover *movers;
    track_events *out;
} finding;

/* As an event of two parts. */
static bool keep_event(void *user, const bw_timeline_event *told)
{
    finding *f = user;
    const track *t = f->track;
    const track_mover *m[2] = {&f->movers[told->object_a], &f->movers[told->object_b]};
    uint32_t triangles[2] = {told->triangle_a, told->triangle_b}, parts[2];
    for (int k = 0; k < 2; k++) {
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

bool track_find_events(const track *t, const track_mover *movers, uint32_t mover_count, uint32_t number,
                       track_events *out, fault *why)
{
    const track_piece *piece = &t->pieces[number];
    *out = (track_events){.list = NULL};
    bw_moving *moving = tool_alloc(mover_count, sizeof *moving);
    bw_motion *motions = tool_alloc(mover_count, sizeof *motions);
    track_rest *rests = tool_alloc(mover_count, sizeof *rests);
    for (uint32_t i = 0; i < mover_count; i++) {
        const track_mover *m = &movers[i];
        const track_object *o = &t->objects[m->object];
        bool whole = m->part == BW_NONE;
        motions[i] = whole ? track_motion(o, piece, &rests[i])
                           : track_part_motion(t, &t->parts[m->part], piece, &rests[i]);
        moving[i] = (bw_moving){whole ? &o->mesh : &t->parts[m->part].mesh, &motions[i]};
    }
    finding f = {t, movers, out};
    bw_timeline_desc desc = {.mode = t->first_only && !rules_any(t->rules) ? BW_TIMELINE_FIRST
                                                                           : BW_TIMELINE_TRIANGLES,
                             .self = t->self,
                             .from = piece->from,
                             .to = piece->instant ? piece->to + 1 : piece->to,
                             .on_event = keep_event,
                             .user = &f};
    bw_timeline_report report_out = {0};
    bw_fault where = {0};
    bw_result result = bw_contact_timeline(moving, mover_count, &desc, &report_out, &where);
    out->instants = report_out.instant_count;
    free(moving);
    free(motions);
    free(rests);
    uint32_t object = where.element < mover_count ? movers[where.element].object : 0;
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
