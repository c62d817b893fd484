/* Straight courses of the candidates for an extent, side by side: uniform motion, by far the most common.
 * What a contest asks about all of them at once is answered in vectors; the scalar twins give the same bits.
 */
#ifndef BW_KINETIC_LINEAR_TRACKS_H
#define BW_KINETIC_LINEAR_TRACKS_H

#include "base/simd/level.h"
#include "motion/flight.h"

enum { BW_COURSES = 24 }; /* the vertices of a leaf, at most */

/* A coordinate outward: `at` at the time `origin`, growing by slope. */
typedef struct bw_course {
    double origin, at, slope;
    double x, size; /* at another time: the coordinate, and the sum of the terms' magnitudes, which bounds all
                       roundings as motion/gap.h has it */
} bw_course;

typedef struct bw_courses {
    uint32_t count, padded; /* courses; and with the first one repeated, to a multiple of four */
    double origin[BW_COURSES], at[BW_COURSES], slope[BW_COURSES];
} bw_courses;

/* All courses at a time. */
typedef struct bw_places {
    double x[BW_COURSES], size[BW_COURSES];
} bw_places;

/* The courses of vertices (at most BW_COURSES, at least one) at an extent; false where one is not straight,
 * or is between keyframes. */
bool bw_courses_load(const bw_flight *flight, uint32_t extent, const uint32_t *vertices, uint32_t count,
                     bw_courses *out);
/* The course of one vertex, or of six, at each extent of a box; courses 6 and 7 are like 0 and 1. */
enum { BW_BOX_COURSES = 8 };
bool bw_courses_load_vertex(const bw_flight *flight, uint32_t v, bw_courses *out);
bool bw_courses_load_box(const bw_flight *flight, const uint32_t vertices[6], bw_courses *out);
/* For each pair of the two: the least time from now to the one at which the second may overtake the first, as
 * bw_courses_closest has it. A bit where it is farther out now. */
uint32_t bw_courses_meet(const bw_courses *first, const bw_courses *second, double now, bw_scalar scalar,
                         bw_simd simd, double soonest[BW_BOX_COURSES]);
/* Evaluates all. A bit for each that is farthest out, as positions of the scalar are rounded. */
uint32_t bw_courses_place(const bw_courses *c, double now, bw_scalar scalar, bw_simd simd, bw_places *out);
/* A bit for each that is not certainly below a course, by a margin; courses equal to it are. */
uint32_t bw_courses_open(const bw_courses *c, const bw_places *at, const bw_course *first, bw_simd simd);
/* The least time from the moment of the places to the one at which a course may overtake the first, which is
 * 0 where that is not certainly ahead now; INFINITY: never. */
double bw_courses_closest(const bw_courses *c, const bw_places *at, const bw_course *first, bw_simd simd);

static inline bw_course bw_courses_one(const bw_courses *c, const bw_places *at, uint32_t i)
{
    return (bw_course){c->origin[i], c->at[i], c->slope[i], at->x[i], at->size[i]};
}

/* The time at which a course may be overtaken, from now and the time until then. */
double bw_course_failure(double now, double soonest, double end);

static inline bool bw_course_same(const bw_course *a, const bw_course *b)
{
    return a->origin == b->origin && a->at == b->at && a->slope == b->slope;
}

/* What roundings may do to the difference of two. */
static inline double bw_course_doubt(const bw_course *a, const bw_course *b)
{
    return BW_GAP_ROUNDING * (a->size + b->size) + BW_GAP_TINY;
}

#endif
