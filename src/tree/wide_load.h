/* Reading a vertex of three floats into a register. */
#ifndef BW_TREE_WIDE_LOAD_H
#define BW_TREE_WIDE_LOAD_H

#include "base/simd.h"

#if BW_SIMD_X86
#    include <emmintrin.h>

/* x, y, z, 0, without reading beyond z. */
__attribute__((target("sse2"))) static inline __m128 bw_load3_sse(const char *at)
{
    /* Not _mm_load_sd: that wants an address aligned for a double. */
    __m128 xy = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)at));
    return _mm_movelh_ps(xy, _mm_load_ss((const float *)(const void *)(at + 8)));
}
#endif

#endif
