/* Codes along a Hilbert curve. */
#include "tree/build/hilbert.h"

#include <math.h>
#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

enum { LANES = 8, INDEX_BITS = 30 };

/* Eight cells at once: plain vectors, which compilers turn into whatever the function's target has. */
typedef uint32_t lanes __attribute__((vector_size(32)));
typedef int32_t int_lanes __attribute__((vector_size(32)));
typedef float float_lanes __attribute__((vector_size(32)));
typedef struct cells {
    lanes x[3];
} cells;

/* Skilling's transformation of axes into the transposed Hilbert index. At each level, where a bit is set the
 * lower bits of x are inverted, else those of x and of this axis are exchanged. */
static inline __attribute__((always_inline)) void transpose_index(cells *c, unsigned bits)
{
    for (unsigned level = bits - 1; level != 0; level--) {
        const uint32_t lower = (1u << level) - 1;
        for (int axis = 0; axis < 3; axis++) {
            lanes set = -(c->x[axis] >> level & 1); /* all ones or zero */
            lanes exchange = (c->x[0] ^ c->x[axis]) & ~set & lower;
            c->x[0] ^= exchange | (set & lower);
            c->x[axis] ^= exchange;
        }
    }
    /* The Gray code: y ^= x, z ^= y, and where a bit of z is set, all lower bits are inverted. */
    c->x[1] ^= c->x[0];
    c->x[2] ^= c->x[1];
    lanes flips = c->x[2] >> 1;
    for (unsigned shift = 1; shift < bits; shift *= 2)
        flips ^= flips >> shift;
    for (int axis = 0; axis < 3; axis++)
        c->x[axis] ^= flips;
}

/* Two zero bits before each of ten bits. */
static inline __attribute__((always_inline)) void spread(lanes *x)
{
    *x = (*x | *x << 16) & 0x030000ffu;
    *x = (*x | *x << 8) & 0x0300f00fu;
    *x = (*x | *x << 4) & 0x030c30c3u;
    *x = (*x | *x << 2) & 0x09249249u;
}

/* c->x[0] becomes the place on the curve. */
static inline __attribute__((always_inline)) void place(cells *c, unsigned bits)
{
    transpose_index(c, bits);
    for (int axis = 0; axis < 3; axis++)
        spread(&c->x[axis]);
    c->x[0] = c->x[0] << 2 | c->x[1] << 1 | c->x[2];
}

void bw_hilbert_code_eight(const uint32_t given[3][8], unsigned bits, uint32_t out[8])
{
    cells c;
    for (int axis = 0; axis < 3; axis++)
        memcpy(&c.x[axis], given[axis], sizeof c.x[axis]);
    place(&c, bits);
    memcpy(out, &c.x[0], sizeof c.x[0]);
}

bool bw_hilbert_make_grid(const bw_centre_bounds *bounds, unsigned bits, bw_hilbert_grid *out)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++) {
        out->low[axis] = bounds->low[axis];
        extent = fmax(extent, (double)bounds->high[axis] - (double)bounds->low[axis]);
    }
    out->bits = bits;
    /* Extents below this need a scale beyond the floats: to be told apart they would have to be denormal. */
    if (!(extent > 0x1p-110))
        return false;
    /* The margin is wider than the three roundings on the way to a cell's number. */
    out->scale = (float)((double)(1u << bits) / extent * (1 - 0x1p-20));
    return true;
}

static inline __attribute__((always_inline)) void
code_batch_any(const bw_hilbert_grid *g, const bw_centres *centres, uint32_t code[BW_SOURCE_BATCH])
{
    for (uint32_t first = 0; first < BW_SOURCE_BATCH; first += LANES) {
        cells c;
        for (int axis = 0; axis < 3; axis++) {
            float_lanes at;
            memcpy(&at, &centres->at[axis][first], sizeof at);
            at = (at - g->low[axis]) * g->scale; /* below 2^bits, see make_grid */
            c.x[axis] = (lanes) __builtin_convertvector(at, int_lanes);
        }
        place(&c, g->bits);
        memcpy(code + first, &c.x[0], sizeof c.x[0]);
    }
}

static void code_batch_plain(const bw_hilbert_grid *g, const bw_centres *centres,
                             uint32_t code[BW_SOURCE_BATCH])
{
    code_batch_any(g, centres, code);
}

#if BW_SIMD_X86
/* The same for sixteen cells at once: ten bits fit a half word until they are interleaved. A level's bit is
 * spread over its lane by moving it to the sign. */
__attribute__((target("avx2"), always_inline)) static inline void transpose_halves(__m256i x[3],
                                                                                   unsigned bits)
{
    for (unsigned level = bits - 1; level != 0; level--) {
        const __m256i lower = _mm256_set1_epi16((short)((1u << level) - 1));
        const __m128i to_sign = _mm_cvtsi32_si128((int)(15 - level));
        __m256i set = _mm256_srai_epi16(_mm256_sll_epi16(x[0], to_sign), 15);
        x[0] = _mm256_xor_si256(x[0], _mm256_and_si256(set, lower));
        for (int axis = 1; axis < 3; axis++) {
            set = _mm256_srai_epi16(_mm256_sll_epi16(x[axis], to_sign), 15);
            const __m256i differ = _mm256_and_si256(_mm256_xor_si256(x[0], x[axis]), lower);
            const __m256i exchange = _mm256_andnot_si256(set, differ);
            x[0] = _mm256_xor_si256(x[0], _mm256_or_si256(exchange, _mm256_and_si256(set, lower)));
            x[axis] = _mm256_xor_si256(x[axis], exchange);
        }
    }
    x[1] = _mm256_xor_si256(x[1], x[0]);
    x[2] = _mm256_xor_si256(x[2], x[1]);
    __m256i flips = _mm256_srli_epi16(x[2], 1);
    for (int shift = 1; shift < (int)bits; shift *= 2)
        flips = _mm256_xor_si256(flips, _mm256_srl_epi16(flips, _mm_cvtsi32_si128(shift)));
    for (int axis = 0; axis < 3; axis++)
        x[axis] = _mm256_xor_si256(x[axis], flips);
}

__attribute__((target("avx2"), always_inline)) static inline __m256i spread_avx2(__m256i x)
{
    x = _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi32(x, 16)), _mm256_set1_epi32(0x030000ff));
    x = _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi32(x, 8)), _mm256_set1_epi32(0x0300f00f));
    x = _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi32(x, 4)), _mm256_set1_epi32(0x030c30c3));
    return _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi32(x, 2)), _mm256_set1_epi32(0x09249249));
}

__attribute__((target("avx2"), always_inline)) static inline __m256i join_avx2(const __m256i x[3], bool upper)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i part[3];
    for (int axis = 0; axis < 3; axis++)
        part[axis] =
            spread_avx2(upper ? _mm256_unpackhi_epi16(x[axis], zero) : _mm256_unpacklo_epi16(x[axis], zero));
    return _mm256_or_si256(_mm256_or_si256(_mm256_slli_epi32(part[0], 2), _mm256_slli_epi32(part[1], 1)),
                           part[2]);
}

__attribute__((target("avx2"))) static void
code_batch_avx2(const bw_hilbert_grid *g, const bw_centres *centres, uint32_t code[BW_SOURCE_BATCH])
{
    const __m256 scale = _mm256_set1_ps(g->scale);
    for (uint32_t first = 0; first < BW_SOURCE_BATCH; first += 2 * LANES) {
        __m256i x[3];
        for (int axis = 0; axis < 3; axis++) {
            const __m256 low = _mm256_set1_ps(g->low[axis]);
            const float *at = &centres->at[axis][first];
            __m256i a = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_sub_ps(_mm256_load_ps(at), low), scale));
            __m256i b =
                _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_sub_ps(_mm256_load_ps(at + LANES), low), scale));
            x[axis] = _mm256_packus_epi32(a, b); /* in an order that unpacking undoes */
        }
        transpose_halves(x, g->bits);
        _mm256_storeu_si256((__m256i *)(void *)(code + first), join_avx2(x, false));
        _mm256_storeu_si256((__m256i *)(void *)(code + first + LANES), join_avx2(x, true));
    }
}
#endif

void bw_hilbert_code_batch(const bw_hilbert_grid *g, const bw_centres *centres, const uint32_t *indices,
                           uint32_t count, bw_simd simd, uint64_t *out)
{
    uint32_t code[BW_SOURCE_BATCH];
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        code_batch_avx2(g, centres, code);
    else
#endif
        code_batch_plain(g, centres, code);
    (void)simd;
    for (uint32_t i = 0; i < count; i++)
        out[i] = (uint64_t)code[i] << INDEX_BITS | indices[i];
}
