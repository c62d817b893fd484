/* Which vector instructions to use. Every level gives the same bits, so it changes the speed only; tests ask
 * for each by name. */
#ifndef BW_BASE_SIMD_LEVEL_H
#define BW_BASE_SIMD_LEVEL_H

#include <boxwood/base.h>

/* SSE2 is what the compiler may use everywhere, AVX2 what a function must ask for. */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__SSE2__)
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
/* In a function that only prefetches: gcc takes it for one without effects otherwise, and drops its calls. */
#if defined(__GNUC__)
#    define BW_ONLY_PREFETCHES __asm__ volatile("")
#else
#    define BW_ONLY_PREFETCHES ((void)0)
#endif

typedef enum bw_simd {
    BW_SIMD_AUTO = 0, /* the best that the processor has */
    /* SSE2, NEON or WebAssembly SIMD, of which the compiler knows that it is there, and one lane after the
     * other where there is none of them (base/simd/f32x4.h). */
    BW_SIMD_128 = 2,
    BW_SIMD_AVX2 = 3, /* and FMA, BMI and BMI2, which all processors with AVX2 but a few have */
    /* And comparisons of AVX-512VL, whose results are bits at once. The registers are those of AVX2: rays gain
     * by it, all else takes the kernels of AVX2. */
    BW_SIMD_AVX512 = 4
} bw_simd;

/* Of name_128 and name_avx2 that of a level. */
#if BW_SIMD_X86
#    define BW_SIMD_PICK(level, name) ((level) >= BW_SIMD_AVX2 ? name##_avx2 : name##_128)
#else
#    define BW_SIMD_PICK(level, name) ((void)(level), name##_128)
#endif

/* The level to use where `wanted` is asked for: never AUTO, and never above what the processor has. */
bw_simd bw_simd_level(bw_simd wanted);

#endif
