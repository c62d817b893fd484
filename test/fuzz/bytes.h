/* Taking the fuzzer's bytes apart. Beyond their end everything is zero, or, where the input asks for it,
 * random: short inputs then reach far into the geometry. */
#ifndef BW_FUZZ_BYTES_H
#define BW_FUZZ_BYTES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    const uint8_t *data;
    size_t left;
    uint64_t random; /* 0: zeros follow */
} bytes;

static inline void bytes_take(bytes *b, void *out, size_t size)
{
    size_t have = size < b->left ? size : b->left;
    memset(out, 0, size);
    if (have > 0)
        memcpy(out, b->data, have);
    b->data += have;
    b->left -= have;
    for (size_t i = have; i < size && b->random != 0; i++) {
        b->random = b->random * 6364136223846793005u + 1442695040888963407u; /* Knuth's linear congruence */
        ((uint8_t *)out)[i] = (uint8_t)(b->random >> 56);
    }
}

/* Random bytes after the end, by a seed of eight bytes taken from the input. */
static inline void bytes_go_on(bytes *b)
{
    uint64_t seed;
    bytes_take(b, &seed, sizeof seed);
    b->random = seed | 1;
}

static inline uint8_t bytes_u8(bytes *b)
{
    uint8_t value;
    bytes_take(b, &value, 1);
    return value;
}

/* A coordinate: of a small lattice, of many bits, or any bits at all. */
static inline double bytes_coordinate(bytes *b, uint8_t style)
{
    int8_t small = (int8_t)bytes_u8(b);
    switch (style % 4) {
    case 0:
        return (double)(small % 4);
    case 1:
        return (double)small / 16;
    case 2:
        return ldexp((double)small, (int8_t)bytes_u8(b) / 4);
    default: {
        int32_t bits;
        bytes_take(b, &bits, sizeof bits);
        return (double)bits * 0x1p-31 + (double)small;
    }
    }
}

/* Ends the program, so that the fuzzer keeps the input, unless the claim holds. */
#define must(claim)                                                                                          \
    do {                                                                                                     \
        if (!(claim)) {                                                                                      \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #claim);                       \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
