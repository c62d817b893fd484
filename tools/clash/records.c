/* Clashes to bytes and back. */
#include "clash/records.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair_record {
    uint64_t index[2];
    uint32_t face[2], line[2];
    double distance;
    uint32_t kind, coplanar, points, reserved;
} pair_record;

static void put_pair(part_bytes *to, const report_pair *p)
{
    const pair_record r = {.index = {p->a.index, p->b.index},
                           .face = {p->a.face, p->b.face},
                           .line = {p->a.line, p->b.line},
                           .distance = p->distance,
                           .kind = (uint32_t)p->contact.kind,
                           .coplanar = p->contact.coplanar,
                           .points = p->contact.point_count};
    part_put(to, &r, sizeof r);
    part_put(to, p->contact.points, r.points * sizeof *p->contact.points);
}

/* The struct itself, whatever fields it has, without its pointers; then what these lead to. */
void clash_encode(part_bytes *to, const clash *c)
{
    clash alone;
    memcpy(&alone, c, sizeof alone);
    alone.kept = NULL;
    alone.told = NULL;
    alone.segments = NULL;
    part_put(to, &alone, sizeof alone);
    for (size_t i = 0; i <= c->kept_count; i++)
        put_pair(to, &c->told[i]);
    part_put(to, c->segments, c->segment_count * sizeof *c->segments);
}

static bool get_pair(const part_bytes *from, size_t *at, report_pair *out)
{
    pair_record r;
    if (!part_get(from, at, &r, sizeof r) || r.kind > BW_CONTACT_NEAR || r.coplanar > 1 || r.points > 6)
        return false;
    *out = (report_pair){
        .a = {r.index[0], r.face[0], r.line[0]},
        .b = {r.index[1], r.face[1], r.line[1]},
        .distance = r.distance,
        .contact = {.kind = (bw_contact_kind)r.kind, .coplanar = r.coplanar, .point_count = r.points}};
    return part_get(from, at, out->contact.points, r.points * sizeof *out->contact.points);
}

/* Whether bytes can be looked at as a clash at all. */
static bool clash_sound(const unsigned char *bytes, uint32_t part_count, size_t size)
{
    static const size_t bools[] = {offsetof(clash, near_known), offsetof(clash, shown), offsetof(clash, cut),
                                   offsetof(clash, measured)};
    for (size_t i = 0; i < sizeof bools / sizeof *bools; i++)
        if (bytes[bools[i]] > 1)
            return false;
    int kind, contact;
    memcpy(&kind, bytes + offsetof(clash, kind), sizeof kind);
    memcpy(&contact, bytes + offsetof(clash, first) + offsetof(clash_pair, kind), sizeof contact);
    if (kind <= CLASH_NONE || kind >= CLASH_KINDS || contact < 0 || contact > BW_CONTACT_NEAR)
        return false;
    clash c;
    memcpy(&c, bytes, sizeof c);
    return c.a < c.b && c.b < part_count && !c.kept && !c.told && !c.segments &&
           c.kept_count < size / sizeof(pair_record) && c.segment_count <= size / sizeof(report_segment);
}

bool clash_decode(const part_bytes *from, size_t *at, uint32_t part_count, clash *out)
{
    clash c;
    if (!from->bytes || sizeof c > from->size - *at ||
        !clash_sound(from->bytes + *at, part_count, from->size) || !part_get(from, at, &c, sizeof c))
        return false;
    c.told = tool_alloc(c.kept_count + 1, sizeof *c.told);
    bool fine = true;
    for (size_t i = 0; i <= c.kept_count && fine; i++)
        fine = get_pair(from, at, &c.told[i]);
    if (fine && c.segment_count > 0) {
        c.segments = tool_alloc(c.segment_count, sizeof *c.segments);
        fine = part_get(from, at, c.segments, c.segment_count * sizeof *c.segments);
    }
    if (fine)
        *out = c;
    else
        clash_free(&c);
    return fine;
}

clash *clash_decode_frame(const part_frame *frame, const part_bytes *content, uint32_t part_count)
{
    if (frame->records > content->size / sizeof(clash))
        return NULL;
    clash *list = tool_alloc((size_t)frame->records + 1, sizeof *list);
    size_t at = 0, count = 0;
    while (count < frame->records && clash_decode(content, &at, part_count, &list[count]))
        count++;
    if (count == frame->records && at == content->size)
        return list;
    while (count > 0)
        clash_free(&list[--count]);
    free(list);
    return NULL;
}
