/* The search for a short translation that separates. */
#ifndef BW_CONTACT_DEPTH_ESCAPE_H
#define BW_CONTACT_DEPTH_ESCAPE_H

#include "contact/depth/separation.h"

enum { BW_ESCAPE_DIRECTIONS = 64 };

typedef struct bw_escape {
    bw_vec3 translation;
    double length; /* infinite: none found */
} bw_escape;

/* Improves *best, which may be known from elsewhere or infinite. directions: unit vectors to begin with, at
 * most BW_ESCAPE_DIRECTIONS; lower: no shorter translation exists. */
bw_result bw_escape_search(bw_separation *separation, const bw_vec3 *directions, uint32_t count, double lower,
                           bw_escape *best);

#endif
