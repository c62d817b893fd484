/* Tubes and bars that objects of the bench and of training are put together from. */
#ifndef BENCH_PIECES_H
#define BENCH_PIECES_H

#include "scenes/owned.h"
#include "scenes/trig.h"

/* The program ends with a message where one could not be made. */
void piece_made(bw_result result);
/* Joins a piece to a mesh that may still be empty, and takes it. */
void piece_add(bws_mesh *whole, bws_mesh *piece);

bw_vec3 piece_plus(bw_vec3 a, double s, bw_vec3 b); /* a + s b */
bw_vec3 piece_unit(bw_vec3 v);                      /* of length 1 */

/* A tube of some radius along a curve. */
typedef struct piece_curve {
    bw_vec3 (*middle)(const struct piece_curve *c, double t); /* t from 0 to 1, and a little beyond */
    double radius[2];                                         /* at both ends */
    double a, b, c;                                           /* what the curve is made of */
    bw_vec3 from, to;
    bool closed;
} piece_curve;
bw_vec3 piece_straight(const piece_curve *c, double t); /* a middle: from there to there */
void piece_add_tube(bws_mesh *whole, const piece_curve *c, uint32_t rings, uint32_t sides);

/* A bar along the axes: six faces of squares of about that side. */
void piece_add_bar(bws_mesh *whole, bw_vec3 low, bw_vec3 high, double square);

#endif
