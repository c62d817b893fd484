/* A polygon seen along its normal: what both ways to cut it share. */
#ifndef TOOL_IO_POLYGON_PLANE_H
#define TOOL_IO_POLYGON_PLANE_H

#include <boxwood/mesh.h>

#include <stdbool.h>

typedef struct plane_polygon {
    bw_vec3 *at; /* the corners, z = 0; they run counter-clockwise unless the polygon crosses itself */
    uint32_t count;
    uint32_t (*triangles)[3]; /* room for count - 2, all counter-clockwise or without area */
    uint32_t done;            /* of these, found */
} plane_polygon;

/* 1: c lies left of the line from a to b; -1: right; 0: on it. Exact. */
static inline int plane_side(const plane_polygon *p, uint32_t a, uint32_t b, uint32_t c)
{
    return bw_orient2d(&p->at[a], &p->at[b], &p->at[c], 2);
}

static inline bool plane_same(const plane_polygon *p, uint32_t a, uint32_t b)
{
    return p->at[a].x == p->at[b].x && p->at[a].y == p->at[b].y;
}

static inline uint32_t plane_next(const plane_polygon *p, uint32_t corner)
{
    return corner + 1 == p->count ? 0 : corner + 1;
}

static inline uint32_t plane_previous(const plane_polygon *p, uint32_t corner)
{
    return corner == 0 ? p->count - 1 : corner - 1;
}

/* False where there are as many as a polygon has already: it is not simple. */
static inline bool plane_emit(plane_polygon *p, uint32_t a, uint32_t b, uint32_t c)
{
    if (p->done == p->count - 2)
        return false;
    p->triangles[p->done][0] = a;
    p->triangles[p->done][1] = b;
    p->triangles[p->done][2] = c;
    p->done++;
    return true;
}

#endif
