/* How two triangles of any dimension (triangle, segment, point) meet, exactly. */
#include "geom/simplex.h"
#include "geom/exact/triangle.h"
#include "geom/vec.h"

void bw_simplex_of_segment(const bw_vec3 *p, const bw_vec3 *q, bw_simplex *out)
{
    int order = bw_lexical_compare(p, q);
    out->dimension = order != 0;
    out->axis = -1;
    out->v[0] = order <= 0 ? *p : *q;
    out->v[1] = order <= 0 ? *q : *p;
    out->v[2] = out->v[1];
}

void bw_simplex_of_triangle(const bw_vec3 t[3], bw_simplex *out, bool *exact)
{
    int sign;
    int axis = bw_projection_axis(&t[0], &t[1], &t[2], &sign, exact);
    if (axis >= 0) {
        out->dimension = 2;
        out->axis = axis;
        out->v[0] = t[0];
        out->v[1] = sign > 0 ? t[1] : t[2];
        out->v[2] = sign > 0 ? t[2] : t[1];
        return;
    }
    const bw_vec3 *low = &t[0], *high = &t[0];
    for (int i = 1; i < 3; i++) {
        low = bw_lexical_compare(&t[i], low) < 0 ? &t[i] : low;
        high = bw_lexical_compare(&t[i], high) > 0 ? &t[i] : high;
    }
    bw_simplex_of_segment(low, high, out);
}

static bw_contact_kind point_segment(const bw_vec3 *p, const bw_vec3 s[2], bool *exact)
{
    int sign;
    int from_low = bw_lexical_compare(p, &s[0]), from_high = bw_lexical_compare(p, &s[1]);
    if (from_low == 0 || from_high == 0)
        return BW_CONTACT_TOUCHING;
    if (from_low < 0 || from_high > 0 || bw_projection_axis(p, &s[0], &s[1], &sign, exact) >= 0)
        return BW_CONTACT_NONE;
    return BW_CONTACT_CROSSING;
}

/* p lies in the plane of t. */
static bw_contact_kind point_in_triangle(const bw_vec3 *p, const bw_simplex *t, bool *exact)
{
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    for (int i = 0; i < 3; i++) {
        int side = bw_orient2d_counted(&t->v[i], &t->v[bw_next3(i)], p, t->axis, exact);
        if (side < 0)
            return BW_CONTACT_NONE;
        if (side == 0)
            kind = BW_CONTACT_TOUCHING;
    }
    return kind;
}

bw_contact_kind bw_point_contact(const bw_vec3 *p, const bw_simplex *shape, bool *exact)
{
    const bw_vec3 *v = shape->v;
    if (shape->dimension == 0)
        return bw_vec3_equal(p, &v[0]) ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
    if (shape->dimension == 1)
        return point_segment(p, v, exact);
    if (bw_orient3d_counted(&v[0], &v[1], &v[2], p, exact) != 0)
        return BW_CONTACT_NONE;
    return point_in_triangle(p, shape, exact);
}

bw_contact_kind bw_segment_segment_contact(const bw_vec3 s[2], const bw_vec3 t[2], int *axis, bool *exact)
{
    int sign;
    if (bw_orient3d_counted(&s[0], &s[1], &t[0], &t[1], exact) != 0)
        return BW_CONTACT_NONE;
    *axis = bw_projection_axis(&s[0], &s[1], &t[0], &sign, exact);
    if (*axis < 0)
        *axis = bw_projection_axis(&s[0], &s[1], &t[1], &sign, exact);
    if (*axis < 0) { /* all on one line */
        const bw_vec3 *low = bw_lexical_compare(&s[0], &t[0]) > 0 ? &s[0] : &t[0];
        const bw_vec3 *high = bw_lexical_compare(&s[1], &t[1]) < 0 ? &s[1] : &t[1];
        int order = bw_lexical_compare(low, high);
        return order < 0 ? BW_CONTACT_CROSSING : order == 0 ? BW_CONTACT_TOUCHING : BW_CONTACT_NONE;
    }
    int of_t = bw_orient2d_counted(&s[0], &s[1], &t[0], *axis, exact) *
               bw_orient2d_counted(&s[0], &s[1], &t[1], *axis, exact);
    if (of_t > 0)
        return BW_CONTACT_NONE;
    int of_s = bw_orient2d_counted(&t[0], &t[1], &s[0], *axis, exact) *
               bw_orient2d_counted(&t[0], &t[1], &s[1], *axis, exact);
    if (of_s > 0)
        return BW_CONTACT_NONE;
    return of_t < 0 && of_s < 0 ? BW_CONTACT_CROSSING : BW_CONTACT_TOUCHING;
}

/* Whether the points lie beyond the line from p to q, on its right: 2 all strictly, 1 all but for some on the
 * line. */
static int beyond(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 *points, int count, int axis, bool *exact)
{
    int result = 2;
    for (int i = 0; i < count; i++) {
        int side = bw_orient2d_counted(p, q, &points[i], axis, exact);
        if (side > 0)
            return 0;
        if (side == 0)
            result = 1;
    }
    return result;
}

/* In the plane of t: an edge of t may separate it from the convex hull of the points. *kind falls to what the
 * edges of t allow. */
static void separate_by_edges(const bw_simplex *t, const bw_vec3 *points, int count, bw_contact_kind *kind,
                              bool *exact)
{
    for (int i = 0; i < 3 && *kind != BW_CONTACT_NONE; i++) {
        int gap = beyond(&t->v[i], &t->v[bw_next3(i)], points, count, t->axis, exact);
        if (gap == 2)
            *kind = BW_CONTACT_NONE;
        else if (gap == 1)
            *kind = BW_CONTACT_TOUCHING;
    }
}

/* Two convex sets in a plane meet in their relative interiors unless the line of an edge of one has them on
 * its two sides (not both within it); they are apart if one has them strictly so. */
static bw_contact_kind coplanar_segment_triangle(const bw_vec3 s[2], const bw_simplex *t, bool *exact)
{
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    separate_by_edges(t, s, 2, &kind, exact);
    for (int i = 0; i < 2 && kind != BW_CONTACT_NONE; i++) { /* the two sides of the segment's own line */
        int gap = beyond(&s[i], &s[1 - i], t->v, 3, t->axis, exact);
        if (gap == 2)
            kind = BW_CONTACT_NONE;
        else if (gap == 1)
            kind = BW_CONTACT_TOUCHING;
    }
    return kind;
}

static bw_contact_kind coplanar_triangles(const bw_simplex *a, const bw_simplex *b, bool *exact)
{
    bw_simplex c = *b; /* counter-clockwise along a's axis too; their plane does not fold along it */
    c.axis = a->axis;
    if (b->axis != a->axis && bw_orient2d_counted(&c.v[0], &c.v[1], &c.v[2], a->axis, exact) < 0) {
        c.v[1] = b->v[2];
        c.v[2] = b->v[1];
    }
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    separate_by_edges(a, c.v, 3, &kind, exact);
    separate_by_edges(&c, a->v, 3, &kind, exact);
    return kind;
}

bw_contact_kind bw_segment_triangle_contact(const bw_vec3 *p, const bw_vec3 *q, const bw_simplex *t,
                                            bool *coplanar, bool *exact)
{
    const bw_vec3 s[2] = {*p, *q};
    int signs[2];
    bw_plane_signs(t->v, s, 2, signs, exact);
    *coplanar = signs[0] == 0 && signs[1] == 0;
    if (*coplanar)
        return coplanar_segment_triangle(s, t, exact);
    if (signs[0] * signs[1] > 0)
        return BW_CONTACT_NONE;
    if (signs[0] == 0 || signs[1] == 0) {
        bw_contact_kind at_end = point_in_triangle(signs[0] == 0 ? p : q, t, exact);
        return at_end == BW_CONTACT_NONE ? BW_CONTACT_NONE : BW_CONTACT_TOUCHING;
    }
    /* The line pq passes all three edges on the same side, or meets some. */
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; i++) {
        int side = bw_orient3d_counted(p, q, &t->v[i], &t->v[bw_next3(i)], exact);
        positive += side > 0;
        negative += side < 0;
        if (positive > 0 && negative > 0)
            return BW_CONTACT_NONE;
    }
    return positive + negative == 3 ? BW_CONTACT_CROSSING : BW_CONTACT_TOUCHING;
}

static bool one_sided(const int s[3])
{
    return s[0] != 0 && s[0] == s[1] && s[1] == s[2];
}

static bw_contact_kind triangle_triangle(const bw_simplex *a, const bw_simplex *b, bool *exact)
{
    int a_signs[3], b_signs[3];
    bw_plane_signs(b->v, a->v, 3, a_signs, exact);
    if (one_sided(a_signs))
        return BW_CONTACT_NONE;
    if (a_signs[0] == 0 && a_signs[1] == 0 && a_signs[2] == 0)
        return coplanar_triangles(a, b, exact);
    bw_plane_signs(a->v, b->v, 3, b_signs, exact);
    if (one_sided(b_signs))
        return BW_CONTACT_NONE;
    return bw_triangles_in_two_planes(a->v, a_signs, b->v, b_signs, exact);
}

bw_contact_kind bw_simplex_contact(const bw_simplex *a, const bw_simplex *b, bool *exact)
{
    if (a->dimension < b->dimension) {
        const bw_simplex *swap = a;
        a = b;
        b = swap;
    }
    int axis;
    bool coplanar;
    if (b->dimension == 0)
        return bw_point_contact(&b->v[0], a, exact);
    if (b->dimension == 2)
        return triangle_triangle(a, b, exact);
    if (a->dimension == 1)
        return bw_segment_segment_contact(a->v, b->v, &axis, exact);
    return bw_segment_triangle_contact(&b->v[0], &b->v[1], a, &coplanar, exact);
}
