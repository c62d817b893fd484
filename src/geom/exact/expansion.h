/* Exact arithmetic on sums of doubles.
 *
 * J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
 * Discrete & Computational Geometry 18 (1997). An expansion is an array of doubles whose exact sum is the
 * value: ascending in magnitude, nonoverlapping, without zeros except that the value zero is a single 0.
 * Every routine below is exact as long as nothing overflows and every partial product is a multiple of
 * 2^-1074; docs/lab/exact-triangles.md proves both for the range that boxwood/math.h states. Products are
 * split by hand (Dekker, Veltkamp) rather than by fma, so that the same bits come out on a processor without
 * it. Rounding must be to nearest even.
 */
#ifndef BW_GEOM_EXACT_EXPANSION_H
#define BW_GEOM_EXACT_EXPANSION_H

#include <boxwood/base.h>

/* Half an ulp of 1: the relative error of one rounded operation. */
#define BW_ROUNDOFF 0x1p-53

/* a + b = result + *error. */
static inline double bw_two_sum(double a, double b, double *error)
{
    double sum = a + b;
    double b_part = sum - a;
    double a_part = sum - b_part;
    *error = (a - a_part) + (b - b_part);
    return sum;
}

/* The same, where a is zero or |a| >= |b|. */
static inline double bw_fast_two_sum(double a, double b, double *error)
{
    double sum = a + b;
    *error = b - (sum - a);
    return sum;
}

/* a - b = result + *error. */
static inline double bw_two_difference(double a, double b, double *error)
{
    return bw_two_sum(a, -b, error);
}

/* a = result + *low, each of at most 26 bits. Needs |a| below 2^996. */
static inline double bw_split(double a, double *low)
{
    double c = 0x8000001p0 * a; /* 2^27 + 1 */
    double high = c - (c - a);
    *low = a - high;
    return high;
}

/* The error of the rounded product a * b, with b already split. */
static inline double bw_product_error(double product, double a, double b_high, double b_low)
{
    double a_low, a_high = bw_split(a, &a_low);
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/* a * b = result + *error. */
static inline double bw_two_product(double a, double b, double *error)
{
    double product = a * b;
    double b_low, b_high = bw_split(b, &b_low);
    *error = bw_product_error(product, a, b_high, b_low);
    return product;
}

/* e + f into out, which has room for the sum of their lengths and is neither; returns the length, at least 1.
 * Fast-Expansion-Sum with elimination of zeros (Shewchuk, theorem 13); both are strongly nonoverlapping. */
static inline int bw_expansion_sum(int e_count, const double *restrict e, int f_count,
                                   const double *restrict f, double *restrict out)
{
    int i = 0, j = 0, count = 0;
    double sum = 0, error;
    while (i < e_count || j < f_count) {
        bool take_e = j == f_count || (i < e_count && (e[i] < 0 ? -e[i] : e[i]) < (f[j] < 0 ? -f[j] : f[j]));
        sum = bw_two_sum(sum, take_e ? e[i++] : f[j++], &error);
        if (error != 0)
            out[count++] = error;
    }
    if (sum != 0 || count == 0)
        out[count++] = sum;
    return count;
}

/* e * factor into out, of twice the length of e and not e itself; returns the length, at least 1.
 * Scale-Expansion with elimination of zeros (Shewchuk, theorem 19). */
static inline int bw_expansion_scale(int count, const double *restrict e, double factor, double *restrict out)
{
    double f_low, f_high = bw_split(factor, &f_low);
    int length = 0;
    double sum = e[0] * factor;
    double error = bw_product_error(sum, e[0], f_high, f_low);
    if (error != 0)
        out[length++] = error;
    for (int i = 1; i < count; i++) {
        double high = e[i] * factor;
        double low = bw_product_error(high, e[i], f_high, f_low);
        double middle = bw_two_sum(sum, low, &error);
        if (error != 0)
            out[length++] = error;
        sum = bw_fast_two_sum(high, middle, &error);
        if (error != 0)
            out[length++] = error;
    }
    if (sum != 0 || length == 0)
        out[length++] = sum;
    return length;
}

/* The value to within a relative 2^-51; the sign is exact, because the largest component outweighs the
 * others. */
static inline double bw_expansion_estimate(int count, const double *e)
{
    double sum = e[0];
    for (int i = 1; i < count; i++)
        sum += e[i];
    return sum;
}

#endif
