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

/* Entries of a ray's stack; a ray that needs more is left to the other descent. */
enum { BW_PLAIN_STACK = 64 };
/* The reference below all others on a stack: nothing is left. */
#define BW_PLAIN_DONE BW_NONE

typedef struct bw_plain_ray {
    /* Boxes: the origin moved outward from the lower and from the upper planes, and -1 / d. Fourth entries
     * are of no use. */
    float low[4], high[4], inverse[4];
    float limit; /* of T, not below what is wanted */
    uint32_t ref, top;
    /* Triangles: the axis along which the ray moves fastest, the two others, and the ray's slopes along
     * these; where its line meets their plane; the error that does not come with a leaf's size. */
    uint32_t axis, side[2];
    float slope_float[2], error;
    double slope[2], offset[2];
    double origin[3];               /* of T = 0 */
    double direction[3], start;     /* t = start + T */
    const bw_vec3 *from, *through;  /* as given */
    uint32_t index;                 /* of a stream */
    bool deep;                      /* the stack is too small: nothing is known */
    bw_ray_hit hit;                 /* the nearest so far, within the limit; primitive BW_NONE: none */
    uint64_t stack[BW_PLAIN_STACK]; /* T above a reference, the nearest on top; the first is BW_PLAIN_DONE */
} bw_plain_ray;

/* What the rays of a call have in common. */
typedef struct bw_plain {
    const bw_wide *tree;
    const bw_mesh *mesh;
    bool any;    /* the first contact that is found ends a ray */
    bool exact;  /* the mesh is of floats: corners of leaves are vertices wherever they can be */
    float reach; /* the largest |coordinate| of these */
    float far;   /* rays that start farther than this from the bounds are moved to where they enter */
    uint64_t nodes_visited, box_tests, primitive_tests;
} bw_plain;

/* True where the body's rays may be plain. Leaves the counts zero. */
bool bw_plain_begin(const bw_body *body, bool any, bw_plain *out);
/* For a ray that starts far away: moves origin to where it enters the tree and sets start. */
void bw_plain_approach(const bw_plain *c, bw_plain_ray *r);
/* The float limit for contacts up to t. */
float bw_plain_limit(const bw_plain_ray *r, double t);
/* Takes up the triangles of a leaf (r->ref) that the ray may meet, those of `crossed` certainly; false when
 * the ray needs no more. */
bool bw_plain_decide(const bw_plain *c, bw_plain_ray *r, uint32_t maybe, uint32_t crossed);

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
