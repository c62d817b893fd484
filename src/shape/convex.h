/* A shape as queries see it: a core of points, placed, and a radius. Triangles of bodies are cores, too. */
#ifndef BW_SHAPE_CONVEX_H
#define BW_SHAPE_CONVEX_H

#include "geom/vec.h"
#include "shape/hull/hull.h"

#include <boxwood/shape.h>
#include <math.h>

/* Comparisons instead of calls: no operand is ever NaN. */
static inline double bw_larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double bw_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double bw_vec3_length(bw_vec3 v)
{
    return sqrt(bw_vec3_dot(v, v));
}

static inline bw_vec3 bw_vec3_minus(bw_vec3 v)
{
    return (bw_vec3){-v.x, -v.y, -v.z};
}

/* a + s b. */
static inline bw_vec3 bw_vec3_along(bw_vec3 a, bw_vec3 b, double s)
{
    return (bw_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

typedef enum bw_core {
    BW_CORE_POINT = 0,
    BW_CORE_SEGMENT = 1,
    BW_CORE_BOX = 2,
    BW_CORE_HALF_SPACE = 3,
    BW_CORE_HULL = 4,
    BW_CORE_TRIANGLE = 5
} bw_core;

/* Filters decide only beyond this part of the coordinates' size: mapped points are off by at most 7 roundings
 * of 2^-53 of it each, what is computed here from poses by as many, dot products and sums by a dozen more. */
#define BW_SHAPE_MARGIN 0x1p-47

typedef struct bw_convex {
    bw_core core;
    uint32_t count; /* points of the core; 0 for a half-space */
    double radius;
    const bw_transform *pose;
    bw_vec3 at; /* where the origin of the shape stands; the first corner of a triangle */
    /* Relative to `at`, rounded: half a box's edges; [0] half the segment; [0], [1] the other corners of a
     * triangle; [0] the normal of a half-space; the columns of the pose of a hull */
    bw_vec3 edge[3];
    bw_vec3 half;
    const bw_hull *hull;
    const bw_vec3 *corners; /* of a triangle, as mapped */
    double reach;           /* no point of the core is farther from `at`; 0 for a half-space */
    double size;            /* no coordinate of the core is larger, nor of `at` */
    bool orthogonal;        /* the pose is a rotation to 2^-49: formulas for boxes hold */
} bw_convex;

/* Checks a shape and its pose, and makes it ready. */
bw_result bw_convex_place(const bw_shape *shape, const bw_transform *pose, bw_convex *out);
/* Tells the fault why it failed so. */
bw_result bw_convex_fail(const bw_shape *shape, const bw_transform *pose, bw_result result, uint32_t element,
                         bw_fault *fault);
/* A triangle of points within the range. They stay the caller's. */
void bw_convex_of_triangle(const bw_vec3 corners[3], bw_convex *out);

/* A point of any coordinates. */
static inline bw_convex bw_convex_of_point(bw_vec3 at)
{
    return (bw_convex){.core = BW_CORE_POINT,
                       .count = 1,
                       .at = at,
                       .size = bw_larger(fabs(at.x), bw_larger(fabs(at.y), fabs(at.z)))};
}

/* Point i of the core, as mapped: the coordinates that decisions are exact for. */
bw_vec3 bw_convex_point(const bw_convex *c, uint32_t i);
/* The box of a shape, rounded outward. */
bw_box bw_convex_box(const bw_convex *c);

/* The same relative to `at`, rounded. */
static inline bw_vec3 bw_convex_offset(const bw_convex *c, uint32_t i)
{
    const bw_vec3 *e = c->edge;
    switch (c->core) {
    case BW_CORE_SEGMENT:
        return i != 0 ? e[0] : bw_vec3_minus(e[0]);
    case BW_CORE_BOX: {
        const double x = (i & 1) != 0 ? 1 : -1, y = (i & 2) != 0 ? 1 : -1, z = (i & 4) != 0 ? 1 : -1;
        return (bw_vec3){x * e[0].x + y * e[1].x + z * e[2].x, x * e[0].y + y * e[1].y + z * e[2].y,
                         x * e[0].z + y * e[1].z + z * e[2].z};
    }
    case BW_CORE_HULL: {
        const bw_vec3 v = c->hull->vertices[i];
        return (bw_vec3){e[0].x * v.x + e[1].x * v.y + e[2].x * v.z,
                         e[0].y * v.x + e[1].y * v.y + e[2].y * v.z,
                         e[0].z * v.x + e[1].z * v.y + e[2].z * v.z};
    }
    case BW_CORE_TRIANGLE:
        return i == 0 ? (bw_vec3){0, 0, 0} : e[i - 1];
    default:
        return (bw_vec3){0, 0, 0};
    }
}

/* A ball inside of the core: its centre, a point of the core, relative to `at`; and its radius, 0 for what has no inside. */
static inline double bw_convex_inner(const bw_convex *c, bw_vec3 *centre)
{
    *centre = (bw_vec3){0, 0, 0};
    if (c->core == BW_CORE_BOX)
        return bw_lesser(c->half.x, bw_lesser(c->half.y, c->half.z)) * (1 - 1e-8);
    if (c->core != BW_CORE_HULL)
        return 0;
    const bw_vec3 *e = c->edge, v = c->hull->centre;
    *centre =
        (bw_vec3){e[0].x * v.x + e[1].x * v.y + e[2].x * v.z, e[0].y * v.x + e[1].y * v.y + e[2].y * v.z,
                  e[0].z * v.x + e[1].z * v.y + e[2].z * v.z};
    return c->hull->inner * (1 - 1e-8);
}

/* A point of the core that is farthest in a direction, rounded, relative to `at`; *index is its number. */
static inline bw_vec3 bw_convex_support(const bw_convex *c, bw_vec3 d, uint32_t *index)
{
    switch (c->core) {
    case BW_CORE_POINT:
    case BW_CORE_HALF_SPACE:
        *index = 0;
        return (bw_vec3){0, 0, 0};
    case BW_CORE_SEGMENT: {
        const bool up = bw_vec3_dot(d, c->edge[0]) > 0;
        *index = up;
        return up ? c->edge[0] : (bw_vec3){-c->edge[0].x, -c->edge[0].y, -c->edge[0].z};
    }
    case BW_CORE_BOX: {
        const double x = bw_vec3_dot(d, c->edge[0]), y = bw_vec3_dot(d, c->edge[1]),
                     z = bw_vec3_dot(d, c->edge[2]);
        const double sx = x > 0 ? 1.0 : -1.0, sy = y > 0 ? 1.0 : -1.0, sz = z > 0 ? 1.0 : -1.0;
        *index = (uint32_t)(x > 0) | (uint32_t)(y > 0) << 1 | (uint32_t)(z > 0) << 2;
        return (bw_vec3){sx * c->edge[0].x + sy * c->edge[1].x + sz * c->edge[2].x,
                         sx * c->edge[0].y + sy * c->edge[1].y + sz * c->edge[2].y,
                         sx * c->edge[0].z + sy * c->edge[1].z + sz * c->edge[2].z};
    }
    case BW_CORE_TRIANGLE: {
        const double u = bw_vec3_dot(d, c->edge[0]), v = bw_vec3_dot(d, c->edge[1]);
        *index = u > 0 ? (v > u ? 2 : 1) : v > 0 ? 2 : 0;
        return *index == 0 ? (bw_vec3){0, 0, 0} : c->edge[*index - 1];
    }
    case BW_CORE_HULL:
    default: {
        const bw_vec3 local = {bw_vec3_dot(d, c->edge[0]), bw_vec3_dot(d, c->edge[1]),
                               bw_vec3_dot(d, c->edge[2])};
        *index = bw_hull_support(c->hull, local);
        return bw_convex_offset(c, *index);
    }
    }
}

/* The width of a filter's doubt for two shapes. */
static inline double bw_convex_margin(const bw_convex *a, const bw_convex *b)
{
    return BW_SHAPE_MARGIN * (a->size + b->size + a->radius + b->radius);
}

#endif
