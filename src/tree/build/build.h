/* Builders of wide trees. They take boxes, so they serve triangles, points and any other primitive alike. */
#ifndef BW_TREE_BUILD_BUILD_H
#define BW_TREE_BUILD_BUILD_H

#include "base/cancel.h"
#include "tree/build/source.h"
#include "tree/wide/wide.h"

typedef enum bw_wide_builder {
    BW_WIDE_QUALITY = 0, /* binned surface-area heuristic, then the cheapest collapse into nodes of eight */
    BW_WIDE_FAST = 1     /* along a Hilbert curve, every leaf and node full */
} bw_wide_builder;

/* All zero is the default. */
typedef struct bw_wide_desc {
    bw_wide_builder builder;
    bw_simd simd;
    const bw_allocator *allocator; /* copied into the tree */
    const bw_tasks *tasks;
    bw_cancel *cancel; /* NULL: nobody wants to be asked */
} bw_wide_desc;

/* What the leaves of a tree over a mesh hold beside their primitives' numbers, see tree/wide/wide.h. */
typedef enum bw_wide_form { BW_WIDE_BARE, BW_WIDE_CORNERS, BW_WIDE_VERTICES } bw_wide_form;

/* Builds over count > 0 primitives (at most 2^30): boxes[i], finite and within BW_COORDINATE_MAX, belongs to
 * the primitive ids[i], or to i where ids is NULL. The same bits for any tasks and any SIMD level. The tree
 * is bare. BW_ERROR_MEMORY, BW_ERROR_EMPTY, BW_ERROR_SIZE, BW_ERROR_STOPPED. */
bw_result bw_wide_build(const bw_wide_desc *desc, const bw_box *boxes, const uint32_t *ids, uint32_t count,
                        bw_wide *out);
/* The same over primitives of a mesh, whose indices are in range and whose coordinates are finite: as many as
 * it has, or those listed. The leaves are filled as asked for. (The fast builder's tree may differ a little
 * from that over their boxes.) */
bw_result bw_wide_build_mesh(const bw_wide_desc *desc, const bw_mesh *mesh, const uint32_t *ids,
                             uint32_t count, bw_wide_form form, bw_wide *out);

#endif
