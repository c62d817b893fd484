/* Checksums of stores and part files. */
#ifndef TOOL_STORE_SUM_H
#define TOOL_STORE_SUM_H

#include <stddef.h>
#include <stdint.h>

/* Over bytes in memory. A change within one word of eight bytes always changes it, any other with a chance of 2^-64 to
 * miss. */
uint64_t store_sum(const void *bytes, size_t size);

/* The same over bytes that come in pieces; all but the last must be multiples of 32 bytes. */
typedef struct store_summer {
    uint64_t lanes[4];
    uint64_t size;
} store_summer;

store_summer store_summer_start(void);
void store_summer_add(store_summer *s, const void *bytes, size_t size);
uint64_t store_summer_end(const store_summer *s);

#endif
