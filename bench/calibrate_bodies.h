/* The bodies that the built-in models are trained on: families of random ones, none of which the bench
 * measures. */
#ifndef BENCH_CALIBRATE_BODIES_H
#define BENCH_CALIBRATE_BODIES_H

#include "scenes/random.h"
#include "scenes/scenes.h"

/* Number `member` of a family. False beyond the last family. */
bool calibrate_body(uint32_t family, uint32_t member, bws_mesh *out);
/* The families beyond those of calibrate_bodies.c, from 0 on. */
bool calibrate_later_body(uint32_t family, bws_random *r, bws_mesh *out);

#endif
