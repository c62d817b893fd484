/* Linear trajectories of candidates side by side, compared in vectors. */
#include "kinetic/linear_tracks.h"

#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

/* ---- reading them ---- */

static inline double along(const bw_vec3 *v, uint32_t axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static bool load_plan(const bw_flight *flight, uint32_t v, uint32_t extent, uint32_t i, bw_linear_tracks *out)
{
    bool planned = bw_flight_planned(flight, v);
    const bw_plan *plan = planned ? &flight->plans[v] : &flight->motion.plans[v];
    const uint32_t axis = extent / 2;
    const double sign = extent % 2 == 0 ? -1 : 1;
    out->origin[i] = plan->origin;
    out->at[i] = sign * along(&plan->c[0], axis);
    out->slope[i] = sign * along(&plan->c[1], axis);
    return (planned && flight->planned[v] == BW_FLIGHT_STRAIGHT) ||
           (along(&plan->c[2], axis) == 0 && along(&plan->c[3], axis) == 0);
}

/* Of vertices without a plan of their own; a bit for each that has one, which is loaded all the same. */
static inline __attribute__((always_inline)) uint32_t load_stored(const bw_flight *flight, uint32_t extent,
                                                                  const uint32_t *vertices, uint32_t count,
                                                                  bool doubles, bw_linear_tracks *out)
{
    const bw_motion *m = &flight->motion;
    const size_t stride = bw_motion_stride(m),
                 offset = extent / 2 * (doubles ? sizeof(double) : sizeof(float));
    const char *positions = (const char *)m->positions + offset,
               *velocities = (const char *)m->velocities + offset;
    const double sign = extent % 2 == 0 ? -1 : 1;
    const uint8_t *planned = flight->planned;
    uint32_t plans = 0;
    for (uint32_t i = 0; i < count; i++) {
        const void *p = positions + vertices[i] * stride, *w = velocities + vertices[i] * stride;
        plans |= (uint32_t)(planned != NULL && planned[vertices[i]] != 0) << i;
        out->origin[i] = m->begin;
        out->at[i] = sign * (doubles ? *(const double *)p : (double)*(const float *)p);
        out->slope[i] = sign * (doubles ? *(const double *)w : (double)*(const float *)w);
    }
    return plans;
}

/* The same for any motion but keyframes. */
static inline uint32_t load_any(const bw_flight *flight, uint32_t extent, const uint32_t *vertices,
                                uint32_t count, bw_linear_tracks *out)
{
    if (flight->motion.kind != BW_MOTION_VELOCITY)
        return (1u << count) - 1;
    return flight->motion.scalar == BW_F64 ? load_stored(flight, extent, vertices, count, true, out)
                                           : load_stored(flight, extent, vertices, count, false, out);
}

bool bw_linear_tracks_load(const bw_flight *flight, uint32_t extent, const uint32_t *vertices, uint32_t count,
                           bw_linear_tracks *out)
{
    if (flight->motion.kind == BW_MOTION_KEYFRAMES)
        return false;
    out->count = count;
    out->padded = (count + 3) / 4 * 4;
    bool straight = true;
    for (uint32_t left = load_any(flight, extent, vertices, count, out); left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        straight = load_plan(flight, vertices[i], extent, i, out) && straight;
    }
    for (uint32_t i = count; i < out->padded; i++) {
        out->origin[i] = out->origin[0];
        out->at[i] = out->at[0];
        out->slope[i] = out->slope[0];
    }
    return straight;
}

static void repeat_first_two(bw_linear_tracks *c)
{
    c->count = c->padded = BW_BOX_COURSES;
    for (uint32_t i = 0; i < 2; i++) {
        c->origin[6 + i] = c->origin[i];
        c->at[6 + i] = c->at[i];
        c->slope[6 + i] = c->slope[i];
    }
}

static bool load_one(const bw_flight *flight, uint32_t v, uint32_t extent, bw_linear_tracks *out)
{
    const bw_motion *m = &flight->motion;
    if (m->kind != BW_MOTION_VELOCITY || bw_flight_planned(flight, v))
        return load_plan(flight, v, extent, extent, out);
    double sign = extent % 2 == 0 ? -1 : 1;
    out->origin[extent] = m->begin;
    out->at[extent] = sign * bw_motion_stored(m, m->positions, v, (int)(extent / 2));
    out->slope[extent] = sign * bw_motion_stored(m, m->velocities, v, (int)(extent / 2));
    return true;
}

bool bw_linear_tracks_load_box(const bw_flight *flight, const uint32_t vertices[6], bw_linear_tracks *out)
{
    if (flight->motion.kind == BW_MOTION_KEYFRAMES)
        return false;
    bool straight = true;
    for (uint32_t extent = 0; extent < 6; extent++)
        straight = load_one(flight, vertices[extent], extent, out) && straight;
    repeat_first_two(out);
    return straight;
}

bool bw_linear_tracks_load_vertex(const bw_flight *flight, uint32_t v, bw_linear_tracks *out)
{
    const uint32_t all[6] = {v, v, v, v, v, v};
    return bw_linear_tracks_load_box(flight, all, out);
}

/* ---- times ---- */

/* The neighbours of a finite number. */
static inline double above(double x)
{
    uint64_t bits;
    x += 0.0; /* no -0 */
    memcpy(&bits, &x, sizeof bits);
    bits += x < 0 ? UINT64_MAX : 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double below(double x)
{
    return -above(-x);
}

double bw_linear_track_failure(double now, double soonest, double end)
{
    if (soonest == INFINITY || !(now < end))
        return INFINITY;
    double t = now + soonest * (1 - 0x1p-50), after = above(now);
    if (t == INFINITY)
        return INFINITY;
    t = below(t);
    t = t > after ? t : after;
    return t <= end ? t : INFINITY;
}

/* ---- one after the other ---- */

/* How long the first is certainly not overtaken. */
static inline double lead(const bw_linear_track *first, const bw_linear_track *other)
{
    double closing =
        BW_GAP_ROUNDING * (fabs(first->slope) + fabs(other->slope)) - (first->slope - other->slope);
    double margin = (first->x - other->x) - bw_linear_track_doubt(first, other);
    if ((margin > 0 && !(closing > 0)) || bw_linear_track_same(first, other))
        return INFINITY; /* ahead, and not slower */
    return margin > 0 ? margin / closing : 0;
}

static uint32_t place_scalar(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_places *out)
{
    double most = -INFINITY;
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < c->padded; i++) {
        double way = (now - c->origin[i]) * c->slope[i];
        out->x[i] = c->at[i] + way;
        out->size[i] = fabs(c->at[i]) + fabs(way);
        double x = bw_motion_round(scalar, out->x[i]);
        farthest = x > most ? 1u << i : farthest | (uint32_t)(x == most) << i;
        most = x > most ? x : most;
    }
    return farthest;
}

static uint32_t open_scalar(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < c->padded; i++) {
        bw_linear_track other = bw_linear_tracks_one(c, at, i);
        bool above = first->x - other.x > 1.5 * bw_linear_track_doubt(first, &other);
        open |= (uint32_t)(!above && !bw_linear_track_same(first, &other)) << i;
    }
    return open;
}

static double closest_scalar(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first)
{
    double soonest = INFINITY;
    for (uint32_t i = 0; i < c->padded; i++) {
        bw_linear_track other = bw_linear_tracks_one(c, at, i);
        double t = lead(first, &other);
        soonest = t < soonest ? t : soonest;
    }
    return soonest;
}

static uint32_t meet_scalar(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                            bw_scalar scalar, double soonest[BW_BOX_COURSES])
{
    bw_places at[2];
    place_scalar(first, now, scalar, &at[0]);
    place_scalar(second, now, scalar, &at[1]);
    uint32_t farther = 0;
    for (uint32_t i = 0; i < BW_BOX_COURSES; i++) {
        bw_linear_track a = bw_linear_tracks_one(first, &at[0], i),
                        b = bw_linear_tracks_one(second, &at[1], i);
        soonest[i] = lead(&a, &b);
        farther |= (uint32_t)(bw_motion_round(scalar, b.x) > bw_motion_round(scalar, a.x)) << i;
    }
    return farther;
}

/* ---- four at a time ---- */

#if BW_SIMD_X86
#    define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256d size_of(__m256d x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

AVX2 static inline __m256d rounded(__m256d x, bw_scalar scalar)
{
    if (scalar == BW_F32)
        return _mm256_cvtps_pd(_mm256_cvtpd_ps(x));
    return _mm256_andnot_pd(_mm256_cmp_pd(size_of(x), _mm256_set1_pd(BW_EXACT_MIN), _CMP_LT_OQ), x);
}

/* Four courses at a time. */
typedef struct four {
    __m256d origin, at, slope, x, size;
} four;

AVX2 static inline four four_at(const bw_linear_tracks *c, uint32_t i, __m256d now)
{
    four f = {.origin = _mm256_loadu_pd(c->origin + i),
              .at = _mm256_loadu_pd(c->at + i),
              .slope = _mm256_loadu_pd(c->slope + i)};
    __m256d way = _mm256_mul_pd(_mm256_sub_pd(now, f.origin), f.slope);
    f.x = _mm256_add_pd(f.at, way);
    f.size = _mm256_add_pd(size_of(f.at), size_of(way));
    return f;
}

AVX2 static inline four four_placed(const bw_linear_tracks *c, const bw_places *at, uint32_t i)
{
    return (four){_mm256_loadu_pd(c->origin + i), _mm256_loadu_pd(c->at + i), _mm256_loadu_pd(c->slope + i),
                  _mm256_loadu_pd(at->x + i), _mm256_loadu_pd(at->size + i)};
}

AVX2 static inline four four_of(const bw_linear_track *c)
{
    return (four){_mm256_set1_pd(c->origin), _mm256_set1_pd(c->at), _mm256_set1_pd(c->slope),
                  _mm256_set1_pd(c->x), _mm256_set1_pd(c->size)};
}

AVX2 static inline __m256d same_four(const four *a, const four *b)
{
    __m256d origin = _mm256_cmp_pd(a->origin, b->origin, _CMP_EQ_OQ);
    __m256d at = _mm256_cmp_pd(a->at, b->at, _CMP_EQ_OQ);
    return _mm256_and_pd(_mm256_and_pd(origin, at), _mm256_cmp_pd(a->slope, b->slope, _CMP_EQ_OQ));
}

AVX2 static inline __m256d doubt_four(const four *a, const four *b)
{
    __m256d sizes = _mm256_add_pd(a->size, b->size);
    return _mm256_add_pd(_mm256_mul_pd(_mm256_set1_pd(BW_GAP_ROUNDING), sizes), _mm256_set1_pd(BW_GAP_TINY));
}

AVX2 static inline __m256d lead_four(const four *first, const four *other)
{
    const __m256d none = _mm256_setzero_pd();
    __m256d slopes = _mm256_add_pd(size_of(first->slope), size_of(other->slope));
    __m256d closing = _mm256_sub_pd(_mm256_mul_pd(_mm256_set1_pd(BW_GAP_ROUNDING), slopes),
                                    _mm256_sub_pd(first->slope, other->slope));
    __m256d margin = _mm256_sub_pd(_mm256_sub_pd(first->x, other->x), doubt_four(first, other));
    __m256d ahead = _mm256_cmp_pd(margin, none, _CMP_GT_OQ);
    __m256d t = _mm256_and_pd(ahead, _mm256_div_pd(margin, closing));
    __m256d faster = _mm256_andnot_pd(_mm256_cmp_pd(closing, none, _CMP_GT_OQ), ahead);
    return _mm256_blendv_pd(t, _mm256_set1_pd(INFINITY), _mm256_or_pd(faster, same_four(first, other)));
}

AVX2 static uint32_t place_avx2(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_places *out)
{
    double place[BW_COURSES];
    __m256d most = _mm256_set1_pd(-INFINITY);
    for (uint32_t i = 0; i < c->padded; i += 4) {
        four f = four_at(c, i, _mm256_set1_pd(now));
        _mm256_storeu_pd(out->x + i, f.x);
        _mm256_storeu_pd(out->size + i, f.size);
        __m256d x = rounded(f.x, scalar);
        _mm256_storeu_pd(place + i, x);
        most = _mm256_max_pd(most, x);
    }
    most = _mm256_max_pd(most, _mm256_permute2f128_pd(most, most, 1));
    most = _mm256_max_pd(most, _mm256_permute_pd(most, 5));
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < c->padded; i += 4) {
        __m256d equal = _mm256_cmp_pd(_mm256_loadu_pd(place + i), most, _CMP_EQ_OQ);
        farthest |= (uint32_t)_mm256_movemask_pd(equal) << i;
    }
    return farthest;
}

AVX2 static uint32_t open_avx2(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first)
{
    uint32_t open = 0;
    four mine = four_of(first);
    for (uint32_t i = 0; i < c->padded; i += 4) {
        four other = four_placed(c, at, i);
        __m256d enough = _mm256_mul_pd(_mm256_set1_pd(1.5), doubt_four(&mine, &other));
        __m256d above_it = _mm256_cmp_pd(_mm256_sub_pd(mine.x, other.x), enough, _CMP_GT_OQ);
        int settled = _mm256_movemask_pd(_mm256_or_pd(above_it, same_four(&mine, &other)));
        open |= (uint32_t)(~settled & 15) << i;
    }
    return open;
}

AVX2 static double closest_avx2(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first)
{
    four mine = four_of(first);
    __m256d soonest = _mm256_set1_pd(INFINITY);
    for (uint32_t i = 0; i < c->padded; i += 4) {
        four other = four_placed(c, at, i);
        soonest = _mm256_min_pd(soonest, lead_four(&mine, &other));
    }
    soonest = _mm256_min_pd(soonest, _mm256_permute2f128_pd(soonest, soonest, 1));
    soonest = _mm256_min_pd(soonest, _mm256_permute_pd(soonest, 5));
    return _mm256_cvtsd_f64(soonest);
}

AVX2 static uint32_t meet_avx2(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                               bw_scalar scalar, double soonest[BW_BOX_COURSES])
{
    uint32_t farther = 0;
    for (uint32_t i = 0; i < BW_BOX_COURSES; i += 4) {
        four a = four_at(first, i, _mm256_set1_pd(now)), b = four_at(second, i, _mm256_set1_pd(now));
        _mm256_storeu_pd(soonest + i, lead_four(&a, &b));
        __m256d out = _mm256_cmp_pd(rounded(b.x, scalar), rounded(a.x, scalar), _CMP_GT_OQ);
        farther |= (uint32_t)_mm256_movemask_pd(out) << i;
    }
    return farther;
}
#endif

uint32_t bw_linear_tracks_place(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_simd simd,
                                bw_places *out)
{
    uint32_t used = (1u << c->count) - 1;
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return place_avx2(c, now, scalar, out) & used;
#endif
    (void)simd;
    return place_scalar(c, now, scalar, out) & used;
}

uint32_t bw_linear_tracks_open(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first,
                               bw_simd simd)
{
    uint32_t used = (1u << c->count) - 1;
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return open_avx2(c, at, first) & used;
#endif
    (void)simd;
    return open_scalar(c, at, first) & used;
}

double bw_linear_tracks_closest(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first,
                                bw_simd simd)
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return closest_avx2(c, at, first);
#endif
    (void)simd;
    return closest_scalar(c, at, first);
}

uint32_t bw_linear_tracks_meet(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                               bw_scalar scalar, bw_simd simd, double soonest[BW_BOX_COURSES])
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return meet_avx2(first, second, now, scalar, soonest);
#endif
    (void)simd;
    return meet_scalar(first, second, now, scalar, soonest);
}
