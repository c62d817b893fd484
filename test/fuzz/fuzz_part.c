/* Any bytes as the file of a shard, of clash or of track, as they are or with checksums made to fit: it is refused by a fault that
 * names it, or every frame in it is sound, what was decoded is what is encoded, and the events of a film are stitched or refused. */
#define _GNU_SOURCE
#include "clash/records.h"
#include "store/sum.h"
#include "track/records.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool good)
{
    if (!good)
        abort();
}

enum { PARTS = 40 };

/* Makes the head and frame after frame what their checksums say. */
static void seal(uint8_t *bytes, size_t size)
{
    part_head head;
    if (size < sizeof head)
        return;
    memcpy(&head, bytes, sizeof head);
    head.flags %= PART_FLAGS + 1;
    head.shards = head.shards % 4 + 1;
    head.shard %= head.shards;
    head.chunks = head.chunks % 16 + 1;
    size_t words = head.word_bytes % 32 + 1;
    words = words < size - sizeof head ? words : size - sizeof head;
    if (words == 0)
        return;
    bytes[sizeof head + words - 1] = 0;
    part_seal_head(&head, (const char *)bytes + sizeof head, words);
    memcpy(bytes, &head, sizeof head);
    size_t at = sizeof head + words, count = 0;
    while (size - at >= sizeof(part_frame)) {
        part_frame frame;
        memcpy(&frame, bytes + at, sizeof frame);
        at += sizeof frame;
        const bool end = size - at < sizeof frame;
        part_bytes content = {bytes + at, (size_t)(end ? 0 : frame.bytes % (size - at + 1)), 0};
        if (end) {
            frame.chunk = UINT64_MAX;
            frame.records = frame.records % 2 ? count : frame.records;
        } else if (frame.records > 1) {
            frame.records %= 8;
        }
        part_seal_frame(&frame, &content);
        memcpy(bytes + at - sizeof frame, &frame, sizeof frame);
        at += content.size;
        count++;
    }
}

typedef struct taking {
    const part_head *head;
    track track;
    uint64_t frames;
} taking;

static bool take_clashes(const part_frame *frame, const part_bytes *content)
{
    clash *list = clash_decode_frame(frame, content, PARTS);
    part_bytes again = {NULL, 0, 0};
    for (uint64_t i = 0; list && i < frame->records; i++) {
        need(list[i].a < list[i].b && list[i].b < PARTS);
        clash_encode(&again, &list[i]);
        clash_free(&list[i]);
    }
    if (list)
        need(again.size == content->size);
    free(again.bytes);
    free(list);
    return list != NULL;
}

static bool take_piece(taking *t, const part_frame *frame, const part_bytes *content)
{
    track_events events;
    track_known known = {.list = NULL};
    bool fine = track_decode(content, &t->track, (uint32_t)frame->chunk, &events, &known);
    if (fine) {
        part_bytes again = {NULL, 0, 0};
        track_encode(&again, &events, &known);
        need(again.size == content->size);
        free(again.bytes);
        track_known_sort(&known);
        for (size_t i = 0; i < known.count; i++) {
            const track_measured *e = &known.list[i];
            const track_measured *found =
                track_known_find(&known, e->part_a, e->part_b, e->moment.time, e->close);
            need(found && found->moment.time == e->moment.time);
            track_moment m = track_known_moment(found, true);
            free(m.segments);
        }
        track_stitch *s = track_stitch_start(&t->track);
        fine = track_stitch_piece(s, &t->track.pieces[frame->chunk], frame->records % 2, true, &events);
        track_stitch_end(s);
    }
    free(events.list);
    track_known_free(&known);
    return fine;
}

static bool take(void *user, const part_frame *frame, const part_bytes *content)
{
    taking *t = user;
    t->frames++;
    if (frame->chunk == UINT64_MAX)
        return true;
    return t->head->flags & PART_TRACK ? take_piece(t, frame, content) : take_clashes(frame, content);
}

static void read_all(const char *path)
{
    static track_part parts[3] = {{.first_triangle = 0, .mesh = {.triangle_count = 4}},
                                  {.first_triangle = 4, .mesh = {.triangle_count = 1}},
                                  {.object = 1, .mesh = {.triangle_count = 1000}}};
    track_piece pieces[16];
    for (int i = 0; i < 16; i++)
        pieces[i] = (track_piece){i, i + 1, false};
    part_head head;
    taking t = {.head = &head,
                .track = {.parts = parts, .part_count = 3, .pieces = pieces, .piece_count = 16, .end = 16}};
    bool complete;
    uint64_t good;
    fault broken, why;
    if (part_read(path, &head, &complete, &good, take, &t, &broken, &why))
        need(good >= sizeof head + head.word_bytes && (complete || broken.text[0]));
    else
        need(strncmp(why.text, path, strlen(path)) == 0);
    free(t.track.contacts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 1 << 16)
        return 0;
    uint8_t *bytes = malloc(size);
    need(bytes != NULL);
    memcpy(bytes, data, size);
    if (data[0] != 0x89 || size % 2 == 0)
        seal(bytes, size);
    int file = memfd_create("part", 0);
    need(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    free(bytes);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read_all(path);
    close(file);
    return 0;
}
