/* The slow end of a ray cast: the exact test. */
#include "collide/ray/decide.h"

#include "geom/exact/triangle.h"

bool bw_ray_decide(bw_ray_state *s, int mode, uint32_t primitive, bool crossed, const bw_vec3 *corners)
{
    bw_vec3 mapped[3];
    if (corners == NULL) {
        if (!bw_metric_corners(&s->target->side, primitive, mapped)) {
            s->result = BW_ERROR_RANGE;
            return false;
        }
        corners = mapped;
    }
    bw_ray_hit hit = {.primitive = primitive, .kind = BW_CONTACT_CROSSING};
    if (crossed) {
        hit.t = bw_ray_crossing(s->origin, s->through, corners); /* of the right sign */
        if (hit.t < 0.0)
            return true;
    }
    if (!crossed || hit.t == 0.0) /* from within the triangle's plane */
        hit.kind = bw_ray_triangle(s->origin, s->through, corners, &hit.t);
    if (hit.kind == BW_CONTACT_NONE || !bw_ray_before(&hit, &s->best))
        return true;
    if (mode == BW_RAY_EACH)
        return s->visit(s->user, &hit, corners);
    s->best = hit;
    return mode == BW_RAY_NEAR;
}
