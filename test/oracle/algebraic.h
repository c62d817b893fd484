/* Polynomials with integer coefficients and their real roots as algebraic numbers: a polynomial without
 * multiple roots and an interval that holds one of them (Sturm's theorem). Whether another polynomial is zero
 * there is a common divisor's question; its sign otherwise is found by shrinking the interval. Slow and
 * plain, so that it can be trusted. Not for several threads at once. */
#ifndef BW_ORACLE_ALGEBRAIC_H
#define BW_ORACLE_ALGEBRAIC_H

#include <gmp.h>
#include <stdbool.h>

enum { BW_ALG_COEFFICIENTS = 24 };

/* Lowest coefficient first. degree -1: zero. Lives in a pool, until bw_alg_release. */
typedef struct bw_alg {
    int degree;
    mpz_t c[BW_ALG_COEFFICIENTS];
} bw_alg;

/* How much of the pool is used, and back to that. */
int bw_alg_mark(void);
void bw_alg_release(int mark);

bw_alg *bw_alg_line(const mpz_t a, const mpz_t b); /* a (1 - t) + b t */
bw_alg *bw_alg_add(const bw_alg *a, const bw_alg *b);
bw_alg *bw_alg_subtract(const bw_alg *a, const bw_alg *b);
bw_alg *bw_alg_multiply(const bw_alg *a, const bw_alg *b);

/* A real number: the rational low where point, else the one root of p in (low, high]. */
typedef struct bw_real {
    const bw_alg *p;
    struct bw_sturm {
        int count;
        const bw_alg *p[BW_ALG_COEFFICIENTS];
    } s;
    mpq_t low, high;
    bool point;
    int shrunk; /* how often */
    bool high_known;
    int high_sign; /* of p at high, where known */
} bw_real;

void bw_real_init(bw_real *x);
void bw_real_clear(bw_real *x);
/* Halves the interval. */
void bw_real_shrink(bw_real *x);
/* The sign of q at x. */
int bw_alg_sign(const bw_alg *q, bw_real *x);
int bw_alg_sign_rational(const bw_alg *q, const mpq_t x);

/* Visits the roots of p in (0, 1], in ascending order, until a visit returns true. p is not zero. */
typedef bool bw_root_visitor(void *context, bw_real *root);
bool bw_alg_roots(const bw_alg *p, bw_root_visitor *visit, void *context);

/* Points that move on straight lines, on one lattice. */
typedef struct bw_moving_point {
    bw_alg *c[3];
} bw_moving_point;

bw_moving_point bw_moving_minus(const bw_moving_point *a, const bw_moving_point *b);
bw_moving_point bw_moving_cross(const bw_moving_point *a, const bw_moving_point *b);
bw_alg *bw_moving_dot(const bw_moving_point *a, const bw_moving_point *b);
bool bw_moving_zero(const bw_moving_point *v, bw_real *t);

#endif
