/* A deadline, and how often to look at the clock.
 *
 * A look at the C library's clock takes 30 to 50 ns, a third of a step. So a query does not look before every
 * step: how long its steps took so far tells how many more are safe, and it looks again after a quarter of
 * those. Near the deadline that is before every step. */
#ifndef BW_ANYTIME_WATCH_H
#define BW_ANYTIME_WATCH_H

#include <boxwood/anytime.h>

typedef struct bw_watch {
    bool set; /* else time is no limit */
    uint64_t (*clock)(void *user);
    void *user;
    uint64_t start, end;
    uint64_t first; /* look */
    uint64_t asked; /* how often: once more than steps were made */
    uint64_t wait;  /* steps before the next look */
    uint64_t after; /* half steps that are still to be paid for when the walk ends */
} bw_watch;

/* Nanoseconds of the C library's clock. */
uint64_t bw_adb_clock(void *user);

/* Starts with limit_time, max_nanoseconds and the clock of the query; for the sooner, the better. */
void bw_watch_start(bw_watch *watch, const bw_adb_query_desc *desc);
/* Looks at the clock; true when the time is over, or will be before a step and what comes after can end. */
bool bw_watch_look(bw_watch *watch);

/* Asked before every step: whether there is no time for it. */
static inline bool bw_watch_over(bw_watch *watch)
{
    if (!watch->set)
        return false;
    watch->asked++;
    if (watch->wait == 0)
        return bw_watch_look(watch);
    watch->wait--;
    return false;
}

#endif
