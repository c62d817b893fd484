/* Events and moments to bytes and back. */
#include "track/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct count_record {
    uint64_t events, moments, aside, instants;
} count_record;

typedef struct event_record {
    double time;
    uint32_t parts[2], triangles[2], begins, cut;
} event_record;

typedef struct moment_record {
    double time, lower, upper, pierce, volume, volume_error;
    bw_vec3 translation, place, low, high;
    uint64_t pairs, segments;
    uint32_t parts[2], close, crossing, regions, reserved;
    uint32_t details[2]; /* bytes with the zero; 0: none */
} moment_record;

uint32_t track_record_bytes(void)
{
    return sizeof(count_record) + sizeof(event_record) + sizeof(moment_record) + sizeof(report_segment);
}

static void put_moment(part_bytes *to, const track_measured *e)
{
    const track_moment *m = &e->moment;
    moment_record r = {.time = m->time,
                       .lower = m->lower,
                       .upper = m->upper,
                       .pierce = m->pierce,
                       .volume = m->volume,
                       .volume_error = m->volume_error,
                       .translation = m->translation,
                       .place = m->place,
                       .low = m->low,
                       .high = m->high,
                       .pairs = m->pairs,
                       .segments = m->segment_count,
                       .parts = {e->part_a, e->part_b},
                       .close = e->close,
                       .crossing = m->crossing,
                       .regions = m->regions};
    for (int i = 0; i < 2; i++)
        r.details[i] = e->details[i] ? (uint32_t)strlen(e->details[i]) + 1 : 0;
    part_put(to, &r, sizeof r);
    part_put(to, m->segments, m->segment_count * sizeof *m->segments);
    for (int i = 0; i < 2; i++)
        part_put(to, e->details[i], r.details[i]);
}

void track_encode(part_bytes *to, const track_events *events, const track_known *measured)
{
    const count_record counts = {events->count, measured->count, events->aside, events->instants};
    part_put(to, &counts, sizeof counts);
    for (size_t i = 0; i < events->count; i++) {
        const bw_timeline_event *e = &events->list[i];
        const event_record r = {.time = e->time,
                                .parts = {e->object_a, e->object_b},
                                .triangles = {e->triangle_a, e->triangle_b},
                                .begins = e->begins,
                                .cut = e->cut};
        part_put(to, &r, sizeof r);
    }
    for (size_t i = 0; i < measured->count; i++)
        put_moment(to, &measured->list[i]);
}

static bool time_within(const track_piece *piece, double time)
{
    return time >= piece->from && time <= (piece->instant ? piece->to + 1 : piece->to);
}

static bool part_has(const track *t, uint32_t part, uint32_t triangle)
{
    if (part >= t->part_count)
        return false;
    const track_part *p = &t->parts[part];
    return triangle >= p->first_triangle && triangle - p->first_triangle < p->mesh.triangle_count;
}

static bool get_event(const part_bytes *from, size_t *at, const track *t, const track_piece *piece,
                      track_events *out)
{
    event_record r;
    if (!part_get(from, at, &r, sizeof r) || r.begins > 1 || r.cut > 1 || !time_within(piece, r.time) ||
        !part_has(t, r.parts[0], r.triangles[0]) || !part_has(t, r.parts[1], r.triangles[1]))
        return false;
    out->list[out->count++] = (bw_timeline_event){.time = r.time,
                                                  .object_a = r.parts[0],
                                                  .object_b = r.parts[1],
                                                  .triangle_a = r.triangles[0],
                                                  .triangle_b = r.triangles[1],
                                                  .begins = r.begins,
                                                  .cut = r.cut};
    return true;
}

static char *get_detail(const part_bytes *from, size_t *at, uint32_t bytes)
{
    if (bytes == 0 || bytes > from->size - *at ||
        memchr(from->bytes + *at, 0, bytes) != from->bytes + *at + bytes - 1)
        return NULL;
    char *text = tool_copy((const char *)from->bytes + *at);
    *at += bytes;
    return text;
}

static bool get_moment(const part_bytes *from, size_t *at, const track *t, const track_piece *piece,
                       track_known *out)
{
    moment_record r;
    if (!part_get(from, at, &r, sizeof r) || r.parts[0] >= t->part_count || r.parts[1] >= t->part_count ||
        r.close > 1 || r.crossing > 1 || !time_within(piece, r.time) || isnan(r.lower) || isnan(r.upper) ||
        isnan(r.pierce) || r.segments > (from->size - *at) / sizeof(report_segment))
        return false;
    track_measured e = {.part_a = r.parts[0],
                        .part_b = r.parts[1],
                        .close = r.close,
                        .moment = {.time = r.time,
                                   .lower = r.lower,
                                   .upper = r.upper,
                                   .pierce = r.pierce,
                                   .volume = r.volume,
                                   .volume_error = r.volume_error,
                                   .pairs = r.pairs,
                                   .regions = r.regions,
                                   .translation = r.translation,
                                   .place = r.place,
                                   .low = r.low,
                                   .high = r.high,
                                   .crossing = r.crossing,
                                   .segment_count = (size_t)r.segments}};
    if (r.segments > 0)
        e.moment.segments = tool_alloc(e.moment.segment_count, sizeof *e.moment.segments);
    bool fine = part_get(from, at, e.moment.segments, e.moment.segment_count * sizeof *e.moment.segments);
    for (int i = 0; i < 2 && fine; i++) {
        e.details[i] = get_detail(from, at, r.details[i]);
        fine = (e.details[i] != NULL) == (r.details[i] > 0);
    }
    track_known_add(out, &e);
    return fine;
}

bool track_decode(const part_bytes *from, const track *t, uint32_t number, track_events *events,
                  track_known *measured)
{
    count_record counts;
    size_t at = 0;
    *events = (track_events){.list = NULL};
    if (number >= t->piece_count || !part_get(from, &at, &counts, sizeof counts) ||
        counts.events > from->size / sizeof(event_record) ||
        counts.moments > from->size / sizeof(moment_record))
        return false;
    const track_piece *piece = &t->pieces[number];
    events->aside = counts.aside;
    events->instants = counts.instants;
    events->capacity = (size_t)counts.events + 1;
    events->list = tool_alloc(events->capacity, sizeof *events->list);
    bool fine = true;
    for (uint64_t i = 0; i < counts.events && fine; i++)
        fine = get_event(from, &at, t, piece, events);
    for (uint64_t i = 0; i < counts.moments && fine; i++)
        fine = get_moment(from, &at, t, piece, measured);
    return fine && at == from->size;
}
