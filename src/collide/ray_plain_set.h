/* Setting up a plain ray, with AVX2 where there is any and without. Both give the same bits: each line is
 * one IEEE operation a coordinate. Included by ray_plain_template.h only. */
#ifndef BW_COLLIDE_RAY_PLAIN_SET_H
#define BW_COLLIDE_RAY_PLAIN_SET_H

#include "collide/ray_plain.h"
#include "collide/wide_lanes.h"
#include "tree/wide_load.h"

#include <math.h>

/* Ordinary sizes: no product of the walk overflows, and none that matters underflows. */
#define PLAIN_STEP_MIN 0x1p-20f
#define PLAIN_STEP_MAX 0x1p20f
#define PLAIN_REACH_MIN 0x1p-40f
#define PLAIN_REACH_MAX 0x1p30f
/* The largest |1 / d|: along an axis along which a ray moves less, it stays within the margin of a box. */
#define PLAIN_INVERSE_MAX 0x1p80f
/* The margin of the origin: two roundings to float, and what is known in double only. */
#define PLAIN_MARGIN 0x1p-22f
#define PLAIN_MARGIN_REACH 0x1p-45f

/* Both ends of a ray's way through a box are within a relative 2^-22 of what they should be. */
#define PLAIN_MORE (1.0f + 0x1p-20f)

/* What the two ways below compute. */
typedef struct plain_sizes {
    bool fits;   /* no coordinate of the ray is too large or too small: neither zero nor in the exact range */
    float step;  /* the largest |coordinate| of the direction */
    float reach; /* no |coordinate| of the origin and of the tree's bounds is larger */
    float away;  /* how far outside these bounds the origin is, along some axis */
    float extent;  /* the largest of the bounds */
    uint32_t axis; /* of the largest step */
} plain_sizes;

#if WIDE_LEVEL == 3
/* x, y, z, 0: three loads, since what was just stored in pieces cannot be loaded whole for a while. */
LANES_FN __m256d plain_load(const bw_vec3 *v)
{
    const __m128d xy = _mm_loadh_pd(_mm_load_sd(&v->x), &v->y);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(xy), _mm_load_sd(&v->z), 1);
}

/* Of the first three lanes. */
LANES_FN float plain_largest(__m128 a)
{
    const __m128 xy = _mm_max_ss(a, _mm_movehdup_ps(a));
    return _mm_cvtss_f32(_mm_max_ss(xy, _mm_movehl_ps(a, a)));
}

/* Lanes with a bit set are too small. */
LANES_FN __m256d plain_small(__m256d a)
{
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
    return _mm256_and_pd(_mm256_cmp_pd(size, _mm256_set1_pd(BW_EXACT_MIN), _CMP_LT_OQ),
                         _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_NEQ_UQ));
}

LANES_FN plain_sizes plain_measure(const bw_plain *c, const bw_vec3 *from, const bw_vec3 *through,
                                   bw_plain_ray *r)
{
    const __m256d origin = plain_load(from), to = plain_load(through), along = _mm256_sub_pd(to, origin);
    _mm256_storeu_pd(r->given, origin);
    _mm256_storeu_pd(r->origin, origin);
    _mm256_storeu_pd(r->direction, along);
    const __m128 sign = _mm_set1_ps(-0.0f), o = _mm256_cvtpd_ps(origin),
                 d = _mm_andnot_ps(sign, _mm256_cvtpd_ps(along)),
                 low = bw_load3_sse((const char *)c->tree->bounds.min),
                 high = bw_load3_sse((const char *)c->tree->bounds.max);
    const __m128 size =
        _mm_add_ps(_mm_andnot_ps(sign, o), _mm_max_ps(_mm_andnot_ps(sign, low), _mm_andnot_ps(sign, high)));
    const __m128 fit = _mm_and_ps(_mm_cmple_ps(d, _mm_set1_ps(PLAIN_STEP_MAX)),
                                  _mm_cmple_ps(size, _mm_set1_ps(PLAIN_REACH_MAX)));
    const __m256d small = _mm256_or_pd(plain_small(origin), plain_small(to));
    const float step = plain_largest(d);
    const uint32_t equal = (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(d, _mm_set1_ps(step)));
    return (plain_sizes){.fits = _mm_movemask_ps(fit) == 15 && _mm256_movemask_pd(small) == 0,
                         .step = step,
                         .reach = plain_largest(size),
                         .away = plain_largest(_mm_max_ps(_mm_sub_ps(low, o), _mm_sub_ps(o, high))),
                         .extent = plain_largest(_mm_sub_ps(high, low)),
                         .axis = (uint32_t)__builtin_ctz(equal | 4)};
}

LANES_FN void plain_set_boxes(bw_plain_ray *r, float reach)
{
    const __m128 o = _mm256_cvtpd_ps(_mm256_loadu_pd(r->origin)),
                 d = _mm256_cvtpd_ps(_mm256_loadu_pd(r->direction)), sign = _mm_set1_ps(-0.0f);
    __m128 inverse = _mm_div_ps(_mm_set1_ps(-1.0f), d);
    inverse =
        _mm_max_ps(_mm_min_ps(inverse, _mm_set1_ps(PLAIN_INVERSE_MAX)), _mm_set1_ps(-PLAIN_INVERSE_MAX));
    const __m128 margin = _mm_add_ps(_mm_mul_ps(_mm_andnot_ps(sign, o), _mm_set1_ps(PLAIN_MARGIN)),
                                     _mm_set1_ps(reach * PLAIN_MARGIN_REACH));
    /* Forward (a negative inverse) the ray meets the lower plane first. */
    const __m128 backward = _mm_andnot_ps(inverse, sign), away = _mm_xor_ps(margin, backward);
    const __m128i lower = _mm_setr_epi32(0, BW_WIDTH, 2 * BW_WIDTH, 0),
                  upper = _mm_add_epi32(lower, _mm_set1_epi32(3 * BW_WIDTH));
    _mm_storeu_ps(r->near, _mm_add_ps(o, away));
    _mm_storeu_ps(r->far, _mm_sub_ps(o, away));
    _mm_storeu_ps(r->inverse, inverse);
    _mm_storeu_ps(r->more, _mm_mul_ps(inverse, _mm_set1_ps(PLAIN_MORE)));
    _mm_storeu_ps((float *)(void *)r->first,
                  _mm_blendv_ps(_mm_castsi128_ps(lower), _mm_castsi128_ps(upper), backward));
    _mm_storeu_ps((float *)(void *)r->last,
                  _mm_blendv_ps(_mm_castsi128_ps(upper), _mm_castsi128_ps(lower), backward));
}
#else
LANES_FN float plain_larger(float a, float b)
{
    return a > b ? a : b;
}

LANES_FN plain_sizes plain_measure(const bw_plain *c, const bw_vec3 *from, const bw_vec3 *through,
                                   bw_plain_ray *r)
{
    const double given[2][3] = {{from->x, from->y, from->z}, {through->x, through->y, through->z}};
    plain_sizes size = {true, 0.0f, 0.0f, -(float)INFINITY, 0.0f, 0};
    for (int k = 0; k < 3; k++) {
        r->given[k] = r->origin[k] = given[0][k];
        r->direction[k] = given[1][k] - given[0][k];
        const float o = (float)r->origin[k], step = fabsf((float)r->direction[k]);
        const float low = c->tree->bounds.min[k], high = c->tree->bounds.max[k];
        const float reach = fabsf(o) + plain_larger(fabsf(low), fabsf(high));
        size.fits &= step <= PLAIN_STEP_MAX && reach <= PLAIN_REACH_MAX;
        for (int i = 0; i < 2; i++)
            size.fits &= !(fabs(given[i][k]) < BW_EXACT_MIN && given[i][k] != 0.0);
        size.axis = step > size.step ? (uint32_t)k : size.axis;
        size.step = plain_larger(step, size.step);
        size.reach = plain_larger(reach, size.reach);
        size.away = plain_larger(plain_larger(low - o, o - high), size.away);
        size.extent = plain_larger(high - low, size.extent);
    }
    return size;
}

LANES_FN void plain_set_boxes(bw_plain_ray *r, float reach)
{
    for (int k = 0; k < 3; k++) {
        const float o = (float)r->origin[k], d = (float)r->direction[k];
        float inverse = -1.0f / d;
        const float margin = fabsf(o) * PLAIN_MARGIN + reach * PLAIN_MARGIN_REACH;
        inverse = inverse < PLAIN_INVERSE_MAX ? inverse : PLAIN_INVERSE_MAX;
        inverse = inverse > -PLAIN_INVERSE_MAX ? inverse : -PLAIN_INVERSE_MAX;
        /* Forward (a negative inverse) the ray meets the lower plane first. */
        const uint32_t axis = (uint32_t)k * BW_WIDTH, upper = inverse > 0.0f ? 3 * BW_WIDTH : 0;
        const float away = inverse > 0.0f ? -margin : margin;
        r->near[k] = o + away;
        r->far[k] = o - away;
        r->inverse[k] = inverse;
        r->more[k] = inverse * PLAIN_MORE;
        r->first[k] = axis + upper;
        r->last[k] = axis + 3 * BW_WIDTH - upper;
    }
}
#endif

/* False where the ray is not plain. (The directions of rays are as good as random: no branch depends on
 * them.) */
LANES_FN bool plain_set(const bw_plain *c, const bw_vec3 *from, const bw_vec3 *through, double limit,
                        bw_plain_ray *r)
{
    static const uint32_t other[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    r->from = from;
    r->through = through;
    const plain_sizes size = plain_measure(c, from, through, r);
    float reach = size.reach;
    if (!(size.fits && size.step >= PLAIN_STEP_MIN && reach >= PLAIN_REACH_MIN))
        return false;
    r->start = 0.0;
    if (size.away > 8.0f * size.extent) {
        bw_plain_approach(c, r);
        reach += (float)(r->start * (double)size.step);
    }
    plain_set_boxes(r, reach);
    const uint32_t axis = size.axis, x = other[axis][0], y = other[axis][1];
    const double inverse = 1.0 / r->direction[axis];
    r->side[0] = x;
    r->side[1] = y;
    r->axis = axis;
    r->last_entry = 3;
    r->slope[0] = r->direction[x] * inverse;
    r->slope[1] = r->direction[y] * inverse;
    r->offset[0] = r->origin[x] - r->slope[0] * r->origin[axis];
    r->offset[1] = r->origin[y] - r->slope[1] * r->origin[axis];
    r->slope_float[0] = (float)r->slope[0];
    r->slope_float[1] = (float)r->slope[1];
    r->blur = reach * (0x1p-44f * 0x1p24f / 42.0f) + 0x1p-60f;
    r->hit = (bw_ray_hit){.primitive = BW_NONE, .kind = BW_CONTACT_NONE, .t = limit};
    r->limit = limit < (double)INFINITY ? bw_plain_limit(r, limit) : INFINITY;
    r->deep = false;
    r->ref = 0;
    r->top = 1;
    return true;
}

#endif
