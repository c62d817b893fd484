/* The exact ray test. A ray is the set origin + t (through - origin), t >= 0; its relative interior is t > 0.
 * Signs of determinants of points decide, and of determinants with the ray's direction where the answer
 * depends on whether the ray runs towards something; only the parameter of the contact is rounded. */
#include "geom/exact/triangle.h"
#include "geom/simplex.h"
#include "geom/vec.h"

typedef struct ray {
    const bw_vec3 *origin, *through;
    bw_difference direction; /* not zero */
    bool exact;              /* for predicates that tell; not used here */
} ray;

/* The parameter of a point on the ray's line, rounded. */
static double parameter(const ray *r, const bw_vec3 *p)
{
    const double *d = r->direction.hi;
    int axis =
        fabs(d[0]) >= fabs(d[1]) ? (fabs(d[0]) >= fabs(d[2]) ? 0 : 2) : (fabs(d[1]) >= fabs(d[2]) ? 1 : 2);
    return (bw_vec3_at(p, axis) - bw_vec3_at(r->origin, axis)) / d[axis];
}

static bw_contact_kind ray_point(ray *r, const bw_vec3 *p, double *t)
{
    int sign;
    int way = bw_lexical_compare(r->through, r->origin), at = bw_lexical_compare(p, r->origin);
    *t = 0;
    if (at == 0)
        return BW_CONTACT_TOUCHING;
    if (at != way || bw_projection_axis(r->origin, r->through, p, &sign, &r->exact) >= 0)
        return BW_CONTACT_NONE;
    *t = parameter(r, p);
    return BW_CONTACT_CROSSING;
}

/* The segment lies on the ray's line. */
static bw_contact_kind ray_segment_on_line(const ray *r, const bw_vec3 s[2], double *t)
{
    int way = bw_lexical_compare(r->through, r->origin);
    const bw_vec3 *near = way > 0 ? &s[0] : &s[1], *far = way > 0 ? &s[1] : &s[0];
    int at_far = way * bw_lexical_compare(far, r->origin);
    *t = way * bw_lexical_compare(near, r->origin) > 0 ? parameter(r, near) : 0;
    return at_far > 0 ? BW_CONTACT_CROSSING : at_far == 0 ? BW_CONTACT_TOUCHING : BW_CONTACT_NONE;
}

static bw_contact_kind ray_segment(ray *r, const bw_vec3 s[2], double *t)
{
    int sign;
    if (bw_orient3d_counted(r->origin, r->through, &s[0], &s[1], &r->exact) != 0)
        return BW_CONTACT_NONE;
    int axis = bw_projection_axis(r->origin, r->through, &s[0], &sign, &r->exact);
    if (axis < 0)
        axis = bw_projection_axis(r->origin, r->through, &s[1], &sign, &r->exact);
    if (axis < 0)
        return ray_segment_on_line(r, s, t);
    int ends = bw_orient2d_counted(r->origin, r->through, &s[0], axis, &r->exact) *
               bw_orient2d_counted(r->origin, r->through, &s[1], axis, &r->exact);
    if (ends > 0)
        return BW_CONTACT_NONE;
    /* The lines cross in one point, on the segment; the ray reaches it if it runs towards the segment's line.
     */
    bw_difference along = bw_difference_of(&s[1], &s[0]);
    int side = bw_orient2d_counted(&s[0], &s[1], r->origin, axis, &r->exact);
    *t = 0;
    if (side == 0)
        return BW_CONTACT_TOUCHING;
    if (side == bw_det2_sign(&along, &r->direction, axis))
        return BW_CONTACT_NONE;
    *t =
        -bw_orient2d_value(&s[0], &s[1], r->origin, axis) / bw_det2(&along, &r->direction, axis, BW_ACCURATE);
    return ends < 0 ? BW_CONTACT_CROSSING : BW_CONTACT_TOUCHING;
}

/* The ray lies in the plane of the triangle. They are apart where the line of an edge, or the ray's own, has
 * them strictly on its two sides. */
static bw_contact_kind ray_in_plane(ray *r, const bw_simplex *tri, double *t)
{
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    int left = 0, right = 0;
    *t = 0;
    for (int i = 0; i < 3; i++) {
        const bw_vec3 *p = &tri->v[i], *q = &tri->v[bw_next3(i)];
        int above = bw_orient2d_counted(r->origin, r->through, p, tri->axis, &r->exact);
        left += above > 0;
        right += above < 0;
        int side = bw_orient2d_counted(p, q, r->origin, tri->axis, &r->exact);
        if (side > 0)
            continue;
        bw_difference edge = bw_difference_of(q, p);
        int heading = bw_det2_sign(&edge, &r->direction, tri->axis);
        if (heading <= 0) {
            if (side < 0)
                return BW_CONTACT_NONE;
            kind = BW_CONTACT_TOUCHING;
        } else if (side < 0) {
            /* It enters the half-plane of this edge there, and the triangle when it has entered all. */
            double enter = -bw_orient2d_value(p, q, r->origin, tri->axis) /
                           bw_det2(&edge, &r->direction, tri->axis, BW_ACCURATE);
            *t = enter > *t ? enter : *t;
        }
    }
    if (left == 3 || right == 3)
        return BW_CONTACT_NONE;
    return left == 0 || right == 0 ? BW_CONTACT_TOUCHING : kind;
}

/* a . n of a difference and a normal, both as pairs of doubles, and as pairs multiplied and summed: to within
 * 2^-97 of the permanent (docs/lab/exact-triangles.md). */
static double dot_of_pairs(const bw_difference *a, const bw_difference *normal)
{
    double high[3], low[3], e, f;
    for (int k = 0; k < 3; k++) {
        high[k] = bw_two_product(a->hi[k], normal->hi[k], &low[k]);
        low[k] += a->hi[k] * normal->lo[k] + a->lo[k] * normal->hi[k];
    }
    double sum = bw_two_sum(high[0], high[1], &e);
    sum = bw_two_sum(sum, high[2], &f);
    return sum + ((e + f) + ((low[0] + low[1]) + low[2]));
}

static double permanent_dot(const bw_difference *a, const double permanent[3])
{
    return fabs(a->hi[0]) * permanent[0] + fabs(a->hi[1]) * permanent[1] + fabs(a->hi[2]) * permanent[2];
}

/* Whether a value from pairs of doubles is as accurate as it should be. */
static bool pairs_suffice(double value, double permanent)
{
    return permanent >= BW_PERMANENT_MIN && 0x1p-97 * permanent < 0.5 * BW_ACCURATE * fabs(value);
}

/* The parameter where much cancels, as for a sliver, and the rounded determinants are too coarse: both of
 * them in pairs of doubles. False where that is too coarse as well. */
static bool parameter_by_pairs(const bw_difference *to, const bw_difference *direction,
                               const bw_difference *u, const bw_difference *w, double *t)
{
    bw_difference normal;
    double permanent[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double p_low, q_low, low;
        double p = bw_two_product(u->hi[i], w->hi[j], &p_low);
        double q = bw_two_product(u->hi[j], w->hi[i], &q_low);
        normal.hi[k] = bw_two_difference(p, q, &low);
        normal.lo[k] = (low + (p_low - q_low)) + ((u->hi[i] * w->lo[j] + u->lo[i] * w->hi[j]) -
                                                  (u->hi[j] * w->lo[i] + u->lo[j] * w->hi[i]));
        permanent[k] = fabs(p) + fabs(q);
    }
    double above = dot_of_pairs(to, &normal), below = dot_of_pairs(direction, &normal);
    *t = above / below;
    return pairs_suffice(above, permanent_dot(to, permanent)) &&
           pairs_suffice(below, permanent_dot(direction, permanent));
}

/* Where the ray meets the plane, which does not hold it. The differences are along the triangle's edges, so
 * that little cancels. Three stages: rounded determinants (bw_ray_crossing_quick gives the same bits), pairs
 * of doubles, expansions. */
static double plane_parameter(const ray *r, const bw_vec3 v[3])
{
    double t;
    if (bw_plane_parameter_quick(r->origin, r->direction.hi, v, &t))
        return t;
    bw_difference u = bw_difference_of(&v[1], &v[0]), w = bw_difference_of(&v[2], &v[0]);
    bw_difference to = bw_difference_of(&v[0], r->origin);
    if (parameter_by_pairs(&to, &r->direction, &u, &w, &t))
        return t;
    return bw_det3(&to, &u, &w, BW_ACCURATE) / bw_det3(&r->direction, &u, &w, BW_ACCURATE);
}

/* The origin is off the triangle's plane, on the side given. */
static bw_contact_kind ray_through_plane(ray *r, int side, const bw_vec3 v[3], double *t)
{
    int end = bw_orient3d_counted(&v[0], &v[1], &v[2], r->through, &r->exact);
    bw_difference u, w;
    if (end == side) { /* through is on the same side: does the ray approach the plane? */
        u = bw_difference_of(&v[1], &v[0]);
        w = bw_difference_of(&v[2], &v[0]);
        if (bw_det3_sign(&u, &w, &r->direction) != side)
            return BW_CONTACT_NONE;
    }
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; i++) {
        int pass = bw_orient3d_counted(r->origin, r->through, &v[i], &v[bw_next3(i)], &r->exact);
        positive += pass > 0;
        negative += pass < 0;
        if (positive > 0 && negative > 0)
            return BW_CONTACT_NONE;
    }
    if (t != NULL)
        *t = end == 0 ? 1 : plane_parameter(r, v);
    return positive + negative == 3 ? BW_CONTACT_CROSSING : BW_CONTACT_TOUCHING;
}

static bw_contact_kind ray_shape(ray *r, const bw_simplex *shape, double *t)
{
    if (shape->dimension == 0)
        return ray_point(r, &shape->v[0], t);
    if (shape->dimension == 1)
        return ray_segment(r, shape->v, t);
    const bw_vec3 *v = shape->v; /* the origin is in its plane */
    if (bw_orient3d_counted(&v[0], &v[1], &v[2], r->through, &r->exact) == 0)
        return ray_in_plane(r, shape, t);
    *t = 0;
    return bw_point_contact(r->origin, shape, &r->exact) == BW_CONTACT_NONE ? BW_CONTACT_NONE
                                                                            : BW_CONTACT_TOUCHING;
}

bw_contact_kind bw_ray_triangle(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 triangle[3],
                                double *out_t)
{
    ray r = {origin, through, bw_difference_of(through, origin), false};
    bw_contact_kind kind;
    double t = 0;
    int side = bw_orient3d_counted(&triangle[0], &triangle[1], &triangle[2], origin, &r.exact);
    if (bw_vec3_equal(origin, through)) {
        bw_simplex shape;
        bw_simplex_of_triangle(triangle, &shape, &r.exact);
        kind = bw_point_contact(origin, &shape, &r.exact);
    } else if (side != 0) {
        kind = ray_through_plane(&r, side, triangle, out_t == NULL ? NULL : &t);
    } else {
        bw_simplex shape;
        bw_simplex_of_triangle(triangle, &shape, &r.exact);
        kind = ray_shape(&r, &shape, &t);
    }
    if (kind != BW_CONTACT_NONE && out_t != NULL)
        *out_t = t;
    return kind;
}

double bw_ray_crossing(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 triangle[3])
{
    ray r = {origin, through, bw_difference_of(through, origin), false};
    double t = plane_parameter(&r, triangle);
    if (fabs(t - 1) < 0x1p-40 && bw_orient3d(&triangle[0], &triangle[1], &triangle[2], through) == 0)
        return 1;
    return t;
}
