/* The descent of a ray through a wide tree, for ray casts and for deciding what lies inside what. */
#ifndef BW_COLLIDE_RAY_H
#define BW_COLLIDE_RAY_H

#include "base/simd.h"
#include "collide/metric.h"

typedef struct bw_ray_query bw_ray_query;
struct bw_ray_query {
    bw_vec3 origin, through; /* within the exact range */
    double limit;            /* contacts beyond this t are not wanted; the visitor may lower it */
    /* Takes a contact, with the corners of its primitive in the common frame; false stops the walk. */
    bool (*visit)(bw_ray_query *query, const bw_ray_hit *hit, const bw_vec3 corners[3]);
    bw_simd level; /* AUTO is what everybody but a test wants */
    uint64_t nodes_visited, box_tests, primitive_tests;
};

/* BW_ERROR_RANGE where a mapped corner that an exact test needs leaves the exact range. */
bw_result bw_ray_walk(const bw_metric_side *side, const bw_allocator *allocator, bw_ray_query *query);

/* Where a ray enters a box, a little before; 0 from within. inverse is 1 over each coordinate of its
 * direction. Infinite, or far too large, where it runs beside the box. */
double bw_ray_entry(const double origin[3], const double inverse[3], const double low[3],
                    const double high[3]);

#endif
