/* Boxwood: points and a body: the nearest point of its surface, inside or outside, and the distance with its
 * sign.
 *
 * On trees of BW_BUILDER_FAST and BW_BUILDER_QUALITY (others give BW_ERROR_UNSUPPORTED). Everything is in
 * world coordinates: the body's pose maps its vertices as bw_transform_point maps, and a coordinate that is
 * needed and is neither zero nor, in magnitude, within [BW_EXACT_MIN, BW_COORDINATE_MAX] is BW_ERROR_RANGE,
 * that of a query's point too. Bodies are only read; of what a call writes the descriptor names the cache, if
 * any.
 */
#ifndef BOXWOOD_NEAREST_H
#define BOXWOOD_NEAREST_H

#include <boxwood/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The point of a body nearest to a point. */
typedef struct bw_nearest_hit {
    uint32_t primitive; /* BW_NONE where nothing lies within max_distance */
    bw_vec3 point;      /* on it, in world coordinates */
    double distance;    /* infinite where there is none */
} bw_nearest_hit;

/* All zero is the default. */
typedef struct bw_nearest_desc {
    uint32_t size;               /* zero, or as BW_SIZED sets it */
    double max_distance;         /* nothing farther is wanted; 0: no limit */
    const double *max_distances; /* bw_nearest_many: one per point instead; NULL: max_distance for all */
    /* bw_nearest_many; NULL: serial. The answers are the same for any number of threads */
    const bw_tasks *tasks;
    const bw_allocator *allocator; /* NULL: the heap */
} bw_nearest_desc;

typedef struct bw_nearest_report {
    uint32_t size;      /* zero, or as BW_SIZED sets it */
    uint64_t hit_count; /* points that have something within their distance */
    uint64_t nodes_visited, box_tests, primitive_tests;
} bw_nearest_report;

/* The point of a body nearest to a point. desc and report may be NULL. */
BW_API bw_result bw_nearest(const bw_body *body, const bw_vec3 *point, const bw_nearest_desc *desc,
                            bw_nearest_hit *hit, bw_nearest_report *report, bw_fault *fault);
/* The same for many points at once, in any order: each gets the primitive, point and distance that
 * bw_nearest finds for it. Points near each other are searched one after the other, each from what
 * was nearest to the last one, which is faster than one by one where they are dense, or the mesh is large. It
 * takes 24 bytes per point from the allocator. All points are checked first (BW_ERROR_ARGUMENT,
 * BW_ERROR_NOT_FINITE, BW_ERROR_RANGE: nothing is written, and the fault's element is the first such point);
 * where a later failure ends the call (memory, or a mapped coordinate out of range), hits may hold a part of
 * the answer. */
BW_API bw_result bw_nearest_many(const bw_body *body, const bw_vec3 *points, uint32_t point_count,
                                 const bw_nearest_desc *desc, bw_nearest_hit *hits, bw_nearest_report *report,
                                 bw_fault *fault);

/* ---- places on the surface ---- */

typedef enum bw_feature {
    BW_FEATURE_FACE = 0,  /* inside the triangle */
    BW_FEATURE_EDGE = 1,  /* on the edge from corner `corner` to the next */
    BW_FEATURE_VERTEX = 2 /* at corner `corner` */
} bw_feature;

/* A point of a primitive, and what is known there. */
typedef struct bw_surface_point {
    uint32_t primitive; /* BW_NONE: none, and the rest is zero */
    bw_feature feature;
    uint32_t corner; /* 0, 1, 2; 0 for a face */
    bw_vec3 point;
    /* Of length 1, across the mapped triangle, to the side from which the mesh's triangle turns
     * counter-clockwise before the pose maps it: by the inverse transpose of the pose, so that what points
     * out of a closed mesh does so in its mirror image, too. Zero for a primitive without area. */
    bw_vec3 normal;
    double weights[3]; /* barycentric coordinates: at least 0, their sum 1 */
} bw_surface_point;

/* Normal, barycentric coordinates and feature of a point on a primitive, such as bw_nearest_hit,
 * bw_distance_report, a ray's origin + t direction or a contact give. The primitive's point nearest to it is
 * taken, so that it may be off by its rounding. It is said to be on an edge or at a corner where it is no
 * farther from it than 2^-44 of the largest coordinate. BW_ERROR_INDEX: no such primitive. */
BW_API bw_result bw_surface_at(const bw_body *body, uint32_t primitive, const bw_vec3 *point,
                               bw_surface_point *out, bw_fault *fault);
/* The same for many. A primitive that is BW_NONE gives none. The fault's element is the first at fault; out
 * may then hold a part of the answer. */
BW_API bw_result bw_surface_at_many(const bw_body *body, const uint32_t *primitives, const bw_vec3 *points,
                                    uint32_t point_count, bw_surface_point *out, bw_fault *fault);

/* ---- inside or outside ---- */

typedef enum bw_side { BW_SIDE_OUTSIDE = 0, BW_SIDE_INSIDE = 1, BW_SIDE_ON = 2 } bw_side;

/* Where a point is. */
typedef struct bw_location {
    bw_side side;
    /* The side is exact for the mapped coordinates: the mesh is closed, or the point is on it. Otherwise the
     * mesh is open, and the side is that of the winding number. */
    bool certain;
    double winding; /* where it is not certain; otherwise zero */
} bw_location;

/* All zero is the default. */
typedef struct bw_contains_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* Keeps whether the body is closed, and the boundary of one that is not; NULL: each call finds out. */
    bw_pair_cache *cache;
    /* bw_contains_many; NULL: serial. The answers are the same for any number of threads */
    const bw_tasks *tasks;
    const bw_allocator *allocator; /* NULL: the heap */
} bw_contains_desc;

typedef struct bw_contains_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bool closed;
    uint64_t boundary_count; /* edges that run more often one way than the other, as often as they do so */
    uint64_t inside_count, on_count; /* points */
} bw_contains_report;

/* Whether a point is inside a body, outside, or on its surface.
 *
 * A mesh is closed where every edge, by the positions of its ends, belongs to an even number of the triangles
 * in the tree; which way these turn does not matter. Then inside is where a ray crosses them an odd number of
 * times, which is decided exactly. A mesh that is not closed has a winding number (Jacobson, Kavan,
 * Sorkine-Hornung, SIGGRAPH 2013): the share of directions in which the surface is seen from behind less that
 * in which it is seen from the front. Its triangles must turn counter-clockwise seen from outside; inside is
 * where it exceeds 1/2. It is the sum over all triangles without approximation, rounded to about 1e-12 away
 * from the boundary, found by a ray and the boundary's edges alone
 * (docs/decisions/0032-signs-parity-winding.md). On the surface is exact in either case.
 *
 * Without a cache a call looks at all triangles first. A point cloud is open and has no inside. desc and
 * report may be NULL. BW_ERROR_UNSUPPORTED: no ray of 256 passed all edges by, which does not happen to a
 * mesh that is not made for it. */
BW_API bw_result bw_contains(const bw_body *body, const bw_vec3 *point, const bw_contains_desc *desc,
                             bw_location *out, bw_contains_report *report, bw_fault *fault);
/* The same for many points: each gets what bw_contains finds for it. All points are checked first, and the
 * fault's element is the first at fault; where a later failure ends the call, out may hold a part of the
 * answer. */
BW_API bw_result bw_contains_many(const bw_body *body, const bw_vec3 *points, uint32_t point_count,
                                  const bw_contains_desc *desc, bw_location *out, bw_contains_report *report,
                                  bw_fault *fault);

/* ---- distance with a sign ---- */

typedef struct bw_signed_hit {
    double distance; /* that of bw_nearest, negative inside; infinite where nothing is within max_distance */
    bw_location location;     /* as bw_contains tells it */
    bw_surface_point nearest; /* as bw_surface_at tells it of the point of bw_nearest */
} bw_signed_hit;

/* All zero is the default. */
typedef struct bw_signed_desc {
    uint32_t size;               /* zero, or as BW_SIZED sets it */
    double max_distance;         /* as in bw_nearest_desc; sides are told at any distance */
    const double *max_distances; /* as in bw_nearest_desc */
    bw_pair_cache *cache;        /* as in bw_contains_desc */
    /* bw_signed_distance_many; NULL: serial. The answers are the same for any number of threads */
    const bw_tasks *tasks;
    const bw_allocator *allocator; /* NULL: the heap */
} bw_signed_desc;

/* The distance of a point from a body's surface, negative inside, and the place on the surface that is
 * nearest: bw_nearest, bw_contains and bw_surface_at in one. The distance is zero exactly where the point is
 * on the surface. desc and report may be NULL. */
BW_API bw_result bw_signed_distance(const bw_body *body, const bw_vec3 *point, const bw_signed_desc *desc,
                                    bw_signed_hit *out, bw_contains_report *report, bw_fault *fault);
/* The same for many points. It takes 80 bytes per point from the allocator. Failures as of bw_contains_many.
 */
BW_API bw_result bw_signed_distance_many(const bw_body *body, const bw_vec3 *points, uint32_t point_count,
                                         const bw_signed_desc *desc, bw_signed_hit *out,
                                         bw_contains_report *report, bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
