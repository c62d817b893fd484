/* Deciding triangles that a ray may meet, exactly and as brute force would. */
#ifndef BW_COLLIDE_RAY_DECIDE_H
#define BW_COLLIDE_RAY_DECIDE_H

#include "collide/ray/ready.h"
#include "geom/ray.h"

/* Takes a contact, with the corners of its primitive in the common frame; false ends the traversal. */
typedef bool bw_ray_visitor(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3]);

/* One ray of a query. */
typedef struct bw_ray_state {
    const bw_ray_target *target;
    const bw_vec3 *origin, *through; /* the two points that answers are exact for */
    /* A ray with a direction, whose second point is still to be found: bw_ray_state_line does it, or the
     * traversal, where that is faster. NULL: the two points are there. */
    const bw_ray *given;
    bw_vec3 second;        /* what through points to then */
    double unit;           /* see bw_ray_line */
    bw_ray_hit best;       /* the nearest contact so far; primitive BW_NONE: none, and t is the limit */
    bw_ray_visitor *visit; /* where all contacts are wanted */
    void *user;
    bw_result result;
    uint64_t nodes, leaves; /* visited */
} bw_ray_state;

/* Sets a state for the caller's ray, but for the visitor; the traversal sets its counts. Field by field: to
 * clear the whole of it takes as long as a node. */
static inline void bw_ray_state_set(bw_ray_state *s, const bw_ray_target *target, const bw_ray *ray)
{
    s->target = target;
    s->origin = &ray->origin;
    s->through = &ray->direction;
    s->given = ray->between ? NULL : ray;
    s->unit = 1.0;
    s->best.primitive = BW_NONE;
    s->best.kind = BW_CONTACT_NONE;
    s->best.t = ray->t_max > 0.0 ? ray->t_max : (double)INFINITY;
    s->result = BW_OK;
}

/* Finds the second point of a ray with a direction, scalar. */
static inline void bw_ray_state_line(bw_ray_state *s)
{
    if (s->given == NULL)
        return;
    const bw_ray_line line = bw_ray_line_of(s->given);
    s->second = line.through;
    s->through = &s->second;
    s->unit = line.unit;
    if (s->given->t_max > 0.0)
        s->best.t = line.limit;
    s->given = NULL;
}

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
