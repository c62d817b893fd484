/* Edges through triangles: what they do to winding numbers and to the shared volume (contact/inside/immersion.h). */
#ifndef BW_CONTACT_INSIDE_CROSSINGS_H
#define BW_CONTACT_INSIDE_CROSSINGS_H

#include "contact/inside/immersion.h"

/* A sum and how much of it may be rounding: terms are compensated (Neumaier 1974), so that only their own
 * errors are left. */
typedef struct bw_rounded_sum {
    double sum, lost, error;
} bw_rounded_sum;

typedef struct bw_crossings {
    bw_immersed *a, *b;      /* their jumps and cuts are added to */
    const bw_transform *map; /* of b into the frame of a; NULL: none */
    bw_vec3 middle;          /* the point that volumes are measured from */
    bw_rounded_sum volume;   /* six times it, so far */
} bw_crossings;

/* Adds two triangles that meet. False where they are not in general position. */
bool bw_crossings_add(bw_crossings *crossings, const bw_hit *hit);
/* Adds the faces, with the winding numbers of their corners. */
void bw_crossings_add_faces(bw_crossings *crossings);
/* The integral of both winding numbers. */
double bw_crossings_volume(const bw_crossings *crossings, double *error);

#endif
