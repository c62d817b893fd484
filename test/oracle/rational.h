/* Doubles as exact numbers: integers on a common power-of-two lattice (GMP), and the determinants of points
 * by them. Slow and plain, so that it can be trusted. Not for several threads at once. */
#ifndef BW_ORACLE_RATIONAL_H
#define BW_ORACLE_RATIONAL_H

#include <boxwood/math.h>
#include <gmp.h>

/* x = integer * 2^exponent exactly, integer odd or zero (then exponent is 0); x is finite. */
int64_t bw_rational_decompose(double x, int *exponent);
/* out[i] * 2^*exponent = x[i] for all i, with the largest exponent for which all are integers. out is
 * initialised. */
void bw_rational_lattice(const double *x, int count, mpz_t *out, int *exponent);
/* numerator / denominator * 2^exponent, to nearest or next to it. */
double bw_rational_to_double(const mpz_t numerator, const mpz_t denominator, int exponent);

int bw_rational_orient3d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d);
int bw_rational_orient2d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis);

#endif
