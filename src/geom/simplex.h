/* A triangle as what it is: a triangle with area, a segment, or a point; and how two such meet, exactly.
 *
 * bw_triangle_triangle takes a shorter way for triangles in general position; everything else comes here.
 * Kinds of contact are those of bw_contact_kind: crossing where the relative interiors meet, touching where only
 * the closures do.
 */
#ifndef BW_GEOM_SIMPLEX_H
#define BW_GEOM_SIMPLEX_H

#include "geom/exact/predicates.h"

typedef struct bw_simplex {
    int dimension; /* 2, 1, 0; corners v[0] .. v[dimension] */
    int axis;      /* dimension 2: v is counter-clockwise when projected along this axis */
    bw_vec3 v[3];  /* dimension 1: ordered by bw_lexical_compare */
} bw_simplex;

/* By x, then y, then z: along a line this is the order of its points in one of its two directions. */
static inline int bw_lexical_compare(const bw_vec3 *a, const bw_vec3 *b)
{
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->z < b->z ? -1 : a->z > b->z;
}

/* Cyclic successor of corner or edge i of a triangle. */
static inline int bw_next3(int i)
{
    return i == 2 ? 0 : i + 1;
}

void bw_simplex_of_triangle(const bw_vec3 t[3], bw_simplex *out, bool *exact);
void bw_simplex_of_segment(const bw_vec3 *p, const bw_vec3 *q, bw_simplex *out);

bw_contact_kind bw_simplex_contact(const bw_simplex *a, const bw_simplex *b, bool *exact);
bw_contact_kind bw_point_contact(const bw_vec3 *p, const bw_simplex *shape, bool *exact);
/* Segments with distinct ends, each ordered. *axis receives one along which their plane projects without
 * folding, or -1 where all four points lie on one line; it is only set where they are coplanar. */
bw_contact_kind bw_segment_segment_contact(const bw_vec3 s[2], const bw_vec3 t[2], int *axis, bool *exact);
/* t has dimension 2. *coplanar tells whether the segment lies in its plane. */
bw_contact_kind bw_segment_triangle_contact(const bw_vec3 *p, const bw_vec3 *q, const bw_simplex *t,
                                            bool *coplanar, bool *exact);

/* The signs of the points against the plane of t (bw_orient3d of t and the point). */
static inline void bw_plane_signs(const bw_vec3 t[3], const bw_vec3 *points, int count, int signs[],
                                  bool *exact)
{
    for (int i = 0; i < count; i++)
        signs[i] = bw_orient3d_counted(&t[0], &t[1], &t[2], &points[i], exact);
}

#endif
