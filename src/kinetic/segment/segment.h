/* Boxes as straight lines: between two keyframes every coordinate is linear, so an extent is a line as long
 * as one vertex realises it (INTERPOLATED: the line between its values at both keyframes, which bounds all).
 *
 * One pass over the tree a segment finds, for every extent, the value at the end of the vertex that wins at
 * the start; where that is the extent at the end, there is no event, and otherwise the envelope of the lines
 * below gives the events, finished: time and line. They are put into buckets of time once; a step then
 * writes 8 bytes an event, without a queue, propagation or order between nodes. What a segment ends with the
 * next one begins with, so the boxes at the start are there already.
 *
 * Exactness (COMPILED). (1 - s) a + s b is monotone in a and b, so an extent without events has the very
 * value of the farthest vertex. With events, times are rounded, and near an event the line in use may be
 * short by SLACK of the coordinates' size. It shows only where the rounding to float would differ: those few
 * extents are computed from below instead. Keyframes of doubles become lines of floats outward of them, and
 * extents with events are widened by SLACK: the boxes contain the tight ones and are hardly larger.
 *
 * Edits. Where a primitive enters or leaves, the lanes from its leaf to the root have no lines until the next
 * segment: their extents are computed from below whenever somebody looks, which costs a few dozen
 * comparisons a level. Where an edit reaches farther, or many lanes have come to that, the segment is
 * prepared again. */
#ifndef BW_KINETIC_SEGMENT_SEGMENT_H
#define BW_KINETIC_SEGMENT_SEGMENT_H

#include "base/array.h"
#include "kinetic/segment/pieces.h"

#include <boxwood/base.h>

struct bw_kinetic;

enum { BW_SEGMENT_COUNT = 48 }; /* extents of a node: [min, max][axis][lane], as they stand in bw_wide_node */

/* Extents stand upward: minima negated, so that all are maxima. The two rows are the line in use at both
 * ends of the segment; which is which changes from one segment to the next. */
typedef struct bw_segment_node {
    float at[2][BW_SEGMENT_COUNT];
} bw_segment_node;

/* What a node hands up, by side: -x, -y, -z, nothing, x, y, z, nothing. */
enum { BW_SIDES = 8 };

typedef struct bw_segment_reach {
    float to[BW_SIDES];  /* the value at the end of the winner at the start, */
    float end[BW_SIDES]; /* and the end of all */
} bw_segment_reach;

typedef struct bw_segment_event {
    uint64_t time; /* floor(s * 2^40) */
    uint32_t id;   /* node * BW_SEGMENT_COUNT + extent */
    float from, to;
} bw_segment_event;

#define BW_SEGMENT_TIMES 0x1p40

typedef struct bw_segment {
    uint32_t room; /* nodes that the arrays by node have room for */
    bw_segment_node *nodes;
    bw_segment_reach *reach; /* by node; of the last pass */
    uint64_t *eventful;      /* by node: a bit for every extent that has events in this segment */
    uint32_t *first;  /* by node: where its events begin in raw; they end where those of the node before
                             it begin, as the pass goes from the last to the first */
    uint32_t segment; /* that is prepared; BW_NONE: none */
    double from, to;  /* its times */
    float slack;      /* INTERPOLATED: how far vertices on curves may be outside of straight lines */
    float bend;       /* of that, by which they leave the straight line between its ends */
    void *samples[2]; /* velocities and plans: positions at both ends, by row */
    uint32_t sampled; /* vertices that these have room for */
    uint32_t start;   /* which row of a node holds the start of the segment */
    float size[3];    /* by axis: no coordinate has a larger magnitude at either end */
    bw_array raw;     /* bw_segment_event as found: node by node, children before parents */
    bw_array events;  /* the same by bucket of time, otherwise in the same order */
    bw_array bucket;  /* uint32_t: where each begins in events, and the end */
    uint32_t shift;   /* of a time, for its bucket */
    uint64_t done;    /* events before this time were replayed */
} bw_segment;

bw_result bw_segment_create(struct bw_kinetic *k);
void bw_segment_release(struct bw_kinetic *k);
size_t bw_segment_bytes(const struct bw_kinetic *k);
/* Prepares the segment of a time, if it is not yet (start: again), and replays its events up to it; the
 * report counts them, and the segments prepared. BW_ERROR_MEMORY leaves no segment prepared. */
bw_result bw_segment_advance(struct bw_kinetic *k, double time, bw_kinetic_report *report);
bw_result bw_segment_start(struct bw_kinetic *k, double time, bw_kinetic_report *report);

/* Writes the boxes of one node, or of all, for k->now, to which the lines were advanced. */
void bw_segment_fit_node(struct bw_kinetic *k, uint32_t node);
bw_result bw_segment_fit(struct bw_kinetic *k);
const char *bw_segment_check(const struct bw_kinetic *k);

/* ---- the passes ---- */

/* Positions at one time. */
typedef struct bw_frame {
    const char *at;
    size_t stride;
} bw_frame;

/* Those at the start or the end of the segment that is prepared. */
bw_frame bw_segment_frame(const struct bw_kinetic *k, bool end);
/* The part of that segment that a time is. */
static inline double bw_segment_fraction(const bw_segment *lines, double time)
{
    double s = (time - lines->from) / (lines->to - lines->from);
    return s < 1 ? s : lines->to > lines->from ? 1 : 0;
}

static inline double bw_frame_coordinate(bw_frame frame, bw_scalar scalar, uint32_t v, int axis)
{
    const void *at = frame.at + v * frame.stride;
    return scalar == BW_F64 ? ((const double *)at)[axis] : (double)((const float *)at)[axis];
}

/* The extents of every node at a time, into row `row`, and reach[].end. */
void bw_segment_boxes(struct bw_kinetic *k, bw_frame frame, uint32_t row);
/* With the start of a segment in its row: the lines of all extents, reach, and the events in raw. */
bw_result bw_segment_compile(struct bw_kinetic *k, uint32_t segment);
/* Finds the events of the extents of a node: sides[lane] has a bit for every side that has any. The node's
 * rows and its children's must be there. False when memory runs out. */
bool bw_segment_find_events(struct bw_kinetic *k, uint32_t segment, uint32_t node, const uint8_t sides[],
                            bw_array *scratch);

/* The number of an extent by side (without the two empty ones) and lane. */
static inline uint32_t bw_segment_extent(uint32_t side, uint32_t lane)
{
    return (side < 4 ? side : side - 1) * 8 + lane;
}

#endif
