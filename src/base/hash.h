/* Mixing the bits of a number. */
#ifndef BW_BASE_HASH_H
#define BW_BASE_HASH_H

#include <boxwood/base.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every bit of x reaches every bit. */
static inline uint64_t bw_hash_stir(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
