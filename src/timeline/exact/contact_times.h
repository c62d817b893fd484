/* When two triangles that move on straight lines or curves are in contact, decided in integers. */
#ifndef BW_TIMELINE_EXACT_CONTACT_TIMES_H
#define BW_TIMELINE_EXACT_CONTACT_TIMES_H

#include "timeline/contact_intervals.h"
#include "timeline/exact/decide.h"

/* The times of contact, in order: all of [0, 1] is looked at. corners: which of the pair are those that
 * decide.h numbers (0 to 2 of the first triangle, 3 to 5 of the second). A beginning is rounded down to a
 * multiple of 2^-52, an end up. Roots nearer to each other than 2^-256 count as one. Works in the pair's
 * scratch. */
uint32_t bw_exact_contact_times(const bw_moving_triangles *pair, bw_pair_kind kind, const uint8_t *corners,
                                bw_contact_span out[BW_SPANS]);
/* Whether the first triangle has area at some time. */
bool bw_exact_has_area(const bw_moving_triangles *pair);

/* Bytes of a bw_exact_scratch. */
size_t bw_exact_scratch_size(void);

#endif
