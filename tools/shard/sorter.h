/* Records in order, however many: an external merge sort. What does not fit into memory is written, sorted, to a file without a
 * name in TMPDIR, or /var/tmp, and merged from there. */
#ifndef TOOL_SHARD_SORTER_H
#define TOOL_SHARD_SORTER_H

#include "fault.h"

#include <stdint.h>

typedef struct record_sorter record_sorter;

/* The order of two keys, as qsort asks for it. Equal ones stay in the order in which they were added. */
typedef int record_compare(const void *a, const void *b);

/* memory: about what records take in it at a time, where one pass can merge them with that: otherwise as much as it needs. */
record_sorter *record_sorter_create(size_t key_bytes, record_compare *compare, size_t memory);
void record_sorter_destroy(record_sorter *sorter);

/* False: what does not fit could not be written, and the record was not added; the others are there still. */
bool record_sorter_add(record_sorter *sorter, const void *key, const void *bytes, size_t size, fault *why);
/* From now on all is kept in memory, whatever it takes: for who would rather not lose what he has. */
void record_sorter_stay(record_sorter *sorter);
/* To the first record, after the last is added; again as often as wished. */
bool record_sorter_start(record_sorter *sorter, fault *why);
/* The next record, valid until the next call; NULL with *size 0: that was the last; NULL with *size 1: it could not
 * be read. */
const void *record_sorter_next(record_sorter *sorter, size_t *size, fault *why);
uint64_t record_sorter_count(const record_sorter *sorter);

#endif
