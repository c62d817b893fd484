/* Clashes to bytes and back, and the frames they stand in. */
#define _POSIX_C_SOURCE 200809L
#include "clash/part_file.h"

#include "store/sum.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MAGIC = 0x46505742 }; /* BWPF */

typedef struct pair_record {
    uint64_t index[2];
    uint32_t face[2], line[2];
    double distance;
    uint32_t kind, coplanar, points, reserved;
} pair_record;

static void put(part_bytes *to, const void *bytes, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * to->capacity + size + 4096;
        to->bytes = tool_resize(to->bytes, to->capacity, 1);
    }
    if (size > 0) /* no bytes may be at NULL */
        memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_pair(part_bytes *to, const report_pair *p)
{
    const pair_record r = {.index = {p->a.index, p->b.index},
                           .face = {p->a.face, p->b.face},
                           .line = {p->a.line, p->b.line},
                           .distance = p->distance,
                           .kind = (uint32_t)p->contact.kind,
                           .coplanar = p->contact.coplanar,
                           .points = p->contact.point_count};
    put(to, &r, sizeof r);
    put(to, p->contact.points, r.points * sizeof *p->contact.points);
}

/* The struct itself, whatever fields it has, without its pointers; then what these lead to. */
void part_encode(part_bytes *to, const clash *c)
{
    clash alone;
    memcpy(&alone, c, sizeof alone);
    alone.kept = NULL;
    alone.told = NULL;
    alone.segments = NULL;
    put(to, &alone, sizeof alone);
    for (size_t i = 0; i <= c->kept_count; i++)
        put_pair(to, &c->told[i]);
    put(to, c->segments, c->segment_count * sizeof *c->segments);
}

static bool get(const unsigned char *bytes, size_t size, size_t *at, void *to, size_t wanted)
{
    if (wanted > size - *at)
        return false;
    memcpy(to, bytes + *at, wanted);
    *at += wanted;
    return true;
}

static bool get_pair(const unsigned char *bytes, size_t size, size_t *at, report_pair *out)
{
    pair_record r;
    if (!get(bytes, size, at, &r, sizeof r) || r.kind > BW_CONTACT_NEAR || r.coplanar > 1 || r.points > 6)
        return false;
    *out = (report_pair){
        .a = {r.index[0], r.face[0], r.line[0]},
        .b = {r.index[1], r.face[1], r.line[1]},
        .distance = r.distance,
        .contact = {.kind = (bw_contact_kind)r.kind, .coplanar = r.coplanar, .point_count = r.points}};
    return get(bytes, size, at, out->contact.points, r.points * sizeof *out->contact.points);
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

bool part_decode(const unsigned char *bytes, size_t size, size_t *at, uint32_t part_count, clash *out)
{
    clash c;
    if (sizeof c > size - *at || !clash_sound(bytes + *at, part_count, size))
        return false;
    get(bytes, size, at, &c, sizeof c);
    c.told = tool_alloc(c.kept_count + 1, sizeof *c.told);
    bool fine = true;
    for (size_t i = 0; i <= c.kept_count && fine; i++)
        fine = get_pair(bytes, size, at, &c.told[i]);
    if (fine && c.segment_count > 0) {
        c.segments = tool_alloc(c.segment_count, sizeof *c.segments);
        fine = get(bytes, size, at, c.segments, c.segment_count * sizeof *c.segments);
    }
    if (fine)
        *out = c;
    else
        clash_free(&c);
    return fine;
}

uint64_t part_first_chunk(const part_head *head, uint32_t shard)
{
    /* chunks * shard / shards without overflow */
    return head->chunks / head->shards * shard + head->chunks % head->shards * shard / head->shards;
}

void part_seal_head(part_head *head, const char *store_path)
{
    static const unsigned char magic[8] = PART_MAGIC;
    memcpy(head->magic, magic, sizeof magic);
    head->version = PART_VERSION;
    head->clash_bytes = sizeof(clash);
    head->path_bytes = (uint32_t)strlen(store_path) + 1;
    head->sum = store_sum(head, offsetof(part_head, sum)) ^ store_sum(store_path, head->path_bytes);
}

bool part_write_head(FILE *out, part_head *head, const char *store_path)
{
    part_seal_head(head, store_path);
    return fwrite(head, sizeof *head, 1, out) == 1 && fwrite(store_path, head->path_bytes, 1, out) == 1 &&
           fflush(out) == 0;
}

void part_seal_frame(part_frame *frame, const part_bytes *content)
{
    frame->magic = FRAME_MAGIC;
    frame->bytes = content ? content->size : 0;
    frame->body_sum = content ? store_sum(content->bytes, content->size) : 0;
    frame->sum = store_sum(frame, offsetof(part_frame, sum));
}

bool part_write_frame(FILE *out, part_frame *frame, const part_bytes *content)
{
    part_seal_frame(frame, content);
    return fwrite(frame, sizeof *frame, 1, out) == 1 &&
           (frame->bytes == 0 || fwrite(content->bytes, content->size, 1, out) == 1) && fflush(out) == 0;
}

typedef struct reading {
    FILE *in;
    const char *path;
    uint64_t size, at;
} reading;

static bool read_some(reading *r, void *to, uint64_t bytes)
{
    if (bytes > r->size - r->at || fread(to, 1, (size_t)bytes, r->in) != bytes)
        return false;
    r->at += bytes;
    return true;
}

static bool head_sound(const part_head *h)
{
    return (h->flags & ~(uint32_t)PART_FLAGS) == 0 && h->shards > 0 && h->shard < h->shards &&
           h->chunks > 0 && h->chunks <= PART_CHUNKS && !isnan(h->clearance) && !isnan(h->tolerance);
}

static bool read_head(reading *r, part_head *head, char **store_path, fault *why)
{
    static const unsigned char magic[8] = PART_MAGIC;
    if (!read_some(r, head, sizeof *head) || memcmp(head->magic, magic, sizeof magic) != 0)
        return fault_set(why, "%s: is no file of clash --shard, or was cut in its head", r->path);
    if (head->version != PART_VERSION || head->clash_bytes != sizeof(clash))
        return fault_set(why, "%s: was written by another version of boxwood", r->path);
    if (head->path_bytes == 0 || head->path_bytes > 1 << 16)
        return fault_set(why, "%s: its head is damaged", r->path);
    char *path = tool_alloc(head->path_bytes, 1);
    if (!read_some(r, path, head->path_bytes) || path[head->path_bytes - 1] != 0 || !head_sound(head) ||
        head->sum != (store_sum(head, offsetof(part_head, sum)) ^ store_sum(path, head->path_bytes))) {
        free(path);
        return fault_set(why, "%s: its head is damaged (checksum)", r->path);
    }
    *store_path = path;
    return true;
}

/* The clashes of a frame; NULL: damaged. */
static clash *decode_all(const part_frame *frame, const unsigned char *content, uint32_t part_count)
{
    if (frame->records > frame->bytes / sizeof(clash))
        return NULL;
    clash *list = tool_alloc((size_t)frame->records + 1, sizeof *list);
    size_t at = 0, count = 0;
    while (count < frame->records &&
           part_decode(content, (size_t)frame->bytes, &at, part_count, &list[count]))
        count++;
    if (count == frame->records && at == frame->bytes)
        return list;
    while (count > 0)
        clash_free(&list[--count]);
    free(list);
    return NULL;
}

static bool read_frame(reading *r, part_frame *frame, part_bytes *content, fault *broken)
{
    const uint64_t at = r->at;
    if (!read_some(r, frame, sizeof *frame))
        return fault_set(broken, "it ends at byte %" PRIu64 ", within a frame", r->size);
    if (frame->magic != FRAME_MAGIC || frame->sum != store_sum(frame, offsetof(part_frame, sum)))
        return fault_set(broken, "the frame at byte %" PRIu64 " is damaged (checksum)", at);
    if (frame->bytes > r->size - r->at)
        return fault_set(broken, "it ends at byte %" PRIu64 ", within a frame", r->size);
    if (content->capacity < frame->bytes) {
        content->capacity = (size_t)frame->bytes + (size_t)frame->bytes / 2;
        content->bytes = tool_resize(content->bytes, content->capacity, 1);
    }
    if (!read_some(r, content->bytes, frame->bytes) ||
        (frame->bytes > 0 && frame->body_sum != store_sum(content->bytes, (size_t)frame->bytes)))
        return fault_set(broken, "the frame at byte %" PRIu64 " is damaged (checksum)", at);
    return true;
}

static bool open_part(const char *path, reading *out, fault *why)
{
    *out = (reading){.in = fopen(path, "rb"), .path = path};
    if (!out->in)
        return fault_set(why, "%s: %s", path, strerror(errno));
    fseek(out->in, 0, SEEK_END);
    long end = ftell(out->in);
    rewind(out->in);
    out->size = end > 0 ? (uint64_t)end : 0;
    return true;
}

bool part_read_head(const char *path, part_head *head, char **store_path, fault *why)
{
    reading r;
    if (!open_part(path, &r, why))
        return false;
    bool fine = read_head(&r, head, store_path, why);
    fclose(r.in);
    return fine;
}

bool part_read(const char *path, uint32_t part_count, part_head *head, char **store_path, bool *complete,
               uint64_t *good, part_take_fn *take, void *user, fault *broken, fault *why)
{
    reading r;
    if (!open_part(path, &r, why))
        return false;
    bool fine = read_head(&r, head, store_path, why);
    *complete = false;
    *good = r.at;
    fault_set(broken, "it has not come to its end");
    const uint64_t first = fine ? part_first_chunk(head, head->shard) : 0,
                   last = fine ? part_first_chunk(head, head->shard + 1) : 0;
    unsigned char *seen = tool_alloc((size_t)(last - first) + 1, 1);
    memset(seen, 0, (size_t)(last - first) + 1);
    const bool sparse = fine && (head->flags & PART_SPARSE);
    uint64_t count = 0;
    part_bytes content = {NULL, 0, 0};
    while (fine && r.at < r.size) {
        part_frame frame;
        const uint64_t at = r.at;
        if (!read_frame(&r, &frame, &content, broken))
            break;
        if (frame.chunk == UINT64_MAX) {
            *complete = frame.records == count && (sparse || count == last - first) && r.at == r.size;
            if (*complete && sparse && take)
                take(user, &frame, NULL, 0);
            if (!*complete)
                fault_set(broken, "its end stands where frames are missing, or bytes follow it");
            break;
        }
        clash *list = NULL;
        if (frame.chunk < first || frame.chunk >= last || (!sparse && seen[frame.chunk - first]) ||
            !(list = decode_all(&frame, content.bytes, part_count))) {
            fault_set(broken, "the frame at byte %" PRIu64 " is damaged", at);
            break;
        }
        seen[frame.chunk - first] = 1;
        count++;
        *good = r.at;
        if (take) {
            take(user, &frame, list, (size_t)frame.records);
        } else {
            for (uint64_t i = 0; i < frame.records; i++)
                clash_free(&list[i]);
            free(list);
        }
    }
    free(content.bytes);
    free(seen);
    fclose(r.in);
    return fine;
}
