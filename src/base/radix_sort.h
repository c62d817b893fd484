/* A stable radix sort of 64-bit keys that carry 32-bit values: Morton codes, edges, events. */
#ifndef BW_BASE_RADIX_SORT_H
#define BW_BASE_RADIX_SORT_H

#include <boxwood/base.h>

/* Sorts keys ascending, values alongside; equal keys keep their order. The scratch arrays hold count elements
 * each and end with unknown contents. One pass over the data for each byte in which the keys differ. */
void bw_sort_u64(uint64_t *keys, uint32_t *values, uint64_t *key_scratch, uint32_t *value_scratch,
                 uint32_t count);

#endif
