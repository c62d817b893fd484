/* The search for the point of a body nearest to a point, from the inside.
 *
 * Floats narrow it from both sides: what is certainly farther than something else is certainly near is
 * dropped, and triangles that may be the nearest wait in a list. Only those that are left at the end are
 * measured in double, most often one.
 *
 * It goes on in coordinates of the body where its pose is a rotation with one scale for all axes, or there is
 * none; any other pose maps boxes and corners into a frame (collide/distance/frame.h). Either way "the frame"
 * is what triangles are measured in, and the body and the point together measure about one in it. All margins
 * are derived in docs/lab/distances.md. */
#ifndef BW_COLLIDE_DISTANCE_NEAREST_H
#define BW_COLLIDE_DISTANCE_NEAREST_H

#include "base/stack.h"
#include "collide/distance/kernels.h"
#include "geom/closest_four.h"
#include "tree/wide/lens.h"

#include <boxwood/nearest.h>

enum { BW_NEAREST_LIST = 256, BW_NEAREST_STACK = 32 };

/* Children of a node that wait, with bounds of their squared distances. */
typedef struct bw_nearest_group {
    float bound[BW_WIDTH];
    uint32_t node, lanes;
} bw_nearest_group;

/* How the points of the world come into a body's coordinates. */
typedef struct bw_nearest_place {
    const bw_metric_side *side;
    bool similar;                   /* its pose has one scale for all directions, or there is none */
    double inverse[3][3], shift[3]; /* then coordinates of the body are inverse (x - shift) */
    double scale;                   /* from lengths of the body to those of the world */
    double reach;                   /* the largest coordinate of the tree */
} bw_nearest_place;

typedef struct bw_nearest_search {
    const bw_metric_side *side;
    const bw_lens *lenses; /* or NULL */
    bool mapped;           /* boxes and corners are mapped into the frame */
    bw_distance_map map;   /* mapped only */
    bw_vec3 point;
    double at[3];               /* the point where boxes are: in the body, or in the frame */
    float low[3], high[3];      /* around it */
    float centre[3], blur_lens; /* the same in float, and what lenses allow for */
    float scale, back;          /* from there to the frame, and back; powers of two, 1 if mapped */
    float blur;                 /* of a coordinate, by the pose, in the frame */
    double unit;                /* from lengths of the world to those of the frame */
    float limit;                /* something is certainly no farther, in the frame */
    float bound;                /* its square, where boxes are */
    double limit2;              /* what was measured in double to be nearest; in the world */
    uint32_t count; /* triangles that may be nearest, with bounds of squared distances in the frame */
    float lower[BW_NEAREST_LIST + BW_WIDTH];
    uint32_t primitive[BW_NEAREST_LIST + BW_WIDTH];
    bool about;          /* whatever is about as near will do: nothing is listed */
    uint32_t leaf, slot; /* where the limit was found; BW_NONE: nowhere */
    bw_nearest_hit best;
    bw_nearest_report counts;
    bw_closest_four_fn *closest_four;
} bw_nearest_search;

void bw_nearest_place_set(bw_nearest_place *place, const bw_metric_side *side);

/* BW_ERROR_NOT_FINITE or BW_ERROR_RANGE for a point that no query takes. */
bw_result bw_nearest_check_point(const bw_vec3 *point);

/* The whole search. max_distance as in bw_nearest; known is a point of the body as exact as its
 * corners, or NULL: it makes the search shorter and changes no answer. Adds to counts. level as bw_simd_level
 * gives it. */
bw_result bw_nearest_find(const bw_nearest_place *place, bw_simd level, const bw_vec3 *point,
                          double max_distance, const bw_vec3 *known, const bw_allocator *allocator,
                          bw_nearest_hit *out, bw_nearest_report *counts);

/* A primitive that is about as near as the nearest one, and its point nearest to the point given: within the
 * distance, or none (leaf is BW_NONE). For bounds to start with. */
typedef struct bw_nearest_about {
    uint32_t leaf;
    bw_vec3 point;
    double distance2;
    uint64_t nodes_visited, box_tests;
} bw_nearest_about;
bw_result bw_nearest_find_about(const bw_nearest_place *place, bw_simd level, const bw_vec3 *point,
                                double distance, const bw_allocator *allocator, bw_nearest_about *out);

/* Sets limit, if that is less, and bound. */
static inline void bw_nearest_lower(bw_nearest_search *search, float limit)
{
    if (!(limit < search->limit))
        return;
    const float there = limit * search->back;
    search->limit = limit;
    search->bound = there * there * (1.0f + 0x1p-20f) + 0x1p-140f; /* sums of squares may underflow */
}
/* Measures what is in the list and may be nearest, and empties it. */
bw_result bw_nearest_measure(bw_nearest_search *search);
/* Makes room in a list that is full. */
bw_result bw_nearest_reserve(bw_nearest_search *search);

#endif
