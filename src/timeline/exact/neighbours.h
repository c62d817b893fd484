/* When two triangles of one mesh that share a vertex or an edge meet beyond it: at every time as
 * bw_collide_self decides at that time, where every vertex moves exactly on its straight line or curve.
 *
 * Doubles with proven bounds show most pairs to be apart at all times (neighbour_filter.h). The others are
 * decided in integers (contact_times.h). docs/lab/separation-list.md has the reasons. */
#ifndef BW_TIMELINE_EXACT_NEIGHBOURS_H
#define BW_TIMELINE_EXACT_NEIGHBOURS_H

#include "timeline/contact_intervals.h"

/* The spans within [0, 1], in order. The pair has vertices, of which at least one is shared. */
uint32_t bw_neighbour_spans(const bw_moving_triangles *pair, bw_contact_span out[BW_SPANS]);

#endif
