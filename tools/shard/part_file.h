/* What one shard has found, in a file: a head that tells of which work it is a part, a frame per piece of work, each
 * with a checksum, and an end. It grows frame by frame; whatever cuts it off, the frames before are good. What is in frames
 * is clash/records.h or track/records.h. */
#ifndef TOOL_SHARD_PART_FILE_H
#define TOOL_SHARD_PART_FILE_H

#include "fault.h"

#include <stdint.h>
#include <stdio.h>

enum { PART_VERSION = 2 };
#define PART_MAGIC                                                                                           \
    {                                                                                                        \
        0x89, 'B', 'W', 'P', '\r', '\n', 0x1a, '\n'                                                          \
    }

/* The same in all parts of one work, but for shard. Little-endian, without gaps. */
typedef struct part_head {
    unsigned char magic[8];
    uint32_t version, flags;           /* PART_... */
    uint64_t source_sum, source_bytes; /* of which store, of which films */
    double clearance, tolerance;
    uint64_t limit, rules;             /* rules: a sum of them */
    uint64_t candidates, aside, order; /* order: a sum of all candidates in their order, or of the options */
    uint64_t chunks;                   /* of the whole work */
    uint32_t shard, shards;            /* from 0 */
    uint32_t word_bytes;               /* of the words that follow, each with its zero: the store's path, or
                                          the arguments of track */
    uint32_t record_bytes;             /* the size of what is in frames: of this build */
    uint64_t sum;                      /* of all before, and of the words */
} part_head;

/* PART_SPARSE: frames only where something was found, by any numbers; the end tells what was looked at. PART_TRACK: of track;
 * otherwise of clash. */
enum { PART_CONTAIN = 1, PART_ALL = 2, PART_MEASURE = 4, PART_SPARSE = 8, PART_TRACK = 16, PART_FLAGS = 31 };

typedef struct part_frame {
    uint32_t magic, reserved;
    uint64_t chunk;          /* UINT64_MAX: the end; records is then the number of frames before */
    uint64_t records, bytes; /* what was found, and the bytes of all that follow */
    uint64_t finished, shallow, nodes_visited, box_tests, primitive_tests;
    uint64_t body_sum;
    uint64_t sum; /* of what stands before it */
} part_frame;

_Static_assert(sizeof(part_head) == 120 && sizeof(part_frame) == 88, "heads and frames have no gaps");

/* The content of a frame. */
typedef struct part_bytes {
    unsigned char *bytes;
    size_t size, capacity;
} part_bytes;

void part_put(part_bytes *to, const void *bytes, size_t size);
/* Copies from the content to `to`; *at moves on. False: there are not so many bytes. */
bool part_get(const part_bytes *from, size_t *at, void *to, size_t size);

/* Chunks that a work has at most. */
enum { PART_CHUNKS = 1 << 24 };
/* Which chunks a shard has to do: from this one on to the first of the next. */
uint64_t part_first_chunk(const part_head *head, uint32_t shard);
/* Whether two heads are of one work; their shards may differ. */
bool part_same_work(const part_head *a, const part_head *b);

/* Only the head. *words: its words, to be freed. */
bool part_read_head(const char *path, part_head *head, char **words, fault *why);
/* Reads the head and every good frame. *complete: all chunks and the end are there; otherwise broken tells why. *good is where the
 * last good frame ends. take is called for each frame and returns whether its content is sound; of sparse files also for the end. */
typedef bool part_take_fn(void *user, const part_frame *frame, const part_bytes *content);
bool part_read(const char *path, part_head *head, bool *complete, uint64_t *good, part_take_fn *take,
               void *user, fault *broken, fault *why);

/* Fill in magic, sizes and sums. */
void part_seal_head(part_head *head, const char *words, size_t word_bytes);
void part_seal_frame(part_frame *frame, const part_bytes *content);
/* Both seal and write; false with errno. */
bool part_write_head(FILE *out, part_head *head, const char *words, size_t word_bytes);
bool part_write_frame(FILE *out, part_frame *frame, const part_bytes *content);

#endif
