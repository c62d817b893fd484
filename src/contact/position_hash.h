/* Places as keys of hash tables: vertices at one place are one, whatever their index. */
#ifndef BW_CONTACT_POSITION_HASH_H
#define BW_CONTACT_POSITION_HASH_H

#include <boxwood/math.h>

#include <string.h>

/* Of a place, beside a number. 0 and -0 are one. */
static inline uint64_t bw_hash_position(bw_vec3 p, uint64_t beside)
{
    const double x[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0};
    uint64_t bits[3];
    memcpy(bits, x, sizeof bits);
    const uint64_t mixed = bits[0] * 0x9e3779b97f4a7c15u ^ bits[1] * 0xc2b2ae3d27d4eb4fu ^
                           bits[2] * 0x165667b19e3779f9u ^ (beside + 1) * 0xd6e8feb86659fd93u;
    return (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9u >> 8; /* the lowest bits are the least mixed */
}

/* A power of two that leaves a table of so many entries at least half empty. */
static inline size_t bw_hash_slots(size_t entries)
{
    size_t slots = 16;
    while (slots < 2 * entries && slots <= SIZE_MAX / 4)
        slots *= 2;
    return slots;
}

#endif
