/* A deadline, and when it is worth a look at the clock. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "anytime/query/deadline.h"

#if defined(_WIN32)
#    include <windows.h>
#else
#    include <time.h>
#endif

/* What comes before the first step takes as long as so many plain ones. */
enum { SETUP = 4 };

/* One that never goes back: the time of day may be set at any time. */
#if defined(_WIN32)
uint64_t bw_anytime_clock(void *user)
{
    (void)user;
    LARGE_INTEGER now, frequency; /* neither call fails */
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    const uint64_t ticks = (uint64_t)now.QuadPart, second = (uint64_t)frequency.QuadPart;
    return ticks / second * 1000000000u + ticks % second * 1000000000u / second;
}
#else
uint64_t bw_anytime_clock(void *user)
{
    (void)user;
    struct timespec now = {0, 0};
#    if defined(CLOCK_MONOTONIC)
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
#    else
    (void)timespec_get(&now, TIME_UTC);
#    endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif

void bw_deadline_start(bw_deadline *w, const bw_anytime_query_desc *desc)
{
    *w = (bw_deadline){.set = desc->limit_time};
    if (!w->set)
        return;
    w->clock = desc->clock != NULL ? desc->clock : bw_anytime_clock;
    w->user = desc->user;
    w->start = w->clock(w->user);
    w->end = w->start > UINT64_MAX - desc->max_nanoseconds ? UINT64_MAX : w->start + desc->max_nanoseconds;
    /* A place takes about as long as half a step; who asks for many may wait a little for them. */
    w->after = desc->region_capacity < 16 ? desc->region_capacity : 16;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool bw_deadline_poll(bw_deadline *w, bw_deadline_step step)
{
    uint64_t now = w->clock(w->user), left = w->end - now;
    if (now >= w->end)
        return true;
    uint64_t each = (now - w->start) / (SETUP + w->units) + 1;
    bool known = w->units > 0;
    if (known) /* steps tell more of steps than the setup does */
        each = larger(each, (now - w->first) / w->units);
    else
        w->first = now;
    uint64_t usual = bw_deadline_usual[step] * each, worst = bw_deadline_worst[step] * each;
    /* At worst it may take as long again as was given. */
    if (left < usual / 2 + each / 2 * w->after || worst > left + w->end - w->start)
        return true;
    w->units += bw_deadline_usual[step];
    w->wait = known && left > worst ? (left - worst) / each : 0;
    return false;
}
