/* Looking ahead: which triangles of two trees that move on straight lines may meet within a span of time, and
 * when. One traversal with boxes at both ends of the span finds pairs of leaves; along a fixed direction the
 * gap between two triangles is concave in time, so the straight line between its values at both ends bounds
 * it from below, and where that is positive they are apart. (Boxes that move: Zachmann and Weller 2006,
 * section 8.) What is left are pairs with times, nearly all of which do meet.
 *
 * Everything is decided in floats with margins for all roundings, of positions too, and errs towards "may
 * meet": at any time of the span that a pair is not listed for, it is apart. */
#ifndef BW_COLLIDE_SPAN_CANDIDATES_H
#define BW_COLLIDE_SPAN_CANDIDATES_H

#include "collide/pair/kernels.h"
#include "collide/pair/pair.h"
#include "tree/wide/deferred.h"

/* Primitives, and the part of the span, 0 to 1, in which they may meet. */
typedef struct bw_ahead_pair {
    uint32_t a, b;
    float from, to;
} bw_ahead_pair;

/* One of two trees: lazy with a known course, or one that stands still. */
typedef struct bw_ahead_side {
    const bw_wide *tree;
    const bw_mesh *mesh;          /* now */
    const bw_mesh *end;           /* at the end of its course; the same mesh: it stands still */
    const bw_wide_course *course; /* NULL: it stands still */
    float part;                   /* how much of its course the span takes */
} bw_ahead_side;

typedef struct bw_ahead_desc {
    bw_ahead_side a, b;
    bw_simd simd;
    const bw_allocator *allocator; /* for the stack, when it outgrows its first 4 KB */
    bw_ahead_pair *pairs;          /* room for so many: */
    uint32_t capacity;
} bw_ahead_desc;

typedef struct bw_ahead_result {
    uint32_t count; /* of pairs, in the order of the walk */
    bool full;      /* there were more than fit: pairs holds a part of them */
    double nodes, leaves,
        candidates; /* pairs looked at: of nodes, of leaves, of triangles whose boxes meet */
} bw_ahead_result;

/* BW_ERROR_MEMORY: the stack could not grow. */
bw_result bw_ahead_run(const bw_ahead_desc *desc, bw_ahead_result *out);

#endif
