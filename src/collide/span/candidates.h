/* The span engine: which triangles of two trees, or of one with itself, may meet within a span of time in
 * which they move on straight lines or nearly so, and when. One traversal with boxes at both ends of the span
 * finds pairs of leaves; along a fixed direction the gap between two triangles is concave in time, so the
 * straight line between its values at both ends bounds it from below, and where that is positive they are
 * apart. (Boxes that move: Zachmann and Weller 2006, section 8.) What is left are pairs with times, nearly
 * all of which do meet.
 *
 * Everything is decided in floats with margins for all roundings, of positions too, and errs towards "may
 * meet": at any time of the span that a pair is not listed for, it is apart. Triangles that share vertices by
 * index are apart where they do not meet beyond what they share. */
#ifndef BW_COLLIDE_SPAN_CANDIDATES_H
#define BW_COLLIDE_SPAN_CANDIDATES_H

#include "base/array.h"
#include "base/cancel.h"
#include "collide/pair/pair.h"
#include "collide/span/kernels.h"
#include "tree/wide/deferred.h"

/* Primitives, and the part of the span, 0 to 1, in which they may meet. Of one mesh a < b. */
typedef struct bw_span_pair {
    uint32_t a, b;
    float from, to;
} bw_span_pair;

/* One of two trees: with a known course, or one that stands still. */
typedef struct bw_span_side {
    const bw_wide *tree;
    const bw_mesh *mesh;          /* now */
    const bw_wide_course *course; /* NULL: it stands still */
    double part;                  /* how much of its course the span takes */
} bw_span_side;

typedef struct bw_span_desc {
    bw_span_side a, b; /* self: the same */
    bool self;
    /* Of b in the frame of a, the same all the time; NULL: none. What moves on straight lines does so where it
     * is mapped to. */
    const bw_relative_pose *pose;
    bw_simd simd;                  /* a level, not AUTO */
    const bw_allocator *allocator; /* for the stack, when it outgrows its first 4 KB */
    bw_array *pairs;               /* bw_span_pair: replaced by those found, in the order of the traversal */
    size_t most;                   /* more pairs than this are not wanted */
    bw_cancel *cancel;             /* NULL: nobody wants to be asked */
} bw_span_desc;

typedef struct bw_span_counts {
    double nodes, leaves,
        candidates; /* pairs looked at: of nodes, of leaves, of triangles whose boxes meet */
    bool full;      /* there were more than wanted: pairs holds a part of them */
} bw_span_counts;

/* The part of its course that the time until then is. */
double bw_span_part(const bw_wide_course *course, double until);
/* BW_ERROR_MEMORY, BW_ERROR_STOPPED: pairs holds a part. */
bw_result bw_span_find(const bw_span_desc *desc, bw_span_counts *out);

#endif
