/* A step cut short: see shorten.c. */
#ifndef BW_SWEPT_SEARCH_SHORTEN_H
#define BW_SWEPT_SEARCH_SHORTEN_H

#include "swept/swept.h"

/* The same step up to a time: topology and paths are those of s, the boxes are for [0, until]. The same bits
 * for any tasks. False when memory runs out; bw_swept_shorter_release in either case. */
bool bw_swept_shorten(const bw_swept *s, double until, const bw_allocator *allocator, const bw_tasks *tasks,
                      bw_swept *out);
void bw_swept_shorter_release(bw_swept *shorter, const bw_allocator *allocator);

#endif
