#include "collide/ray_plain.h"

#include "collide/wide_kernels.h"
#include "geom/triangle.h"
#include "mesh/view.h"
#include "tree/kind.h"
#include "tree/wide_lazy.h"

#include <math.h>

const bw_plain_kernels *bw_plain_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX2)
        return &bw_plain_avx2;
    if (level == BW_SIMD_SSE)
        return &bw_plain_sse;
#endif
    (void)level;
    return &bw_plain_scalar;
}

bool bw_plain_begin(const bw_body *body, bool any, bw_plain *out)
{
    if (body->pose != NULL || body->tree->kind != &bw_kind_wide)
        return false;
    const bw_wide *tree = &body->tree->wide;
    if (tree->node_count == 0 || tree->lazy != NULL || tree->corners == NULL)
        return false;
    out->tree = tree;
    out->mesh = body->mesh;
    out->any = any;
    out->exact = body->mesh->scalar == BW_F32;
    out->near = false;
    out->nodes_visited = out->box_tests = out->primitive_tests = 0;
    return true;
}

void bw_plain_approach(const bw_plain *c, bw_plain_ray *r)
{
    double inverse[3], low[3], high[3];
    for (int k = 0; k < 3; k++) {
        inverse[k] = 1.0 / r->direction[k];
        low[k] = (double)c->tree->bounds.min[k];
        high[k] = (double)c->tree->bounds.max[k];
    }
    const double entry = bw_ray_entry(r->origin, inverse, low, high);
    if (!(entry < 0x1p60)) /* along an axis along which it hardly moves: the boxes will tell */
        return;
    r->start = entry;
    for (int k = 0; k < 3; k++)
        r->origin[k] += entry * r->direction[k];
}

/* The corners of a slot, from the leaf, where they are those of the mesh: see plain_crossing. */
static bool leaf_corners(const bw_wide_corners *leaf, uint32_t slot, bw_vec3 out[3])
{
    bool same = true;
    for (int i = 0; i < 3; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            const double c = (double)leaf->coordinate[i][k][slot], o = (double)leaf->origin[k];
            at[k] = o + c;
            same &= fabs(c) <= fabs(o) && fabs(c) <= (1.0 - 0x1p-20) * fabs(at[k]);
        }
        out[i] = (bw_vec3){at[0], at[1], at[2]};
    }
    return same;
}

void bw_plain_meet(const bw_plain *c, const bw_plain_ray *r, uint32_t leaf, uint32_t slot, bool crossed,
                   bw_ray_hit *out)
{
    bw_vec3 corners[3];
    out->primitive = c->tree->primitives[(size_t)leaf * BW_WIDTH + slot];
    out->kind = BW_CONTACT_CROSSING;
    if (!c->exact || !leaf_corners(&c->tree->corners[leaf], slot, corners))
        bw_view_corners(c->mesh, out->primitive, corners);
    if (crossed) {
        if (!bw_ray_crossing_quick(r->from, r->direction, corners, &out->t))
            out->t = bw_ray_crossing(r->from, r->through, corners); /* of the right sign */
        if (out->t < 0.0)
            out->kind = BW_CONTACT_NONE;
    }
    if (!crossed || out->t == 0.0) /* from within the triangle's plane */
        out->kind = bw_ray_triangle(r->from, r->through, corners, &out->t);
}
