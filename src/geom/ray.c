/* Rays by a direction, or by two points. */
#include "geom/ray.h"

bw_ray bw_ray_between(bw_vec3 a, bw_vec3 b)
{
    return (bw_ray){.origin = a, .direction = b, .between = true};
}

bw_vec3 bw_ray_second_point(const bw_ray *ray, int *k)
{
    *k = ray->between ? 0 : bw_ray_stretch(ray);
    return bw_ray_line_of(ray).through;
}
