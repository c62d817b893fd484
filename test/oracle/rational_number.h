/* Rationals that are written like expressions: every operation returns a new number from a pool, which
 * bw_rational_begin() empties. Not for several threads at once. */
#ifndef BW_ORACLE_RATIONAL_NUMBER_H
#define BW_ORACLE_RATIONAL_NUMBER_H

#include <boxwood/math.h>
#include <gmp.h>

typedef mpq_t *bw_q;
typedef struct bw_qvec {
    bw_q c[3];
} bw_qvec;

void bw_rational_begin(void);
bw_q bw_q_of(double x);
bw_q bw_q_add(bw_q a, bw_q b);
bw_q bw_q_sub(bw_q a, bw_q b);
bw_q bw_q_mul(bw_q a, bw_q b);
bw_q bw_q_div(bw_q a, bw_q b);
int bw_q_sign(bw_q a);
int bw_q_compare(bw_q a, bw_q b);
double bw_q_double(bw_q a); /* to nearest or next to it */

bw_qvec bw_qvec_of(const bw_vec3 *v);
bw_qvec bw_qvec_sub(bw_qvec a, bw_qvec b);
bw_q bw_qvec_dot(bw_qvec a, bw_qvec b);
bw_qvec bw_qvec_cross(bw_qvec a, bw_qvec b);
/* a + t (b - a). */
bw_qvec bw_qvec_lerp(bw_qvec a, bw_qvec b, bw_q t);
bool bw_qvec_zero(bw_qvec a);
bool bw_qvec_equal(bw_qvec a, bw_qvec b);
bw_vec3 bw_qvec_double(bw_qvec a);

#endif
