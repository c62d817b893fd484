/* Straight courses of the candidates for an extent, side by side: uniform motion, by far the most common.
 * What a contest asks about all of them at once is answered in vectors, of one register or two: the same bits.
 */
#ifndef BW_KINETIC_LINEAR_TRACKS_H
#define BW_KINETIC_LINEAR_TRACKS_H

#include "base/simd/level.h"
#include "motion/flight.h"

enum { BW_COURSES = 24 }; /* the vertices of a leaf, at most */

/* A coordinate outward: `at` at the time `origin`, growing by slope. */
typedef struct bw_linear_track {
    double origin, at, slope;
    double x, size; /* at another time: the coordinate, and the sum of the terms' magnitudes, which bounds all
                       roundings as motion/gap.h has it */
} bw_linear_track;

typedef struct bw_linear_tracks {
    uint32_t count, padded; /* courses; and with the first one repeated, to a multiple of four */
    double origin[BW_COURSES], at[BW_COURSES], slope[BW_COURSES];
} bw_linear_tracks;

/* All courses at a time. */
typedef struct bw_places {
    double x[BW_COURSES], size[BW_COURSES];
} bw_places;

/* The courses of vertices (at most BW_COURSES, at least one) at an extent; false where one is not straight,
 * or is between keyframes. */
bool bw_linear_tracks_load(const bw_flight *flight, uint32_t extent, const uint32_t *vertices, uint32_t count,
                           bw_linear_tracks *out);
/* The course of one vertex, or of six, at each extent of a box; courses 6 and 7 are like 0 and 1. */
enum { BW_BOX_COURSES = 8 };
bool bw_linear_tracks_load_vertex(const bw_flight *flight, uint32_t v, bw_linear_tracks *out);
bool bw_linear_tracks_load_box(const bw_flight *flight, const uint32_t vertices[6], bw_linear_tracks *out);
/* For each pair of the two: the least time from now to the one at which the second may overtake the first, as
 * bw_linear_tracks_closest has it. A bit where it is farther out now. */
uint32_t bw_linear_tracks_meet(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                               bw_scalar scalar, bw_simd simd, double soonest[BW_BOX_COURSES]);
/* Evaluates all. A bit for each that is farthest out, as positions of the scalar are rounded. */
uint32_t bw_linear_tracks_place(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_simd simd,
                                bw_places *out);
/* A bit for each that is not certainly below a course, by a margin; courses equal to it are. */
uint32_t bw_linear_tracks_open(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first,
                               bw_simd simd);
/* The least time from the moment of the places to the one at which a course may overtake the first, which is
 * 0 where that is not certainly ahead now; INFINITY: never. */
double bw_linear_tracks_closest(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first,
                                bw_simd simd);

static inline bw_linear_track bw_linear_tracks_one(const bw_linear_tracks *c, const bw_places *at, uint32_t i)
{
    return (bw_linear_track){c->origin[i], c->at[i], c->slope[i], at->x[i], at->size[i]};
}

/* The functions above at a level, of all padded courses. */
typedef struct bw_track_kernels {
    uint32_t (*place)(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_places *out);
    uint32_t (*open)(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first);
    double (*closest)(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first);
    uint32_t (*meet)(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                     bw_scalar scalar, double soonest[BW_BOX_COURSES]);
} bw_track_kernels;

extern const bw_track_kernels bw_track_kernels_128, bw_track_kernels_avx2;

/* The time at which a course may be overtaken, from now and the time until then. */
double bw_linear_track_failure(double now, double soonest, double end);

static inline bool bw_linear_track_same(const bw_linear_track *a, const bw_linear_track *b)
{
    return a->origin == b->origin && a->at == b->at && a->slope == b->slope;
}

/* What roundings may do to the difference of two. */
static inline double bw_linear_track_doubt(const bw_linear_track *a, const bw_linear_track *b)
{
    return BW_GAP_ROUNDING * (a->size + b->size) + BW_GAP_TINY;
}

#endif
