/* What a ray does in a leaf, for one level of base/simd/f32x8.h: eight triangles seen along it, and deciding
 * those that it may meet. */
#ifndef BW_COLLIDE_RAY_LEAF_TEMPLATE_H
#define BW_COLLIDE_RAY_LEAF_TEMPLATE_H

#include "base/fault.h"
#include "base/simd/f32x8.h"
#include "collide/pair/kernels.h"
#include "collide/pair/leaf_cache.h"
#include "collide/ray/kernels.h"
#include "geom/exact/triangle.h"
#include "tree/tree.h"
#include "tree/wide/deferred.h"

#include <string.h>

#ifndef RAY_MASKS
#    define RAY_MASKS 0
#endif
#if WIDE_LEVEL == 3
#    if RAY_MASKS /* AVX-512VL compares into registers of bits; the lanes are the same */
#        define RAY_TARGET __attribute__((target("avx2,fma,bmi,bmi2,avx512f,avx512vl,avx512dq")))
#        define RAY_GREATER(a, b) ((uint32_t)_mm256_cmp_ps_mask(a, b, _CMP_GT_OQ))
#        define RAY_BITS(m) (m)
#        define RAY_AND(a, b) ((a) & (b))
#        define RAY_OR(a, b) ((a) | (b))
/* The lanes in which a is at most b; neither is a NaN. */
#        define RAY_WITHIN(a, b) ((uint32_t)_mm256_cmp_ps_mask(a, b, _CMP_LE_OQ))
#    else
#        define RAY_TARGET __attribute__((target("avx2,fma,bmi,bmi2")))
#        define RAY_WITHIN(a, b) ((uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)))
#    endif
#    define RAY_FN RAY_TARGET static inline __attribute__((always_inline))
/* a b - c and c - a b */
#    define RAY_MUL_SUB(a, b, c) _mm256_fmsub_ps(a, b, c)
#    define RAY_SUB_MUL(c, a, b) _mm256_fnmadd_ps(a, b, c)
#else
#    define RAY_TARGET
#    define RAY_FN LANES_FN
#    define RAY_MUL_SUB(a, b, c) v8_sub(v8_mul(a, b), c)
#    define RAY_SUB_MUL(c, a, b) v8_sub(c, v8_mul(a, b))
#    define RAY_WITHIN(a, b) (~m8_bits(v8_greater(a, b)) & 0xFFu)
#endif
#ifndef RAY_GREATER
#    define RAY_GREATER(a, b) v8_greater(a, b)
#    define RAY_BITS(m) m8_bits(m)
#    define RAY_AND(a, b) m8_and(a, b)
#    define RAY_OR(a, b) m8_or(a, b)
#endif

/* Loops over three corners or axes keep their registers only where they are unrolled, which takes -O3
 * otherwise. */
#if defined(__GNUC__) && !defined(__clang__)
#    define RAY_UNROLL _Pragma("GCC unroll 4")
#else
#    define RAY_UNROLL
#endif

/* What the boxes take of a bw_ray_ready, each number in all lanes. */
typedef struct ray_boxes {
    v8 inverse[3], near[3], far[3];
} ray_boxes;

RAY_FN void ray_boxes_set(const bw_ray_ready *r, ray_boxes *b)
{
    RAY_UNROLL
    for (int k = 0; k < 3; k++) {
        b->inverse[k] = v8_all(r->inverse[k]);
        b->near[k] = v8_all(r->near[k]);
        b->far[k] = v8_all(r->far[k]);
    }
}

#if WIDE_LEVEL == 3
#    include "collide/ray/set_avx2.h"
#else
#    include "collide/ray/set_128.h"
#endif

/* The corners of a leaf of the wide tree as a layout for rays has them, to within two roundings. */
RAY_FN float ray_gather(const bw_ray_target *t, uint32_t leaf, bw_ray_leaf *out)
{
    const bw_wide *tree = t->side.tree;
    const uint32_t *primitives = tree->primitives + (size_t)leaf * BW_WIDTH;
    bw_wide_corners gathered;
    const bw_wide_corners *corners = &gathered;
    bw_wide_need_leaf(tree, leaf);
    if (tree->corners != NULL)
        corners = &tree->corners[leaf];
    else
        bw_wide_leaf_gather(tree, t->side.mesh, leaf, &gathered);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v8_store(out->corner[i][k],
                     v8_add(v8_load(corners->coordinate[i][k]), v8_all(corners->origin[k])));
    memcpy(out->primitive, primitives, sizeof out->primitive);
    return 2.0f * corners->magnitude * (1.0f + 0x1p-20f);
}

/* Of these the slots whose corners are those of the mesh, to the last bit. A difference of two floats of
 * which neither is smaller than it has no more than 24 bits, and then their sum is what it was. */
RAY_FN uint32_t ray_kept(const bw_ray_target *t, uint32_t leaf)
{
    const bw_wide *tree = t->side.tree;
    if (tree->corners == NULL || t->side.mesh->scalar != BW_F32 || t->side.map != NULL)
        return 0;
    const bw_wide_corners *corners = &tree->corners[leaf];
    const v8 zero = v8_all(0.0f), less = v8_all(1.0f - 0x1p-19f);
    m8 lost = v8_greater(zero, zero);
    for (int k = 0; k < 3; k++) {
        const v8 origin = v8_all(corners->origin[k]), size = v8_max(origin, v8_sub(zero, origin));
        for (int i = 0; i < 3; i++) {
            const v8 at = v8_load(corners->coordinate[i][k]), sum = v8_add(at, origin);
            const v8 size_at = v8_max(at, v8_sub(zero, at)), size_sum = v8_max(sum, v8_sub(zero, sum));
            lost = m8_or(lost, m8_or(v8_greater(size_at, size), v8_greater(size_at, v8_mul(less, size_sum))));
        }
    }
    return ~m8_bits(lost) & 0xFFu;
}

RAY_FN const bw_ray_leaf *ray_leaf(const bw_ray_target *t, const char *base, uint64_t ref, bool prepared,
                                   bw_ray_leaf *room, float *longest)
{
    if (!prepared) {
        *longest = ray_gather(t, (uint32_t)ref & ~BW_WIDE_LEAF, room);
        return room;
    }
    const uint32_t bits = ((uint32_t)ref & 0xFFFCu) << BW_RAY_LENGTH_SHIFT;
    memcpy(longest, &bits, sizeof bits);
    return (const bw_ray_leaf *)(const void *)(base + bw_ray_offset(ref));
}

/* The slots of a leaf that the ray may meet, unused ones (which repeat the first) among them; sets those that
 * its line certainly crosses. */
RAY_FN uint32_t ray_meet_leaf(const bw_ray_ready *r, const bw_ray_leaf *leaf, float longest,
                              uint32_t *crossed)
{
    /* By a table: a branch for the axis of a ray cannot be foreseen. */
    static const uint32_t across[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    const uint32_t z_axis = r->axis, x_axis = across[z_axis][0], y_axis = across[z_axis][1];
    const v8 slope_x = v8_all(r->slope[0]), slope_y = v8_all(r->slope[1]), offset_x = v8_all(r->offset[0]),
             offset_y = v8_all(r->offset[1]);
    v8 x[3], y[3];
    RAY_UNROLL
    for (int i = 0; i < 3; i++) {
        const v8 z = v8_load(leaf->corner[i][z_axis]);
        x[i] = v8_sub(RAY_SUB_MUL(v8_load(leaf->corner[i][x_axis]), slope_x, z), offset_x);
        y[i] = v8_sub(RAY_SUB_MUL(v8_load(leaf->corner[i][y_axis]), slope_y, z), offset_y);
    }
    const v8 p = RAY_MUL_SUB(x[0], y[1], v8_mul(y[0], x[1]));
    const v8 q = RAY_MUL_SUB(x[1], y[2], v8_mul(y[1], x[2]));
    const v8 s = RAY_MUL_SUB(x[2], y[0], v8_mul(y[2], x[0]));
    const v8 least = v8_min(v8_min(p, q), s), most = v8_max(v8_max(p, q), s);
    const float wide = longest + longest + r->around;
    const float bound = wide * (wide * BW_RAY_PRODUCTS + r->line) + r->square;
    const v8 above = v8_all(bound), below = v8_all(-bound);
    *crossed = RAY_BITS(RAY_OR(RAY_GREATER(least, above), RAY_GREATER(below, most)));
    return ~RAY_BITS(RAY_AND(RAY_GREATER(below, least), RAY_GREATER(most, above))) & 0xFFu;
}

#if WIDE_LEVEL == 3
/* A corner of a slot: x, y, z and nothing of use. */
RAY_FN __m256d ray_corner(const bw_ray_leaf *leaf, int i, uint32_t slot)
{
    const float *at = &leaf->corner[i][0][slot];
    const __m128 xy = _mm_unpacklo_ps(_mm_load_ss(at), _mm_load_ss(at + BW_WIDTH));
    return _mm256_cvtps_pd(_mm_movelh_ps(xy, _mm_load_ss(at + 2 * BW_WIDTH)));
}

/* (x + y) + z of each. */
RAY_FN __m128d ray_sums(__m256d a, __m256d b)
{
    const __m256d low = _mm256_unpacklo_pd(a, b), high = _mm256_unpackhi_pd(a, b);
    return _mm_add_pd(_mm_add_pd(_mm256_castpd256_pd128(low), _mm256_castpd256_pd128(high)),
                      _mm256_extractf128_pd(low, 1));
}

/* bw_ray_crossing_quick: the same bits. */
RAY_FN bool ray_crossing(const ray_line *line, const bw_ray_leaf *leaf, uint32_t slot, double *out_t)
{
    const __m256d sign = _mm256_set1_pd(-0.0), o = _mm256_load_pd(line->from),
                  d = _mm256_load_pd(line->along);
    const __m256d a = ray_corner(leaf, 0, slot), b = ray_corner(leaf, 1, slot), c = ray_corner(leaf, 2, slot);
    const __m256d u = _mm256_sub_pd(b, a), w = _mm256_sub_pd(c, a), to = _mm256_sub_pd(a, o);
    const __m256d p = _mm256_mul_pd(_mm256_permute4x64_pd(u, 0xC9), _mm256_permute4x64_pd(w, 0xD2)),
                  q = _mm256_mul_pd(_mm256_permute4x64_pd(u, 0xD2), _mm256_permute4x64_pd(w, 0xC9));
    const __m256d normal = _mm256_sub_pd(p, q),
                  permanent = _mm256_add_pd(_mm256_andnot_pd(sign, p), _mm256_andnot_pd(sign, q));
    const __m128d value = ray_sums(_mm256_mul_pd(to, normal), _mm256_mul_pd(d, normal)),
                  size = ray_sums(_mm256_mul_pd(_mm256_andnot_pd(sign, to), permanent),
                                  _mm256_mul_pd(_mm256_andnot_pd(sign, d), permanent));
    const __m128d t = _mm_div_sd(value, _mm_unpackhi_pd(value, value));
    const __m128d large = _mm_cmpge_pd(size, _mm_set1_pd(BW_PERMANENT_MIN));
    const __m128d sure =
        _mm_cmplt_pd(_mm_mul_pd(_mm_set1_pd(BW_ORIENT3D_ERROR), size),
                     _mm_mul_pd(_mm_set1_pd(BW_ACCURATE), _mm_andnot_pd(_mm_set1_pd(-0.0), value)));
    *out_t = _mm_cvtsd_f64(t);
    return _mm_movemask_pd(_mm_and_pd(large, sure)) == 3 && fabs(*out_t - 1.0) >= 0x1p-40;
}

/* bw_two_difference of each lane. */
RAY_FN __m256d ray_two_difference(__m256d a, __m256d b, __m256d *error)
{
    const __m256d sum = _mm256_sub_pd(a, b), b_part = _mm256_sub_pd(sum, a),
                  a_part = _mm256_sub_pd(sum, b_part);
    *error = _mm256_sub_pd(_mm256_sub_pd(a, a_part), _mm256_add_pd(b, b_part));
    return sum;
}

/* bw_two_sum of each lane. */
RAY_FN __m128d ray_two_sum(__m128d a, __m128d b, __m128d *error)
{
    const __m128d sum = _mm_add_pd(a, b), b_part = _mm_sub_pd(sum, a), a_part = _mm_sub_pd(sum, b_part);
    *error = _mm_add_pd(_mm_sub_pd(a, a_part), _mm_sub_pd(b, b_part));
    return sum;
}

/* a . n as pairs of doubles, lane by lane: the products, and what they lack. */
RAY_FN __m256d ray_pairs(__m256d a, __m256d a_low, __m256d n, __m256d n_low, __m256d *low)
{
    const __m256d high = _mm256_mul_pd(a, n);
    *low = _mm256_add_pd(_mm256_fmsub_pd(a, n, high),
                         _mm256_add_pd(_mm256_mul_pd(a, n_low), _mm256_mul_pd(a_low, n)));
    return high;
}

/* parameter_by_pairs of geom/exact/triangle_ray.c, for a crossing that bw_ray_crossing_quick does not decide: the
 * same bits, since a fused operation has the very error of a product that Dekker's has (floats, and rays in the
 * exact range, leave nothing that underflows). False where it is too coarse, or so near 1 that the quick one might
 * have decided it. */
RAY_FN bool ray_crossing_pairs(const ray_line *line, const bw_ray_leaf *leaf, uint32_t slot, double *out_t)
{
    const __m256d sign = _mm256_set1_pd(-0.0), o = _mm256_load_pd(line->from);
    const __m256d a = ray_corner(leaf, 0, slot), b = ray_corner(leaf, 1, slot), c = ray_corner(leaf, 2, slot);
    __m256d u_low, w_low, to_low, d_low, n_low, above_low, below_low;
    const __m256d u = ray_two_difference(b, a, &u_low), w = ray_two_difference(c, a, &w_low),
                  to = ray_two_difference(a, o, &to_low),
                  d = ray_two_difference(_mm256_load_pd(line->through), o, &d_low);
#    define RAY_NEXT(v) _mm256_permute4x64_pd(v, 0xC9) /* y, z, x */
#    define RAY_LAST(v) _mm256_permute4x64_pd(v, 0xD2) /* z, x, y */
    const __m256d u1 = RAY_NEXT(u), u2 = RAY_LAST(u), w1 = RAY_NEXT(w), w2 = RAY_LAST(w);
    const __m256d p = _mm256_mul_pd(u1, w2), q = _mm256_mul_pd(u2, w1);
    const __m256d lost = _mm256_sub_pd(_mm256_fmsub_pd(u1, w2, p), _mm256_fmsub_pd(u2, w1, q));
    const __m256d n = ray_two_difference(p, q, &n_low);
    n_low = _mm256_add_pd(
        _mm256_add_pd(n_low, lost),
        _mm256_sub_pd(_mm256_add_pd(_mm256_mul_pd(u1, RAY_LAST(w_low)), _mm256_mul_pd(RAY_NEXT(u_low), w2)),
                      _mm256_add_pd(_mm256_mul_pd(u2, RAY_NEXT(w_low)), _mm256_mul_pd(RAY_LAST(u_low), w1))));
#    undef RAY_NEXT
#    undef RAY_LAST
    const __m256d permanent = _mm256_add_pd(_mm256_andnot_pd(sign, p), _mm256_andnot_pd(sign, q));
    const __m128d size = ray_sums(_mm256_mul_pd(_mm256_andnot_pd(sign, to), permanent),
                                  _mm256_mul_pd(_mm256_andnot_pd(sign, d), permanent));
    /* Both sums at once. */
    const __m256d above = ray_pairs(to, to_low, n, n_low, &above_low),
                  below = ray_pairs(d, d_low, n, n_low, &below_low);
    const __m256d xz = _mm256_unpacklo_pd(above, below);
    __m128d e, f,
        sum = ray_two_sum(_mm256_castpd256_pd128(xz),
                          _mm256_castpd256_pd128(_mm256_unpackhi_pd(above, below)), &e);
    sum = ray_two_sum(sum, _mm256_extractf128_pd(xz, 1), &f);
    const __m128d value = _mm_add_pd(sum, _mm_add_pd(_mm_add_pd(e, f), ray_sums(above_low, below_low)));
    const __m128d large = _mm_cmpge_pd(size, _mm_set1_pd(BW_PERMANENT_MIN));
    const __m128d sure =
        _mm_cmplt_pd(_mm_mul_pd(_mm_set1_pd(0x1p-97), size),
                     _mm_mul_pd(_mm_set1_pd(0.5 * BW_ACCURATE), _mm_andnot_pd(_mm_set1_pd(-0.0), value)));
    *out_t = _mm_cvtsd_f64(_mm_div_sd(value, _mm_unpackhi_pd(value, value)));
    return _mm_movemask_pd(_mm_and_pd(large, sure)) == 3 && fabs(*out_t - 1.0) >= 0x1p-39;
}
#else
RAY_FN bool ray_crossing(const ray_line *line, const bw_ray_leaf *leaf, uint32_t slot, double *out_t)
{
    (void)line, (void)leaf, (void)slot;
    *out_t = 0;
    return false; /* bw_ray_decide looks for it */
}

RAY_FN bool ray_crossing_pairs(const ray_line *line, const bw_ray_leaf *leaf, uint32_t slot, double *out_t)
{
    return ray_crossing(line, leaf, slot, out_t);
}
#endif

/* What the slow test needs of a state, and what becomes of it. */
typedef struct ray_decision {
    bw_ray_state state;
    bool go_on;
} ray_decision;

RAY_TARGET static __attribute__((noinline)) void ray_decide_slot(ray_decision *d, const ray_line *line,
                                                                 const bw_ray_leaf *leaf, uint32_t slot,
                                                                 int mode, bool crossed, bool kept)
{
    bw_vec3 corners[3];
    const bw_vec3 *known = NULL;
    bw_ray_hit hit = {.primitive = leaf->primitive[slot], .kind = BW_CONTACT_CROSSING};
    if (kept && crossed && mode != BW_RAY_EACH && ray_crossing_pairs(line, leaf, slot, &hit.t)) {
        const bool nearer = hit.t >= 0.0 && bw_ray_before(&hit, &d->state.best);
        if (nearer)
            d->state.best = hit;
        d->go_on = !nearer || mode == BW_RAY_NEAR;
        return;
    }
    if (kept) {
        for (int i = 0; i < 3; i++)
            corners[i] = (bw_vec3){(double)leaf->corner[i][0][slot], (double)leaf->corner[i][1][slot],
                                   (double)leaf->corner[i][2][slot]};
        known = corners;
    }
    d->state.through = &d->state.second;
    d->go_on = bw_ray_decide(&d->state, mode, leaf->primitive[slot], crossed, known);
}

/* Takes up the slots of a leaf, of which those of `kept` have the corners of the mesh; false where the
 * traversal ends. Where a call was needed `boxes` is read from the ray again (NULL: there is none), so that
 * registers need not be saved for those who need none. */
RAY_FN bool ray_decide(bw_ray_state *s, const ray_line *line, const bw_ray_leaf *leaf, uint32_t maybe,
                       uint32_t crossed, uint32_t kept, int mode, const bw_ray_ready *r, ray_boxes *boxes)
{
    do {
        const uint32_t slot = bw_wide_lowest(maybe), is_crossed = crossed >> slot & 1,
                       is_kept = kept >> slot & 1;
        bw_ray_hit hit = {.primitive = leaf->primitive[slot], .kind = BW_CONTACT_CROSSING};
        if (mode != BW_RAY_EACH && (is_kept & is_crossed) != 0 && ray_crossing(line, leaf, slot, &hit.t) &&
            hit.primitive != BW_NONE) {
            if (hit.t < 0.0 || !bw_ray_before(&hit, &s->best))
                continue;
            s->best.primitive = hit.primitive;
            s->best.kind = BW_CONTACT_CROSSING;
            s->best.t = hit.t;
            if (mode == BW_RAY_SOME)
                return false;
        } else {
            if (hit.primitive == BW_NONE) /* unused slots come last */
                break;
            ray_decision d; /* a copy, so that the state itself may stay in registers */
            d.state.target = s->target;
            d.state.origin = s->origin;
            d.state.second = ray_line_through(line);
            d.state.best = s->best;
            d.state.visit = s->visit;
            d.state.user = s->user;
            d.state.result = s->result;
            ray_decide_slot(&d, line, leaf, slot, mode, is_crossed != 0, is_kept != 0);
            s->best = d.state.best;
            s->result = d.state.result;
            if (!d.go_on)
                return false;
            if (boxes != NULL)
                ray_boxes_set(r, boxes);
        }
    } while ((maybe &= maybe - 1) != 0);
    return true;
}

#endif
