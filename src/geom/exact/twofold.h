/* Sums of two doubles, two of them at a time: about 106 bits, where a filter's 53 cannot tell and exact
 * integers would take long. The lanes are those of base/simd/f64x2.h.
 *
 * With u = 2^-53, and as long as nothing overflows or underflows (the caller sees to that):
 *   a difference of doubles is exact;
 *   a sum is off by at most 3 u^2 (|a| + |b|), a product by 7 u^2 |a b|, by 3 u^2 |a b| with a double.
 * M. Joldes, J.-M. Muller, V. Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of
 * Double-Word Arithmetic", ACM Transactions on Mathematical Software 44, 2017. Products are split by hand, as
 * in geom/exact/expansion.h.
 */
#ifndef BW_GEOM_EXACT_TWOFOLD_H
#define BW_GEOM_EXACT_TWOFOLD_H

#include "base/simd/f64x2.h"

typedef struct twofold {
    d2 high, low; /* their sum, |low| at most half an ulp of high */
} twofold;

static inline twofold twofold_sum(d2 a, d2 b)
{
    d2 sum = a + b, b_part = sum - a, a_part = sum - b_part;
    return (twofold){sum, a - a_part + (b - b_part)};
}

/* Where |a| >= |b| or a is zero. */
static inline twofold twofold_fast_sum(d2 a, d2 b)
{
    d2 sum = a + b;
    return (twofold){sum, b - (sum - a)};
}

static inline twofold twofold_difference(d2 a, d2 b)
{
    d2 sum = a - b, b_part = sum - a, a_part = sum - b_part;
    return (twofold){sum, a - a_part - (b + b_part)};
}

/* Where the high parts cancel what is left of them is still a multiple of an ulp of the rest. */
static inline twofold twofold_add(twofold a, twofold b)
{
    twofold sum = twofold_sum(a.high, b.high);
    return twofold_fast_sum(sum.high, sum.low + (a.low + b.low));
}

static inline twofold twofold_sub(twofold a, twofold b)
{
    twofold difference = twofold_difference(a.high, b.high);
    return twofold_fast_sum(difference.high, difference.low + (a.low - b.low));
}

/* The exact product of two doubles. */
static inline twofold twofold_product(d2 a, d2 b)
{
    const d2 splitter = d2_all(0x8000001p0); /* 2^27 + 1 */
    d2 product = a * b, ca = splitter * a, cb = splitter * b;
    d2 a_high = ca - (ca - a), b_high = cb - (cb - b);
    d2 a_low = a - a_high, b_low = b - b_high;
    d2 rest = product - a_high * b_high - a_low * b_high - a_high * b_low;
    return (twofold){product, a_low * b_low - rest};
}

static inline twofold twofold_mul(twofold a, twofold b)
{
    twofold product = twofold_product(a.high, b.high);
    d2 more = a.high * b.low + a.low * b.high;
    return twofold_fast_sum(product.high, product.low + more);
}

static inline twofold twofold_times(twofold a, d2 b)
{
    twofold product = twofold_product(a.high, b);
    return twofold_fast_sum(product.high, product.low + a.low * b);
}

static inline twofold twofold_swap(twofold a)
{
    return (twofold){d2_swap(a.high), d2_swap(a.low)};
}

/* The low lanes of both, and the high ones. */
static inline twofold twofold_lows(twofold a, twofold b)
{
    return (twofold){d2_lows(a.high, b.high), d2_lows(a.low, b.low)};
}
static inline twofold twofold_highs(twofold a, twofold b)
{
    return (twofold){d2_highs(a.high, b.high), d2_highs(a.low, b.low)};
}

#endif
