/* The command line of boxwood-bench. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTIONS_MAX_SIZES = 16, OPTIONS_MIN_REPEATS = 5 };

typedef enum options_action {
    OPTIONS_RUN,
    OPTIONS_LIST,
    OPTIONS_HELP,
    OPTIONS_VERSION,
    OPTIONS_ERROR
} options_action;

typedef struct options {
    bool json, peers, quick, cpu_time;
    uint32_t repeats;
    uint32_t sizes[OPTIONS_MAX_SIZES];
    size_t size_count;     /* 0: each bench's own */
    const char *only_case; /* a part of the case's name, or NULL */
    const char *only_impl; /* names and prefixes ending in '*', separated by commas, or NULL */
    const char **names;    /* benches asked for, in argv's order; points into the caller's argv */
    size_t name_count;
} options;

/* Sorts argv so that the benches' names stand first; prints to stderr what is wrong with it. */
options_action options_parse(int argc, char **argv, options *out);
void options_help(void);

#endif
