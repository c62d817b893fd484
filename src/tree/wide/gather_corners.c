/* The corners of leaves read from the mesh, for trees that keep none. */
#include "tree/wide/gather_corners.h"

#include "mesh/view.h"
#include "tree/wide/deferred.h"
#include "tree/wide/rows.h"

#include <math.h>

/* A point in all three corners. Of two floats the difference of doubles, rounded again, is their float
 * difference. */
static void gather_points(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                          bw_wide_corners *out)
{
    out->magnitude = 0.0f;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        const bw_vec3 p = bw_mesh_view_vertex(mesh, primitives[slot < count ? slot : 0]);
        const double x[3] = {p.x, p.y, p.z};
        for (int axis = 0; axis < 3; axis++) {
            const float f = (float)(x[axis] - (double)out->origin[axis]);
            for (uint32_t corner = 0; corner < 3; corner++)
                out->coordinate[corner][axis][slot] = f;
            out->magnitude = fmaxf(out->magnitude, fabsf(f));
        }
    }
}

void bw_wide_corners_gather(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bool vectors,
                            bw_wide_corners *out)
{
    if (bw_rows_fit(mesh))
        bw_row_kernels_for(vectors ? BW_SIMD_AVX2 : BW_SIMD_128)->gather(mesh, primitives, count, out);
    else
        gather_points(mesh, primitives, count, out);
}

void bw_wide_leaf_gather_at(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bool vectors,
                            bw_wide_corners *out)
{
    const bw_wide_leaf *l = &tree->leaves[leaf];
    const bw_wide_node *parent = &tree->nodes[l->parent];
    for (int axis = 0; axis < 3; axis++) /* bounds are below 2^101, halves cannot overflow */
        out->origin[axis] = 0.5f * parent->min[axis][l->lane] + 0.5f * parent->max[axis][l->lane];
    bw_wide_need_leaf(tree, leaf); /* its vertices may be still to be written */
    bw_wide_corners_gather(mesh, tree->primitives + (size_t)leaf * BW_WIDTH, l->count, vectors, out);
}

void bw_wide_leaf_gather(const bw_wide *tree, const bw_mesh *mesh, uint32_t leaf, bw_wide_corners *out)
{
    bw_wide_leaf_gather_at(tree, mesh, leaf, bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2, out);
}
