/* How triangles, segments and rays meet, by another theorem than the library's and in exact integers.
 *
 * Two convex sets A and B meet where 0 lies in A - B, and meet in their relative interiors where 0 lies in
 * the relative interior of A - B. A - B is an intersection of half-spaces within its affine hull, whose
 * normals are known: the normals of A and of B and the cross products of their edges in space; their in-plane
 * counterparts where all of it lies in one plane; the direction itself on a line. Every such axis is tried;
 * nothing is special-cased by how degenerate the input is. Coordinates become integers on a common lattice:
 * of 128 bits where that is enough, of GMP elsewhere. Not for several threads at once.
 */
#ifndef BW_ORACLE_TRIANGLE_H
#define BW_ORACLE_TRIANGLE_H

#include <boxwood/math.h>

bw_contact_kind bw_oracle_triangle_triangle(const bw_vec3 a[3], const bw_vec3 b[3]);
bw_contact_kind bw_oracle_segment_triangle(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 t[3]);
bw_contact_kind bw_oracle_ray_triangle(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 t[3]);

/* The corners of the intersection, in order, by rationals and rounded at the end: triangle a clipped by the
 * equations and inequalities of b. */
typedef struct bw_oracle_polygon {
    int count;
    bw_vec3 points[6];
} bw_oracle_polygon;

bw_oracle_polygon bw_oracle_intersection(const bw_vec3 a[3], const bw_vec3 b[3]);
/* The first parameter at which the ray meets the triangle, rounded; false if it does not. */
bool bw_oracle_ray_parameter(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 t[3], double *out);
/* The squared distance, rounded: the least over all pairs of a feature of each. */
double bw_oracle_distance2(const bw_vec3 a[3], const bw_vec3 b[3]);
/* Whether it is at most that of a distance, exactly. */
bool bw_oracle_within(const bw_vec3 a[3], const bw_vec3 b[3], double distance);
/* Whether a vertex and a face, or two edges (points as in boxwood/ccd.h), are no farther apart than the
 * distance at a time, exactly. */
bool bw_oracle_moving_within(bool edges, const bw_vec3 start[4], const bw_vec3 end[4], double time,
                             double distance);

#endif
