/* The timeline, and what single frames show of it. */
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
} begun;

typedef struct search {
    track *track;
    begun *table;
    size_t used, room; /* room: a power of two */
    size_t *open;      /* by pair of objects: its contact in track->contacts, or SIZE_MAX */
    uint64_t *touching;
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

static bool on_event(void *user, const bw_timeline_event *e)
{
    search *s = user;
    uint32_t who[4] = {e->object_a, e->object_b, e->triangle_a, e->triangle_b};
    if (e->begins) {
        if (2 * (s->used + 1) > s->room)
            widen(s);
        begun *slot = &s->table[place_of(s, who)];
        memcpy(slot->who, who, sizeof who);
        slot->from = e->time;
        s->used++;
        s->track->triangle_contacts++;
        begin_contact(s, e);
    } else
        end_contact(s, e, take_out(s, place_of(s, who)));
    return true;
}

static bw_moving *moving_of(const track *t)
{
    bw_moving *moving = tool_alloc(t->count, sizeof *moving);
    for (uint32_t i = 0; i < t->count; i++)
        moving[i] = (bw_moving){&t->objects[i].mesh, &t->objects[i].motion};
    return moving;
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
    bw_moving *moving = moving_of(t);
    bw_timeline_desc desc = {.mode = t->first_only ? BW_TIMELINE_FIRST : BW_TIMELINE_TRIANGLES,
                             .self = t->self,
                             .on_event = on_event,
                             .user = &s};
    uint32_t offender = 0;
    progress_step("looking for contacts from %g to %g s", t->begin, t->end);
    double start = seconds_now();
    bw_result result = bw_contact_timeline(moving, t->count, &desc, &offender, &t->report);
    t->seconds = seconds_now() - start;
    progress_end();
    t->instants = t->report.instants;
    free(moving);
    free(s.table);
    free(s.open);
    free(s.touching);
    if (result == BW_ERROR_INDEX || result == BW_ERROR_EMPTY)
        return fault_set(why, "%s: %s", t->objects[offender].model.file, bw_result_string(result));
    return result == BW_OK || fault_set(why, "%s", bw_result_string(result));
}

/* ---- depth ---- */

typedef struct gauge {
    const bw_mesh *a, *b;
    double depth;
} gauge;

static void corners(const bw_mesh *mesh, uint32_t triangle, bw_vec3 out[3])
{
    bw_mesh_corners(mesh, triangle, out);
}

/* How far a triangle reaches through the plane of another, on its lesser side. */
static double through(const bw_vec3 a[3], const bw_vec3 b[3])
{
    double ux = b[1].x - b[0].x, uy = b[1].y - b[0].y, uz = b[1].z - b[0].z;
    double vx = b[2].x - b[0].x, vy = b[2].y - b[0].y, vz = b[2].z - b[0].z;
    double n[3] = {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), low = INFINITY, high = -INFINITY;
    if (!(length > 0))
        return 0;
    for (int i = 0; i < 3; i++) {
        double d = (n[0] * (a[i].x - b[0].x) + n[1] * (a[i].y - b[0].y) + n[2] * (a[i].z - b[0].z)) / length;
        low = fmin(low, d);
        high = fmax(high, d);
    }
    return fmax(fmin(high, -low), 0);
}

static bool measure(void *user, const bw_hit *hit)
{
    gauge *g = user;
    bw_vec3 a[3], b[3];
    corners(g->a, hit->a, a);
    corners(g->b, hit->b, b);
    g->depth = fmax(g->depth, fmin(through(a, b), through(b, a)));
    return true;
}

static void keep_deepest(track *t, const track_frame *frame)
{
    uint32_t at = t->deepest_count;
    for (uint32_t i = t->deepest_count; i-- > 0;)
        if (frame->depth > t->deepest[i].depth)
            at = i;
    if (at == TRACK_DEEPEST)
        return;
    t->deepest_count += t->deepest_count < TRACK_DEEPEST;
    for (uint32_t i = t->deepest_count - 1; i > at; i--)
        t->deepest[i] = t->deepest[i - 1];
    t->deepest[at] = *frame;
}

/* One frame of two objects: their positions and contacts. */
static bool look(track *t, uint32_t i, uint32_t j, double time, bw_separation *s, bw_mesh meshes[2],
                 fault *why)
{
    bw_motion_sample(&t->objects[i].motion, time, (void *)meshes[0].positions);
    if (i != j)
        bw_motion_sample(&t->objects[j].motion, time, (void *)meshes[1].positions);
    gauge g = {&meshes[0], i == j ? &meshes[0] : &meshes[1], 0};
    bw_collide_report report;
    bw_result result = bw_separation_advance(s, time, NULL);
    if (result == BW_OK)
        result = bw_separation_collide(
            s, &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .on_hit = measure, .user = &g}, &report);
    if (result != BW_OK)
        return fault_set(why, "%s", bw_result_string(result));
    if (report.hits > 0)
        keep_deepest(t, &(track_frame){time, g.depth, report.hits, i, j});
    return true;
}

static bool in_contact(const track *t, uint32_t i, uint32_t j, double time)
{
    for (size_t k = 0; k < t->contact_count; k++) {
        const track_contact *c = &t->contacts[k];
        if (c->object_a == i && c->object_b == j && time >= c->from && time <= c->to)
            return true;
    }
    return false;
}

static bool look_at_pair(track *t, uint32_t i, uint32_t j, fault *why)
{
    bw_moving a = {&t->objects[i].mesh, &t->objects[i].motion},
              b = {&t->objects[j].mesh, &t->objects[j].motion};
    bw_separation *s = NULL;
    bw_result result = bw_separation_create(NULL, &a, i == j ? NULL : &b, &s);
    if (result != BW_OK)
        return fault_set(why, "%s", bw_result_string(result));
    bw_mesh meshes[2] = {t->objects[i].mesh, t->objects[j].mesh};
    for (int k = 0; k < 2; k++) {
        const bw_motion *motion = &t->objects[k == 0 ? i : j].motion;
        meshes[k].scalar = motion->scalar;
        meshes[k].stride = 0;
        meshes[k].positions = tool_alloc(3 * (size_t)motion->vertex_count, sizeof(double));
    }
    bool fine = true;
    uint64_t frames = (uint64_t)floor((t->end - t->begin) * t->fps + 1e-6);
    for (uint64_t k = 0; k <= frames && fine; k++) {
        double time = fmin(t->begin + (double)k / t->fps, t->end);
        if (in_contact(t, i, j, time))
            fine = look(t, i, j, time, s, meshes, why);
    }
    free((void *)meshes[0].positions);
    free((void *)meshes[1].positions);
    bw_separation_destroy(s);
    return fine;
}

bool track_deepest(track *t, fault *why)
{
    bool fine = true;
    progress_step("looking for the deepest frames");
    for (uint32_t i = 0; i < t->count && fine; i++)
        for (uint32_t j = t->self ? i : i + 1; j < t->count && fine; j++)
            fine = look_at_pair(t, i, j, why);
    progress_end();
    return fine;
}
