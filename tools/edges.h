/* How the triangles of a model hang together. */
#ifndef TOOL_EDGES_H
#define TOOL_EDGES_H

#include "body.h"

typedef struct edges {
    uint32_t count, boundary, nonmanifold;
    bool closed, oriented;
} edges;

/* Scratch for any number of summaries of one body. */
typedef struct edge_view {
    const body *body;
    uint32_t *welded;  /* of each vertex, the first at its place */
    uint32_t *number;  /* of each vertex, in the part looked at */
    uint32_t *corners; /* three a triangle */
    uint32_t places;   /* different places of vertices */
} edge_view;

/* The body must be of triangles. */
edge_view edge_view_start(const body *body);
void edge_view_free(edge_view *view);
/* The edges of some triangles, vertices of equal position taken as one; triangles with bad indices are left
 * out. */
bool edges_of(edge_view *view, uint32_t first_triangle, uint32_t triangle_count, edges *out, fault *why);
/* "closed", "closed, turned both ways", "open", "open, not a manifold". */
const char *edges_word(const edges *edges);

#endif
