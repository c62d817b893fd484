/* What one shard of a clash has found, in a file: a head that tells of which work it is a part, a frame per piece of work, each
 * with a checksum, and an end. It grows frame by frame; whatever cuts it off, the frames before are good. */
#ifndef TOOL_CLASH_PART_FILE_H
#define TOOL_CLASH_PART_FILE_H

#include "clash/clash.h"

#include <stdio.h>

enum { PART_VERSION = 1 };
#define PART_MAGIC                                                                                           \
    {                                                                                                        \
        0x89, 'B', 'W', 'P', '\r', '\n', 0x1a, '\n'                                                          \
    }

/* The same in all parts of one work, but for shard. Little-endian, without gaps. */
typedef struct part_head {
    unsigned char magic[8];
    uint32_t version, flags;         /* PART_... */
    uint64_t store_sum, store_bytes; /* of which store */
    double clearance, tolerance;
    uint64_t limit, rules;             /* rules: a sum of them */
    uint64_t candidates, aside, order; /* order: a sum of all candidates in their order */
    uint64_t chunks;                   /* of the whole work */
    uint32_t shard, shards;            /* from 0 */
    uint32_t path_bytes;               /* of the store's path, which follows, with its zero */
    uint32_t clash_bytes;              /* sizeof(clash): of this build */
    uint64_t sum;                      /* of all before, and of the path */
} part_head;

/* PART_SPARSE: frames only where something was found, by any numbers; the end tells what was looked at. */
enum { PART_CONTAIN = 1, PART_ALL = 2, PART_MEASURE = 4, PART_SPARSE = 8, PART_FLAGS = 15 };

typedef struct part_frame {
    uint32_t magic, reserved;
    uint64_t chunk;          /* UINT64_MAX: the end; records is then the number of frames before */
    uint64_t records, bytes; /* clashes, and the bytes of all that follow */
    uint64_t finished, shallow, nodes_visited, box_tests, primitive_tests;
    uint64_t body_sum;
    uint64_t sum; /* of what stands before it */
} part_frame;

_Static_assert(sizeof(part_head) == 120 && sizeof(part_frame) == 88, "heads and frames have no gaps");

/* Clashes as bytes. */
typedef struct part_bytes {
    unsigned char *bytes;
    size_t size, capacity;
} part_bytes;

void part_encode(part_bytes *to, const clash *clash);
/* Reads one clash; *at moves on. False: the bytes are none. */
bool part_decode(const unsigned char *bytes, size_t size, size_t *at, uint32_t part_count, clash *out);

/* Chunks that a work has at most. */
enum { PART_CHUNKS = 1 << 24 };
/* Which chunks a shard has to do: from this one on to the first of the next. */
uint64_t part_first_chunk(const part_head *head, uint32_t shard);

/* Only the head. */
bool part_read_head(const char *path, part_head *head, char **store_path, fault *why);
/* Reads the head and every good frame. *complete: all chunks and the end are there; otherwise broken tells why. *good is where the
 * last good frame ends. take is called for each frame, with its clashes, which it owns; NULL: they are dropped. */
typedef void part_take_fn(void *user, const part_frame *frame, clash *clashes, size_t count);
bool part_read(const char *path, uint32_t part_count, part_head *head, char **store_path, bool *complete,
               uint64_t *good, part_take_fn *take, void *user, fault *broken, fault *why);

/* Fill in magic, sizes and sums. */
void part_seal_head(part_head *head, const char *store_path);
void part_seal_frame(part_frame *frame, const part_bytes *content);
/* Both seal and write; false with errno. */
bool part_write_head(FILE *out, part_head *head, const char *store_path);
bool part_write_frame(FILE *out, part_frame *frame, const part_bytes *content);

#endif
