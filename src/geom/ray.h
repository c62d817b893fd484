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

static inline uint64_t bw_ray_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The largest exponent of the three, as a double has it. */
static inline int bw_ray_exponent(const bw_vec3 *v)
{
    const uint64_t x = bw_ray_bits(v->x) << 1, y = bw_ray_bits(v->y) << 1, z = bw_ray_bits(v->z) << 1;
    const uint64_t xy = x > y ? x : y;
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

/* Beyond this a second point is no farther from the origin. */
#define BW_RAY_FAR 0x1p18

/* The second point of a ray with a direction d from o is o + 2^k d, rounded by up to half an ulp of o: the
 * longer 2^k d, the less that turns the ray. k is such that 2^k d is about as long as o is large, but not
 * beyond BW_RAY_FAR, where rays cease to be of ordinary size (collide/ray/ready.h). */
static inline int bw_ray_stretch(const bw_ray *ray)
{
    enum { NOT_FINITE = 2047, LONGEST = 1023 + 18, MOST = 1000 };
    const int from = bw_ray_exponent(&ray->origin), step = bw_ray_exponent(&ray->direction);
    const int k = (from < LONGEST ? from : LONGEST) - step;
    return k <= 0 || step == 0 || from == NOT_FINITE ? 0 : k < MOST ? k : MOST;
}

/* Whether the ray goes anywhere: its direction is not zero, its two points are not one. True where they are
 * not finite. */
static inline bool bw_ray_has_length(const bw_ray *ray)
{
    const bw_vec3 *d = &ray->direction, from = ray->between ? ray->origin : (bw_vec3){0, 0, 0};
    return d->x - from.x != 0 || d->y - from.y != 0 || d->z - from.z != 0;
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
