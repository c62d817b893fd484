/* Polynomials in Bernstein form over [0, 1] with integer coefficients, to degree three: roots on the grid of
 * 2^-52 in time, and signs there. docs/lab/continuous.md has the reasons. */
#ifndef BW_GEOM_POLYNOMIAL_POLYNOMIAL_H
#define BW_GEOM_POLYNOMIAL_POLYNOMIAL_H

#include "geom/polynomial/integer.h"

/* The finest times: multiples of 2^-52, all of them doubles. */
#define BW_CCD_GRID_BITS 52
#define BW_CCD_GRID (UINT64_C(1) << BW_CCD_GRID_BITS)

typedef struct bw_polynomial {
    int degree; /* 1 to 3 */
    bw_integer c[4];
} bw_polynomial;

/* Where a root is. */
typedef struct bw_grid_time {
    uint64_t low; /* on the grid */
    bool cell;    /* within (low, low + 1) rather than at low */
    bool cluster; /* several roots may be there */
} bw_grid_time;

enum { BW_SIGN_UNKNOWN = 2 };

static inline bool bw_polynomial_is_zero(const bw_polynomial *p)
{
    return bw_integers_zero(p->c, p->degree);
}

/* -1, 0, 1; in a cell also unknown, where it may have several signs. */
int bw_polynomial_sign(const bw_polynomial *p, const bw_grid_time *where);

/* Visits the roots in (0, 1] in ascending order, until a visit returns true. The polynomial is not zero. */
typedef bool bw_root_fn(void *context, const bw_grid_time *where);
bool bw_polynomial_visit_roots(const bw_polynomial *p, bw_root_fn *visit, void *context);

#endif
