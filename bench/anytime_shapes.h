/* Objects that had no part in the making of the built-in models: neither in training nor in the choice of how
 * training goes. Three sets, each looked at once when it was added (docs/BENCHMARKS.md). */
#ifndef BENCH_ANYTIME_SHAPES_H
#define BENCH_ANYTIME_SHAPES_H

#include "scenes/scenes.h"

typedef struct anytime_shape {
    const char *name;
    bool (*make)(bool quick, bws_mesh *out); /* false where its file is not to be had */
} anytime_shape;

/* Number i of a set (0, 1 or 2); NULL beyond the last. */
const anytime_shape *anytime_shape_of(uint32_t set, uint32_t i);
/* The same of the last set. */
const anytime_shape *anytime_last_shape_of(uint32_t i);

#endif
