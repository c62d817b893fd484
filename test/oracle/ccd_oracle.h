/* When do a moving vertex and face, or two moving edges, first meet? In integers, with real roots as
 * algebraic numbers (oracle/algebraic.h). Nothing is shared with the code under test. Not for several
 * threads.
 */
#ifndef BW_ORACLE_CCD_ORACLE_H
#define BW_ORACLE_CCD_ORACLE_H

#include "oracle/algebraic.h"

#include <boxwood/math.h>

typedef struct bw_ccd_truth {
    bool contact;
    double after, before; /* the first contact lies within [after, before], apart by at most 2^-70 relative to
                             1, up to the rounding of both outward; equal where it is a double */
} bw_ccd_truth;

/* points: as bw_ccd_vertex_face and bw_ccd_edge_edge take them. */
bw_ccd_truth bw_oracle_ccd(bool edges, const bw_vec3 start[4], const bw_vec3 end[4]);

/* At most six points that move from start to end, on one lattice; they live in the pool of algebraic.h. */
void bw_oracle_moving_points(const bw_vec3 *start, const bw_vec3 *end, int count, bw_moving_point *out);
/* Whether a vertex p[0] is on the face of the others, or the edge p[0] p[1] meets p[2] p[3], at a time at
 * which all four are in one plane. */
bool bw_oracle_coplanar_meet(bool edges, const bw_moving_point p[4], bw_real *t);

#endif
