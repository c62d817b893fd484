/* Bytes inside a page: words sorted so that they compress, deflated where zlib is there, as base64. */
#ifndef TOOL_REPORT_PACK_H
#define TOOL_REPORT_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A block of bytes that grows. */
typedef struct pack {
    uint8_t *bytes;
    size_t count, capacity;
} pack;

void pack_free(pack *pack);
void pack_bytes(pack *pack, const void *bytes, size_t count);
/* Words as differences from the word `stride` before (modulo 2^32; the first ones from 0), first the lowest
 * byte of each, then the second, and so on. */
void pack_words(pack *pack, const uint32_t *words, size_t count, size_t stride);
/* Floats as the words of their bits. */
void pack_floats(pack *pack, const float *values, size_t count, size_t stride);
/* Whole numbers as differences from what was expected, the least of which have the smallest words (0, -1, 1, -2, ...
 * become 0, 1, 2, 3, ...). Expected is that everything goes on as from the one before the last to the last; from
 * `last` where there is no other; and without that what stands three places before. */
void pack_steps(pack *pack, const int32_t *values, const int32_t *last, const int32_t *before, size_t count);

/* Writes the bytes as base64, deflated (zlib, RFC 1950) if PACK_DEFLATES. Returns the count of characters. */
size_t pack_write(const pack *pack, FILE *out);

#ifdef BOXWOOD_ZLIB
enum { PACK_DEFLATES = 1 };
#else
enum { PACK_DEFLATES = 0 };
#endif

#endif
