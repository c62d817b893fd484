/* What the runner keeps while a bench runs; benches themselves see it through runner.h only. */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include "options.h"
#include "runner.h"

struct bench {
    const options *options;
    const char *name;
    bool progress;  /* stderr is a terminal */
    uint32_t cases; /* measured so far */
    bool disagreed; /* exact implementations found different things */
};

#endif
