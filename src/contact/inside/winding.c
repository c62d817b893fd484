/* The winding number of a closed surface around a point: signed crossings along a ray. */
#include "contact/inside/winding.h"

#include "collide/ray/cast.h"

#include <math.h>

typedef struct crossings {
    bw_vec3 origin;
    int32_t sum;
    bool unclear, on_surface;
} crossings;

/* A clean crossing of a triangle with area counts; an edge, a corner or a plane along the ray says nothing.
 */
static bool count_crossing(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3])
{
    crossings *c = user;
    const int side = bw_orient3d(&corners[0], &corners[1], &corners[2], &c->origin);
    if (hit->kind == BW_CONTACT_CROSSING && side != 0) {
        c->sum += side;
        return true;
    }
    c->unclear = true;
    const bw_vec3 point[3] = {c->origin, c->origin, c->origin};
    c->on_surface = side == 0 && bw_triangle_triangle(point, corners) != BW_CONTACT_NONE;
    return false;
}

bw_vec3 bw_winding_direction(uint32_t i)
{
    const double n = (double)i + 0.5;
    const double x = fmod(n * 0.8191725133961645, 1.0), y = fmod(n * 0.6710436067037893, 1.0),
                 z = fmod(n * 0.5497004779019703, 1.0);
    return (bw_vec3){2.0 * x - 1.0, 2.0 * y - 1.0, 2.0 * z - 1.0};
}

/* Directions are dense and edges few, so that an unclear ray is rare and two in a row rarer. */
enum { ATTEMPTS = 256 };

bw_result bw_winding_of_point(const bw_metric_side *side, bw_vec3 point, const bw_allocator *allocator,
                              int32_t *winding, bool *on_surface)
{
    *on_surface = false;
    if (!bw_exact_range(&point, 1))
        return BW_ERROR_RANGE;
    double low[3], high[3];
    bw_metric_bounds(side, low, high);
    double reach = fmax(fabs(point.x), fmax(fabs(point.y), fabs(point.z)));
    for (int k = 0; k < 3; k++)
        reach = fmax(reach, fmax(fabs(low[k]), fabs(high[k])));
    const bw_simd level = bw_simd_level(BW_SIMD_AUTO);
    bw_ray_target target;
    bw_ray_target_of_side(side, level, &target);
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        const bw_vec3 d = bw_winding_direction(attempt);
        const bw_vec3 through = {point.x + reach * d.x, point.y + reach * d.y, point.z + reach * d.z};
        crossings c = {.origin = point};
        const bw_result result =
            bw_ray_contacts(&target, level, &point, &through, allocator, count_crossing, &c);
        if (result != BW_OK)
            return result;
        if (c.on_surface) {
            *on_surface = true;
            return BW_OK;
        }
        if (!c.unclear) {
            *winding = c.sum;
            return BW_OK;
        }
    }
    return BW_ERROR_UNSUPPORTED;
}
