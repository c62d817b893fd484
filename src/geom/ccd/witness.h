/* The nearest points of a vertex and a face, an edge or a vertex, and of two edges, at one time. */
#ifndef BW_GEOM_CCD_WITNESS_H
#define BW_GEOM_CCD_WITNESS_H

#include <boxwood/math.h>

/* What is asked: the first points belong to one feature, those after them to the other. 1 and 1 to 3, or 2
 * and 2. */
typedef struct bw_ccd_features {
    int first, second;
    const bw_vec3 *points;
    const bw_vec3 *velocities; /* of the points, to tell sides where they touch; NULL: none */
} bw_ccd_features;

typedef struct bw_ccd_witness {
    uint32_t inside; /* bits of the points inside whose hulls the nearest ones are: these have weights > 0 */
    double weights[4]; /* each side's add up to 1 */
    bw_vec3 on_first, on_second;
    bw_vec3 normal; /* from the second to the first, of length 1, or all zero */
    double distance;
} bw_ccd_witness;

/* To some ulps of the coordinates' size, whatever the angles. Features of which one is part of the other's
 * border count as the smaller one. */
void bw_ccd_witness_of(const bw_ccd_features *features, bw_ccd_witness *out);
/* The distance alone, of a vertex and a face or of two edges. */
double bw_ccd_distance_of(bool edges, const bw_vec3 points[4]);

#endif
