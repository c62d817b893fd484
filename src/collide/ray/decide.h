/* Deciding triangles that a ray may meet, exactly and as brute force would. */
#ifndef BW_COLLIDE_RAY_DECIDE_H
#define BW_COLLIDE_RAY_DECIDE_H

#include "collide/ray/ready.h"

/* Takes a contact, with the corners of its primitive in the common frame; false ends the traversal. */
typedef bool bw_ray_visitor(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3]);

/* One ray of a query. */
typedef struct bw_ray_state {
    const bw_ray_target *target;
    const bw_vec3 *origin, *through; /* the two points that answers are exact for */
    /* What takes the place of through - origin in the boxes, which need not wait for it: unit times this is
     * through - origin but for its rounding. NULL: nothing, and unit is not read. */
    const bw_vec3 *along;
    double unit;
    bw_ray_hit best;       /* the nearest contact so far; primitive BW_NONE: none, and t is the limit */
    bw_ray_visitor *visit; /* where all contacts are wanted */
    void *user;
    bw_result result;
    uint64_t nodes, leaves; /* visited */
} bw_ray_state;

enum { BW_RAY_NEAR, BW_RAY_SOME, BW_RAY_EACH }; /* which contacts are wanted */

/* Takes up a primitive, which the ray's line certainly crosses where `crossed`. corners NULL: those of the
 * mesh, as the pose maps them. The traversal ends where false is returned: a failure (s->result), some
 * contact where one is enough, or the visitor's word. */
bool bw_ray_decide(bw_ray_state *s, int mode, uint32_t primitive, bool crossed, const bw_vec3 *corners);

/* Whether a contact comes before the best so far: nearer, or as near and of a lower number. */
static inline bool bw_ray_before(const bw_ray_hit *hit, const bw_ray_hit *best)
{
    return hit->t < best->t || (hit->t == best->t && hit->primitive <= best->primitive);
}

#endif
