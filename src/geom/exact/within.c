/* Distances of triangles against a given one. Floating point decides where the distance is off by more than
 * the error of geom/closest.c; elsewhere integers do, feature by feature: the distance of two triangles that
 * do not meet is that of a corner and a corner, edge or face, or of two edges, where the nearest points are
 * inside both, and one such pair within the distance is enough. On their common lattice coordinates take 454
 * bits, so the squares of a determinant take 2730. */
#include "geom/exact/within.h"

#include "geom/exact/lattice.h"
#include "geom/simplex.h"
#include "geom/vec.h"

/* All numbers of a question on one lattice. */
typedef struct question {
    bw_lattice_vec a[3], b[3];
    bw_integer distance2;
} question;

/* 0 <= x <= y */
static bool between(const bw_integer *x, const bw_integer *y)
{
    return x->sign >= 0 && bw_integer_compare(x, y) <= 0;
}

/* x <= distance^2 y */
static bool near_enough(const bw_integer *x, const bw_integer *y, const bw_integer *distance2)
{
    bw_integer product;
    bw_integer_multiply(&product, y, distance2);
    return bw_integer_compare(x, &product) <= 0;
}

static bool corners_near(const bw_lattice_vec *p, const bw_lattice_vec *q, const bw_integer *distance2)
{
    bw_lattice_vec w;
    bw_integer square;
    bw_lattice_add(&w, p, q, -1);
    bw_lattice_dot(&square, &w, &w);
    return bw_integer_compare(&square, distance2) <= 0;
}

/* A corner and the inside of an edge, or one of its ends. */
static bool corner_edge_near(const bw_lattice_vec *p, const bw_lattice_vec *from, const bw_lattice_vec *to,
                             const bw_integer *distance2)
{
    bw_lattice_vec e, w, n;
    bw_integer along, length2, square;
    bw_lattice_add(&e, to, from, -1);
    bw_lattice_add(&w, p, from, -1);
    bw_lattice_dot(&length2, &e, &e);
    bw_lattice_dot(&along, &w, &e);
    if (length2.sign == 0 || !between(&along, &length2))
        return false;
    bw_lattice_cross(&n, &w, &e);
    bw_lattice_dot(&square, &n, &n);
    return near_enough(&square, &length2, distance2);
}

static bool corner_face_near(const bw_lattice_vec *p, const bw_lattice_vec t[3], const bw_integer *distance2)
{
    bw_lattice_vec e, f, n, w, inward;
    bw_integer height, square, area2;
    bw_lattice_add(&e, &t[1], &t[0], -1);
    bw_lattice_add(&f, &t[2], &t[0], -1);
    bw_lattice_cross(&n, &e, &f);
    bw_lattice_dot(&area2, &n, &n);
    if (area2.sign == 0)
        return false;
    for (int i = 0; i < 3; i++) {
        bw_lattice_add(&e, &t[bw_next3(i)], &t[i], -1);
        bw_lattice_add(&w, p, &t[i], -1);
        bw_lattice_cross(&inward, &n, &e);
        bw_lattice_dot(&height, &inward, &w);
        if (height.sign < 0)
            return false;
    }
    bw_lattice_dot(&height, &n, &w); /* of any corner */
    bw_integer_multiply(&square, &height, &height);
    return near_enough(&square, &area2, distance2);
}

/* x y - z w */
static void difference_of_products(bw_integer *out, const bw_integer *x, const bw_integer *y,
                                   const bw_integer *z, const bw_integer *w)
{
    bw_integer product;
    bw_integer_multiply(out, x, y);
    bw_integer_multiply(&product, z, w);
    bw_integer_subtract(out, out, &product);
}

/* The insides of two edges that are not parallel: those that are have an end at their distance. */
static bool edges_near(const bw_lattice_vec *a0, const bw_lattice_vec *a1, const bw_lattice_vec *b0,
                       const bw_lattice_vec *b1, const bw_integer *distance2)
{
    bw_lattice_vec u, v, w, n;
    bw_integer uu, uv, vv, uw, vw, n2, at, square;
    bw_lattice_add(&u, a1, a0, -1);
    bw_lattice_add(&v, b1, b0, -1);
    bw_lattice_add(&w, a0, b0, -1);
    bw_lattice_cross(&n, &u, &v);
    bw_lattice_dot(&n2, &n, &n);
    if (n2.sign == 0)
        return false;
    bw_lattice_dot(&uu, &u, &u);
    bw_lattice_dot(&uv, &u, &v);
    bw_lattice_dot(&vv, &v, &v);
    bw_lattice_dot(&uw, &u, &w);
    bw_lattice_dot(&vw, &v, &w);
    difference_of_products(&at, &uv, &vw, &vv, &uw);
    if (!between(&at, &n2))
        return false;
    difference_of_products(&at, &uu, &vw, &uv, &uw);
    if (!between(&at, &n2))
        return false;
    bw_lattice_dot(&at, &w, &n);
    bw_integer_multiply(&square, &at, &at);
    return near_enough(&square, &n2, distance2);
}

static void put_on_lattice(const bw_vec3 a[3], const bw_vec3 b[3], double distance, question *out)
{
    int exponent = bw_lattice_lowest(distance, INT32_MAX);
    for (int i = 0; i < 18; i++)
        exponent = bw_lattice_lowest(bw_vec3_at(i < 9 ? &a[i / 3] : &b[i / 3 - 3], i % 3), exponent);
    for (int i = 0; i < 3; i++) {
        bw_lattice_point(&out->a[i], &a[i], exponent);
        bw_lattice_point(&out->b[i], &b[i], exponent);
    }
    bw_integer d;
    bw_lattice_number(&d, distance, exponent);
    bw_integer_multiply(&out->distance2, &d, &d);
}

/* Of triangles that do not meet. */
static bool features_near(const bw_vec3 a[3], const bw_vec3 b[3], double distance)
{
    question q;
    put_on_lattice(a, b, distance, &q);
    const bw_integer *d2 = &q.distance2;
    for (int i = 0; i < 3; i++) {
        if (corner_face_near(&q.a[i], q.b, d2) || corner_face_near(&q.b[i], q.a, d2))
            return true;
        for (int j = 0; j < 3; j++) {
            const int next_i = bw_next3(i), next_j = bw_next3(j);
            if (corners_near(&q.a[i], &q.b[j], d2) || corner_edge_near(&q.a[i], &q.b[j], &q.b[next_j], d2) ||
                corner_edge_near(&q.b[j], &q.a[i], &q.a[next_i], d2) ||
                edges_near(&q.a[i], &q.a[next_i], &q.b[j], &q.b[next_j], d2))
                return true;
        }
    }
    return false;
}

static double largest_of(const bw_vec3 *points, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z))));
    return largest;
}

bool bw_triangles_within(const bw_vec3 a[3], const bw_vec3 b[3], double distance, bool *exact)
{
    const bool point = bw_vec3_equal(&a[0], &a[1]) && bw_vec3_equal(&a[0], &a[2]);
    const double d2 =
        point ? bw_point_triangle_distance2(&a[0], b, NULL) : bw_triangle_distance2(a, b, NULL, NULL);
    if (d2 == 0 || distance == 0) /* the one is zero where they meet, exactly */
        return d2 == 0;
    /* Ten times what bw_triangle_distance2 promises. */
    const double error = 1e-11 * (fmax(largest_of(a, 3), largest_of(b, 3)) + distance), d = sqrt(d2);
    if (fabs(d - distance) > error)
        return d < distance;
    *exact = true;
    return features_near(a, b, distance);
}

bool bw_point_within(const bw_vec3 *p, const bw_vec3 segment[2], double distance, bool *exact)
{
    const bw_vec3 a[3] = {*p, *p, *p}, b[3] = {segment[0], segment[1], segment[1]};
    const bw_vec3 w = bw_vec3_sub(*p, segment[0]);
    const double d2 = bw_vec3_dot(w, w), r2 = distance * distance;
    /* The end that is tried first decides for most: differences, squares and sums lose less than 2^-48.
     */
    if (d2 < r2 * (1 - 0x1p-48))
        return true;
    if (bw_vec3_equal(&segment[0], &segment[1]) && d2 > r2 * (1 + 0x1p-48))
        return false;
    return bw_triangles_within(a, b, distance, exact);
}
