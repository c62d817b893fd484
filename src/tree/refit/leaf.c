/* Refit of leaves: boxes from corners, and copies of corners. */
#include "tree/refit/leaf.h"

#include "base/simd/f64x2.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide/rows.h"

static void box_f32(const bw_leaf_source *source, const uint32_t *list, uint32_t count, bw_box *out)
{
    const char *positions = source->positions;
    const size_t stride = source->stride;
    v4 low = v4_load3(positions + list[count - 1] * stride), high = low;
    /* The lane beyond a vertex may be read where another vertex follows. */
    const bool last = list[count - 1] == source->last;
    for (uint32_t i = 0; i + 1 < count; i++) {
        const char *at = positions + list[i] * stride;
        const v4 p = last ? v4_load3(at) : v4_load((const float *)(const void *)at);
        low = v4_min(p, low);
        high = v4_max(p, high);
    }
    v4_store_box(out, low + 0.0f, high + 0.0f); /* no -0 */
}

static void box_f64(const bw_leaf_source *source, const uint32_t *list, uint32_t count, bw_box *out)
{
    const double *p = bw_mesh_view_f64(source->mesh, list[0]);
    d2 low = d2_load(p), high = low, low_z = d2_all(p[2]), high_z = low_z;
    for (uint32_t i = 1; i < count; i++) {
        p = bw_mesh_view_f64(source->mesh, list[i]);
        const d2 xy = d2_load(p), z = d2_all(p[2]);
        low = d2_min(xy, low);
        high = d2_max(xy, high);
        low_z = d2_min(z, low_z);
        high_z = d2_max(z, high_z);
    }
    *out =
        (bw_box){{bw_float_down(low[0]) + 0.0f, bw_float_down(low[1]) + 0.0f, bw_float_down(low_z[0]) + 0.0f},
                 {bw_float_up(high[0]) + 0.0f, bw_float_up(high[1]) + 0.0f, bw_float_up(high_z[0]) + 0.0f}};
}

bw_leaf_source bw_leaf_source_of(const bw_mesh *mesh, bw_simd simd)
{
    bw_leaf_source source = {mesh,
                             mesh->positions,
                             bw_mesh_view_stride(mesh),
                             mesh->vertex_count - 1,
                             mesh->scalar == BW_F64 ? box_f64 : box_f32,
                             NULL};
    if (mesh->scalar == BW_F32 && source.stride == 3 * sizeof(float))
        source.fit = bw_row_kernels_for(bw_simd_level(simd))->fit_node;
    return source;
}
