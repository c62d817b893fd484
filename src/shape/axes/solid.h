/* Two solids in floats, each in its own frame, and how they stand to each other. Part of shape/axes/axes_template.h. */
#ifndef BW_SHAPE_AXES_SOLID_H
#define BW_SHAPE_AXES_SOLID_H

#include "base/simd/f32x8.h"
#include "shape/axes/axes.h"

#include <string.h>

#define AXES_FN LANES_TARGET static

enum {
    MOST_TRIED = 32, /* points that are tried on faces */
    MOST_EDGES = 192,
    MOST_FACES = 128,
    PART_EDGES = MOST_EDGES,
    PART_FACES = 2 * PART_EDGES,
    MOST_EIGHTS = BW_MAP_POINTS / 8,
    MOST_PLACES = 320 /* eights of faces, times points */
};

/* What is left of a solid of many points: edges, and both faces of each: those of eight edges, the first ones and then the second ones,
 * are eight faces each. A face may be there several times. */
typedef struct part {
    float planes[4 * PART_FACES];
    uint16_t edge[3 * BW_MAP_POINTS + 8]; /* numbers in the map; there is room for all */
} part;

/* One of the two: relative to its middle, in units of its own in which no coordinate of it is above 1. */
typedef struct solid {
    uint32_t points, faces, edges, point_rows, face_rows, edge_rows; /* as those of bw_hull_map */
    uint32_t plane_rows;                                             /* from a row of planes to the next */
    const float *xyz, *planes;
    const uint8_t *edge;
    const bw_hull_map *map; /* of a solid of many points, of which a part is here; NULL: all of it is */
    double scale;           /* its units in one of the world */
    float inner;            /* the radius of a ball around the middle, inside of it */
    float m[3][4];          /* what turns the other's points into this frame; [3]: the other's middle */
    float unit;             /* the other's units, in this one's: a power of two */
    float ball;             /* around the other's middle, inside of it */
    uint32_t count, stride; /* of points that are tried, and from eight faces to the next in `along` */
    uint32_t eights;        /* of eights of regions those that have open ones */
    int left_count;
    float tried[3][MOST_TRIED];   /* points of the other in this frame, by rows */
    float number[MOST_TRIED];     /* their numbers */
    v8 along[MOST_PLACES];        /* how far along eight normals a point is */
    uint32_t mask[MOST_FACES];    /* which points show of a face that it is deeper */
    uint8_t left[MOST_EDGES + 8]; /* edges that no point shows to be deeper */
    v8 low[PART_FACES / 8];       /* the least of all points */
    v8 arc[PART_EDGES / 8];    /* of eight edges of a part: how deep a single point shows all of each to be */
    float box[24 + 32];        /* points and planes of a box */
    uint8_t open[MOST_EIGHTS]; /* of eight regions those that may be no deeper */
    part part;
} solid;

typedef struct search {
    solid a, b;
    double length; /* of a's units */
    float depth;   /* the least that is known, in a's units */
    float slack;   /* twice what any depth of a face is off */
    bw_facet facet[BW_FACETS];
    int count;
} search;

/* Eight vectors. */
typedef struct lanes3 {
    v8 x, y, z;
} lanes3;

LANES_FN v8 dot3(lanes3 a, lanes3 b)
{
    return v8_add(v8_add(v8_mul(a.x, b.x), v8_mul(a.y, b.y)), v8_mul(a.z, b.z));
}
LANES_FN lanes3 all3(const float *p, size_t rows)
{
    return (lanes3){v8_all(p[0]), v8_all(p[rows]), v8_all(p[2 * rows])};
}
LANES_FN lanes3 load3(const float *p, size_t rows)
{
    return (lanes3){v8_load(p), v8_load(p + rows), v8_load(p + 2 * rows)};
}
LANES_FN lanes3 scale3(lanes3 a, v8 s)
{
    return (lanes3){v8_mul(a.x, s), v8_mul(a.y, s), v8_mul(a.z, s)};
}
LANES_FN lanes3 add3(lanes3 a, lanes3 b)
{
    return (lanes3){v8_add(a.x, b.x), v8_add(a.y, b.y), v8_add(a.z, b.z)};
}
/* Turned into another frame. */
LANES_FN lanes3 turn3(const float m[3][4], lanes3 v)
{
    return (lanes3){dot3(all3(m[0], 1), v), dot3(all3(m[1], 1), v), dot3(all3(m[2], 1), v)};
}

static float lesser(float a, float b)
{
    return a < b ? a : b;
}

/* Of a power of two. */
static double inverse_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = ((uint64_t)2046 << 52) - bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The power of two that brings a length to between a half and 1. */
static double scale_of(double length)
{
    uint64_t bits;
    double scale;
    memcpy(&bits, &length, sizeof bits);
    bits = ((uint64_t)2045 - (bits >> 52)) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

AXES_FN void take_box(const bw_convex *c, solid *s)
{
    static const float signs[3][8] = {
        {-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};
    static const float normals[3][8] = {{1, -1}, {0, 0, 1, -1}, {0, 0, 0, 0, 1, -1}};
    s->scale = scale_of(bw_larger(c->half.x, bw_larger(c->half.y, c->half.z)));
    const float h[3] = {(float)(c->half.x * s->scale), (float)(c->half.y * s->scale),
                        (float)(c->half.z * s->scale)};
    s->points = s->point_rows = s->face_rows = s->plane_rows = 8;
    s->inner = lesser(h[0], lesser(h[1], h[2])) * (1 - 0x1p-20f);
    s->faces = 6;
    s->edges = BW_BOX_EDGES;
    s->edge_rows = BW_BOX_EDGE_ROWS;
    s->edge = bw_box_edges;
    for (int k = 0; k < 3; k++) {
        v8_store(s->box + 8 * k, v8_mul(v8_load(signs[k]), v8_all(h[k])));
        v8_store(s->box + 24 + 8 * k, v8_load(normals[k]));
    }
    v8_store(s->box + 48, v8_join((v4){h[0], h[0], h[1], h[1]}, (v4){h[2], h[2], INFINITY, INFINITY}));
    s->xyz = s->box;
    s->planes = s->box + 24;
}

AXES_FN bool take_solid(const bw_convex *c, solid *s)
{
    s->map = NULL;
    if (c->core == BW_CORE_BOX) {
        take_box(c, s);
        return true;
    }
    const bw_hull_map *m = &c->hull->map;
    s->points = m->points;
    s->faces = m->faces;
    s->edges = m->edges;
    s->point_rows = m->point_rows;
    s->face_rows = s->plane_rows = m->face_rows;
    s->inner = (float)(c->hull->inner * m->scale) * (1 - 0x1p-20f);
    s->edge_rows = m->edge_rows;
    s->xyz = m->points_by_rows;
    s->planes = m->planes_by_rows;
    s->edge = m->edges_by_rows;
    s->scale = m->scale;
    if (m->points > BW_MAP_FEW)
        s->map = m;
    return m->edges > 0;
}

static bw_vec3 middle_of(const bw_convex *c)
{
    return c->core == BW_CORE_BOX ? (bw_vec3){0, 0, 0} : c->hull->centre;
}

/* How they stand to each other. False where they are of too different sizes, or too far apart to meet. */
AXES_FN bool make_frames(const bw_gjk *g, search *s)
{
    solid *a = &s->a, *b = &s->b;
    const double(*ra)[4] = g->a->pose->m, (*rb)[4] = g->b->pose->m;
    const bw_vec3 ca = middle_of(g->a), cb = middle_of(g->b), d = g->shift;
    const double middle[3] = {ca.x, ca.y, ca.z};
    float far = 0;
    for (int i = 0; i < 3; i++) {
        const double x = ra[0][i], y = ra[1][i], z = ra[2][i];
        const double r[3] = {(x * rb[0][0] + y * rb[1][0]) + z * rb[2][0],
                             (x * rb[0][1] + y * rb[1][1]) + z * rb[2][1],
                             (x * rb[0][2] + y * rb[1][2]) + z * rb[2][2]};
        const double to = ((x * d.x + y * d.y) + z * d.z) - middle[i],
                     t = to + ((r[0] * cb.x + r[1] * cb.y) + r[2] * cb.z);
        for (int j = 0; j < 3; j++)
            a->m[i][j] = b->m[j][i] = (float)r[j];
        a->m[i][3] = (float)(t * a->scale);
        far += fabsf(a->m[i][3]);
    }
    s->length = inverse_of(a->scale);
    a->unit = (float)(a->scale * inverse_of(b->scale));
    b->unit = (float)(b->scale * s->length);
    for (int i = 0; i < 3; i++)
        b->m[i][3] =
            -((a->m[0][3] * b->m[i][0] + a->m[1][3] * b->m[i][1]) + a->m[2][3] * b->m[i][2]) * b->unit;
    a->ball = b->inner * a->unit;
    b->ball = a->inner * b->unit;
    s->slack = 0x1p-16f * (1 + a->unit);
    return a->unit >= 0x1p-8f && a->unit <= 0x1p8f && far < 4 * (1 + a->unit);
}

#endif
