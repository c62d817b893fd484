/* Seeds for random tests. A test runs its body once a seed; when an assertion, an abort or a sanitizer ends
 * one, the seed is printed, and BOXWOOD_SEED=n repeats just that one. BOXWOOD_SEED_FACTOR=k runs k times as
 * many seeds, BOXWOOD_SEED_MOST=n no more than n, for a quick run; BOXWOOD_SEED_FIRST=n leaves out those
 * before n, so that a long run can be divided. */
#ifndef BW_ORACLE_RANDOM_H
#define BW_ORACLE_RANDOM_H

#include "scenes/random.h"

/* BOXWOOD_SEED where it is set, else the default given. */
uint64_t bw_random_seed_from_env(uint64_t otherwise);

typedef void bw_seed_fn(bws_random *random, void *user);

/* Runs body for the seeds 1 .. count, or as the variables say. */
void bw_each_seed(const char *name, uint32_t count, bw_seed_fn *body, void *user);

#define BW_EACH_SEED(count, body, user) bw_each_seed(#body, count, body, user)

#endif
