/* Crowds of spheres: the four distributions of Shagam's section 4, and a city. */
#ifndef BWS_BALLS_H
#define BWS_BALLS_H

#include <boxwood/math.h>

#include "scenes/random.h"

typedef enum bws_spread {
    BWS_SPREAD_UNIFORM = 0,
    BWS_SPREAD_CLUSTERED = 1, /* around five fixed seeds */
    BWS_SPREAD_LISSAJOUS = 2, /* along a curve */
    BWS_SPREAD_SPHERE = 3,    /* half near a sphere, half in a solid one of a third of its radius */
    BWS_SPREAD_COUNT = 4
} bws_spread;

extern const char *const bws_spread_names[BWS_SPREAD_COUNT];

typedef struct bws_ball {
    double centre[3], radius;
} bws_ball;

/* A sphere of radius 1 to 10 within a cube from 0 to side. */
bws_ball bws_ball_random(bws_spread spread, double side, bws_random *random);
/* Moved in a random direction by its radius, and kept within the cube. */
bws_ball bws_ball_moved(const bws_ball *ball, double side, bws_random *random);
bw_box bws_ball_box(const bws_ball *ball);

/* A city of count boxes on blocks x blocks blocks of 100 units: first the houses, of which house_count is
 * told, then street furniture and people, in the streets and inside the houses. */
uint32_t bws_city(uint32_t count, uint64_t seed, bw_box *out, uint32_t *house_count);

#endif
