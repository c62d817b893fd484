/* Exact signs and accurate values of determinants of differences, and what the shape tests build on them.
 *
 * Each sign is decided by a floating-point filter where the determinant exceeds its error bound, else by
 * expansions. Functions with a parameter `exact` set *exact to true when expansions were needed and leave it
 * alone otherwise. The error bounds and the range in which they hold are derived in
 * docs/lab/exact-triangles.md.
 */
#ifndef BW_GEOM_EXACT_PREDICATES_H
#define BW_GEOM_EXACT_PREDICATES_H

#include "geom/exact/expansion.h"
#include <boxwood/math.h>
#include <math.h>

/* Bounds that are products with a permanent below this could lose bits to underflow and decide nothing. */
#define BW_PERMANENT_MIN 0x1p-850
/* Error of the rounded 3x3 and 2x2 determinants of rounded differences over their permanents: Shewchuk's
 * stage A. */
#define BW_ORIENT3D_ERROR ((7 + 56 * BW_ROUNDOFF) * BW_ROUNDOFF)
#define BW_ORIENT2D_ERROR ((3 + 16 * BW_ROUNDOFF) * BW_ROUNDOFF)

/* The difference of two points, exactly: hi + lo in each coordinate, |lo| at most half an ulp of hi. */
typedef struct bw_difference {
    double hi[3], lo[3];
} bw_difference;

static inline bw_difference bw_difference_of(const bw_vec3 *a, const bw_vec3 *b)
{
    bw_difference d;
    d.hi[0] = bw_two_difference(a->x, b->x, &d.lo[0]);
    d.hi[1] = bw_two_difference(a->y, b->y, &d.lo[1]);
    d.hi[2] = bw_two_difference(a->z, b->z, &d.lo[2]);
    return d;
}

static inline int bw_sign(double x)
{
    return (x > 0) - (x < 0);
}

/* How closely a value is wanted: any relative error below 1 leaves the sign exact. */
#define BW_SIGN_ONLY 0.5
#define BW_ACCURATE 0x1p-48

/* The determinant u . (v x w): its sign is exact, its relative error at most `relative` (BW_SIGN_ONLY or
 * BW_ACCURATE). */
double bw_det3(const bw_difference *u, const bw_difference *v, const bw_difference *w, double relative);
/* Component `axis` of u x v, alike. */
double bw_det2(const bw_difference *u, const bw_difference *v, int axis, double relative);

/* The signs of these determinants, by a filter first. */
int bw_det3_sign(const bw_difference *u, const bw_difference *v, const bw_difference *w);
int bw_det2_sign(const bw_difference *u, const bw_difference *v, int axis);

/* The determinants whose signs are bw_orient3d and bw_orient2d, to BW_ACCURATE. */
double bw_orient3d_value(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d);
double bw_orient2d_value(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis);

int bw_orient3d_exact(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d, bool *exact);
int bw_orient2d_counted(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis, bool *exact);

/* An axis along which the triangle projects to a nonzero area, and in *sign the sign of that area; -1 where
 * there is none: the points lie on one line. */
int bw_projection_axis(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int *sign, bool *exact);

/* The filter: inlined into the hot tests. */
static inline int bw_orient3d_counted(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d,
                                      bool *exact)
{
    double ax = a->x - d->x, ay = a->y - d->y, az = a->z - d->z;
    double bx = b->x - d->x, by = b->y - d->y, bz = b->z - d->z;
    double cx = c->x - d->x, cy = c->y - d->y, cz = c->z - d->z;
    double bxcy = bx * cy, cxby = cx * by, cxay = cx * ay, axcy = ax * cy, axby = ax * by, bxay = bx * ay;
    double det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
    double permanent = fabs(az) * (fabs(bxcy) + fabs(cxby)) + fabs(bz) * (fabs(cxay) + fabs(axcy)) +
                       fabs(cz) * (fabs(axby) + fabs(bxay));
    if (fabs(det) > BW_ORIENT3D_ERROR * permanent && permanent >= BW_PERMANENT_MIN)
        return det > 0 ? 1 : -1;
    return bw_orient3d_exact(a, b, c, d, exact);
}

#endif
