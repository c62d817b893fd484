/* Unions of boxes in registers, for the builders: (low, negative high), so that a union is a minimum. Plain
 * SSE2 where there is any (every 64-bit x86), else arrays; the bits are the same. */
#ifndef BW_TREE_BUILD_AABB_H
#define BW_TREE_BUILD_AABB_H

#include "tree/build/sah/partition.h"

#if BW_SIMD_X86 && defined(__SSE2__)

#    include <emmintrin.h>

typedef struct bw_aabb {
    __m128 low, negative_high; /* the fourth lanes mean nothing */
} bw_aabb;

static inline bw_aabb bw_aabb_empty(void)
{
    return (bw_aabb){_mm_set1_ps(BW_WIDE_EMPTY), _mm_set1_ps(BW_WIDE_EMPTY)};
}

/* Eight floats, aligned to 16 bytes. */
static inline bw_aabb bw_aabb_load(const float *from)
{
    return (bw_aabb){_mm_load_ps(from), _mm_load_ps(from + 4)};
}

/* One kind of zero on each side, so that unions have one result. */
static inline bw_aabb bw_aabb_of_box(const bw_box *box)
{
    const __m128 zero = _mm_setzero_ps();
    __m128 low = _mm_loadu_ps(box->min), rest = _mm_loadu_ps(box->min + 2); /* x y z X, z X Y Z */
    __m128 high = _mm_add_ps(_mm_shuffle_ps(rest, rest, _MM_SHUFFLE(0, 3, 2, 1)), zero);
    return (bw_aabb){_mm_add_ps(low, zero), _mm_xor_ps(high, _mm_set1_ps(-0.0f))};
}

static inline void bw_aabb_store(const bw_aabb *u, float *to)
{
    _mm_store_ps(to, u->low);
    _mm_store_ps(to + 4, u->negative_high);
}

static inline void bw_aabb_add(bw_aabb *u, const bw_aabb *other)
{
    u->low = _mm_min_ps(other->low, u->low);
    u->negative_high = _mm_min_ps(other->negative_high, u->negative_high);
}

/* Half the surface: x y + y z + z x, added in this order. */
static inline float bw_aabb_area(const bw_aabb *u, float inverse_unit)
{
    __m128 sides = _mm_mul_ps(_mm_sub_ps(_mm_setzero_ps(), _mm_add_ps(u->low, u->negative_high)),
                              _mm_set1_ps(inverse_unit));
    __m128 products = _mm_mul_ps(sides, _mm_shuffle_ps(sides, sides, _MM_SHUFFLE(3, 0, 2, 1)));
    __m128 sum = _mm_add_ss(products, _mm_shuffle_ps(products, products, 1));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehl_ps(products, products)));
}

#else

typedef struct bw_aabb {
    float low[4], negative_high[4];
} bw_aabb;

static inline bw_aabb bw_aabb_load(const float *from)
{
    return (bw_aabb){{from[0], from[1], from[2], 0}, {from[4], from[5], from[6], 0}};
}

static inline bw_aabb bw_aabb_empty(void)
{
    const float empty[8] = {BW_WIDE_EMPTY, BW_WIDE_EMPTY, BW_WIDE_EMPTY, 0,
                            BW_WIDE_EMPTY, BW_WIDE_EMPTY, BW_WIDE_EMPTY, 0};
    return bw_aabb_load(empty);
}

static inline bw_aabb bw_aabb_of_box(const bw_box *box)
{
    bw_aabb u;
    for (int i = 0; i < 3; i++) {
        u.low[i] = box->min[i] + 0.0f;
        u.negative_high[i] = -(box->max[i] + 0.0f);
    }
    return u;
}

static inline void bw_aabb_store(const bw_aabb *u, float *to)
{
    for (int i = 0; i < 3; i++) {
        to[i] = u->low[i];
        to[4 + i] = u->negative_high[i];
    }
}

static inline void bw_aabb_add(bw_aabb *u, const bw_aabb *other)
{
    for (int i = 0; i < 3; i++) {
        u->low[i] = other->low[i] < u->low[i] ? other->low[i] : u->low[i];
        u->negative_high[i] =
            other->negative_high[i] < u->negative_high[i] ? other->negative_high[i] : u->negative_high[i];
    }
}

static inline float bw_aabb_area(const bw_aabb *u, float inverse_unit)
{
    float x = (0 - (u->low[0] + u->negative_high[0])) * inverse_unit;
    float y = (0 - (u->low[1] + u->negative_high[1])) * inverse_unit;
    float z = (0 - (u->low[2] + u->negative_high[2])) * inverse_unit;
    return x * y + y * z + z * x;
}

#endif

static inline bw_box bw_aabb_box(const bw_aabb *u)
{
    _Alignas(16) float f[8];
    bw_aabb_store(u, f);
    return (bw_box){{f[0], f[1], f[2]}, {-f[4] + 0.0f, -f[5] + 0.0f, -f[6] + 0.0f}};
}

#endif
