/* Which vector instructions to use. Every kernel has a scalar twin with the same bits, so the level changes
 * the speed only; tests ask for each by name. */
#ifndef BW_BASE_SIMD_LEVEL_H
#define BW_BASE_SIMD_LEVEL_H

#include <boxwood/base.h>

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#    define BW_SIMD_X86 1
#else
#    define BW_SIMD_X86 0
#endif

/* Asks for the cache line at p, which may be any address. */
#if defined(__GNUC__)
#    define BW_PREFETCH(p) __builtin_prefetch(p)
#else
#    define BW_PREFETCH(p) ((void)(p))
#endif

typedef enum bw_simd {
    BW_SIMD_AUTO = 0, /* the best that the processor has */
    BW_SIMD_SCALAR = 1,
    BW_SIMD_128 = 2, /* SSE2, which every 64-bit x86 has */
    BW_SIMD_AVX2 = 3 /* and FMA, which all processors with AVX2 but a few have */
} bw_simd;

/* The level to use where `wanted` is asked for: never AUTO, and never above what the processor has. */
bw_simd bw_simd_level(bw_simd wanted);

#endif
