/* Random numbers for scenes and tests: the same sequence on every machine. xoshiro256** (Blackman and Vigna,
 * "Scrambled linear pseudorandom number generators", 2021), its state filled by splitmix64. */
#ifndef BWS_RANDOM_H
#define BWS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bws_random {
    uint64_t s[4];
} bws_random;

static inline uint64_t bws_splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline bws_random bws_random_seeded(uint64_t seed)
{
    bws_random r;
    for (int i = 0; i < 4; i++)
        r.s[i] = bws_splitmix(&seed);
    return r;
}

static inline uint64_t bws_random_u64(bws_random *r)
{
    uint64_t m = r->s[1] * 5;
    uint64_t result = ((m << 7) | (m >> 57)) * 9;
    uint64_t t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = (r->s[3] << 45) | (r->s[3] >> 19);
    return result;
}

static inline uint32_t bws_random_u32(bws_random *r)
{
    return (uint32_t)(bws_random_u64(r) >> 32);
}

/* 0 .. below-1, every value equally likely; below > 0. */
static inline uint64_t bws_random_below(bws_random *r, uint64_t below)
{
    /* The lowest 2^64 mod below draws would favour the small values: drop them. */
    uint64_t reject = (UINT64_MAX - below + 1) % below;
    uint64_t x;
    do
        x = bws_random_u64(r);
    while (x < reject);
    return x % below;
}

/* low .. high, both included. */
static inline int64_t bws_random_int(bws_random *r, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t step = span == 0 ? bws_random_u64(r) : bws_random_below(r, span);
    return (int64_t)((uint64_t)low + step);
}

static inline bool bws_random_bool(bws_random *r)
{
    return bws_random_u64(r) >> 63 != 0;
}

/* [0, 1), in steps of 2^-53. */
static inline double bws_random_unit(bws_random *r)
{
    return (double)(bws_random_u64(r) >> 11) * 0x1p-53;
}

static inline double bws_random_double(bws_random *r, double low, double high)
{
    return low + (high - low) * bws_random_unit(r);
}

static inline float bws_random_float(bws_random *r, float low, float high)
{
    return low + (high - low) * ((float)(bws_random_u64(r) >> 40) * 0x1p-24f);
}

#endif
