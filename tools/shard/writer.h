/* The file of one shard while it is written: by one process, frame after frame, gone on with where it was left. */
#ifndef TOOL_SHARD_WRITER_H
#define TOOL_SHARD_WRITER_H

#include "options.h"
#include "shard/part_file.h"

#include <pthread.h>

typedef struct part_writer {
    const char *path;
    FILE *out;             /* NULL: there is nothing to be written */
    uint64_t first, last;  /* the chunks of the shard, from first to before last */
    unsigned char *done;   /* of each of these: it is in the file */
    uint64_t good, frames; /* of the file: bytes that are whole, frames */
    bool failed;
    fault why;
    pthread_mutex_t lock;
} part_writer;

/* "--shard I/N" as a number from 0 and how many there are. */
bool part_shard_read(const args *given, uint32_t *shard, uint32_t *shards, fault *why);
/* Whether the options of a shard go together: one -o, and nothing that is for merge. */
bool part_shard_check(const args *given, fault *why);
/* A sum of everything that rules are made of (rules_options.h). */
bool part_sum_rules(const args *given, uint64_t *out, fault *why);

/* Opens and locks the file and writes the head; with resume it keeps the good frames that are there, as `sound` finds them. The
 * file of another work is refused and stays as it is. Every writer must be given to part_writer_close, also where this fails. */
bool part_writer_open(part_writer *out, const char *path, part_head *head, const char *words,
                      size_t word_bytes, bool resume, part_take_fn *sound, void *user, fault *why);
/* The chunks that are still to be done; to be freed. */
uint64_t *part_writer_missing(const part_writer *writer, uint32_t *count);
/* From any thread: a chunk that is done; why the work cannot go on. */
void part_writer_add(part_writer *writer, part_frame *frame, const part_bytes *content);
void part_writer_fail(part_writer *writer, const fault *why);
/* Writes the end where all chunks are there. Otherwise what is not whole is taken away, what is stays, and the fault says so. */
bool part_writer_close(part_writer *writer, bool fine, fault *why);

#endif
