/* When do a moving vertex and face, or two moving edges, first meet? In rationals, with real roots as
 * algebraic numbers: a polynomial without multiple roots and an interval that holds one of them (Sturm's
 * theorem). Whether another polynomial is zero there is a common divisor's question; its sign otherwise is
 * found by shrinking the interval. Nothing is shared with the code under test. Not for several threads. */
#ifndef BW_ORACLE_CCD_ORACLE_H
#define BW_ORACLE_CCD_ORACLE_H

#include <boxwood/math.h>

typedef struct bw_ccd_truth {
    bool contact;
    double after, before; /* the first contact lies within [after, before], apart by at most 2^-70 relative to
                             1, up to the rounding of both outward; equal where it is a double */
} bw_ccd_truth;

/* points: as bw_ccd_vertex_face and bw_ccd_edge_edge take them. */
bw_ccd_truth bw_oracle_ccd(bool edges, const bw_vec3 start[4], const bw_vec3 end[4]);

#endif
