/* The moving polygon of geom/ccd/ccd.h in two lanes, one for each end of time: corner 0 and the two edges
 * there tell everything, because the areas of all triangles (origin, corner, next corner) follow from three:
 *   A = corner x first, B = corner x last, N = last x first (the polygon's own):
 *   a triangle's are A, B and N - A - B, a parallelogram's A, B, N - A and N - B.
 */
#ifndef BW_GEOM_CCD_MOVING_H
#define BW_GEOM_CCD_MOVING_H

#include "base/simd/f64x2.h"
#include "geom/ccd/ccd.h"

/* The four points, each coordinate at time 0 and at time 1. */
typedef struct bw_ccd_points {
    d2 p[4][3];
} bw_ccd_points;

/* The cubic of geom/ccd/ccd.h times 3 in Bernstein form. Rounded values anywhere in [0, 1], and coefficients
 * over parts of it that halving gives, are off by less than the error. */
typedef struct bw_ccd_cubic {
    double b[4];
    double error;
    double coefficient_error; /* of the coefficients alone, beyond half an ulp of each */
} bw_ccd_cubic;

typedef struct bw_ccd_moving {
    bool edges;
    d2 corner[3], first[3], last[3]; /* corner 0, the edge from it, the edge to it */
    d2 corner_max[3]; /* the largest magnitude along each axis, at both ends of time; the same in both lanes
                       */
    d2 edge_max[3];   /* of the first edge, and of the last */
    double bound;     /* of the determinant: the sum of its six products with these in the place of all */
    bw_ccd_cubic cubic;
} bw_ccd_moving;

/* What bounds the areas A and B along axis k, and N. Zero where the area is always zero. */
static inline d2 bw_ccd_area_bounds(const bw_ccd_moving *m, int k)
{
    int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    return m->corner_max[i] * m->edge_max[j] + m->corner_max[j] * m->edge_max[i];
}
static inline double bw_ccd_own_bound(const bw_ccd_moving *m, int k)
{
    int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    d2 products = d2_swap(m->edge_max[i]) * m->edge_max[j];
    return d2_low(products) + d2_high(products);
}

/* A time between which and which the cubic has one root, and a guess within. */
typedef struct bw_ccd_bracket {
    double low, high, guess;
} bw_ccd_bracket;

static inline bw_ccd_points bw_ccd_points_of(const bw_vec3 start[4], const bw_vec3 end[4])
{
    bw_ccd_points out;
    for (int i = 0; i < 4; i++) {
        d2 xy0 = d2_load(&start[i].x), xy1 = d2_load(&end[i].x);
        out.p[i][0] = d2_lows(xy0, xy1);
        out.p[i][1] = d2_highs(xy0, xy1);
        out.p[i][2] = d2_of(start[i].z, end[i].z);
    }
    return out;
}

/* Which points make corner 0 and the two edges: one minus the other. */
#define BW_CCD_CORNER_FROM(edges) ((edges) ? 2 : 1), 0
#define BW_CCD_FIRST_FROM(edges) ((edges) ? 3 : 2), ((edges) ? 2 : 1)
#define BW_CCD_LAST_FROM(edges) 1, ((edges) ? 0 : 3)

/* The cubic with about 106 bits: its coefficients rounded to doubles at the very end. */
void bw_ccd_cubic_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points, bw_ccd_cubic *out);

/* Is the origin inside the polygon at the root within the bracket, which may come out narrower? */
verdict bw_ccd_inside_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points,
                              const bw_ccd_cubic *cubic, bw_ccd_bracket *root);
/* Is it inside at all times within `reach` of a time, or at none, given that it is in the plane then? */
verdict bw_ccd_areas_twofold(const bw_ccd_moving *moving, const bw_ccd_points *points, double time,
                             double reach);

#endif
