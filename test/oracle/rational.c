#include "oracle/rational.h"

#include <math.h>

int64_t bw_rational_decompose(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0)
        return 0;
    int64_t mantissa = (int64_t)ldexp(frexp(x, exponent), 53);
    *exponent -= 53;
    int zeros = __builtin_ctzll((unsigned long long)mantissa);
    *exponent += zeros;
    return mantissa / ((int64_t)1 << zeros);
}

void bw_rational_lattice(const double *x, int count, mpz_t *out, int *exponent)
{
    int low = 0, e;
    bool any = false;
    for (int i = 0; i < count; i++)
        if (bw_rational_decompose(x[i], &e) != 0 && (!any || e < low)) {
            low = e;
            any = true;
        }
    for (int i = 0; i < count; i++) {
        mpz_set_si(out[i], bw_rational_decompose(x[i], &e));
        if (mpz_sgn(out[i]) != 0)
            mpz_mul_2exp(out[i], out[i], (mp_bitcnt_t)(e - low));
    }
    *exponent = low;
}

double bw_rational_to_double(const mpz_t numerator, const mpz_t denominator, int exponent)
{
    /* A quotient of at least 100 bits, then one rounding (mpz_get_d truncates, at a hundredth of an ulp
     * here). */
    long shift = 100 + (long)mpz_sizeinbase(denominator, 2) - (long)mpz_sizeinbase(numerator, 2);
    shift = shift < 0 ? 0 : shift;
    mpz_t q;
    mpz_init(q);
    mpz_mul_2exp(q, numerator, (mp_bitcnt_t)shift);
    mpz_tdiv_q(q, q, denominator);
    long e;
    double fraction = mpz_get_d_2exp(&e, q);
    mpz_clear(q);
    return ldexp(fraction, (int)(e - shift + exponent));
}

static void minor(mpz_t out, const mpz_t a, const mpz_t b, const mpz_t c, const mpz_t d)
{
    mpz_mul(out, a, d);
    mpz_submul(out, b, c);
}

int bw_rational_orient3d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d)
{
    double x[12] = {a->x, a->y, a->z, b->x, b->y, b->z, c->x, c->y, c->z, d->x, d->y, d->z};
    mpz_t v[12], m, det;
    int e;
    for (int i = 0; i < 12; i++)
        mpz_init(v[i]);
    mpz_inits(m, det, NULL);
    bw_rational_lattice(x, 12, v, &e);
    for (int i = 0; i < 9; i++)
        mpz_sub(v[i], v[i], v[9 + i % 3]);
    minor(m, v[4], v[5], v[7], v[8]);
    mpz_mul(det, v[0], m);
    minor(m, v[3], v[5], v[6], v[8]);
    mpz_submul(det, v[1], m);
    minor(m, v[3], v[4], v[6], v[7]);
    mpz_addmul(det, v[2], m);
    int sign = mpz_sgn(det);
    for (int i = 0; i < 12; i++)
        mpz_clear(v[i]);
    mpz_clears(m, det, NULL);
    return sign;
}

int bw_rational_orient2d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis)
{
    double x[6] = {a->x, a->y, b->x, b->y, c->x, c->y};
    if (axis == 0) {
        double yz[6] = {a->y, a->z, b->y, b->z, c->y, c->z};
        for (int i = 0; i < 6; i++)
            x[i] = yz[i];
    } else if (axis == 1) {
        double zx[6] = {a->z, a->x, b->z, b->x, c->z, c->x};
        for (int i = 0; i < 6; i++)
            x[i] = zx[i];
    }
    mpz_t v[6], m;
    int e;
    for (int i = 0; i < 6; i++)
        mpz_init(v[i]);
    mpz_init(m);
    bw_rational_lattice(x, 6, v, &e);
    for (int i = 2; i < 6; i++)
        mpz_sub(v[i], v[i], v[i % 2]);
    minor(m, v[2], v[3], v[4], v[5]);
    int sign = mpz_sgn(m);
    for (int i = 0; i < 6; i++)
        mpz_clear(v[i]);
    mpz_clear(m);
    return sign;
}
