/* Vectors of integers: points on the lattice of their lowest bit.
 *
 * Coordinates are zero or within [2^-300, 2^100], so they take at most 453 bits on their common lattice; what is
 * decided is of degree 6 at most, with factors for the number of points: below 3072 bits. */
#ifndef BW_GEOM_EXACT_LATTICE_H
#define BW_GEOM_EXACT_LATTICE_H

#define BW_INTEGER_BITS 3072
#include "geom/polynomial/integer.h"

#include <boxwood/math.h>

typedef struct bw_lattice_vec {
    bw_integer c[3];
} bw_lattice_vec;

/* The exponent of the lowest bit of x, where it is below the one given. */
static inline int bw_lattice_lowest(double x, int exponent)
{
    int own = 0;
    return bw_odd_mantissa(x, &own) != 0 && own < exponent ? own : exponent;
}

static inline void bw_lattice_number(bw_integer *out, double x, int exponent)
{
    int own = exponent;
    const int64_t mantissa = bw_odd_mantissa(x, &own);
    bw_integer_set(out, mantissa, mantissa == 0 ? 0 : own - exponent);
}

static inline void bw_lattice_point(bw_lattice_vec *out, const bw_vec3 *p, int exponent)
{
    bw_lattice_number(&out->c[0], p->x, exponent);
    bw_lattice_number(&out->c[1], p->y, exponent);
    bw_lattice_number(&out->c[2], p->z, exponent);
}

static inline bool bw_lattice_is_zero(const bw_lattice_vec *a)
{
    return a->c[0].sign == 0 && a->c[1].sign == 0 && a->c[2].sign == 0;
}

static inline void bw_lattice_copy(bw_lattice_vec *out, const bw_lattice_vec *a)
{
    for (int k = 0; k < 3; k++)
        bw_integer_copy(&out->c[k], &a->c[k]);
}

/* a + sign * b; out may be either. */
static inline void bw_lattice_add(bw_lattice_vec *out, const bw_lattice_vec *a, const bw_lattice_vec *b,
                                  int sign)
{
    for (int k = 0; k < 3; k++)
        bw_integer_add_signed(&out->c[k], &a->c[k], &b->c[k], sign);
}

static inline void bw_lattice_dot(bw_integer *out, const bw_lattice_vec *a, const bw_lattice_vec *b)
{
    bw_integer product;
    bw_integer_multiply(out, &a->c[0], &b->c[0]);
    for (int k = 1; k < 3; k++) {
        bw_integer_multiply(&product, &a->c[k], &b->c[k]);
        bw_integer_add(out, out, &product);
    }
}

/* out is neither. */
static inline void bw_lattice_cross(bw_lattice_vec *out, const bw_lattice_vec *a, const bw_lattice_vec *b)
{
    bw_integer product;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        bw_integer_multiply(&out->c[k], &a->c[i], &b->c[j]);
        bw_integer_multiply(&product, &a->c[j], &b->c[i]);
        bw_integer_subtract(&out->c[k], &out->c[k], &product);
    }
}

/* a s + b t; out is neither. */
static inline void bw_lattice_combine(bw_lattice_vec *out, const bw_lattice_vec *a, const bw_integer *s,
                                      const bw_lattice_vec *b, const bw_integer *t)
{
    bw_integer product;
    for (int k = 0; k < 3; k++) {
        bw_integer_multiply(&out->c[k], &a->c[k], s);
        bw_integer_multiply(&product, &b->c[k], t);
        bw_integer_add(&out->c[k], &out->c[k], &product);
    }
}

static inline int bw_integer_compare(const bw_integer *a, const bw_integer *b)
{
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    return a->sign * bw_integer_compare_magnitude(a, b);
}

#endif
