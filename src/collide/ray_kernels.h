/* The descent of a ray, at three levels of one source (wide_lanes.h) that give the same bits.
 *
 * The ray is o + T d with T = t * (a power of two), so that the largest |coordinate| of d is in [1, 2), in
 * the coordinates of the tree, or, where the body has a pose, of a frame along its axes (near_frame.h). Where
 * the origin is outside the tree's bounds T starts at the ray's entry, so that floats measure what is near.
 * Boxes are met with margins for every rounding; triangles are passed by, or certainly crossed, or for the
 * exact test to decide. */
#ifndef BW_COLLIDE_RAY_KERNELS_H
#define BW_COLLIDE_RAY_KERNELS_H

#include "base/simd.h"
#include "base/stack.h"
#include "collide/near_kernels.h"

typedef struct bw_ray_state bw_ray_state;
struct bw_ray_state {
    const bw_metric_side *side;
    const bw_near_kernels *near; /* where the body has a pose: what maps boxes and leaves, else NULL */
    bw_near_map map;
    /* Boxes: where to find the planes that the ray meets first and last along each axis, in floats from the
     * first of a box's; the origin, rounded so that the planes seem nearer, or farther, than they are; and 1
     * / d. */
    uint32_t first[3], last[3];
    float origin_first[3], origin_last[3], inverse[3];
    float limit; /* of T, not below what the query wants */
    /* Triangles: the axis along which the ray moves fastest and the two others, and how it moves along those.
     */
    bool is_point; /* the ray is a point: every triangle is for the exact test */
    int axis, side_axis[2];
    float slope[2], speed; /* 1 / d along the axis */
    double origin[3], direction[3], inverse2;
    double start;      /* T of the ray's true origin, not positive */
    float point_error; /* of a point of the ray near the tree, computed in double */
    double end;        /* the limit of T, in double */
    bw_stack stack;
    uint64_t nodes_visited, box_tests, primitive_tests;
    bool failed; /* memory ran out */
    /* Decides a triangle of a leaf; `crossed` where the ray certainly crosses it, ahead of the origin. False
     * when the walk ends. It may lower the limit. */
    bool (*decide)(bw_ray_state *state, uint32_t primitive, bool crossed);
};

/* Pushes and pops references to nodes and leaves with the bits of T above them, until none are left or the
 * walk ends. The root is the first. */
typedef void bw_ray_descent(bw_ray_state *state);

bw_ray_descent bw_ray_descent_scalar;
#if BW_SIMD_X86
bw_ray_descent bw_ray_descent_sse, bw_ray_descent_avx2;
#endif

#endif
