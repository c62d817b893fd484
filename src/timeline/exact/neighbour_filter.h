/* Neighbours that never meet beyond what they share: proven in doubles. */
#ifndef BW_TIMELINE_EXACT_NEIGHBOUR_FILTER_H
#define BW_TIMELINE_EXACT_NEIGHBOUR_FILTER_H

#include "timeline/contact_intervals.h"
#include "timeline/exact/decide.h"

/* True: they are apart beyond what they share at all times. False: not proven. Corners as decide.h numbers
 * them: 0 to 2 of the first triangle, 3 to 5 of the second. */
bool bw_neighbours_never_meet(const bw_moving_triangles *pair, bw_pair_kind kind, const uint8_t *corners);

#endif
