/* A ray as the exact tests take it: by two points. */
#ifndef BW_GEOM_RAY_H
#define BW_GEOM_RAY_H

#include <boxwood/math.h>

typedef struct bw_ray_line {
    bw_vec3 origin, through;
    double limit; /* of the parameter of the two points; 0: none */
    double unit;  /* a parameter of the caller's ray is one of the two points times this, a power of two */
} bw_ray_line;

/* The caller's ray by two points (bw_ray_second_point). */
bw_ray_line bw_ray_line_of(const bw_ray *ray);

#endif
