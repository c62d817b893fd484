/* Pairs of round shapes, registers of two doubles, the choice of the level, and what others use of it. */
#define ROUND_KERNELS bw_round_kernels_128
#include "shape/round_template.h"

bw_vec3 bw_round_face(const bw_convex *a, const bw_convex *b, double *depth)
{
    return face(a, b, depth);
}

void bw_round_straighten(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    const bw_vec3 p = bw_vec3_sub(a->at, b->at);
    const double(*m)[4] = b->pose->m;
    const double h[3] = {b->half.x, b->half.y, b->half.z};
    out->d = (bw_vec3){0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const bw_vec3 axis = {m[0][i], m[1][i], m[2][i]};
        const double x = bw_vec3_dot(p, axis);
        out->d = bw_vec3_along(out->d, axis, clamp(x, -h[i], h[i]) - x);
    }
    out->distance2 = bw_vec3_dot(out->d, out->d);
}

bool bw_round_nearest(const bw_convex *a, const bw_convex *b, bw_round *out)
{
    return nearest(a, b, out);
}

/* Shapes so small that products might underflow are left to others. */
static bool is_tiny(const bw_convex *a, const bw_convex *b)
{
    return !(a->size + b->size > 0x1p-150);
}

bool bw_round_overlap(const bw_convex *a, const bw_convex *b, bw_contact_kind *kind)
{
    return !is_tiny(a, b) && overlap(a, b, kind);
}

bool bw_round_distance(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_nearest *out)
{
    return !is_tiny(a, b) && distance(a, b, exchanged, out);
}

bool bw_round_contact(const bw_convex *a, const bw_convex *b, bool exchanged, double separation,
                      bw_shape_contact *out)
{
    return !is_tiny(a, b) && contact(a, b, exchanged, separation, out);
}

const bw_round_kernels *bw_round_kernels_for(bw_simd level)
{
#if BW_SIMD_X86
    return level >= BW_SIMD_AVX2 ? &bw_round_kernels_avx2 : &bw_round_kernels_128;
#else
    (void)level;
    return &bw_round_kernels_128;
#endif
}
