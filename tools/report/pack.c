/* Bytes inside a page. */
#include "report/pack.h"

#include "fault.h"

#include <stdlib.h>
#include <string.h>
#ifdef BOXWOOD_ZLIB
#    include <zlib.h>
#endif

void pack_free(pack *p)
{
    free(p->bytes);
    *p = (pack){.bytes = NULL};
}

static uint8_t *room(pack *p, size_t count)
{
    if (p->capacity - p->count < count) {
        p->capacity = 2 * p->capacity > p->count + count ? 2 * p->capacity : p->count + count;
        p->bytes = tool_resize(p->bytes, p->capacity, 1);
    }
    p->count += count;
    return p->bytes + (p->count - count);
}

void pack_bytes(pack *p, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(room(p, count), bytes, count);
}

static void put(uint8_t *planes, size_t count, size_t i, uint32_t word)
{
    for (size_t k = 0; k < 4; k++)
        planes[k * count + i] = (uint8_t)(word >> (8 * k));
}

void pack_words(pack *p, const uint32_t *words, size_t count, size_t stride)
{
    uint8_t *planes = room(p, 4 * count);
    for (size_t i = 0; i < count; i++)
        put(planes, count, i, words[i] - (i < stride ? 0 : words[i - stride]));
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void pack_floats(pack *p, const float *values, size_t count, size_t stride)
{
    uint8_t *planes = room(p, 4 * count);
    for (size_t i = 0; i < count; i++)
        put(planes, count, i, bits_of(values[i]) - (i < stride ? 0 : bits_of(values[i - stride])));
}

void pack_steps(pack *p, const int32_t *values, const int32_t *last, const int32_t *before, size_t count)
{
    uint8_t *planes = room(p, 4 * count);
    for (size_t i = 0; i < count; i++) {
        uint32_t expected = last && before ? 2 * (uint32_t)last[i] - (uint32_t)before[i]
                            : last         ? (uint32_t)last[i]
                            : i < 3        ? 0
                                           : (uint32_t)values[i - 3];
        uint32_t off = (uint32_t)values[i] - expected;
        put(planes, count, i, off << 1 ^ (off >> 31 ? UINT32_MAX : 0));
    }
}

static size_t write_base64(const uint8_t *bytes, size_t count, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[4096];
    size_t filled = 0, written = 0;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t left = count - i < 3 ? (uint32_t)(count - i) : 3;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? bytes[i + 2] : 0);
        line[filled++] = digits[word >> 18];
        line[filled++] = digits[word >> 12 & 63];
        line[filled++] = left > 1 ? digits[word >> 6 & 63] : '=';
        line[filled++] = left > 2 ? digits[word & 63] : '=';
        if (filled == sizeof line || i + 3 >= count) {
            fwrite(line, 1, filled, out);
            written += filled;
            filled = 0;
        }
    }
    return written;
}

size_t pack_write(const pack *p, FILE *out)
{
#ifdef BOXWOOD_ZLIB
    uLongf size = compressBound((uLong)p->count);
    uint8_t *small = tool_alloc(size, 1);
    if (compress2(small, &size, p->bytes, (uLong)p->count, Z_DEFAULT_COMPRESSION) != Z_OK) {
        complain("out of memory (to compress %zu bytes)", p->count);
        exit(EXIT_FAULT);
    }
    size_t written = write_base64(small, size, out);
    free(small);
    return written;
#else
    return write_base64(p->bytes, p->count, out);
#endif
}
