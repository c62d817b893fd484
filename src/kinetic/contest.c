#include "kinetic/contest.h"

#include <math.h>

static bw_race race_of(const bw_contest *c, uint32_t first, uint32_t second)
{
    return (bw_race){first, second, (int)(c->extent / 2), bw_extent_sign(c->extent)};
}

uint32_t bw_contest_winner(const bw_contest *c, uint32_t present, double now)
{
    uint32_t best = c->candidate[0];
    for (uint32_t i = 1; i < c->count; i++)
        best = c->candidate[i] == present ? present : best;
    double reach = bw_flight_out(c->flight, best, c->extent, now);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == best)
            continue;
        double other = bw_flight_out(c->flight, c->candidate[i], c->extent, now);
        bool better = other > reach;
        if (other == reach) {
            int order;
            bw_race race = race_of(c, best, c->candidate[i]);
            bw_flight_settle(c->flight, &race, now, &order);
            better = order < 0;
        }
        if (better) {
            best = c->candidate[i];
            reach = other;
        }
    }
    return best;
}

double bw_contest_failure(const bw_contest *c, uint32_t winner, double now)
{
    double first = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        bw_race race = race_of(c, winner, c->candidate[i]);
        double t = bw_flight_leave(c->flight, &race, now, first);
        first = t < first ? t : first;
    }
    return first;
}

bool bw_contest_certain(const bw_contest *c, uint32_t winner, double from, double *until)
{
    bool good = true;
    *until = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->candidate[i] == winner)
            continue;
        int order;
        bw_race race = race_of(c, winner, c->candidate[i]);
        double t = bw_flight_settle(c->flight, &race, from, &order);
        if (order > 0 && t <= from)
            continue;
        good = false;
        *until = t < *until ? t : *until;
    }
    return good;
}
