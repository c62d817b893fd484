/* The moving polygon of geom/ccd/ccd.h in integers: all coordinates on the lattice of their lowest bit,
 * narrow ones (geom/polynomial/narrow.h) where they fit, and the polynomials that decide. */
#ifndef BW_GEOM_CCD_LATTICE_H
#define BW_GEOM_CCD_LATTICE_H

#include "geom/ccd/ccd.h"
#include "geom/polynomial/narrow.h"
#include "geom/polynomial/polynomial.h"

/* A vector at time 0 and at time 1. */
typedef struct bw_lattice_path {
    bool narrow;
    bw_narrow n[2][3];  /* where narrow */
    bw_integer w[2][3]; /* where not */
} bw_lattice_path;

typedef struct bw_lattice_polygon {
    int corners;
    bw_lattice_path corner[BW_CCD_MAX_CORNERS];
    bw_lattice_path first, last; /* corner 1, and the last one, minus corner 0 */
} bw_lattice_polygon;

void bw_lattice_polygon_make(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                             bw_lattice_polygon *out);

/* Coordinate k. */
void bw_lattice_coordinate(bw_polynomial *out, const bw_lattice_path *u, int k);
/* Component k of u x v, times 2. */
void bw_lattice_cross(bw_polynomial *out, const bw_lattice_path *u, const bw_lattice_path *v, int k);
/* d . (u x v), times 6. */
void bw_lattice_volume(bw_polynomial *out, const bw_lattice_path *d, const bw_lattice_path *u,
                       const bw_lattice_path *v);

#endif
