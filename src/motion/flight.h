/* A motion of which single vertices may leave for plans of their own, and the questions of a kinetic
 * structure about pairs of vertices: until when is their order certain, and from when is it certain again. */
#ifndef BW_MOTION_FLIGHT_H
#define BW_MOTION_FLIGHT_H

#include "base/memory.h"
#include "base/simd/level.h"
#include "motion/curve.h"

enum { BW_FLIGHT_STRAIGHT = 2 }; /* of a plan: all but the first two coefficients are zero */

typedef struct bw_flight {
    bw_motion motion;
    double begin, end;
    bw_plan *plans;   /* NULL until the first vertex got one; one a vertex */
    uint8_t *planned; /* not 0: the vertex follows plans[v] instead of the motion; BW_FLIGHT_STRAIGHT */
    uint32_t room;    /* vertices that these two have room for */
    const bw_allocator *allocator;
} bw_flight;

bw_flight bw_flight_of(const bw_motion *motion, const bw_allocator *allocator);
void bw_flight_release(bw_flight *flight);
/* Room for plans of single vertices, so that bw_flight_set cannot fail. BW_ERROR_MEMORY. */
bw_result bw_flight_reserve(bw_flight *flight);
/* If there are plans of single vertices: room for more vertices, which have none yet. BW_ERROR_MEMORY. */
bw_result bw_flight_grow(bw_flight *flight, uint32_t vertices);
void bw_flight_set(bw_flight *flight, uint32_t v, const bw_plan *plan);

static inline bool bw_flight_planned(const bw_flight *flight, uint32_t v)
{
    return flight->planned != NULL && flight->planned[v];
}

/* Asks for the memory from which the course of a vertex will be read. */
static inline void bw_flight_prefetch(const bw_flight *flight, uint32_t v)
{
    BW_ONLY_PREFETCHES;
    const bw_motion *m = &flight->motion;
    if (bw_flight_planned(flight, v))
        BW_PREFETCH(&flight->plans[v]);
    else if (m->kind == BW_MOTION_PLANS)
        BW_PREFETCH(&m->plans[v]);
    else if (m->kind == BW_MOTION_VELOCITY) {
        BW_PREFETCH((const char *)m->positions + v * bw_motion_stride(m));
        BW_PREFETCH((const char *)m->velocities + v * bw_motion_stride(m));
    }
}

/* The position along an axis. */
double bw_flight_at(const bw_flight *flight, uint32_t v, int axis, double t);
void bw_flight_sample(const bw_flight *flight, double t, void *positions);
/* Only the vertices from first on, to their places among all: by the motion alone, and by the plans too. */
void bw_motion_sample_range(const bw_motion *motion, double t, uint32_t first, uint32_t count,
                            void *positions);
void bw_flight_sample_range(const bw_flight *flight, double t, uint32_t first, uint32_t count,
                            void *positions);

/* Two vertices along an axis; sign 1 compares the coordinates themselves, -1 their negatives. */
typedef struct bw_race {
    uint32_t first, second;
    int axis, sign;
} bw_race;

/* A time after now (INFINITY: beyond the end) such that at all times strictly between now and it the position
 * of the first is certainly not below that of the second. The time next to now where nothing is certain.
 * Nobody asks beyond the horizon: INFINITY may also mean a time that is not before it. */
double bw_flight_leave(const bw_flight *flight, const bw_race *race, double now, double horizon);

/* Looking from `from` on: the first time at which the order is certain, and *order 1 where the first is then
 * not below, -1 where the second is not. INFINITY and 0 where it stays open to the end. */
double bw_flight_settle(const bw_flight *flight, const bw_race *race, double from, int *order);

#endif
