/* Heads and frames of part files. */
#define _POSIX_C_SOURCE 200809L
#include "shard/part_file.h"

#include "store/sum.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MAGIC = 0x46505742, MOST_WORDS = 1 << 24 }; /* BWPF */

void part_put(part_bytes *to, const void *bytes, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * to->capacity + size + 4096;
        to->bytes = tool_resize(to->bytes, to->capacity, 1);
    }
    if (size > 0) /* no bytes may be at NULL */
        memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

bool part_get(const part_bytes *from, size_t *at, void *to, size_t size)
{
    if (size > from->size - *at)
        return false;
    if (size > 0)
        memcpy(to, from->bytes + *at, size);
    *at += size;
    return true;
}

uint64_t part_first_chunk(const part_head *head, uint32_t shard)
{
    /* chunks * shard / shards without overflow */
    return head->chunks / head->shards * shard + head->chunks % head->shards * shard / head->shards;
}

bool part_same_work(const part_head *a, const part_head *b)
{
    part_head x = *a, y = *b;
    x.shard = y.shard;
    x.word_bytes = y.word_bytes;
    x.sum = y.sum;
    return memcmp(&x, &y, sizeof x) == 0;
}

void part_seal_head(part_head *head, const char *words, size_t word_bytes)
{
    static const unsigned char magic[8] = PART_MAGIC;
    memcpy(head->magic, magic, sizeof magic);
    head->version = PART_VERSION;
    head->word_bytes = (uint32_t)word_bytes;
    head->sum = store_sum(head, offsetof(part_head, sum)) ^ store_sum(words, word_bytes);
}

bool part_write_head(FILE *out, part_head *head, const char *words, size_t word_bytes)
{
    part_seal_head(head, words, word_bytes);
    return fwrite(head, sizeof *head, 1, out) == 1 && fwrite(words, word_bytes, 1, out) == 1 &&
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

static bool read_head(reading *r, part_head *head, char **words, fault *why)
{
    static const unsigned char magic[8] = PART_MAGIC;
    if (!read_some(r, head, sizeof *head) || memcmp(head->magic, magic, sizeof magic) != 0)
        return fault_set(why, "%s: is no file of clash --shard or track --shard, or was cut in its head",
                         r->path);
    if (head->version != PART_VERSION)
        return fault_set(why, "%s: was written by another version of boxwood", r->path);
    if (head->word_bytes == 0 || head->word_bytes > MOST_WORDS || head->word_bytes > r->size - r->at)
        return fault_set(why, "%s: its head is damaged", r->path);
    char *text = tool_alloc(head->word_bytes, 1);
    if (!read_some(r, text, head->word_bytes) || text[head->word_bytes - 1] != 0 || !head_sound(head) ||
        head->sum != (store_sum(head, offsetof(part_head, sum)) ^ store_sum(text, head->word_bytes))) {
        free(text);
        return fault_set(why, "%s: its head is damaged (checksum)", r->path);
    }
    *words = text;
    return true;
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
    content->size = (size_t)frame->bytes;
    if ((content->size > 0 && !read_some(r, content->bytes, frame->bytes)) ||
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

bool part_read_head(const char *path, part_head *head, char **words, fault *why)
{
    reading r;
    if (!open_part(path, &r, why))
        return false;
    bool fine = read_head(&r, head, words, why);
    fclose(r.in);
    return fine;
}

/* Every good frame from here on. seen: of the shard's chunks. */
static void read_frames(reading *r, const part_head *head, unsigned char *seen, bool *complete,
                        uint64_t *good, part_take_fn *take, void *user, fault *broken)
{
    const uint64_t first = part_first_chunk(head, head->shard),
                   last = part_first_chunk(head, head->shard + 1);
    const bool sparse = head->flags & PART_SPARSE;
    uint64_t count = 0;
    part_bytes content = {NULL, 0, 0};
    while (r->at < r->size) {
        part_frame frame;
        const uint64_t at = r->at;
        if (!read_frame(r, &frame, &content, broken))
            break;
        if (frame.chunk == UINT64_MAX) {
            *complete = frame.records == count && (sparse || count == last - first) && r->at == r->size &&
                        (!sparse || take(user, &frame, &content));
            if (!*complete)
                fault_set(broken, "its end stands where frames are missing, or bytes follow it");
            break;
        }
        if (frame.chunk < first || frame.chunk >= last || (!sparse && seen[frame.chunk - first]) ||
            !take(user, &frame, &content)) {
            fault_set(broken, "the frame at byte %" PRIu64 " is damaged", at);
            break;
        }
        seen[frame.chunk - first] = 1;
        count++;
        *good = r->at;
    }
    free(content.bytes);
}

bool part_read(const char *path, part_head *head, bool *complete, uint64_t *good, part_take_fn *take,
               void *user, fault *broken, fault *why)
{
    reading r;
    char *words = NULL;
    *complete = false;
    *good = 0;
    fault_set(broken, "it has not come to its end");
    if (!open_part(path, &r, why))
        return false;
    bool fine = read_head(&r, head, &words, why);
    if (fine) {
        const uint64_t chunks = part_first_chunk(head, head->shard + 1) - part_first_chunk(head, head->shard);
        unsigned char *seen = tool_alloc((size_t)chunks + 1, 1);
        memset(seen, 0, (size_t)chunks + 1);
        *good = r.at;
        read_frames(&r, head, seen, complete, good, take, user, broken);
        free(seen);
    }
    free(words);
    fclose(r.in);
    return fine;
}
