/* All hits of two bodies, in an array. */
#ifndef BW_CONTACT_HITS_H
#define BW_CONTACT_HITS_H

#include "base/array.h"

#include <boxwood/contact.h>

/* Appends every hit to an array of bw_hit, in the order of bw_collide. *stopped: progress said so, and some
 * are missing. BW_ERROR_SIZE: more than 2^30. */
bw_result bw_hits_collect(const bw_body *a, const bw_body *b, const bw_tasks *tasks, bw_progress progress,
                          bw_array *out, bool *stopped);

#endif
