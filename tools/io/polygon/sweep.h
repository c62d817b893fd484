/* Strictly simple polygons, cut in O(n log n), and the proof that they are. */
#ifndef TOOL_IO_POLYGON_SWEEP_H
#define TOOL_IO_POLYGON_SWEEP_H

#include "io/polygon/plane.h"

typedef enum sweep_answer {
    SWEEP_CUT =
        0, /* no two edges meet but neighbours in their corner: the triangles tile it, all have area */
    SWEEP_TOUCHES = 1, /* two corners in one place, or a corner on an edge: what it is is not decided */
    SWEEP_CROSSES = 2  /* two edges cross, or it runs clockwise */
} sweep_answer;

/* polygon->done counts from 0; of no meaning where it is not cut. */
sweep_answer sweep_cut(plane_polygon *polygon);

#endif
