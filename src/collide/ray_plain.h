/* Rays in the common case: a body without a pose, a tree that keeps corners and is written whole, numbers of
 * ordinary size. Everything else takes the descent of ray_kernels.h, which gives the same answers.
 *
 * The ray is o + T d, with d as it is given and T from where the ray enters the tree where it starts far
 * away. One ray is walked to its end (bw_plain_cast), or several at once, step by step, so that what one of
 * them waits for costs the others nothing (bw_plain_stream). Three levels of one source (wide_lanes.h) give
 * the same bits. The error bounds are derived in docs/ideas/distance-and-rays.md. */
#ifndef BW_COLLIDE_RAY_PLAIN_H
#define BW_COLLIDE_RAY_PLAIN_H

#include "base/simd.h"
#include "collide/ray.h"

#include <math.h>

/* Entries of a ray's stack; a ray that needs more is left to the other descent. */
enum { BW_PLAIN_STACK = 64 };
/* The reference below all others on a stack: nothing is left. */
#define BW_PLAIN_DONE BW_NONE

/* Boxes that were met and are still to be taken up: where the ray enters each, and what is in it. The first
 * is BW_PLAIN_DONE, within every limit. Eight are written at a time, of which fewer may count. */
typedef struct bw_plain_stack {
    float at[BW_PLAIN_STACK + 8];
    uint32_t ref[BW_PLAIN_STACK + 8];
} bw_plain_stack;

typedef struct bw_plain_ray {
    /* Boxes: the origin, moved so that the planes that the ray meets first seem nearer, and those that it
     * meets last farther, than they are; -1 / d, and a little more of it for the latter; and where these
     * planes are, in floats from the start of a node. Fourth entries are of no use. */
    float near[4], far[4], inverse[4], more[4];
    uint32_t first[4], last[4];
    float limit; /* of T, not below what is wanted */
    uint32_t ref, top;
    uint32_t index; /* of a stream */
    /* Triangles: the axis along which the ray moves fastest, the two others, and the ray's slopes along
     * these; where its line meets their plane; what the error that does not come with a leaf's size adds to
     * that size. */
    uint32_t side[2], axis, last_entry;
    float slope_float[2], blur;
    double slope[2], offset[2];
    double given[4];               /* the origin, as given */
    double origin[4];              /* of T = 0 */
    double direction[4], start;    /* t = start + T */
    const bw_vec3 *from, *through; /* as given */
    bool deep;                     /* the stack is too small: nothing is known */
    bw_ray_hit hit;                /* the nearest so far, within the limit; primitive BW_NONE: none */
} bw_plain_ray;

/* What the rays of a call have in common. */
typedef struct bw_plain {
    const bw_wide *tree;
    const bw_mesh *mesh;
    bool any;   /* the first contact that is found ends a ray */
    bool exact; /* the mesh is of floats: corners of leaves are vertices wherever they can be */
    bool near;  /* of many rays: the tree is in a near cache, so that they do not wait for it */
    uint64_t nodes_visited, box_tests, primitive_tests;
} bw_plain;

/* True where the body's rays may be plain. Leaves the counts zero. */
bool bw_plain_begin(const bw_body *body, bool any, bw_plain *out);
/* For a ray that starts far away from the tree, as it is measured there: moves origin to where it enters and
 * sets start. */
void bw_plain_approach(const bw_plain *c, bw_plain_ray *r);
/* The float limit for contacts up to t. */
static inline float bw_plain_limit(const bw_plain_ray *r, double t)
{
    const double above = ((t - r->start) + 0x1p-40 * (t + r->start)) * (1.0 + 0x1p-20) + 0x1p-100;
    return above < 0x1p100 ? (float)above : INFINITY;
}
/* The contact with the triangle in a leaf's slot, which the line certainly crosses where `crossed`: by the
 * mesh, and exactly. */
void bw_plain_meet(const bw_plain *c, const bw_plain_ray *r, uint32_t leaf, uint32_t slot, bool crossed,
                   bw_ray_hit *out);

/* Many rays: what is asked, and where the answers go. */
typedef struct bw_plain_job {
    bw_plain *common;
    const bw_ray *rays;
    bw_ray_hit *hits;
    uint32_t first, last; /* of the rays to cast */
    uint64_t found;
    /* For a ray that is not plain or too deep: its answer by the other descent, into hits[index]. False to
     * end the stream. */
    bool (*cast_other)(struct bw_plain_job *job, uint32_t index);
} bw_plain_job;

/* One ray; false where it is not plain after all, and nothing is known. hit->primitive BW_NONE: no contact.
 */
typedef bool bw_plain_cast_fn(bw_plain *c, const bw_vec3 *origin, const bw_vec3 *through, double limit,
                              bw_ray_hit *hit);
typedef void bw_plain_stream_fn(bw_plain_job *job);

typedef struct bw_plain_kernels {
    bw_plain_cast_fn *cast;
    bw_plain_stream_fn *stream;
} bw_plain_kernels;

extern const bw_plain_kernels bw_plain_scalar;
#if BW_SIMD_X86
extern const bw_plain_kernels bw_plain_sse, bw_plain_avx2;
#endif
const bw_plain_kernels *bw_plain_kernels_for(bw_simd level);

#endif
