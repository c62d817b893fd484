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
/* The same with differences from other words, of the frame before. */
void pack_floats_after(pack *pack, const float *values, const float *before, size_t count);

/* Writes the bytes as base64, deflated (zlib, RFC 1950) if PACK_DEFLATES. Returns the count of characters. */
size_t pack_write(const pack *pack, FILE *out);

#ifdef BOXWOOD_ZLIB
enum { PACK_DEFLATES = 1 };
#else
enum { PACK_DEFLATES = 0 };
#endif

#endif
