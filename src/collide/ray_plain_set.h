/* Setting up a plain ray, with SSE2 where there is any and without. Both give the same bits: each line is
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

/* What the two ways below compute. */
typedef struct plain_sizes {
    float step;    /* the largest |coordinate| of the direction */
    float origin;  /* of the origin */
    float away;    /* how far outside the tree's bounds it is, along some axis */
    uint32_t axis; /* of the largest step */
    bool small;    /* a coordinate is neither zero nor in the exact range */
} plain_sizes;

#if WIDE_LEVEL > 1
LANES_FN __m128 plain_float(__m128d xy, __m128d z)
{
    return _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z));
}

/* Of the first three lanes. */
LANES_FN float plain_largest(__m128 a)
{
    const __m128 xy = _mm_max_ss(a, _mm_shuffle_ps(a, a, 1));
    return _mm_cvtss_f32(_mm_max_ss(xy, _mm_movehl_ps(a, a)));
}

/* Lanes with a bit set are too small; a NaN is not. */
LANES_FN __m128d plain_small(__m128d a)
{
    const __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), a);
    return _mm_and_pd(_mm_cmplt_pd(size, _mm_set1_pd(BW_EXACT_MIN)), _mm_cmpneq_pd(a, _mm_setzero_pd()));
}

/* Sets origin and direction. They stay in registers on the way: what was just stored in pieces cannot be
 * loaded whole for a while. */
LANES_FN plain_sizes plain_measure(const bw_plain *c, const bw_vec3 *from, const bw_vec3 *through,
                                   bw_plain_ray *r)
{
    const __m128d from_xy = _mm_loadu_pd(&from->x), from_z = _mm_load_sd(&from->z);
    const __m128d to_xy = _mm_loadu_pd(&through->x), to_z = _mm_load_sd(&through->z);
    const __m128d along_xy = _mm_sub_pd(to_xy, from_xy), along_z = _mm_sub_sd(to_z, from_z);
    _mm_storeu_pd(r->origin, from_xy);
    _mm_store_sd(r->origin + 2, from_z);
    _mm_storeu_pd(r->direction, along_xy);
    _mm_store_sd(r->direction + 2, along_z);
    const __m128 sign = _mm_set1_ps(-0.0f), o = plain_float(from_xy, from_z),
                 d = _mm_andnot_ps(sign, plain_float(along_xy, along_z));
    const float step = plain_largest(d);
    const uint32_t equal = (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(d, _mm_set1_ps(step)));
    const __m128d small = _mm_or_pd(_mm_or_pd(plain_small(from_xy), plain_small(to_xy)),
                                    _mm_or_pd(plain_small(from_z), plain_small(to_z)));
    return (plain_sizes){
        .step = step,
        .origin = plain_largest(_mm_andnot_ps(sign, o)),
        .away = plain_largest(_mm_max_ps(_mm_sub_ps(bw_load3_sse((const char *)c->tree->bounds.min), o),
                                         _mm_sub_ps(o, bw_load3_sse((const char *)c->tree->bounds.max)))),
        .axis = (uint32_t)__builtin_ctz(equal | 4),
        .small = _mm_movemask_pd(small) != 0};
}

LANES_FN void plain_set_boxes(bw_plain_ray *r, const double origin[3], const double direction[3], float reach)
{
    const __m128 o = plain_float(_mm_loadu_pd(origin), _mm_load_sd(origin + 2)),
                 d = plain_float(_mm_loadu_pd(direction), _mm_load_sd(direction + 2)),
                 sign = _mm_set1_ps(-0.0f);
    const __m128 inverse = _mm_div_ps(_mm_set1_ps(-1.0f), d);
    const __m128 margin = _mm_add_ps(_mm_mul_ps(_mm_andnot_ps(sign, o), _mm_set1_ps(PLAIN_MARGIN)),
                                     _mm_set1_ps(reach * PLAIN_MARGIN_REACH));
    _mm_storeu_ps(r->low, _mm_add_ps(o, margin));
    _mm_storeu_ps(r->high, _mm_sub_ps(o, margin));
    _mm_storeu_ps(r->inverse, _mm_max_ps(_mm_min_ps(inverse, _mm_set1_ps(PLAIN_INVERSE_MAX)),
                                         _mm_set1_ps(-PLAIN_INVERSE_MAX)));
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
    float step[3], origin[3], away[3];
    bool small = false;
    for (int k = 0; k < 3; k++) {
        r->origin[k] = given[0][k];
        r->direction[k] = given[1][k] - given[0][k];
        const float o = (float)r->origin[k];
        step[k] = fabsf((float)r->direction[k]);
        origin[k] = fabsf(o);
        away[k] = plain_larger(c->tree->bounds.min[k] - o, o - c->tree->bounds.max[k]);
        for (int i = 0; i < 2; i++)
            small |= fabs(given[i][k]) < BW_EXACT_MIN && given[i][k] != 0.0;
    }
    const float most = plain_larger(plain_larger(step[0], step[1]), step[2]);
    return (plain_sizes){.step = most,
                         .origin = plain_larger(plain_larger(origin[0], origin[1]), origin[2]),
                         .away = plain_larger(plain_larger(away[0], away[1]), away[2]),
                         .axis = step[0] == most   ? 0
                                 : step[1] == most ? 1
                                                   : 2,
                         .small = small};
}

LANES_FN void plain_set_boxes(bw_plain_ray *r, const double origin[3], const double direction[3], float reach)
{
    for (int k = 0; k < 3; k++) {
        const float o = (float)origin[k], d = (float)direction[k];
        float inverse = -1.0f / d;
        const float margin = fabsf(o) * PLAIN_MARGIN + reach * PLAIN_MARGIN_REACH;
        inverse = inverse < PLAIN_INVERSE_MAX ? inverse : PLAIN_INVERSE_MAX;
        r->low[k] = o + margin;
        r->high[k] = o - margin;
        r->inverse[k] = inverse > -PLAIN_INVERSE_MAX ? inverse : -PLAIN_INVERSE_MAX;
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
    float reach = size.origin + c->reach;
    if (!(size.step >= PLAIN_STEP_MIN && size.step <= PLAIN_STEP_MAX && reach >= PLAIN_REACH_MIN &&
          reach <= PLAIN_REACH_MAX) ||
        size.small)
        return false;
    r->start = 0.0;
    if (size.away > c->far) {
        bw_plain_approach(c, r);
        reach += (float)(r->start * (double)size.step);
    }
    plain_set_boxes(r, r->origin, r->direction, reach);
    const uint32_t axis = size.axis, x = other[axis][0], y = other[axis][1];
    const double inverse = 1.0 / r->direction[axis];
    r->axis = axis;
    r->side[0] = x;
    r->side[1] = y;
    r->slope[0] = r->direction[x] * inverse;
    r->slope[1] = r->direction[y] * inverse;
    r->offset[0] = r->origin[x] - r->slope[0] * r->origin[axis];
    r->offset[1] = r->origin[y] - r->slope[1] * r->origin[axis];
    r->slope_float[0] = (float)r->slope[0];
    r->slope_float[1] = (float)r->slope[1];
    r->error = 0x1p-44f * reach;
    r->hit = (bw_ray_hit){.primitive = BW_NONE, .kind = BW_CONTACT_NONE, .t = limit};
    r->limit = limit < (double)INFINITY ? bw_plain_limit(r, limit) : INFINITY;
    r->deep = false;
    r->ref = 0;
    r->stack[0] = BW_PLAIN_DONE;
    r->top = 1;
    return true;
}

#endif
