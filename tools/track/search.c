/* The timeline, and what checks of single frames would miss of it. */
#include "body.h"
#include "interrupt.h"
#include "progress.h"
#include "track/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int track_rates[TRACK_RATES] = {24, 30, 60};

/* Contacts of triangles that have begun, by who is in them: open addressing, never more than half full. */
typedef struct begun {
    uint32_t who[4]; /* parts, triangles of their files; who[0] == BW_NONE: free */
    double from;
    bool waits; /* in contact when the last piece of time ended: does the next begin with it? */
} begun;

/* Two parts that have met. */
typedef struct couple {
    uint64_t key;      /* part a in the high half, b in the low; UINT64_MAX: free */
    size_t open;       /* its contact in track->contacts */
    uint64_t touching; /* pairs of triangles in contact now */
} couple;

typedef struct search {
    track *track;
    begun *table;
    size_t used, room; /* room: a power of two */
    couple *couples;   /* open addressing, too */
    size_t couple_count, couple_room;
    uint64_t waiting; /* contacts that do */
    const track_piece *piece;
    bool settled;     /* it is known which contacts of the piece before go on */
    bool first, last; /* is it the first, the last? */
} search;

static size_t place_of(const search *s, const uint32_t who[4])
{
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < 4; i++)
        hash = (hash ^ who[i]) * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(hash >> 20) & (s->room - 1);
    while (s->table[at].who[0] != BW_NONE && memcmp(s->table[at].who, who, sizeof s->table[at].who) != 0)
        at = (at + 1) & (s->room - 1);
    return at;
}

static void widen(search *s)
{
    begun *old = s->table;
    size_t old_room = s->room;
    s->room = old_room == 0 ? 1024 : 2 * old_room;
    s->table = tool_alloc(s->room, sizeof *s->table);
    for (size_t i = 0; i < s->room; i++)
        s->table[i].who[0] = BW_NONE;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].who[0] != BW_NONE)
            s->table[place_of(s, old[i].who)] = old[i];
    free(old);
}

/* Takes an entry out; what stands behind it moves up, so that nothing is lost. */
static double take_out(search *s, size_t at)
{
    double from = s->table[at].from;
    s->table[at].who[0] = BW_NONE;
    s->used--;
    for (size_t i = (at + 1) & (s->room - 1); s->table[i].who[0] != BW_NONE; i = (i + 1) & (s->room - 1)) {
        begun moved = s->table[i];
        s->table[i].who[0] = BW_NONE;
        s->table[place_of(s, moved.who)] = moved;
    }
    return from;
}

/* Whether a frame of that many a second falls into a contact. */
static bool sampled(const track *t, int rate, double from, double to)
{
    double frame = ceil((from - t->begin) * rate - 1e-9);
    double time = t->begin + frame / rate;
    return time <= to + 1e-9 / rate && time <= t->end + 1e-9;
}

static couple *find_couple(couple *list, size_t room, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (list[at].key != UINT64_MAX && list[at].key != key)
        at = (at + 1) & (room - 1);
    return &list[at];
}

static couple *couple_of(search *s, const bw_timeline_event *e)
{
    if (2 * (s->couple_count + 1) > s->couple_room) {
        size_t room = s->couple_room == 0 ? 64 : 2 * s->couple_room;
        couple *list = tool_alloc(room, sizeof *list);
        for (size_t i = 0; i < room; i++)
            list[i] = (couple){.key = UINT64_MAX};
        for (size_t i = 0; i < s->couple_room; i++)
            if (s->couples[i].key != UINT64_MAX)
                *find_couple(list, room, s->couples[i].key) = s->couples[i];
        free(s->couples);
        s->couples = list;
        s->couple_room = room;
    }
    uint64_t key = (uint64_t)e->object_a << 32 | e->object_b;
    couple *c = find_couple(s->couples, s->couple_room, key);
    s->couple_count += c->key == UINT64_MAX;
    c->key = key;
    return c;
}

static void begin_contact(search *s, const bw_timeline_event *e)
{
    track *t = s->track;
    couple *pair = couple_of(s, e);
    if (pair->touching++ == 0) {
        pair->open = t->contact_count;
        t->contacts = tool_grow(t->contacts, t->contact_count, &t->contact_capacity, sizeof *t->contacts);
        t->contacts[t->contact_count++] = (track_contact){.part_a = e->object_a,
                                                          .part_b = e->object_b,
                                                          .triangle_a = e->triangle_a,
                                                          .triangle_b = e->triangle_b,
                                                          .from = e->time,
                                                          .to = e->time,
                                                          .cut_start = e->cut};
    }
    track_contact *c = &t->contacts[pair->open];
    c->most = c->most > pair->touching ? c->most : pair->touching;
}

static void end_contact(search *s, const bw_timeline_event *e, double from)
{
    track *t = s->track;
    couple *pair = couple_of(s, e);
    track_contact *c = &t->contacts[pair->open];
    for (int i = 0; i < TRACK_RATES; i++)
        t->missed_triangles[i] += !sampled(t, track_rates[i], from, e->time);
    c->to = e->time;
    c->cut_end = c->cut_end || e->cut;
    if (--pair->touching > 0)
        return;
    for (int i = 0; i < TRACK_RATES; i++)
        t->missed[i] += !sampled(t, track_rates[i], c->from, c->to);
}

/* Ends the contacts of the piece before that this one does not begin with: a jump has parted them. */
static void settle(search *s)
{
    s->settled = true;
    for (size_t i = 0; s->waiting > 0 && i < s->room; i++)
        while (s->table[i].who[0] != BW_NONE && s->table[i].waits) { /* another may move up into this place */
            const uint32_t *who = s->table[i].who;
            const bw_timeline_event e = {.time = s->piece->from,
                                         .object_a = who[0],
                                         .object_b = who[1],
                                         .triangle_a = who[2],
                                         .triangle_b = who[3]};
            end_contact(s, &e, take_out(s, i));
            s->waiting--;
        }
}

/* An event of the present piece, between parts, by the triangles of their files. */
static void take_event(search *s, const bw_timeline_event *told)
{
    bw_timeline_event e = *told;
    const uint32_t who[4] = {e.object_a, e.object_b, e.triangle_a, e.triangle_b};
    e.time = fmin(e.time, s->piece->to); /* an instant was stretched */
    /* Those in contact when the piece begins are told first. */
    if (!s->settled && !(e.begins && e.cut))
        settle(s);
    if (e.begins) {
        if (2 * (s->used + 1) > s->room)
            widen(s);
        begun *slot = &s->table[place_of(s, who)];
        if (slot->who[0] != BW_NONE) { /* it goes on */
            slot->waits = false;
            s->waiting--;
            return;
        }
        memcpy(slot->who, who, sizeof who);
        slot->from = e.time;
        slot->waits = false;
        s->used++;
        s->track->triangle_contacts++;
        e.cut = e.cut && s->first;
        begin_contact(s, &e);
    } else if (e.cut && !s->last) {
        s->table[place_of(s, who)].waits = true;
        s->waiting++;
    } else {
        end_contact(s, &e, take_out(s, place_of(s, who)));
    }
}

/* ---- pieces of time, side by side ---- */

/* What takes part: whole files, or with --parts their parts. */
typedef struct mover {
    uint32_t object, part; /* part BW_NONE: all of it */
} mover;

/* The events of a piece, until it is its turn. */
typedef struct job {
    const track *track;
    const mover *movers;
    uint32_t mover_count, piece;
    bw_timeline_event *events;
    size_t count, capacity;
    uint64_t aside, instants;
    bw_result result;
    uint32_t fault_object;
} job;

/* As an event of two parts. */
static bool keep_event(void *user, const bw_timeline_event *told)
{
    job *j = user;
    const track *t = j->track;
    const mover *m[2] = {&j->movers[told->object_a], &j->movers[told->object_b]};
    uint32_t triangles[2] = {told->triangle_a, told->triangle_b}, parts[2];
    for (int k = 0; k < 2; k++) {
        if (m[k]->part != BW_NONE)
            triangles[k] += t->parts[m[k]->part].first_triangle;
        parts[k] = m[k]->part != BW_NONE ? m[k]->part : track_part_of(t, m[k]->object, triangles[k]);
    }
    double depth;
    rules_verdict verdict = rules_judge(t->rules, parts[0], parts[1], &depth);
    if (verdict == RULES_ASIDE || verdict == RULES_ALLOWED) {
        j->aside += told->begins;
        return true;
    }
    bw_timeline_event e = *told;
    e.object_a = parts[0];
    e.object_b = parts[1];
    e.triangle_a = triangles[0];
    e.triangle_b = triangles[1];
    j->events = tool_grow(j->events, j->count, &j->capacity, sizeof *j->events);
    j->events[j->count++] = e;
    return !t->first_only && !interrupt_asked();
}

static void run_job(job *j)
{
    const track *t = j->track;
    const track_piece *piece = &t->pieces[j->piece];
    bw_moving *moving = tool_alloc(j->mover_count, sizeof *moving);
    bw_motion *motions = tool_alloc(j->mover_count, sizeof *motions);
    track_rest *rests = tool_alloc(j->mover_count, sizeof *rests);
    for (uint32_t i = 0; i < j->mover_count; i++) {
        const mover *m = &j->movers[i];
        const track_object *o = &t->objects[m->object];
        bool whole = m->part == BW_NONE;
        motions[i] = whole ? track_motion(o, piece, &rests[i])
                           : track_part_motion(t, &t->parts[m->part], piece, &rests[i]);
        moving[i] = (bw_moving){whole ? &o->mesh : &t->parts[m->part].mesh, &motions[i]};
    }
    bw_timeline_desc desc = {.mode = t->first_only && !rules_any(t->rules) ? BW_TIMELINE_FIRST
                                                                           : BW_TIMELINE_TRIANGLES,
                             .self = t->self,
                             .from = piece->from,
                             .to = piece->instant ? piece->to + 1 : piece->to,
                             .on_event = keep_event,
                             .user = j};
    bw_timeline_report report_out = {0};
    bw_fault where = {0};
    j->result = bw_contact_timeline(moving, j->mover_count, &desc, &report_out, &where);
    j->instants = report_out.instant_count;
    j->fault_object = where.element < j->mover_count ? j->movers[where.element].object : 0;
    free(moving);
    free(motions);
    free(rests);
    progress_done(1);
}

static void run_jobs(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *jobs = context;
    for (uint32_t i = begin; i < end && !interrupt_asked(); i++)
        run_job(&jobs[i]);
}

/* Tells the events of a piece in its turn. */
static void take_job(search *s, const job *j)
{
    track *t = s->track;
    s->piece = &t->pieces[j->piece];
    s->settled = false;
    s->first = j->piece == 0;
    s->last = j->piece + 1 == t->piece_count;
    for (size_t i = 0; i < j->count && !(t->first_only && t->contact_count > 0); i++)
        take_event(s, &j->events[i]);
    if (!s->settled)
        settle(s);
    t->instants += j->instants;
    t->aside += j->aside;
}

static uint32_t make_movers(const track *t, mover **out)
{
    uint32_t count = 0;
    mover *list = tool_alloc(t->by_parts ? t->part_count : t->count, sizeof *list);
    for (uint32_t i = 0; i < (t->by_parts ? t->part_count : t->count); i++)
        if (!t->by_parts)
            list[count++] = (mover){i, BW_NONE};
        else if (rules_uses(t->rules, i) && t->parts[i].mesh.triangle_count > 0)
            list[count++] = (mover){t->parts[i].object, i};
    *out = list;
    return count;
}

/* As many pieces at a time as keep the threads at work; their events wait for their turn. */
static bool search_pieces(search *s, const mover *movers, uint32_t mover_count, const bw_tasks *tasks,
                          fault *why)
{
    track *t = s->track;
    const uint32_t at_a_time = t->first_only ? 1 : 4 * tasks->worker_count;
    job *jobs = tool_alloc(at_a_time, sizeof *jobs);
    bool fine = true;
    for (uint32_t first = 0; first < t->piece_count && fine && !(t->first_only && t->contact_count > 0);
         first += at_a_time) {
        uint32_t count = t->piece_count - first < at_a_time ? t->piece_count - first : at_a_time;
        for (uint32_t i = 0; i < count; i++)
            jobs[i] = (job){.track = t, .movers = movers, .mover_count = mover_count, .piece = first + i};
        tasks->parallel_for(tasks->user, run_jobs, jobs, count, 1);
        if (interrupt_asked())
            fine = fault_set(why, "interrupted");
        for (uint32_t i = 0; i < count; i++) {
            const job *j = &jobs[i];
            if (fine && (j->result == BW_ERROR_INDEX || j->result == BW_ERROR_EMPTY))
                fine = fault_set(why, "%s: %s", t->objects[j->fault_object].model.file,
                                 bw_result_string(j->result));
            else if (fine && j->result != BW_OK)
                fine = fault_set(why, "%s", bw_result_string(j->result));
            if (fine)
                take_job(s, j);
            free(j->events);
        }
    }
    free(jobs);
    return fine;
}

bool track_search(track *t, const bw_tasks *tasks, fault *why)
{
    search s = {.track = t};
    mover *movers;
    uint32_t count = make_movers(t, &movers);
    widen(&s);
    progress_step("looking for contacts from %g to %g s", t->begin, t->end);
    progress_total(t->piece_count > 1 ? t->piece_count : 0);
    double start = seconds_now();
    interrupt_watch();
    /* A single part has nothing to meet but itself. */
    bool fine = count < (t->self ? 1 : 2) || search_pieces(&s, movers, count, tasks, why);
    interrupt_unwatch();
    t->seconds = seconds_now() - start;
    progress_end();
    free(movers);
    free(s.table);
    free(s.couples);
    return fine;
}
