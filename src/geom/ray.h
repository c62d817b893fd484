/* A ray as the exact tests take it: by two points. */
#ifndef BW_GEOM_RAY_H
#define BW_GEOM_RAY_H

#include <boxwood/math.h>

#include <string.h>

typedef struct bw_ray_line {
    bw_vec3 origin, through;
    double limit; /* of the parameter of the two points; 0: none */
    double unit;  /* a parameter of the caller's ray is one of the two points times this, a power of two */
} bw_ray_line;

/* The largest exponent of the three, as a double has it. */
static inline int bw_ray_exponent(const bw_vec3 *v)
{
    uint64_t bits[3];
    memcpy(bits, v, sizeof bits);
    const uint64_t x = bits[0] << 1, y = bits[1] << 1, z = bits[2] << 1, xy = x > y ? x : y;
    return (int)((xy > z ? xy : z) >> 53);
}

/* 2^k */
static inline double bw_ray_power(int k)
{
    const uint64_t bits = (uint64_t)(1023 + k) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* The second point of a ray with a direction d from o is o + 2^k d, rounded by up to half an ulp of o: the
 * longer 2^k d, the less that turns the ray. k is such that 2^k d is about as long as o is large, but not
 * beyond 2^18, where rays cease to be of ordinary size (collide/ray/ready.h). */
static inline int bw_ray_stretch(const bw_ray *ray)
{
    enum { NOT_FINITE = 2047, LONGEST = 1023 + 18, MOST = 1000 };
    const int from = bw_ray_exponent(&ray->origin), step = bw_ray_exponent(&ray->direction);
    const int k = (from < LONGEST ? from : LONGEST) - step;
    return k <= 0 || step == 0 || from == NOT_FINITE ? 0 : k < MOST ? k : MOST;
}

/* The caller's ray by two points (bw_ray_second_point). */
static inline bw_ray_line bw_ray_line_of(const bw_ray *ray)
{
    const bw_vec3 *o = &ray->origin, *d = &ray->direction;
    if (ray->between)
        return (bw_ray_line){*o, *d, ray->t_max, 1.0};
    const int k = bw_ray_stretch(ray);
    const double unit = bw_ray_power(k);
    return (bw_ray_line){*o,
                         {o->x + unit * d->x, o->y + unit * d->y, o->z + unit * d->z},
                         ray->t_max * bw_ray_power(-k),
                         unit};
}

#endif
