/* The stages behind the filter of geom/exact/predicates.h, after Shewchuk 1997 (see geom/exact/expansion.h),
 * stated for determinants of arbitrary differences rather than of points, so that directions of rays need no
 * predicate of their own: B  the determinant of the rounded differences, exactly: final where no difference
 * was rounded, as for most coordinates that were floats; C  B corrected by the terms linear in the rounding
 * errors of the differences, with an error bound; D  everything, exactly.
 */
#include "geom/exact/predicates.h"
#include "geom/vec.h"

static bool exact_difference(const bw_difference *d)
{
    return d->lo[0] == 0 && d->lo[1] == 0 && d->lo[2] == 0;
}

/* v_i w_j - v_j w_i of the rounded differences; 4 components. */
static int rounded_minor(const bw_difference *v, const bw_difference *w, int i, int j, double out[4])
{
    double p[2], q[2];
    p[1] = bw_two_product(v->hi[i], w->hi[j], &p[0]);
    q[1] = bw_two_product(-v->hi[j], w->hi[i], &q[0]);
    return bw_expansion_sum(2, p, 2, q, out);
}

/* (a_hi + a_lo) (b_hi + b_lo); 8 components. */
static int product(double a_hi, double a_lo, double b_hi, double b_lo, double out[8])
{
    double b[2] = {b_lo, b_hi}, by_lo[4], by_hi[4];
    int lo = bw_expansion_scale(2, b, a_lo, by_lo);
    int hi = bw_expansion_scale(2, b, a_hi, by_hi);
    return bw_expansion_sum(lo, by_lo, hi, by_hi, out);
}

/* v_i w_j - v_j w_i; 16 components. */
static int minor(const bw_difference *v, const bw_difference *w, int i, int j, double out[16])
{
    double p[8], q[8];
    int p_count = product(v->hi[i], v->lo[i], w->hi[j], w->lo[j], p);
    int q_count = product(-v->hi[j], -v->lo[j], w->hi[i], w->lo[i], q);
    return bw_expansion_sum(p_count, p, q_count, q, out);
}

static double det3_rounded(const bw_difference *u, const bw_difference *v, const bw_difference *w)
{
    double m[4], t[3][8], sum[16], det[24];
    int count[3];
    for (int k = 0; k < 3; k++) {
        int m_count = rounded_minor(v, w, (k + 1) % 3, (k + 2) % 3, m);
        count[k] = bw_expansion_scale(m_count, m, u->hi[k], t[k]);
    }
    int sum_count = bw_expansion_sum(count[0], t[0], count[1], t[1], sum);
    int det_count = bw_expansion_sum(sum_count, sum, count[2], t[2], det);
    return bw_expansion_estimate(det_count, det);
}

static double det3_exact(const bw_difference *u, const bw_difference *v, const bw_difference *w)
{
    double m[16], lo[32], hi[32], t[3][64], sum[128], det[192];
    int count[3];
    for (int k = 0; k < 3; k++) {
        int m_count = minor(v, w, (k + 1) % 3, (k + 2) % 3, m);
        int lo_count = bw_expansion_scale(m_count, m, u->lo[k], lo);
        int hi_count = bw_expansion_scale(m_count, m, u->hi[k], hi);
        count[k] = bw_expansion_sum(lo_count, lo, hi_count, hi, t[k]);
    }
    int sum_count = bw_expansion_sum(count[0], t[0], count[1], t[1], sum);
    int det_count = bw_expansion_sum(sum_count, sum, count[2], t[2], det);
    return bw_expansion_estimate(det_count, det);
}

/* u . (v x w), rounded. */
static double triple(const double u[3], const double v[3], const double w[3])
{
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static double permanent3(const double u[3], const double v[3], const double w[3])
{
    return fabs(u[0]) * (fabs(v[1] * w[2]) + fabs(v[2] * w[1])) +
           fabs(u[1]) * (fabs(v[2] * w[0]) + fabs(v[0] * w[2])) +
           fabs(u[2]) * (fabs(v[0] * w[1]) + fabs(v[1] * w[0]));
}

double bw_det3(const bw_difference *u, const bw_difference *v, const bw_difference *w, double relative)
{
    double permanent = permanent3(u->hi, v->hi, w->hi), det = triple(u->hi, v->hi, w->hi);
    if (permanent >= BW_PERMANENT_MIN && BW_ORIENT3D_ERROR * permanent < relative * fabs(det))
        return det; /* nothing cancels: the common case of a ray and the plane that it meets */
    det = det3_rounded(u, v, w);
    if (exact_difference(u) && exact_difference(v) && exact_difference(w))
        return det;
    if (permanent >= BW_PERMANENT_MIN) {
        det += triple(u->lo, v->hi, w->hi) + (triple(u->hi, v->lo, w->hi) + triple(u->hi, v->hi, w->lo));
        double error = 64 * BW_ROUNDOFF * BW_ROUNDOFF * permanent + 8 * BW_ROUNDOFF * fabs(det);
        if (error < relative * fabs(det))
            return det;
    }
    return det3_exact(u, v, w);
}

double bw_det2(const bw_difference *u, const bw_difference *v, int axis, double relative)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double m[16];
    double det = bw_expansion_estimate(rounded_minor(u, v, i, j, m), m);
    if (u->lo[i] == 0 && u->lo[j] == 0 && v->lo[i] == 0 && v->lo[j] == 0)
        return det;
    double permanent = fabs(u->hi[i] * v->hi[j]) + fabs(u->hi[j] * v->hi[i]);
    det += (u->hi[i] * v->lo[j] + u->lo[i] * v->hi[j]) - (u->hi[j] * v->lo[i] + u->lo[j] * v->hi[i]);
    double error = 32 * BW_ROUNDOFF * BW_ROUNDOFF * permanent + 8 * BW_ROUNDOFF * fabs(det);
    if (error < relative * fabs(det))
        return det;
    return bw_expansion_estimate(minor(u, v, i, j, m), m);
}

int bw_det3_sign(const bw_difference *u, const bw_difference *v, const bw_difference *w)
{
    double det = triple(u->hi, v->hi, w->hi), permanent = permanent3(u->hi, v->hi, w->hi);
    if (fabs(det) > BW_ORIENT3D_ERROR * permanent && permanent >= BW_PERMANENT_MIN)
        return bw_sign(det);
    return bw_sign(bw_det3(u, v, w, BW_SIGN_ONLY));
}

int bw_det2_sign(const bw_difference *u, const bw_difference *v, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double left = u->hi[i] * v->hi[j], right = u->hi[j] * v->hi[i];
    double det = left - right, permanent = fabs(left) + fabs(right);
    /* Products of differences are zero or at least 2^-704: no underflow. A product is zero only if a factor
     * is. */
    if (fabs(det) > BW_ORIENT2D_ERROR * permanent || permanent == 0)
        return bw_sign(det);
    return bw_sign(bw_det2(u, v, axis, BW_SIGN_ONLY));
}

int bw_orient3d_exact(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d, bool *exact)
{
    /* Shared corners are the common case of a zero, and comparisons decide it. */
    if (bw_vec3_equal(a, d) || bw_vec3_equal(b, d) || bw_vec3_equal(c, d) || bw_vec3_equal(a, b) ||
        bw_vec3_equal(a, c) || bw_vec3_equal(b, c))
        return 0;
    bw_difference u = bw_difference_of(a, d), v = bw_difference_of(b, d), w = bw_difference_of(c, d);
    /* Four points in a plane across an axis: every product has a factor of zero (none underflows to it). */
    if (permanent3(u.hi, v.hi, w.hi) == 0)
        return 0;
    *exact = true;
    return bw_sign(bw_det3(&u, &v, &w, BW_SIGN_ONLY));
}

int bw_orient3d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d)
{
    bool exact = false;
    return bw_orient3d_counted(a, b, c, d, &exact);
}

double bw_orient3d_value(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d)
{
    bw_difference u = bw_difference_of(a, d), v = bw_difference_of(b, d), w = bw_difference_of(c, d);
    return bw_det3(&u, &v, &w, BW_ACCURATE);
}

double bw_orient2d_value(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis)
{
    bw_difference u = bw_difference_of(b, a), v = bw_difference_of(c, a);
    return bw_det2(&u, &v, axis, BW_ACCURATE);
}

int bw_orient2d_counted(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis, bool *exact)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double ai = bw_vec3_at(a, i), aj = bw_vec3_at(a, j);
    double bi = bw_vec3_at(b, i) - ai, bj = bw_vec3_at(b, j) - aj;
    double ci = bw_vec3_at(c, i) - ai, cj = bw_vec3_at(c, j) - aj;
    double left = bi * cj, right = bj * ci;
    double det = left - right, permanent = fabs(left) + fabs(right);
    /* Products of differences are zero or at least 2^-704: no underflow. A product is zero only if a factor
     * is. */
    if (fabs(det) > BW_ORIENT2D_ERROR * permanent || permanent == 0)
        return bw_sign(det);
    *exact = true;
    bw_difference u = bw_difference_of(b, a), v = bw_difference_of(c, a);
    return bw_sign(bw_det2(&u, &v, axis, BW_SIGN_ONLY));
}

int bw_orient2d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis)
{
    bool exact = false;
    return bw_orient2d_counted(a, b, c, axis, &exact);
}

int bw_projection_axis(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int *sign, bool *exact)
{
    /* The largest component of the normal first: the filter then decides it, unless the triangle is all but
     * flat. */
    bw_vec3 n = bw_vec3_cross(bw_vec3_sub(*b, *a), bw_vec3_sub(*c, *a));
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    int first = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
    for (int k = 0; k < 3; k++) {
        int axis = (first + k) % 3;
        *sign = bw_orient2d_counted(a, b, c, axis, exact);
        if (*sign != 0)
            return axis;
    }
    return -1;
}

bool bw_collinear(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c)
{
    int sign;
    bool exact = false;
    return bw_projection_axis(a, b, c, &sign, &exact) < 0;
}

bool bw_exact_range(const bw_vec3 *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            double x = fabs(bw_vec3_at(&points[i], axis));
            if (x != 0 && !(x >= BW_EXACT_MIN && x <= BW_EXACT_MAX))
                return false;
        }
    return true;
}
