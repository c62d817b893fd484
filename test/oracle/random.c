#include "oracle/random.h"

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t bw_random_seed_from_env(uint64_t otherwise)
{
    const char *text = getenv("BOXWOOD_SEED");
    return text == NULL || *text == '\0' ? otherwise : strtoull(text, NULL, 0);
}

/* cmocka leaves a failed test by longjmp, so the loop below cannot tell the seed itself: it leaves a note
 * here, which is read when the next loop starts or the program ends, however it does. */
static struct {
    const char *name;
    uint64_t seed;
} running;

static void tell(void)
{
    if (running.name != NULL)
        fprintf(stderr, "%s failed: repeat with BOXWOOD_SEED=%" PRIu64 "\n", running.name, running.seed);
    running.name = NULL;
}

static void on_signal(int signal_number)
{
    tell();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Present where a sanitizer is linked; those end the program without its exit handlers. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void watch(void)
{
    static bool watching;
    if (watching)
        return;
    watching = true;
    atexit(tell);
    signal(SIGABRT, on_signal);
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(tell);
}

void bw_each_seed(const char *name, uint32_t count, bw_seed_fn *body, void *user)
{
    watch();
    tell();
    const char *factor = getenv("BOXWOOD_SEED_FACTOR");
    uint64_t last = count * (factor == NULL ? 1 : strtoull(factor, NULL, 0));
    const char *most = getenv("BOXWOOD_SEED_MOST");
    if (most != NULL && last > strtoull(most, NULL, 0))
        last = strtoull(most, NULL, 0);
    uint64_t only = bw_random_seed_from_env(0);
    bool single = getenv("BOXWOOD_SEED") != NULL;
    const char *given = getenv("BOXWOOD_SEED_FIRST");
    uint64_t first = given == NULL ? 1 : strtoull(given, NULL, 0);
    for (uint64_t seed = single ? only : first; seed <= (single ? only : last); seed++) {
        running.name = name;
        running.seed = seed;
        bws_random random = bws_random_seeded(seed);
        body(&random, user);
    }
    running.name = NULL;
}
