/* A stable radix sort of 64-bit keys by some of their bits, in parallel: a stable sort has one result only,
 * so it is the same for any number of threads. */
#ifndef BW_TREE_BUILD_SORT_H
#define BW_TREE_BUILD_SORT_H

#include "base/memory.h"

/* How often so many keys change arrays: after an odd number the result stands in scratch. */
unsigned bw_radix_passes(uint32_t count, unsigned bits);

/* Sorts by the bits first_bit .. first_bit + bits - 1 (bits at most 33). scratch holds count keys. Returns
 * the array, keys or scratch, in which the result stands, or NULL where the counters' memory could not be
 * had. */
uint64_t *bw_radix_sort(uint64_t *keys, uint64_t *scratch, uint32_t count, unsigned first_bit, unsigned bits,
                        const bw_allocator *allocator, const bw_tasks *tasks);

/* A few keys, by all their bits, in place. Quadratic. */
void bw_insertion_sort(uint64_t *keys, uint32_t count);

#endif
