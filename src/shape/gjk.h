/* The distance of two cores, and how deep they cross, by their farthest points in directions. */
#ifndef BW_SHAPE_GJK_H
#define BW_SHAPE_GJK_H

#include "shape/convex.h"

/* A difference of a point of each core, relative to the first one's place. */
typedef struct bw_gjk_vertex {
    bw_vec3 w;     /* of a minus of b */
    uint32_t a, b; /* their numbers */
} bw_gjk_vertex;

typedef struct bw_gjk {
    const bw_convex *a, *b;
    bw_vec3 shift; /* b.at - a.at */
    double margin; /* bw_convex_margin */
    bw_gjk_vertex v[4];
    double weight[4]; /* of the nearest point */
    int count;
    bw_vec3 nearest; /* of the simplex to the origin */
    double upper;    /* its length */
    double lower;    /* no difference is nearer than this, but for the margin */
    double estimate; /* of the distance, better than upper; 0: none */
    bw_vec3 axis;    /* the direction that proves it, of length 1, from b to a; zero: none */
    bool inside;     /* the origin is inside of four vertices */
    bool apart;      /* lower is above the limit: the search ended there */
} bw_gjk;

/* How two cores stand to each other: a signed distance, negative where they cross, with what proves it. */
typedef struct bw_gap {
    double lower, upper; /* of the distance, or minus the depth; the margin covers all rounding */
    double estimate;     /* of the distance, better than upper; 0: none */
    bw_vec3 normal;      /* of length 1, from a to b: along it the cores are at least `lower` apart */
    bw_vec3 on_a, on_b;  /* relative to a.at; the nearest points, or of the deepest place */
    uint32_t face_a,
        face_b;   /* 1 and the number of the face of a hull that is nearest, of a box 1; 0: not known */
    bool witness; /* these are such points */
    bool rough;   /* but one may be beside the other shape: where several are as deep, or nobody knows */
    bool single;  /* they are the whole contact: of two edges, or of something round */
} bw_gap;

/* Begins a search; cache may be NULL. */
void bw_gjk_begin(bw_gjk *g, const bw_convex *a, const bw_convex *b, const bw_shape_cache *cache);
/* Runs until the distance is known to the margin, the cores are proved farther apart than the limit or nearer than
 * `enough`, the origin is inside, or rounding prevents progress: never more than BW_GJK_STEPS steps. */
void bw_gjk_run(bw_gjk *g, double limit, double enough);
/* How far the origin is inside of the four vertices, at least; 0 where rounding leaves it open. */
double bw_gjk_depth(const bw_gjk *g);
/* The point of a, relative to a.at, of which the difference at the origin is made, inside of four vertices. */
bw_vec3 bw_gjk_common_point(const bw_gjk *g);
/* A better lower bound, where there is one in the directions of the simplex's edges. */
void bw_gjk_refine(bw_gjk *g);
/* Bounds from the vertices of a search that has begun, up to three, without looking for others, and from a direction that is known
 * to be that between the nearest points, of any length but zero. */
void bw_gjk_settle(bw_gjk *g, bw_vec3 direction);
/* What the search found, where the origin is not inside. */
void bw_gjk_gap(const bw_gjk *g, bw_gap *out);
void bw_gjk_keep(const bw_gjk *g, bw_shape_cache *cache);

enum { BW_GJK_STEPS = 48 };

/* The difference farthest along a direction. */
static inline bw_gjk_vertex bw_gjk_support(const bw_gjk *g, bw_vec3 d)
{
    bw_gjk_vertex v;
    const bw_vec3 on_a = bw_convex_support(g->a, d, &v.a),
                  on_b = bw_convex_support(g->b, bw_vec3_minus(d), &v.b);
    v.w = bw_vec3_sub(on_a, bw_vec3_add(on_b, g->shift));
    return v;
}

#endif
