/* A stable radix sort of 64-bit keys: alone, by some of their bits and in parallel, or with 32-bit values that
 * go with them. A stable sort has one result only, so it is the same for any number of threads. */
#ifndef BW_BASE_RADIX_SORT_H
#define BW_BASE_RADIX_SORT_H

#include "base/memory.h"

/* Sorts keys ascending, values alongside; equal keys keep their order. The scratch arrays hold count elements
 * each and end with unknown contents. One pass over the data for each byte in which the keys differ. */
void bw_sort_u64(uint64_t *keys, uint32_t *values, uint64_t *key_scratch, uint32_t *value_scratch,
                 uint32_t count);

/* Sorts by the bits first_bit .. first_bit + bits - 1 (1 to 33 of them). scratch holds count keys. Returns
 * the array, keys or scratch, in which the result stands, or NULL where the counters' memory could not be
 * had. */
uint64_t *bw_radix_sort(uint64_t *keys, uint64_t *scratch, uint32_t count, unsigned first_bit, unsigned bits,
                        const bw_allocator *allocator, const bw_tasks *tasks);

/* The same in steps, for those who make the keys block by block and have them at hand: they can count for the
 * first pass on the way. */
enum { BW_RADIX_BLOCK = 1 << 14 };
typedef struct bw_radix {
    uint32_t count;
    unsigned first_bit;
    unsigned passes, digit; /* bits of a digit; the highest may have fewer */
    bool high_first;
    uint32_t *counts; /* a row of 1 << digit for each block */
} bw_radix;

/* False when memory runs out. After an odd number of passes the result stands in scratch. */
bool bw_radix_begin(bw_radix *r, uint32_t count, unsigned first_bit, unsigned bits,
                    const bw_allocator *allocator);
void bw_radix_end(bw_radix *r, const bw_allocator *allocator);

/* Counts the keys of a block. Every block once, in any order, before bw_radix_run. */
void bw_radix_count(const bw_radix *r, uint32_t block, const uint64_t *keys);

/* Returns where the result stands. *repeats: true if more than `most` > 0 keys have the same bits from the
 * first one on, perhaps also where they do not. */
uint64_t *bw_radix_run(const bw_radix *r, uint64_t *keys, uint64_t *scratch, uint32_t most, bool *repeats,
                       const bw_tasks *tasks);

/* A few keys, by all their bits, in place. Quadratic. */
void bw_insertion_sort(uint64_t *keys, uint32_t count);

#endif
