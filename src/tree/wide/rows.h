/* Eight triangles of a mesh at a time, read into rows: the same corner's x of all eight, then y, then z. For
 * meshes with indices; others are read one number after the other. A float minus the float origin is rounded
 * once, a double minus it twice. */
#ifndef BW_TREE_WIDE_ROWS_H
#define BW_TREE_WIDE_ROWS_H

#include "tree/build/source.h"
#include "tree/wide/wide.h"

static inline bool bw_rows_fit(const bw_mesh *mesh)
{
    return mesh->indices != NULL;
}

typedef struct bw_row_kernels {
    /* The corners of a leaf's triangles about the middle of their box, and that box. past_cache: they are not
     * read soon, and go past it where the level can (bw_wide_renewed_corners follows). */
    bw_box (*fit)(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bool past_cache,
                  bw_wide_corners *out);
    /* The corners about the origin that is set, and their magnitude. */
    void (*gather)(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bw_wide_corners *out);
    /* Twice the middles of the boxes of some elements; of doubles, around the nearest floats. */
    void (*centres)(const bw_box_source *source, uint32_t first, uint32_t count, bw_centres *out);
    /* All boxes of a node that holds leaves with vertex lists only, of floats that stand one after the other.
     */
    void (*fit_node)(const char *positions, const bw_wide *wide, bw_wide_node *node);
} bw_row_kernels;

extern const bw_row_kernels bw_row_kernels_128, bw_row_kernels_avx2;

/* simd is a level, not AUTO. */
static inline const bw_row_kernels *bw_row_kernels_for(bw_simd simd)
{
    return BW_SIMD_PICK(simd, &bw_row_kernels);
}

#endif
