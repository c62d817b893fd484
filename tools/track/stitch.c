/* Contacts out of events: pieces of time one after the other, and what goes on from one to the next. */
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

struct track_stitch {
    track *track;
    begun *table;
    size_t used, room; /* room: a power of two */
    couple *couples;   /* open addressing, too */
    size_t couple_count, couple_room;
    uint64_t waiting; /* contacts that do */
    const track_piece *piece;
    bool settled;     /* it is known which contacts of the piece before go on */
    bool first, last; /* is it the first, the last? */
    bool broken;      /* events that cannot be: something ends that has not begun */
};

static size_t place_of(const track_stitch *s, const uint32_t who[4])
{
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < 4; i++)
        hash = (hash ^ who[i]) * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(hash >> 20) & (s->room - 1);
    while (s->table[at].who[0] != BW_NONE && memcmp(s->table[at].who, who, sizeof s->table[at].who) != 0)
        at = (at + 1) & (s->room - 1);
    return at;
}

static void widen(track_stitch *s)
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
static double take_out(track_stitch *s, size_t at)
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

static couple *couple_of(track_stitch *s, const bw_timeline_event *e)
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

static void begin_contact(track_stitch *s, const bw_timeline_event *e)
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

static void end_contact(track_stitch *s, const bw_timeline_event *e, double from)
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
static void settle(track_stitch *s)
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
static void take_event(track_stitch *s, const bw_timeline_event *told)
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
            s->broken |= !slot->waits;
            s->waiting -= slot->waits;
            slot->waits = false;
            return;
        }
        memcpy(slot->who, who, sizeof who);
        slot->from = e.time;
        slot->waits = false;
        s->used++;
        s->track->triangle_contacts++;
        e.cut = e.cut && s->first;
        begin_contact(s, &e);
        return;
    }
    const size_t at = place_of(s, who);
    if (s->table[at].who[0] == BW_NONE || s->table[at].waits) {
        s->broken = true;
    } else if (e.cut && !s->last) {
        s->table[at].waits = true;
        s->waiting++;
    } else {
        end_contact(s, &e, take_out(s, at));
    }
}

track_stitch *track_stitch_start(track *t)
{
    track_stitch *s = tool_alloc(1, sizeof *s);
    *s = (track_stitch){.track = t};
    widen(s);
    return s;
}

bool track_stitch_piece(track_stitch *s, const track_piece *piece, bool first, bool last,
                        const track_events *events)
{
    track *t = s->track;
    s->piece = piece;
    s->settled = false;
    s->first = first;
    s->last = last;
    for (size_t i = 0; i < events->count && !s->broken && !(t->first_only && t->contact_count > 0); i++)
        take_event(s, &events->list[i]);
    if (!s->settled)
        settle(s);
    t->instants += events->instants;
    t->aside += events->aside;
    return !s->broken;
}

void track_stitch_end(track_stitch *s)
{
    free(s->table);
    free(s->couples);
    free(s);
}
