/* A mesh in motion as the sweep sees it: a tree of fixed shape, and the positions and boxes at both ends of a
 * span of time in which every vertex moves on a straight line. The box of a node at any time of the span lies
 * within the blend of its boxes at the ends. */
#ifndef BW_INCREMENTAL_MOVER_H
#define BW_INCREMENTAL_MOVER_H

#include "base/memory.h"
#include "motion/curve.h"
#include "tree/tree.h"

#include <boxwood/incremental.h>

/* The boxes of eight children, or of eight triangles, at both ends. */
typedef struct bw_sweep_boxes {
    float min[2][3][BW_WIDTH], max[2][3][BW_WIDTH]; /* [end][axis][lane] */
} bw_sweep_boxes;

typedef struct bw_mover {
    bw_allocator allocator;
    bw_motion motion;
    double begin, end; /* of the motion */
    bw_mesh mesh;      /* the caller's indices, our positions: those of `now` */
    bw_tree *tree;     /* fitted to `now` */
    double now;
    void *positions;       /* at now */
    void *ends[2];         /* positions at both ends of the span */
    bw_sweep_boxes *boxes; /* one a node */
    double time[2];        /* the span; NAN: none */
    float size;            /* no coordinate at either end has a larger magnitude */
    bool still;            /* nothing moves: all keyframes are one */
} bw_mover;

/* Builds the tree for the positions at a time (clamped to the motion's span). The motion must be valid. On
 * failure *out is untouched. */
bw_result bw_mover_create(const bw_allocator *allocator, bw_builder builder, const bw_tasks *tasks,
                          const bw_moving *moving, double time, bw_mover *out);
void bw_mover_release(bw_mover *mover);
size_t bw_mover_bytes(const bw_mover *mover);

/* Whether vertices move on straight lines between the breakpoints of the motion. */
bool bw_mover_straight(const bw_mover *mover);
/* The first keyframe after a time, or the end of the motion. */
double bw_mover_break(const bw_mover *mover, double time);
/* Room for a span; without it bw_mover_span must not be called. */
bw_result bw_mover_reserve_span(bw_mover *mover);
/* Positions and boxes at both ends of a span without a breakpoint inside. The tree is then fitted to some
 * time of it. */
void bw_mover_span(bw_mover *mover, double from, double to);
/* Positions and tree at a time. */
void bw_mover_fit(bw_mover *mover, double time);

static inline bw_vec3 bw_mover_end(const bw_mover *mover, int end, uint32_t v)
{
    if (mover->motion.scalar == BW_F64) {
        const double *p = (const double *)mover->ends[end] + 3 * (size_t)v;
        return (bw_vec3){p[0], p[1], p[2]};
    }
    const float *p = (const float *)mover->ends[end] + 3 * (size_t)v;
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
