/* One primitive of a mesh: its vertices and its triangles, whichever way they are written. */
#ifndef TOOL_IO_GLTF_PRIMITIVE_H
#define TOOL_IO_GLTF_PRIMITIVE_H

#include "io/gltf/document.h"

enum { PRIMITIVE_MOST_SETS = 64 }; /* of four joints; more is a fault */

typedef struct primitive {
    size_t number; /* among the primitives of its mesh */
    uint32_t vertex_count;
    uint32_t position_accessor;
    uint32_t packed_view; /* of Draco; BW_NONE: none */
    const double *positions;
    uint32_t target_count;
    const double **targets; /* NULL items: no displacement */
    uint32_t set_count;     /* of four joints and weights */
    const double *joints[PRIMITIVE_MOST_SETS], *weights[PRIMITIVE_MOST_SETS];
    uint32_t *corners; /* of its triangles, or its points */
    size_t corner_count;
    bool is_points;
} primitive;

/* The mode alone: POINTS 0, LINES 1 to 3, TRIANGLES 4, STRIP 5, FAN 6. */
bool primitive_mode(const path *at, uint64_t *mode);
/* Everything of one whose triangles or points are wanted. What it refers to lives in g->blocks. */
bool primitive_read(gltf *g, const path *at, primitive *out);
/* The points or line segments of one that is left out. */
bool primitive_count_lost(gltf *g, const path *at, uint64_t mode, uint64_t *out);
/* Whether two take their vertices from the same arrays, so that these need to be there only once. */
bool primitive_same_vertices(const primitive *a, const primitive *b);

#endif
