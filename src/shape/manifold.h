/* The points of a contact. */
#ifndef BW_SHAPE_MANIFOLD_H
#define BW_SHAPE_MANIFOLD_H

#include "shape/gjk.h"

/* Fills out->points of two shapes whose cores stand as gap says, in world coordinates, with at most so many of up to four. Points less
 * deep than -separation are left out, but there is always one. False: it is that of the gap, which is rough. */
bool bw_manifold(const bw_convex *a, const bw_convex *b, const bw_gap *gap, double separation, int most,
                 bw_shape_contact *out);

#endif
