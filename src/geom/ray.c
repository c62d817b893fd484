/* Rays by a direction, made into two points. */
#include "geom/ray.h"

#include <math.h>

bw_ray bw_ray_between(bw_vec3 a, bw_vec3 b)
{
    return (bw_ray){.origin = a, .direction = b, .between = true};
}

static double largest(const bw_vec3 *v)
{
    return fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z)));
}

/* The second point of a ray with a direction d from o is o + 2^k d, rounded by up to half an ulp of o: the
 * longer 2^k d, the less that turns the ray. k is such that 2^k d is about as long as o is large, but not
 * beyond 2^18, where rays cease to be of ordinary size (collide/ray/ready.h). */
bw_vec3 bw_ray_second_point(const bw_ray *ray, int *k)
{
    const bw_vec3 *o = &ray->origin, *d = &ray->direction;
    *k = 0;
    if (ray->between)
        return *d;
    const double from = largest(o), step = largest(d);
    if (from > step && step > 0.0 && step < 0x1p18 && from < INFINITY) {
        int from_exponent, step_exponent;
        frexp(from < 0x1p18 ? from : 0x1p18, &from_exponent);
        frexp(step, &step_exponent);
        *k = from_exponent - step_exponent;
    }
    const double scale = ldexp(1.0, *k);
    return (bw_vec3){o->x + scale * d->x, o->y + scale * d->y, o->z + scale * d->z};
}

bw_ray_line bw_ray_line_of(const bw_ray *ray)
{
    int k;
    const bw_vec3 through = bw_ray_second_point(ray, &k);
    const double unit = k == 0 ? 1.0 : ldexp(1.0, k);
    return (bw_ray_line){ray->origin, through, ray->t_max / unit, unit};
}
