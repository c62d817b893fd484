/* Integers of a few hundred to two thousand bits, on the C stack: what moving points need where expansions
 * would grow too long. Sign and magnitude, little-endian limbs; no operation allocates or fails, because the
 * widths are known from the exact range (docs/lab/continuous.md): coordinates on their common lattice take
 * at most 653 bits, the coefficients of a coplanarity cubic on a grid of 2^-52 at most 2140.
 */
#ifndef BW_GEOM_POLYNOMIAL_INTEGER_H
#define BW_GEOM_POLYNOMIAL_INTEGER_H

#include <assert.h>
#include <boxwood/base.h>
#include <math.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
typedef uint64_t bw_limb;
__extension__ typedef unsigned __int128 bw_limb_pair;
#else
typedef uint32_t bw_limb;
typedef uint64_t bw_limb_pair;
#endif

/* A file that needs wider ones says so before it includes this header; its integers are its own. */
#ifndef BW_INTEGER_BITS
#    define BW_INTEGER_BITS 2304
#endif
enum { BW_LIMB_BITS = 8 * (int)sizeof(bw_limb), BW_INTEGER_LIMBS = BW_INTEGER_BITS / BW_LIMB_BITS };

typedef struct bw_integer {
    int sign;  /* -1, 0, 1 */
    int count; /* limbs in use, the last of them not zero; 0 for zero */
    bw_limb limb[BW_INTEGER_LIMBS];
} bw_integer;

static inline void bw_integer_copy(bw_integer *out, const bw_integer *a)
{
    out->sign = a->sign;
    out->count = a->count;
    /* A loop: most are of a few limbs, fewer than a call is worth. */
    for (int i = 0; i < a->count; i++)
        out->limb[i] = a->limb[i];
}

static inline void bw_integer_trim(bw_integer *a)
{
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
    if (a->count == 0)
        a->sign = 0;
}

/* x, zero or of a magnitude of at least 2^-1022, = result * 2^*exponent with an odd result, or 0. */
static inline int64_t bw_odd_mantissa(double x, int *exponent)
{
    if (x == 0)
        return 0;
    int64_t mantissa;
#ifdef __GNUC__
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t size = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int zeros = __builtin_ctzll(size);
    mantissa = (int64_t)(size >> zeros);
    *exponent = (int)(bits >> 52 & 0x7ff) - 1075 + zeros;
    mantissa = x < 0 ? -mantissa : mantissa;
#else
    mantissa = (int64_t)(frexp(x, exponent) * 0x1p53);
    *exponent -= 53;
    for (int bits = 32; bits > 0; bits /= 2)
        if ((mantissa & ((INT64_C(1) << bits) - 1)) == 0) {
            mantissa /= INT64_C(1) << bits;
            *exponent += bits;
        }
#endif
    return mantissa;
}

/* mantissa * 2^shift; |mantissa| < 2^53, shift >= 0. */
static inline void bw_integer_set(bw_integer *out, int64_t mantissa, int shift)
{
    out->sign = (mantissa > 0) - (mantissa < 0);
    out->count = 0;
    if (mantissa == 0)
        return;
    uint64_t rest = mantissa < 0 ? (uint64_t)-mantissa : (uint64_t)mantissa;
    int limb = shift / BW_LIMB_BITS, bit = shift % BW_LIMB_BITS;
    assert(limb + 128 / BW_LIMB_BITS < BW_INTEGER_LIMBS);
    memset(out->limb, 0, (size_t)limb * sizeof(bw_limb));
    bw_limb_pair carry = 0;
    out->count = limb;
    for (int taken = 0; taken < 64 || carry != 0; taken += BW_LIMB_BITS) {
        bw_limb piece = (bw_limb)rest;
        rest = taken + BW_LIMB_BITS < 64 ? (rest >> (BW_LIMB_BITS - 1)) >> 1 : 0;
        bw_limb_pair wide = ((bw_limb_pair)piece << bit) | carry;
        out->limb[out->count++] = (bw_limb)wide;
        carry = wide >> BW_LIMB_BITS;
    }
    bw_integer_trim(out);
}

static inline int bw_integer_compare_magnitude(const bw_integer *a, const bw_integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a + sign * b, sign being 1 or -1; out may be either. */
static inline void bw_integer_add_signed(bw_integer *out, const bw_integer *a, const bw_integer *b, int sign)
{
    int b_sign = sign * b->sign;
    if (b_sign == 0) {
        if (out != a)
            bw_integer_copy(out, a);
        return;
    }
    if (a->sign == 0) {
        if (out != b)
            bw_integer_copy(out, b);
        out->sign = b_sign;
        return;
    }
    if (a->sign == b_sign) {
        const bw_integer *longer = a->count >= b->count ? a : b, *shorter = longer == a ? b : a;
        int longer_count = longer->count, shorter_count = shorter->count;
        bw_limb_pair carry = 0;
        for (int i = 0; i < longer_count; i++) {
            carry += (bw_limb_pair)longer->limb[i] + (i < shorter_count ? shorter->limb[i] : 0);
            out->limb[i] = (bw_limb)carry;
            carry >>= BW_LIMB_BITS;
        }
        out->count = longer_count;
        out->sign = b_sign;
        if (carry != 0) {
            assert(out->count < BW_INTEGER_LIMBS);
            out->limb[out->count++] = (bw_limb)carry;
        }
        return;
    }
    int order = bw_integer_compare_magnitude(a, b);
    if (order == 0) {
        out->sign = out->count = 0;
        return;
    }
    const bw_integer *larger = order > 0 ? a : b, *smaller = order > 0 ? b : a;
    int larger_count = larger->count, smaller_count = smaller->count,
        larger_sign = order > 0 ? a->sign : b_sign;
    bw_limb borrow = 0;
    for (int i = 0; i < larger_count; i++) {
        bw_limb minuend = larger->limb[i], subtrahend = i < smaller_count ? smaller->limb[i] : 0;
        bw_limb difference = minuend - subtrahend;
        bw_limb next = (bw_limb)(minuend < subtrahend) | (bw_limb)(difference < borrow);
        out->limb[i] = difference - borrow;
        borrow = next;
    }
    out->count = larger_count;
    out->sign = larger_sign;
    bw_integer_trim(out);
}

static inline void bw_integer_add(bw_integer *out, const bw_integer *a, const bw_integer *b)
{
    bw_integer_add_signed(out, a, b, 1);
}

static inline void bw_integer_subtract(bw_integer *out, const bw_integer *a, const bw_integer *b)
{
    bw_integer_add_signed(out, a, b, -1);
}

/* a * b; out is neither. */
static inline void bw_integer_multiply(bw_integer *out, const bw_integer *a, const bw_integer *b)
{
    out->sign = a->sign * b->sign;
    out->count = 0;
    if (out->sign == 0)
        return;
    out->count = a->count + b->count;
    assert(out->count <= BW_INTEGER_LIMBS);
    /* The first row sets, the others add. */
    bw_limb_pair carry = 0;
    for (int j = 0; j < b->count; j++) {
        carry += (bw_limb_pair)a->limb[0] * b->limb[j];
        out->limb[j] = (bw_limb)carry;
        carry >>= BW_LIMB_BITS;
    }
    out->limb[b->count] = (bw_limb)carry;
    for (int i = 1; i < a->count; i++) {
        carry = 0;
        for (int j = 0; j < b->count; j++) {
            carry += (bw_limb_pair)a->limb[i] * b->limb[j] + out->limb[i + j];
            out->limb[i + j] = (bw_limb)carry;
            carry >>= BW_LIMB_BITS;
        }
        out->limb[i + b->count] = (bw_limb)carry;
    }
    /* Only the last limb can be zero. */
    out->count -= out->limb[out->count - 1] == 0;
}

/* a * 2^bits, 0 <= bits < BW_LIMB_BITS; out may be a. */
static inline void bw_integer_shift(bw_integer *out, const bw_integer *a, int bits)
{
    bw_limb_pair carry = 0;
    out->sign = a->sign;
    int count = a->count;
    for (int i = 0; i < count; i++) {
        carry |= (bw_limb_pair)a->limb[i] << bits;
        out->limb[i] = (bw_limb)carry;
        carry >>= BW_LIMB_BITS;
    }
    if (carry != 0) {
        assert(count < BW_INTEGER_LIMBS);
        out->limb[count++] = (bw_limb)carry;
    }
    out->count = count;
}

/* Of the coefficients of a polynomial: whether all are zero, and how often their signs change. */
static inline bool bw_integers_zero(const bw_integer *c, int degree)
{
    for (int i = 0; i <= degree; i++)
        if (c[i].sign != 0)
            return false;
    return true;
}
static inline int bw_integers_changes(const bw_integer *c, int degree)
{
    int count = 0, last = 0;
    for (int i = 0; i <= degree; i++)
        if (c[i].sign != 0) {
            count += last != 0 && last != c[i].sign;
            last = c[i].sign;
        }
    return count;
}

/* About the value over 2^exponent, from the leading limbs. */
static inline double bw_integer_leading(const bw_integer *a, int exponent)
{
    const double base = BW_LIMB_BITS == 64 ? 0x1p64 : 0x1p32;
    int lowest = a->count > 128 / BW_LIMB_BITS ? a->count - 128 / BW_LIMB_BITS : 0;
    double value = 0;
    for (int i = a->count; i-- > lowest;)
        value = value * base + (double)a->limb[i];
    return a->sign * ldexp(value, lowest * BW_LIMB_BITS - exponent);
}

#endif
