/* Sets of numbers, one bit each. */
#ifndef BW_BASE_BITS_H
#define BW_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes for the numbers below count; all zero is the empty set. */
static inline size_t bw_bits_bytes(uint32_t count)
{
    return (size_t)count / 8 + 1;
}

/* Adds i; true where it was there already. */
static inline bool bw_bits_test_and_set(uint8_t *bits, uint32_t i)
{
    uint8_t bit = (uint8_t)(1u << (i & 7));
    bool was = (bits[i >> 3] & bit) != 0;
    bits[i >> 3] |= bit;
    return was;
}

#endif
