/* Everything that is to be known about a file. */
#ifndef TOOL_INSPECT_H
#define TOOL_INSPECT_H

#include "body.h"
#include "edges.h"

typedef struct bounds {
    double min[3], max[3]; /* of the finite coordinates; min above max if there are none */
} bounds;

typedef struct inspection {
    body body;
    bw_mesh_report defects;
    bw_fault firsts[BW_DEFECT_COUNT]; /* of each kind that occurs */
    bounds bounds;
    edge_view view; /* of triangles only */
    edges edges;
    bool tree; /* there is one; otherwise why tells */
    fault why;
    bw_tree_stats stats;
} inspection;

/* *out must be given to inspection_free even where this fails. */
bool inspect(const char *file, inspection *out, fault *why);
void inspection_free(inspection *inspection);
/* Of some triangles, or points. */
bounds bounds_of(const body *body, uint32_t first, uint32_t count);

#endif
