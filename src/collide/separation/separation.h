/* The separation of a query: what "no farther apart than d in the world" means in the frame of the first
 * body, where boxes and triangles are compared. The margins are derived in docs/lab/separation.md. */
#ifndef BW_COLLIDE_SEPARATION_SEPARATION_H
#define BW_COLLIDE_SEPARATION_SEPARATION_H

#include "collide/distance/metric.h"
#include "collide/relative_pose.h"

typedef struct bw_separation {
    double distance2;        /* in the world, squared: what a computed distance is compared with */
    bw_metric_side sides[2]; /* the bodies in the world, where distances are computed */
    /* In the frame of a: what is farther apart than far is computed as beyond the distance, and what is
     * nearer than near as within it. */
    double far, near;
    double inverse[3][3]; /* the linear part of the inverse of a's pose */
    double reach;         /* the distance, and what roundings can add to it */
    double lost;          /* how much farther a direction of length 1 reaches, by the error of the inverse */
    /* No length grows more from the world to the frame of a, and back; and what roundings can add to a
     * distance in the world. */
    double stretch, norm, error;
} bw_separation;

/* distance: not negative. BW_ERROR_SINGULAR: a's pose has no inverse that is good to 2^-10; and what
 * bw_metric_prepare_lazily may return. */
bw_result bw_separation_prepare(bw_separation *out, double distance, const bw_body *a, const bw_body *b,
                                const bw_relative_pose *pose);
/* Another distance for the same bodies. */
void bw_separation_set(bw_separation *separation, double distance);
/* How far apart along a direction n of a's frame, in lengths of n, two points may be that are computed as
 * within the distance. */
double bw_separation_along(const bw_separation *separation, const double n[3]);

/* ---- matrices ---- */

void bw_linear_part(const bw_transform *t, double out[3][3]);
/* An upper bound of the length that a matrix can give a vector of length 1, which is 1 for a rotation. */
double bw_linear_norm(double m[3][3]);
/* The same for the product of an inverse and the matrix, less 1. */
double bw_inverse_error(double inverse[3][3], double m[3][3]);

#endif
