#include "anytime/watch.h"

#include <time.h>

uint64_t bw_adb_clock(void *user)
{
    (void)user;
    struct timespec now = {0, 0};
    (void)timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bw_watch_start(bw_watch *w, const bw_adb_query_desc *desc)
{
    *w = (bw_watch){.set = desc->limit_time};
    if (!w->set)
        return;
    w->clock = desc->clock != NULL ? desc->clock : bw_adb_clock;
    w->user = desc->user;
    w->start = w->clock(w->user);
    w->end = w->start > UINT64_MAX - desc->max_nanoseconds ? UINT64_MAX : w->start + desc->max_nanoseconds;
    /* A place takes about as long as half a step; who asks for many may wait a little for them. */
    w->after = desc->place_capacity < 16 ? desc->place_capacity : 16;
}

bool bw_watch_look(bw_watch *w)
{
    uint64_t now = w->clock(w->user), left = w->end - now;
    if (now >= w->end)
        return true;
    if (w->asked == 1) { /* what was before the first step tells little of steps, but it is all there is */
        w->first = now;
        w->wait = left / 4 / (now > w->start ? now - w->start : 1);
        return false;
    }
    uint64_t each = now > w->first ? (now - w->first) / (w->asked - 1) + 1 : 1;
    if (left < each / 2 * (1 + w->after))
        return true;
    w->wait = left / 4 / each;
    return false;
}
