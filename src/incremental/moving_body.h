/* A mesh in motion as the sweep sees it: a tree of fixed shape, and the positions and boxes at both ends of a
 * span of time in which every vertex moves on a straight line. The box of a node at any time of the span lies
 * within the blend of its boxes at the ends. */
#ifndef BW_INCREMENTAL_MOVING_BODY_H
#define BW_INCREMENTAL_MOVING_BODY_H

#include "base/memory.h"
#include "motion/curve.h"
#include "tree/tree.h"
#include "tree/wide/deferred.h"

#include <boxwood/incremental.h>

/* The boxes of eight children, or of eight triangles, at one time. */
typedef struct bw_sweep_boxes {
    float min[3][BW_WIDTH], max[3][BW_WIDTH]; /* [axis][lane] */
} bw_sweep_boxes;

/* One end of the span. */
typedef struct bw_span_end {
    double time;           /* NAN: there is none */
    const char *positions; /* the caller's keyframe, or room */
    size_t stride;
    void *room;
    bw_sweep_boxes *boxes; /* one a node */
    float size;            /* no coordinate has a larger magnitude */
} bw_span_end;

typedef struct bw_mover {
    bw_allocator allocator;
    bw_motion motion;
    double begin, end; /* of the motion */
    bool still;        /* nothing moves: all keyframes are one */
    bw_mesh mesh;      /* the caller's indices, the positions of `now`: a keyframe, or ours */
    void *positions;   /* ours */
    bw_tree *tree;     /* fits `now` */
    double now;        /* NAN: not known */
    bool blended;      /* boxes at `now` are blended, and written where a query looks; otherwise tight */
    bw_span_end ends[2];
    /* Plans: pieces of equal length, in which a curve is as good as a straight line. */
    uint32_t pieces;
    double curvature; /* half of the largest second derivative of a coordinate */
    double bend;      /* no coordinate of a vertex is farther from the straight line between the ends */
    struct bw_wide_deferred lazy;
    _Atomic uint32_t *block_numbers;     /* for lazy, where it has none */
    uint32_t eager;                      /* blended frames for which all positions are computed at once */
    float from_weight, to_weight, slack; /* blended: of the boxes at both ends, and how far outward */
} bw_mover;

/* Builds the tree for the positions at a time (clamped to the motion's span). The motion must be valid. On
 * failure *out is untouched. The mover must not be moved in memory once it was made to follow. */
bw_result bw_mover_create(const bw_allocator *allocator, bw_builder builder, const bw_tasks *tasks,
                          const bw_moving *moving, double time, bw_mover *out);
void bw_mover_release(bw_mover *mover);
size_t bw_mover_bytes(const bw_mover *mover);

/* The first keyframe after a time, or the end of the motion; for plans, the end of a piece in which vertices
 * leave the straight line by no more than a part of a triangle, unless that needs thousands of pieces. */
double bw_mover_break(const bw_mover *mover, double time);
/* The breakpoints around a time within the motion: from <= time, and time < to or both are its end. */
void bw_mover_piece(const bw_mover *mover, double time, double *from, double *to);
/* A vertex within the span, as the factors of 1, s, s^2, s^3, where s is the part of the span; and how far a
 * coordinate may be from the true one. */
double bw_mover_curve(const bw_mover *mover, uint32_t v, bw_vec3 out[4]);
/* Room for a span; without it the next three must not be called. */
bw_result bw_mover_reserve_span(bw_mover *mover);
/* Positions and boxes at both ends of a span without a breakpoint inside, and the bend. The tree is then
 * fitted to some time of it, or not at all. */
void bw_mover_span(bw_mover *mover, double from, double to);
/* Whether the span has the time. */
bool bw_mover_holds(const bw_mover *mover, double time);
/* Positions and tree at a time of the span, the boxes blended from those of its ends, and written
 * where a query looks, as the positions are if that is not most of them. */
void bw_mover_blend(bw_mover *mover, double time);
/* Positions and tree at a time, all boxes tight. */
void bw_mover_fit(bw_mover *mover, double time);

static inline bw_vec3 bw_mover_vertex(const bw_mover *mover, int end, uint32_t v)
{
    const void *at = mover->ends[end].positions + v * mover->ends[end].stride;
    if (mover->motion.scalar == BW_F64) {
        const double *p = at;
        return (bw_vec3){p[0], p[1], p[2]};
    }
    const float *p = at;
    return (bw_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* What is the same for all vertices at one time: bw_motion_position without the search for the segment. */
typedef struct bw_moment {
    const bw_motion *motion;
    double time, s;
    uint32_t segment;
} bw_moment;

static inline bw_moment bw_moment_of(const bw_motion *motion, double time)
{
    bw_moment m = {motion, time, 0, UINT32_MAX};
    if (motion->kind == BW_MOTION_KEYFRAMES) {
        m.segment = bw_motion_segment(motion, time);
        m.s = bw_motion_fraction(motion, m.segment, time);
    }
    return m;
}

static inline double bw_moment_coordinate(const bw_moment *m, uint32_t v, int axis)
{
    const bw_motion *motion = m->motion;
    if (motion->kind != BW_MOTION_KEYFRAMES)
        return bw_motion_coordinate(motion, v, axis, m->time);
    double a = bw_motion_stored(motion, motion->frames[m->segment], v, axis);
    double b = bw_motion_stored(motion, motion->frames[m->segment + 1], v, axis);
    return bw_motion_round(motion->scalar, bw_lerp(a, b, m->s));
}

/* The very position that bw_motion_position gives. */
static inline bw_vec3 bw_moment_position(const bw_moment *m, uint32_t v)
{
    return (bw_vec3){bw_moment_coordinate(m, v, 0), bw_moment_coordinate(m, v, 1),
                     bw_moment_coordinate(m, v, 2)};
}

#endif
