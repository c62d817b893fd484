/* Polynomials of up to degree nine in Bernstein form over [0, 1] with wide integer coefficients:
 * volumes of points on cubic curves, their roots on the grid of 2^-52 in time, and signs there.
 * geom/polynomial/polynomial.h does the same to degree three on integers a quarter as wide. */
#ifndef BW_TIMELINE_EXACT_BIG_POLYNOMIAL_H
#define BW_TIMELINE_EXACT_BIG_POLYNOMIAL_H

/* Coordinates take up to 1,110 bits (path.c), a volume three times that and 9 more; looked at in a cell of
 * 2^-256 of the time, twice 9 * 256 more. */
#define BW_INTEGER_BITS 8192
#include "geom/polynomial/integer.h"

enum { BW_BIG_DEGREE = 9, BW_BIG_GRID_BITS = 52, BW_BIG_DEEP_BITS = 256 };
#define BW_BIG_GRID (UINT64_C(1) << BW_BIG_GRID_BITS)

typedef struct bw_big_polynomial {
    int degree;
    bw_integer c[BW_BIG_DEGREE + 1];
    double rounded[BW_BIG_DEGREE + 1]; /* the coefficients over some power of two, none above 1, */
    double error;                      /* and how far a value made of them may be off on the grid */
} bw_big_polynomial;

/* The time index / 2^bits, or the open cell from there to (index + 1) / 2^bits. */
typedef struct bw_big_time {
    bw_integer index;
    int bits;
    bool cell;
} bw_big_time;

/* Room for what the functions below do in between. */
typedef struct bw_big_room {
    bw_big_polynomial now, left, right;
    bw_integer weight[2], product[2];
    bw_big_time waiting[BW_BIG_DEGREE];
    int roots; /* bw_big_sign counts those it meets in cells */
} bw_big_room;

/* Fills in what is rounded. */
void bw_big_round(bw_big_polynomial *p);
static inline bool bw_big_is_zero(const bw_big_polynomial *p)
{
    return bw_integers_zero(p->c, p->degree);
}
/* -1, 0, 1. In a cell 0 stands for: it has a root there. */
int bw_big_sign(const bw_big_polynomial *p, const bw_big_time *time, bw_big_room *room);

/* Visits what holds the roots in (0, 1), in any order: times of the grid, or its cells. The polynomial is not
 * zero. */
typedef void bw_big_root_fn(void *context, uint64_t low, bool cell);
void bw_big_roots(const bw_big_polynomial *p, bw_big_root_fn *visit, void *context, bw_big_room *room);
/* The same within a cell of the grid, to cells of 2^-BW_BIG_DEEP_BITS, until a visit returns true. */
typedef bool bw_big_deep_fn(void *context, const bw_big_time *time);
bool bw_big_deep_roots(const bw_big_polynomial *p, uint64_t low, bw_big_deep_fn *visit, void *context,
                       bw_big_room *room);

#endif
