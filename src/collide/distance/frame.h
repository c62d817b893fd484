/* A frame to measure distances in, and how a body's boxes and corners come into it.
 *
 * A bound that is sharp needs a direction: two boxes are at least as far apart as their shadows on any line.
 * The frame's first axis is the direction in which the nearest pair found so far faces each other, so that
 * shadows of the pairs that could still win are compared along the very line that decides; the other two axes
 * complete it, and the squared gaps along the three add up to a bound of the squared distance. Any affine
 * pose will do, as the shadow of a mapped box is a linear form over the box itself, and none is ever
 * inverted.
 *
 * Lengths are scaled by a power of two, so that the two bodies together measure about one whatever their
 * unit: floats then neither overflow nor underflow where it matters. All margins are derived in
 * docs/lab/distance-of-bodies.md. */
#ifndef BW_COLLIDE_DISTANCE_FRAME_H
#define BW_COLLIDE_DISTANCE_FRAME_H

#include "collide/distance/metric.h"

#include <float.h>
#include <math.h>

typedef struct bw_distance_frame {
    double axis[3][3]; /* orthonormal rows, but for rounding */
    double origin[3];  /* in the common frame */
    double scale;      /* from lengths of the common frame to those of this one; a power of two */
} bw_distance_frame;

/* A body's coordinates in the frame. */
typedef struct bw_distance_map {
    /* Boxes, relative to a centre in which the tree's coordinates are small: the sums of low and m (x -
     * centre) and of high and m (x - centre) have the mapped point between them, for each point of the tree's
     * bounds. */
    float centre[3], m[3][3], low[3], high[3];
    double turn[3][4], shift[4]; /* points: turn x + shift, by columns, which end in a zero */
    float reach;                 /* the largest row sum of |m|; infinite where floats do not do */
    float slack; /* how far a mapped corner, in double, may be from the exact map; in any coordinate */
    float row2[3], lens_slack[3]; /* the squared length of a row of m, and what lenses allow for along it */
} bw_distance_map;

/* A frame that holds both bodies (b may be NULL: only a and a point), with the common frame's axes. */
void bw_distance_frame_set(bw_distance_frame *frame, const bw_metric_side *a, const bw_metric_side *b,
                           const double *point);
/* Turns it: the first axis along the direction. False, and nothing changes, where that has no length. */
bool bw_distance_frame_turn(bw_distance_frame *frame, bw_vec3 direction);
/* Turns it from the middle of a, its origin, to that of b, where there is a direction. */
void bw_distance_frame_toward(bw_distance_frame *frame, const bw_metric_side *b);
/* Turns it so that the boxes of a side lie along the axes, where a rotation can do that. */
void bw_distance_frame_align(bw_distance_frame *frame, const bw_metric_side *side);

void bw_distance_map_set(bw_distance_map *map, const bw_distance_frame *frame, const bw_metric_side *side);
/* A point of the common frame. */
void bw_distance_frame_point(const bw_distance_frame *frame, const double point[3], double out[3]);

/* Distances of the common frame as the kernels take them: what is computed, in double, to be no farther apart
 * than `distance`, is in exact terms of the frame no farther than this. */
double bw_distance_frame_limit(const bw_distance_frame *frame, double distance);

/* Not below x, which is not negative, and at most two steps above it. Infinite for NaN. */
static inline float bw_distance_round_up(double x)
{
    const double above = x * (1.0 + 0x1p-23) + 0x1p-149;
    return above <= (double)FLT_MAX ? (float)above : INFINITY;
}

#endif
