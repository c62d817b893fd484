/* Boxwood: vectors, boxes, poses, and exact tests of triangles, segments and rays.
 *
 * Exactness. Every predicate here answers for the coordinates as given: no epsilon, no rounding decides.
 * It holds while every coordinate is zero or has a magnitude in [BW_EXACT_MIN, BW_EXACT_MAX]: within that
 * range no intermediate product overflows or loses bits to underflow. Every float is inside it.
 * bw_exact_range() tests a triangle; meshes are checked when a tree is built or refitted from them.
 * The processor must round to nearest (the default), and the library must not be built with -ffast-math.
 */
#ifndef BOXWOOD_MATH_H
#define BOXWOOD_MATH_H

#include <boxwood/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BW_EXACT_MIN 0x1p-300 /* about 4.9e-91 */
#define BW_EXACT_MAX 0x1p300  /* about 2.0e90 */

typedef struct bw_vec3 {
    double x, y, z;
} bw_vec3;

/* A closed axis-aligned box. Empty when a min is above its max. */
typedef struct bw_box {
    float min[3];
    float max[3];
} bw_box;

/* An affine map: p -> m[i][0] x + m[i][1] y + m[i][2] z + m[i][3]. Rotation, any scale, shear and
 * reflection are allowed. */
typedef struct bw_transform {
    double m[3][4];
} bw_transform;

/* A ray from origin. All zero but for origin and direction is the usual one, without an end. Casting one of no
 * length (a zero direction, or two points that are one) is BW_ERROR_ARGUMENT. */
typedef struct bw_ray {
    bw_vec3 origin;
    bw_vec3 direction; /* of any length but zero; t counts multiples of it */
    double t_max;      /* contacts beyond this t are not wanted; 0: no limit */
    bool between;      /* direction is not a direction, but a second point: see bw_ray_between */
} bw_ray;

/* The ray from a through b, t = 1 at b, without an end (set t_max to 1 for the segment): exact for b itself,
 * where b - a would be rounded. */
BW_API bw_ray bw_ray_between(bw_vec3 a, bw_vec3 b);
/* The two points that answers about the ray are exact for: its origin, and a second point at a distance of
 * 2^k directions, which is returned with k. For a ray of bw_ray_between that is b itself, k = 0; for one with
 * a direction origin + 2^k direction, rounded, k so large (0 or more) that the origin does not swallow the
 * direction's digits. */
BW_API bw_vec3 bw_ray_second_point(const bw_ray *ray, int *k);

/* The map that leaves every point where it is. */
BW_API bw_transform bw_transform_identity(void);
/* The map "first b, then a". */
BW_API bw_transform bw_transform_multiply(const bw_transform *a, const bw_transform *b);
/* BW_ERROR_SINGULAR where no inverse exists in double precision, BW_ERROR_NOT_FINITE for NaN or infinity. */
BW_API bw_result bw_transform_invert(const bw_transform *t, bw_transform *out);
/* Exactly ((m0 x + m1 y) + m2 z) + m3, each operation rounded to double: this is the map that queries use,
 * so that a caller can reproduce the coordinates an answer is exact for. */
BW_API bw_vec3 bw_transform_point(const bw_transform *t, bw_vec3 p);
/* Translation after rotation by angle (radians) about axis (any length but zero) after scaling. The same bits
 * on every platform. */
BW_API bw_transform bw_transform_compose(bw_vec3 translation, bw_vec3 axis, double angle, bw_vec3 scale);

/* The rotation nearest to the columns of t, with the translation of t: for poses that were rounded to float, or are products of
 * many, which shapes would refuse. BW_ERROR_ARGUMENT where t is no rotation to 0.01, such as one with a scale or a mirror
 * image; BW_ERROR_NOT_FINITE. out may be t. */
BW_API bw_result bw_transform_rigid(const bw_transform *t, bw_transform *out);

/* The smallest box of floats that contains the points, every bound rounded outward; empty for count 0. */
BW_API bw_box bw_box_of_points(const bw_vec3 *points, size_t count);
/* Whether two closed boxes have a point in common; an empty box never does. */
BW_API bool bw_box_overlaps(const bw_box *a, const bw_box *b);

/* Whether every coordinate is finite and in the range in which predicates are exact. */
BW_API bool bw_exact_range(const bw_vec3 *points, size_t count);

/* The sign (-1, 0, 1) of the determinant | a-d; b-d; c-d |: positive when a, b, c appear clockwise seen
 * from d's side; zero exactly when the four points lie in one plane. */
BW_API int bw_orient3d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, const bw_vec3 *d);
/* The sign of the area of a, b, c projected along axis 0, 1 or 2 (on yz, zx, xy): positive for
 * counter-clockwise. */
BW_API int bw_orient2d(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c, int axis);
/* Whether the three points lie on one line (a triangle without area). */
BW_API bool bw_collinear(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c);

/* How two closed convex sets meet. CROSSING: a point lies in the relative interior of both (the inside of a
 * triangle, of a segment, or the point itself, for a degenerate one), so no plane separates them properly;
 * coplanar overlap of areas is crossing. TOUCHING: they share points, but none such. */
typedef enum bw_contact_kind {
    BW_CONTACT_NONE = 0,
    BW_CONTACT_TOUCHING = 1,
    BW_CONTACT_CROSSING = 2,
    BW_CONTACT_NEAR = 3 /* they do not meet, but are no farther apart than a query's separation */
} bw_contact_kind;

/* Where two triangles meet. The kind is exact; the points are rounded to double. One point, the two ends of
 * a segment, or, where coplanar triangles overlap in an area, the corners of that polygon in order. */
typedef struct bw_triangle_contact {
    bw_contact_kind kind;
    bool coplanar;        /* all six points lie in one plane */
    uint32_t point_count; /* 0 to 6 */
    bw_vec3 points[6];
} bw_triangle_contact;

/* Degenerate triangles (segments, points) are answered as what they are. */
BW_API bw_contact_kind bw_triangle_triangle(const bw_vec3 a[3], const bw_vec3 b[3]);
/* The same, and where they meet. */
BW_API void bw_triangle_triangle_contact(const bw_vec3 a[3], const bw_vec3 b[3], bw_triangle_contact *out);

/* The closed segment p q against a closed triangle. */
BW_API bw_contact_kind bw_segment_triangle(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 triangle[3]);
/* The closed ray from origin through `through` (not a direction: the second point keeps the answer exact)
 * against a closed triangle. out_t, if not NULL, receives the parameter of the first contact (0 at origin, 1
 * at through), rounded; untouched when there is no contact. origin == through is the point itself. */
BW_API bw_contact_kind bw_ray_triangle(const bw_vec3 *origin, const bw_vec3 *through,
                                       const bw_vec3 triangle[3], double *out_t);

/* The squared distance of two closed triangles and a pair of points that realises it (either may be NULL).
 * Zero exactly when they meet; otherwise positive and accurate to a relative 1e-12 of the coordinates' size.
 */
BW_API double bw_triangle_distance2(const bw_vec3 a[3], const bw_vec3 b[3], bw_vec3 *on_a, bw_vec3 *on_b);
/* The same for a point and a triangle. */
BW_API double bw_point_triangle_distance2(const bw_vec3 *p, const bw_vec3 triangle[3], bw_vec3 *on_triangle);

#ifdef __cplusplus
}
#endif
#endif
