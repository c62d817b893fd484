/* Moving vertex against face and edge against edge as one question: does a moving polygon of three or four
 * corners contain the origin? The corners are differences: face corner minus vertex, or end of one edge minus
 * end of the other (a parallelogram). Each moves linearly, so a corner is a pair of vectors, for the times 0
 * and 1; everything that decides is a polynomial in time in Bernstein form:
 *   the volume of corner 0, edge 0 and last edge, a cubic: zero where the origin lies in the polygon's plane;
 *   the areas of the triangles (origin, corner, next corner) along an axis, quadratics: the origin is inside
 *   where none has the other sign than the polygon's own area;
 *   the coordinates of the corners, lines.
 * docs/lab/continuous.md has the proofs.
 */
#ifndef BW_GEOM_CCD_CCD_H
#define BW_GEOM_CCD_CCD_H

#include "geom/exact/expansion.h"

#include <boxwood/ccd.h>
#include <math.h>

/* The error of the rounded cubic's coefficients over the sum of products that bounds their terms, and the
 * smallest such sum that loses no bits to underflow. */
#define BW_CCD_VOLUME_ERROR (96 * BW_ROUNDOFF)
#define BW_CCD_VOLUME_MIN 0x1p-850

/* How far values along a direction may be off, over |direction| times the largest corner, and a distance that
 * is certainly near over the largest corner. */
#define BW_CCD_AWAY_ERROR (64 * BW_ROUNDOFF)
#define BW_CCD_NEAR_ERROR (128 * BW_ROUNDOFF)

#define BW_CCD_TOLERANCE 0x1p-20 /* where none is given */

enum { BW_CCD_MAX_CORNERS = 4 };

/* Which of the given points makes corner i: points[first] - points[second]. */
typedef struct bw_ccd_corner {
    uint8_t first, second;
} bw_ccd_corner;

typedef struct bw_ccd_kind {
    int corners;
    bw_ccd_corner corner[BW_CCD_MAX_CORNERS];
    bw_ccd_corner
        edge[BW_CCD_MAX_CORNERS]; /* edge i: corner i + 1 minus corner i, as a difference of points */
} bw_ccd_kind;

extern const bw_ccd_kind bw_ccd_vertex_face_kind, bw_ccd_edge_edge_kind;

/* The polygon with rounded coordinates: each off by at most half an ulp. */
typedef struct bw_ccd_polygon {
    int corners;
    double corner[2][BW_CCD_MAX_CORNERS][3];
    double edge[2][BW_CCD_MAX_CORNERS][3];
    double corner_max[3], edge_max[3]; /* the largest magnitudes along each axis */
} bw_ccd_polygon;

void bw_ccd_polygon_make(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                         bw_ccd_polygon *out);

/* The first contact. The coordinates are finite and within the exact range; 2^-50 <= tolerance <= 1. */
bw_ccd_result bw_ccd_decide(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                            double tolerance);

/* Where the origin is, of a polygon in whose plane it is. */
typedef enum verdict { OUTSIDE, INSIDE, UNSURE } verdict;

/* Something quicker that may know where it is at every time of [low, high]. */
typedef struct bw_ccd_guide {
    verdict (*inside)(const void *context, double low, double high);
    const void *context;
} bw_ccd_guide;

/* The stage behind the filters: exact integers. The guide may be NULL. */
bw_ccd_result bw_ccd_decide_exact(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                  const bw_ccd_guide *guide);
/* With a separation > 0: the filters of geom/ccd/filter.h, then what they leave open. */
bw_ccd_result bw_ccd_decide_near(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                 double separation, double tolerance);
/* What they leave open. A contact that is proven later than `latest` counts as none. */
bw_ccd_result bw_ccd_advance(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                             double separation, double tolerance, double latest);

/* Tries the directions that separate a polygon at the middle of an interval from the origin: true where one
 * of them holds for the whole interval. */
bool bw_ccd_separated(const bw_ccd_polygon *polygon, double t0, double t1);

/* Results in one word. */
static inline bw_ccd_result bw_ccd_never(bool exact)
{
    return (bw_ccd_result){BW_CCD_APART, exact, 1.0, 1.0};
}

#endif
