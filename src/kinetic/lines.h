/* Boxes as straight lines: between two keyframes every coordinate is linear, so an extent is a line as long
 * as one vertex realises it (INTERPOLATED: the line between its values at both keyframes, which bounds all).
 *
 * One pass over the tree a segment finds, for every extent, the winner at the start and its value at the end;
 * where that is the value at the end of all, there is no event, and otherwise the envelope of the lines below
 * gives the events, finished: time and line. They are sorted once; a step in time then writes 8 bytes an
 * event, without a queue, propagation or order between nodes.
 *
 * Exactness (COMPILED). (1 - s) a + s b is monotone in a and b, so an extent without events has the very
 * value of the farthest vertex. With events, times are rounded, and near an event the line in use may be
 * short by SLACK of the coordinates' size. It shows only where the rounding to float would differ: those few
 * extents are computed from below instead. */
#ifndef BW_KINETIC_LINES_H
#define BW_KINETIC_LINES_H

#include "base/array.h"

#include <boxwood/base.h>

struct bw_kinetic;

enum { BW_LINE_COUNT = 48 }; /* extents of a node: [min, max][axis][lane], as they stand in bw_wide_node */

typedef struct bw_line_node {
    float from[BW_LINE_COUNT]; /* the line in use: its value at the start of the segment */
    float to[BW_LINE_COUNT];   /* and at the end */
    float end[BW_LINE_COUNT];  /* the extent at the end */
    float size[3];             /* by axis: no coordinate below has a larger magnitude at either end */
    float reserved;
} bw_line_node;

typedef struct bw_line_event {
    uint64_t time; /* floor(s * 2^40) */
    uint32_t id;   /* node * BW_LINE_COUNT + extent */
    float from, to;
} bw_line_event;

typedef struct bw_lines {
    bw_line_node *nodes;
    uint32_t segment;      /* that is prepared; BW_NONE: none */
    bw_array raw;          /* bw_line_event as found: node by node, children before parents */
    bw_array events;       /* the same in order of time */
    bw_array eventful;     /* uint32_t ids with events, children before parents */
    bw_array keys, values; /* for the sort; twice as many as events */
    uint32_t *first;       /* by node: where its events begin in raw; they end where those of the node before
                              it begin, as the pass goes from the last to the first */
    size_t next;           /* the event to replay next */
} bw_lines;

bw_result bw_lines_create(struct bw_kinetic *k);
void bw_lines_release(struct bw_kinetic *k);
size_t bw_lines_bytes(const struct bw_kinetic *k);
/* Prepares the segment of a time, if it is not yet, and replays its events up to it; *updates counts them,
 * *segments the segments prepared. BW_ERROR_MEMORY leaves no segment prepared. */
bw_result bw_lines_advance(struct bw_kinetic *k, double time, uint64_t *updates, uint32_t *segments);
/* Writes the boxes of the tree for a time, to which the lines were advanced. */
void bw_lines_fit(struct bw_kinetic *k, double time);
const char *bw_lines_check(const struct bw_kinetic *k);

/* Finds the lines and events of a segment: nodes, raw, eventful. */
bw_result bw_lines_compile(struct bw_kinetic *k, uint32_t segment);

#endif
