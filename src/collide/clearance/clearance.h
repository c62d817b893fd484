/* What the grid of distances of one body (tree/clearance.h) says of another that stands somewhere: which of
 * its parts are certainly farther away than a reach, and between what the distance of the two lies. */
#ifndef BW_COLLIDE_CLEARANCE_CLEARANCE_H
#define BW_COLLIDE_CLEARANCE_CLEARANCE_H

#include "collide/relative_pose.h"
#include "tree/clearance.h"

struct bw_wide_kernels;

/* Another body in the frame of the grid. Lengths are in cells. */
typedef struct bw_clearance_view {
    const bw_clearance *grid;
    const bw_wide *other;
    const struct bw_wide_kernels *kernels;
    float m[3][3], t[3]; /* from the other body's coordinates */
    float stretch;       /* no length grows more by the map */
    float slack;         /* above all roundings, of the map and of what follows */
    float reach;         /* of the query's separation; 0: contacts */
    double low, high;    /* from cells to lengths of the first body's frame: at least, at most */
    bool of_a;           /* the grid is the first body's */
} bw_clearance_view;

/* Of eight boxes of the other body, taken as balls. */
typedef struct bw_clearance_eight {
    float radius[BW_WIDTH];
    /* The distance of the surface and each ball is at least low, and that of the surface and what is in it at
     * most high. */
    float low[BW_WIDTH], high[BW_WIDTH];
} bw_clearance_eight;

/* Two bodies of which one has a grid, or both: then that of the one with more leaves is taken. False where
 * neither has one, or the pose does not let it be used. */
bool bw_clearance_view_init(bw_clearance_view *view, const bw_wide *a, const bw_wide *b,
                            const bw_relative_pose *pose, const struct bw_wide_kernels *kernels);

/* The bits of those children of the other body's root below which something may be nearer than a reach. */
uint32_t bw_clearance_near(const bw_clearance_view *view, float reach);

/* Bounds of the distance of the two, in the first body's frame. */
typedef struct bw_clearance_bounds {
    double low, high;
} bw_clearance_bounds;
bw_clearance_bounds bw_clearance_distance(const bw_clearance_view *view);

#endif
