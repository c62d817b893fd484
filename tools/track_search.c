/* The timeline, and what checks of single frames would miss of it. */
#include "body.h"
#include "progress.h"
#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int track_rates[TRACK_RATES] = {24, 30, 60};

/* Contacts of triangles that have begun, by who is in them: open addressing, never more than half full. */
typedef struct begun {
    uint32_t who[4]; /* objects, triangles; who[0] == BW_NONE: free */
    double from;
    bool waits; /* in contact when the last piece of time ended: does the next begin with it? */
} begun;

typedef struct search {
    track *track;
    begun *table;
    size_t used, room; /* room: a power of two */
    size_t *open;      /* by pair of objects: its contact in track->contacts, or SIZE_MAX */
    uint64_t *touching;
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

static void begin_contact(search *s, const bw_timeline_event *e)
{
    track *t = s->track;
    size_t pair = (size_t)e->object_a * t->count + e->object_b;
    if (s->touching[pair]++ == 0) {
        s->open[pair] = t->contact_count;
        t->contacts = tool_grow(t->contacts, t->contact_count, &t->contact_capacity, sizeof *t->contacts);
        t->contacts[t->contact_count++] = (track_contact){.object_a = e->object_a,
                                                          .object_b = e->object_b,
                                                          .triangle_a = e->triangle_a,
                                                          .triangle_b = e->triangle_b,
                                                          .from = e->time,
                                                          .to = e->time,
                                                          .cut_start = e->cut};
    }
    track_contact *c = &t->contacts[s->open[pair]];
    c->most = c->most > s->touching[pair] ? c->most : s->touching[pair];
}

static void end_contact(search *s, const bw_timeline_event *e, double from)
{
    track *t = s->track;
    size_t pair = (size_t)e->object_a * t->count + e->object_b;
    track_contact *c = &t->contacts[s->open[pair]];
    for (int i = 0; i < TRACK_RATES; i++)
        t->missed_triangles[i] += !sampled(t, track_rates[i], from, e->time);
    c->to = e->time;
    c->cut_end = c->cut_end || e->cut;
    if (--s->touching[pair] > 0)
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

static bool on_event(void *user, const bw_timeline_event *told)
{
    search *s = user;
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
            return true;
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
    return true;
}

/* One piece of the time. */
static bw_result search_piece(search *s, uint32_t number, bw_fault *where)
{
    track *t = s->track;
    const track_piece *piece = &t->pieces[number];
    bw_moving *moving = tool_alloc(t->count, sizeof *moving);
    bw_motion *motions = tool_alloc(t->count, sizeof *motions);
    track_rest *rests = tool_alloc(t->count, sizeof *rests);
    for (uint32_t i = 0; i < t->count; i++) {
        motions[i] = track_motion(&t->objects[i], piece, &rests[i]);
        moving[i] = (bw_moving){&t->objects[i].mesh, &motions[i]};
    }
    s->piece = piece;
    s->settled = false;
    s->first = number == 0;
    s->last = number + 1 == t->piece_count;
    bw_timeline_desc desc = {.mode = t->first_only ? BW_TIMELINE_FIRST : BW_TIMELINE_TRIANGLES,
                             .self = t->self,
                             .from = piece->from,
                             .to = piece->instant ? piece->to + 1 : piece->to,
                             .on_event = on_event,
                             .user = s};
    bw_timeline_report report = {0};
    bw_result result = bw_contact_timeline(moving, t->count, &desc, &report, where);
    if (result == BW_OK) {
        if (!s->settled)
            settle(s);
        t->instants += report.instant_count;
    }
    free(moving);
    free(motions);
    free(rests);
    return result;
}

bool track_search(track *t, fault *why)
{
    search s = {.track = t};
    size_t pairs = (size_t)t->count * t->count;
    s.open = tool_alloc(pairs, sizeof *s.open);
    s.touching = tool_alloc(pairs, sizeof *s.touching);
    for (size_t i = 0; i < pairs; i++) {
        s.open[i] = SIZE_MAX;
        s.touching[i] = 0;
    }
    widen(&s);
    bw_fault where = {0};
    bw_result result = BW_OK;
    progress_step("looking for contacts from %g to %g s", t->begin, t->end);
    progress_total(t->piece_count > 1 ? t->piece_count : 0);
    double start = seconds_now();
    for (uint32_t i = 0; i < t->piece_count && result == BW_OK && !(t->first_only && t->contact_count > 0);
         i++) {
        result = search_piece(&s, i, &where);
        progress_done(1);
    }
    t->seconds = seconds_now() - start;
    progress_end();
    free(s.table);
    free(s.open);
    free(s.touching);
    if (result == BW_ERROR_INDEX || result == BW_ERROR_EMPTY)
        return fault_set(why, "%s: %s", t->objects[where.element < t->count ? where.element : 0].model.file,
                         bw_result_string(result));
    return result == BW_OK || fault_set(why, "%s", bw_result_string(result));
}
