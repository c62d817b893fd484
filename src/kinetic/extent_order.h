/* Who is farthest out among candidates for an extent, until when that is certain, and from when again: what
 * the queue and the BoxTree ask about whatever competes for a bound of theirs. */
#ifndef BW_KINETIC_EXTENT_ORDER_H
#define BW_KINETIC_EXTENT_ORDER_H

#include "kinetic/linear_tracks.h"

/* Candidates for an extent (axis * 2 + (0 for the minimum, 1 for the maximum)); count > 0, any may come
 * twice. */
typedef struct bw_extent_order {
    const bw_flight *flight;
    uint32_t extent, count;
    const uint32_t *candidate;
    const bw_linear_tracks *courses; /* of the candidates; NULL: read where needed */
    bw_simd simd;
} bw_extent_order;

static inline int bw_extent_sign(uint32_t extent)
{
    return extent % 2 == 0 ? -1 : 1;
}

/* How far out a vertex stands at an extent. */
static inline double bw_flight_out(const bw_flight *flight, uint32_t v, uint32_t extent, double t)
{
    return bw_extent_sign(extent) * bw_flight_at(flight, v, (int)(extent / 2), t);
}

/* The farthest out at a time; of equals the one ahead from then on, and of those `present`, if it is among
 * them. Where three cross at one point each may be ahead of the next one, by what is certain of one pair and
 * known of the future of another; then one that none is certainly ahead of, or the extent would go round in
 * circles. */
uint32_t bw_extent_order_winner(const bw_extent_order *c, uint32_t present, double now);
/* The earliest time after now at which a candidate may overtake the winner; INFINITY: never. */
double bw_extent_order_failure(const bw_extent_order *c, uint32_t winner, double now);
/* Both at once. */
uint32_t bw_extent_order_decide(const bw_extent_order *c, uint32_t present, double now, double *failure);
/* With a single candidate: whether it is farther out than the winner, and when it may be. */
bool bw_extent_order_challenge(const bw_extent_order *c, uint32_t winner, double now, double *failure);

typedef enum bw_standing {
    BW_STANDING_CERTAIN = 0, /* not below any candidate just after the time */
    BW_STANDING_OPEN = 1,    /* not known before *until, and perhaps not then */
    BW_STANDING_LOST = 2     /* a candidate is certainly ahead from *until on, which may be the time itself */
} bw_standing;

/* How the winner stands just after a time; *until is the first time at which one of the open pairs is
 * settled.
 */
bw_standing bw_extent_order_standing(const bw_extent_order *c, uint32_t winner, double from, double *until);

#endif
