/* Integers of a known small width: 128 bits, products of two in 256, of three in 384. Exact coordinates fit
 * nearly always, and without loops over a number of limbs that nobody can foretell a product takes a few
 * nanoseconds. Only where the compiler has integers of 128 bits.
 */
#ifndef BW_GEOM_POLYNOMIAL_NARROW_H
#define BW_GEOM_POLYNOMIAL_NARROW_H

#include "geom/polynomial/integer.h"

#ifdef __SIZEOF_INT128__
#    define BW_NARROW_BITS 120 /* of a coordinate: differences, determinants and a few sums of them fit */

__extension__ typedef __int128 bw_narrow;
__extension__ typedef unsigned __int128 bw_narrow_part;

/* In two's complement, the low parts first. */
typedef struct bw_narrow2 {
    bw_narrow_part part[2];
} bw_narrow2;
typedef struct bw_narrow3 {
    bw_narrow_part part[3];
} bw_narrow3;

static inline bw_narrow2 bw_narrow_unsigned_product(bw_narrow_part a, bw_narrow_part b)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    bw_narrow_part p00 = (bw_narrow_part)a0 * b0, p01 = (bw_narrow_part)a0 * b1,
                   p10 = (bw_narrow_part)a1 * b0, p11 = (bw_narrow_part)a1 * b1;
    bw_narrow_part middle = (p00 >> 64) + (uint64_t)p01 + (uint64_t)p10;
    return (bw_narrow2){{middle << 64 | (uint64_t)p00, p11 + (p01 >> 64) + (p10 >> 64) + (middle >> 64)}};
}

/* b where a is negative, else 0: what an unsigned product counts too much, in its high part. */
static inline bw_narrow_part bw_narrow_excess(bw_narrow a, bw_narrow b)
{
    return (bw_narrow_part)b & (0 - ((bw_narrow_part)a >> 127));
}

static inline bw_narrow2 bw_narrow_product(bw_narrow a, bw_narrow b)
{
    bw_narrow2 out = bw_narrow_unsigned_product((bw_narrow_part)a, (bw_narrow_part)b);
    out.part[1] -= bw_narrow_excess(a, b) + bw_narrow_excess(b, a);
    return out;
}

static inline bw_narrow2 bw_narrow2_add(bw_narrow2 a, bw_narrow2 b)
{
    bw_narrow_part low = a.part[0] + b.part[0];
    return (bw_narrow2){{low, a.part[1] + b.part[1] + (low < b.part[0])}};
}

static inline bw_narrow2 bw_narrow2_subtract(bw_narrow2 a, bw_narrow2 b)
{
    return (bw_narrow2){{a.part[0] - b.part[0], a.part[1] - b.part[1] - (a.part[0] < b.part[0])}};
}

static inline bw_narrow3 bw_narrow3_add(bw_narrow3 a, bw_narrow3 b)
{
    bw_narrow_part low = a.part[0] + b.part[0], carry = low < b.part[0];
    bw_narrow_part middle = a.part[1] + b.part[1], over = middle < b.part[1];
    middle += carry;
    over += middle < carry;
    return (bw_narrow3){{low, middle, a.part[2] + b.part[2] + over}};
}

static inline bw_narrow3 bw_narrow3_negative(bw_narrow3 a)
{
    bw_narrow_part low = 0 - a.part[0], borrow = a.part[0] != 0, middle = 0 - a.part[1] - borrow;
    borrow = (a.part[1] | borrow) != 0;
    return (bw_narrow3){{low, middle, 0 - a.part[2] - borrow}};
}

static inline bw_narrow3 bw_narrow2_times(bw_narrow2 a, bw_narrow b)
{
    bw_narrow2 low = bw_narrow_unsigned_product(a.part[0], (bw_narrow_part)b);
    low.part[1] -= (bw_narrow_part)a.part[0] & (0 - ((bw_narrow_part)b >> 127));
    bw_narrow2 high = bw_narrow_product((bw_narrow)a.part[1], b);
    bw_narrow_part middle = low.part[1] + high.part[0],
                   sign = 0 - (low.part[1] >> 127); /* the low product goes on like this above */
    return (bw_narrow3){{low.part[0], middle, high.part[1] + sign + (middle < high.part[0])}};
}

/* From two's complement. */
static inline void bw_integer_from_parts(bw_integer *out, const bw_narrow_part *parts, int count)
{
    bw_narrow_part mask = 0 - (parts[count - 1] >> 127), carry = mask & 1;
    for (int i = 0; i < count; i++) {
        bw_narrow_part part = (parts[i] ^ mask) + carry;
        carry &= part == 0;
        out->limb[2 * i] = (uint64_t)part;
        out->limb[2 * i + 1] = (uint64_t)(part >> 64);
    }
    out->sign = mask ? -1 : 1;
    out->count = 2 * count;
    bw_integer_trim(out);
}
#else
#    define BW_NARROW_BITS 0
typedef int64_t bw_narrow; /* not used */
#endif

#endif
