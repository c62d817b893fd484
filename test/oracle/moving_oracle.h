/* Whether two moving triangles meet at a time, which may be an algebraic number; of one mesh, beyond what
 * they share by index. By features: corners on faces, edges on edges, edges through faces; and for neighbours
 * by the definition that stands in collide/self/shared_features.c. Not for several threads at once. */
#ifndef BW_ORACLE_MOVING_ORACLE_H
#define BW_ORACLE_MOVING_ORACLE_H

#include "oracle/algebraic.h"

#include <boxwood/math.h>

typedef struct bw_moving_pair {
    bw_moving_point a[3], b[3];
    uint32_t index_a[3], index_b[3];
    bw_alg *volume[64]; /* of four corners, by the set of their bits */
} bw_moving_pair;

/* Corners at both ends of the time, [end][corner]. Empties the pool of algebraic.h. */
void bw_oracle_moving_pair(const bw_vec3 a[2][3], const uint32_t index_a[3], const bw_vec3 b[2][3],
                           const uint32_t index_b[3], bw_moving_pair *out);
bool bw_oracle_moving_contact(const bw_moving_pair *pair, bw_real *t);
/* The volume of four of the six corners, 0 to 2 of a and 3 to 5 of b; the area of three along an axis, the
 * difference of two. */
const bw_alg *bw_oracle_moving_volume(const bw_moving_pair *pair, int p, int q, int r, int s);
bw_alg *bw_oracle_moving_area(const bw_moving_pair *pair, int p, int q, int r, int axis);
bw_alg *bw_oracle_moving_difference(const bw_moving_pair *pair, int p, int q, int axis);

#endif
