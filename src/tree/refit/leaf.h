/* The box of one leaf from its vertices: one function for each kind of mesh and SIMD level, chosen once a
 * refit. */
#ifndef BW_TREE_REFIT_LEAF_H
#define BW_TREE_REFIT_LEAF_H

#include "tree/wide/wide.h"

/* The present positions, and how to read them. */
typedef struct bw_leaf_source bw_leaf_source;
/* Computes the box of the vertices list[0 .. count - 1], the largest of which is the last one. Zeros come out
 * as +0. */
typedef void bw_leaf_box_fn(const bw_leaf_source *source, const uint32_t *list, uint32_t count, bw_box *out);

struct bw_leaf_source {
    const bw_mesh *mesh;
    const char *positions;
    size_t stride;
    uint32_t last; /* the last vertex, beyond which nothing may be read */
    bw_leaf_box_fn *box;
    /* Fits all lanes of a node that holds leaves with vertex lists only; NULL: none better than lane by lane.
     */
    void (*fit)(const char *positions, const bw_wide *wide, bw_wide_node *node);
};

bw_leaf_source bw_leaf_source_of(const bw_mesh *mesh, bw_simd simd);

#endif
