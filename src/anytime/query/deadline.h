/* A deadline, and how often to look at the clock.
 *
 * A look at the system's clock takes 30 to 50 ns, a third of a step. So a query does not look before every
 * step: how long its steps took so far tells how long one takes at worst, and it looks again when those since
 * the last look might have used up the time. Near the deadline that is before every step.
 *
 * Steps are unlike: to compare leaves takes no longer than to compare nodes, mostly, but one comparison of a
 * thousand takes ten times as long, and the first of a query more (nothing of triangles is in the caches). A
 * step that usually fits but at worst ends far beyond the deadline is not begun. */
#ifndef BW_ANYTIME_QUERY_DEADLINE_H
#define BW_ANYTIME_QUERY_DEADLINE_H

#include <boxwood/anytime.h>

typedef enum bw_deadline_step {
    BW_STEP_PLAIN,       /* two nodes */
    BW_STEP_WEIGHED,     /* and estimates of their pairs */
    BW_STEP_LEAVES,      /* two leaves */
    BW_STEP_FIRST_LEAVES /* the first of a query */
} bw_deadline_step;

typedef struct bw_deadline {
    bool set; /* else time is no limit */
    uint64_t (*clock)(void *user);
    void *user;
    uint64_t start, end;
    uint64_t first; /* look; 0 before */
    uint64_t units; /* that steps since then usually take, see anytime/query/deadline.c */
    uint64_t wait;  /* units at worst before the next look */
    uint64_t after; /* half steps that are still to be paid for when the walk ends */
} bw_deadline;

/* How long steps take, usually and at worst (one of a thousand), over what a plain one usually does. Measured
 * on the objects of the bench; only the ratios matter. */
static const uint8_t bw_deadline_usual[] = {1, 2, 1, 4}, bw_deadline_worst[] = {3, 5, 8, 16};

/* Nanoseconds of a monotonic clock. */
uint64_t bw_anytime_clock(void *user);

/* Starts with limit_time, max_nanoseconds and the clock of the query; for the sooner, the better. */
void bw_deadline_start(bw_deadline *watch, const bw_anytime_query_desc *desc);
/* Looks at the clock; true when the time is over, or will be before the step and what comes after can end. */
bool bw_deadline_poll(bw_deadline *watch, bw_deadline_step step);

/* Asked before every step: whether there is no time for it. */
static inline bool bw_deadline_over(bw_deadline *watch, bw_deadline_step step)
{
    if (!watch->set)
        return false;
    if (watch->wait < bw_deadline_worst[step])
        return bw_deadline_poll(watch, step);
    watch->wait -= bw_deadline_worst[step];
    watch->units += bw_deadline_usual[step];
    return false;
}

/* Asked amid a step, and not the first of the query: whether the deadline has passed. */
static inline bool bw_deadline_passed(const bw_deadline *watch)
{
    return watch->set && watch->units > bw_deadline_usual[BW_STEP_FIRST_LEAVES] &&
           watch->clock(watch->user) >= watch->end;
}

#endif
