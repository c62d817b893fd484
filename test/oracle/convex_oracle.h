/* How two convex sets of few points, or half-spaces, grown by radii, meet, by another way than the library's.
 *
 * Hulls of points: every cross product of two differences of points is tried as an axis, which holds all normals
 * of the hull of the differences; with radii the least distance over all pairs of points, segments and triangles of
 * points. Long doubles discard what is clear, rationals decide the rest. Not for several threads at once. */
#ifndef BW_ORACLE_CONVEX_H
#define BW_ORACLE_CONVEX_H

#include <boxwood/math.h>

enum { BW_ORACLE_POINTS = 24 };

typedef struct bw_oracle_convex {
    int count; /* points; 0: a half-space */
    bw_vec3 points[BW_ORACLE_POINTS];
    bw_vec3 at, normal; /* of a half-space: normal . (x - at) <= radius |normal| */
    double radius;
} bw_oracle_convex;

/* exact: everything by rationals, also what seems clear. */
bw_contact_kind bw_oracle_convex_contact(const bw_oracle_convex *a, const bw_oracle_convex *b, bool exact);
/* The distance of two sets of points without their radii, to long double; known to be apart. */
double bw_oracle_convex_distance(const bw_oracle_convex *a, const bw_oracle_convex *b);

#endif
