/* The exact triangle-triangle test.
 *
 * P. Guigue and O. Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates",
 * Journal of Graphics Tools 8 (2003): the signs of each triangle's corners against the other's plane, then,
 * on the line that the two planes share, two orientations that compare the ends of the two intervals. Here
 * every sign is exact and the outcome tells touching from crossing; degenerate and coplanar triangles go on
 * to shape.c.
 */
#include "geom/exact/triangle.h"
#include "geom/simplex.h"

/* The corner that the plane of the other triangle cuts off: alone on its side, the others on the other side
 * or in the plane; or alone in the plane, the others on one side. *side receives +1 where it is the upper
 * one. */
static int lone_corner(const int s[3], int *side)
{
    for (int i = 0; i < 3; i++) {
        int j = bw_next3(i), k = bw_next3(j);
        if (s[i] != 0 && s[i] * s[j] <= 0 && s[i] * s[k] <= 0) {
            *side = s[i];
            return i;
        }
    }
    int i = s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2;
    *side = -s[bw_next3(i)];
    return i;
}

static bool two_sided(const int s[3])
{
    return (s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0);
}

bw_contact_kind bw_triangles_in_two_planes(const bw_vec3 a[3], const int a_signs[3], const bw_vec3 b[3],
                                           const int b_signs[3], bool *exact)
{
    int a_side, b_side;
    int i = lone_corner(a_signs, &a_side), j = lone_corner(b_signs, &b_side);
    const bw_vec3 *p1 = &a[i], *q1 = &a[bw_next3(i)], *r1 = &a[bw_next3(bw_next3(i))];
    const bw_vec3 *p2 = &b[j], *q2 = &b[bw_next3(j)], *r2 = &b[bw_next3(bw_next3(j))];
    /* Turn each triangle over, if need be, so that the other's lone corner is above it. */
    if (b_side < 0) {
        const bw_vec3 *swap = q1;
        q1 = r1;
        r1 = swap;
    }
    if (a_side < 0) {
        const bw_vec3 *swap = q2;
        q2 = r2;
        r2 = swap;
    }
    int first = bw_orient3d_counted(p1, q1, p2, q2, exact);
    if (first > 0)
        return BW_CONTACT_NONE;
    int second = bw_orient3d_counted(p1, r1, r2, p2, exact);
    if (second > 0)
        return BW_CONTACT_NONE;
    /* A triangle that does not reach through the other's plane has its inside off it. */
    bool crossing = first < 0 && second < 0 && two_sided(a_signs) && two_sided(b_signs);
    return crossing ? BW_CONTACT_CROSSING : BW_CONTACT_TOUCHING;
}

/* The signs of the points p against the plane of t, as bw_plane_signs gives them, computed together. A sign
 * that the filter cannot decide is left 0. Returns how many were decided. */
static inline int filter_signs(const bw_vec3 t[3], const bw_vec3 p[3], int signs[3])
{
    double ux = t[1].x - t[0].x, uy = t[1].y - t[0].y, uz = t[1].z - t[0].z;
    double vx = t[2].x - t[0].x, vy = t[2].y - t[0].y, vz = t[2].z - t[0].z;
    double uyvz = uy * vz, uzvy = uz * vy, uzvx = uz * vx, uxvz = ux * vz, uxvy = ux * vy, uyvx = uy * vx;
    double nx = uzvy - uyvz, ny = uxvz - uzvx, nz = uyvx - uxvy; /* v x u: bw_orient3d's sense */
    double ax = fabs(uzvy) + fabs(uyvz), ay = fabs(uxvz) + fabs(uzvx), az = fabs(uyvx) + fabs(uxvy);
    int decided = 0;
    for (int i = 0; i < 3; i++) {
        double x = p[i].x - t[0].x, y = p[i].y - t[0].y, z = p[i].z - t[0].z;
        double det = (nx * x + ny * y) + nz * z;
        double permanent = (ax * fabs(x) + ay * fabs(y)) + az * fabs(z);
        double bound = BW_ORIENT3D_ERROR * permanent;
        bool sound = permanent >= BW_PERMANENT_MIN;
        signs[i] = ((det > bound) & sound) - ((det < -bound) & sound);
        decided += signs[i] != 0;
    }
    return decided;
}

static inline bool all_equal(const int s[3])
{
    return s[0] == s[1] && s[1] == s[2];
}

static bool apart_on_axis(double a0, double a1, double a2, double b0, double b1, double b2)
{
    double a_low = a0 < a1 ? a0 : a1, a_high = a0 < a1 ? a1 : a0;
    double b_low = b0 < b1 ? b0 : b1, b_high = b0 < b1 ? b1 : b0;
    a_low = a2 < a_low ? a2 : a_low;
    a_high = a2 > a_high ? a2 : a_high;
    b_low = b2 < b_low ? b2 : b_low;
    b_high = b2 > b_high ? b2 : b_high;
    return a_high < b_low || b_high < a_low;
}

static bool boxes_apart(const bw_vec3 a[3], const bw_vec3 b[3])
{
    return apart_on_axis(a[0].x, a[1].x, a[2].x, b[0].x, b[1].x, b[2].x) ||
           apart_on_axis(a[0].y, a[1].y, a[2].y, b[0].y, b[1].y, b[2].y) ||
           apart_on_axis(a[0].z, a[1].z, a[2].z, b[0].z, b[1].z, b[2].z);
}

static void resolve_signs(const bw_vec3 t[3], const bw_vec3 p[3], int signs[3], bool *exact)
{
    for (int i = 0; i < 3; i++)
        if (signs[i] == 0)
            signs[i] = bw_orient3d_exact(&t[0], &t[1], &t[2], &p[i], exact);
}

/* Some sign is not known yet, or is truly zero. */
static bw_contact_kind undecided(const bw_vec3 a[3], int a_signs[3], const bw_vec3 b[3], int b_signs[3],
                                 bool *exact)
{
    if (boxes_apart(a, b)) /* coplanar neighbours in a flat mesh, mostly */
        return BW_CONTACT_NONE;
    resolve_signs(b, a, a_signs, exact);
    if (a_signs[0] != 0 && all_equal(a_signs))
        return BW_CONTACT_NONE;
    resolve_signs(a, b, b_signs, exact);
    if (b_signs[0] != 0 && all_equal(b_signs))
        return BW_CONTACT_NONE;
    if (!all_equal(a_signs) && !all_equal(b_signs))
        return bw_triangles_in_two_planes(a, a_signs, b, b_signs, exact);
    bw_simplex shape_a, shape_b; /* one is degenerate, or both lie in one plane */
    bw_simplex_of_triangle(a, &shape_a, exact);
    bw_simplex_of_triangle(b, &shape_b, exact);
    return bw_simplex_contact(&shape_a, &shape_b, exact);
}

bw_contact_kind bw_triangle_triangle_counted(const bw_vec3 a[3], const bw_vec3 b[3], bool *exact_used)
{
    int a_signs[3], b_signs[3];
    int a_decided = filter_signs(b, a, a_signs);
    if (a_decided == 3 && all_equal(a_signs))
        return BW_CONTACT_NONE;
    int b_decided = filter_signs(a, b, b_signs);
    if (b_decided == 3 && all_equal(b_signs))
        return BW_CONTACT_NONE;
    if (a_decided + b_decided == 6)
        return bw_triangles_in_two_planes(a, a_signs, b, b_signs, exact_used);
    return undecided(a, a_signs, b, b_signs, exact_used);
}

bw_contact_kind bw_triangle_triangle(const bw_vec3 a[3], const bw_vec3 b[3])
{
    bool exact = false;
    return bw_triangle_triangle_counted(a, b, &exact);
}
