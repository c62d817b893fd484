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
    out->reach = out->far = 0.0f;
    for (int k = 0; k < 3; k++) {
        const float low = tree->bounds.min[k], high = tree->bounds.max[k];
        const float size = -low > high ? -low : high, extent = high - low;
        out->reach = size > out->reach ? size : out->reach;
        out->far = extent > out->far ? extent : out->far;
    }
    out->far *= 8.0f;
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

float bw_plain_limit(const bw_plain_ray *r, double t)
{
    const double above = ((t - r->start) + 0x1p-40 * (t + r->start)) * (1.0 + 0x1p-20) + 0x1p-100;
    return above < 0x1p100 ? (float)above : INFINITY;
}

/* The corners of a slot, from the leaf, where they are those of the mesh. A leaf has c = x - o, rounded.
 * Where |c| is at most |o| and |x|, both of these are multiples of the ulp of the smaller, and less than 2^24
 * of it is |c|: no bit of the difference was lost, and o + c is x. (The computed sum is off by less than
 * 2^-24 |c|.)
 */
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

bool bw_plain_decide(const bw_plain *c, bw_plain_ray *r, uint32_t maybe, uint32_t crossed)
{
    const uint32_t leaf = r->ref & ~BW_WIDE_LEAF;
    const uint32_t *primitives = c->tree->primitives + (size_t)leaf * BW_WIDTH;
    for (; maybe != 0; maybe &= maybe - 1) {
        const uint32_t slot = bw_wide_lowest(maybe);
        if (primitives[slot] == BW_NONE) /* unused slots come last */
            break;
        bw_ray_hit hit = {.primitive = primitives[slot], .kind = BW_CONTACT_CROSSING};
        bw_vec3 corners[3];
        if (!c->exact || !leaf_corners(&c->tree->corners[leaf], slot, corners))
            bw_view_corners(c->mesh, hit.primitive, corners);
        if ((crossed >> slot & 1) == 0 || !bw_ray_crossing_quick(r->from, r->direction, corners, &hit.t))
            hit.kind = bw_ray_triangle(r->from, r->through, corners, &hit.t);
        else if (hit.t < 0.0)
            continue;
        if (hit.kind == BW_CONTACT_NONE || hit.t > r->hit.t ||
            (hit.t == r->hit.t && hit.primitive > r->hit.primitive))
            continue;
        r->hit = hit;
        if (c->any)
            return false;
        r->limit = bw_plain_limit(r, hit.t);
    }
    return true;
}
