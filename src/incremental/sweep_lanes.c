/* The kernels of the sweep, eight pairs at a time, in vector extensions of the compiler. */
#include "incremental/sweep.h"

/* Generic vectors of the compiler: one register with AVX2, two or four without. */
typedef float floats __attribute__((vector_size(32), aligned(4)));
typedef int32_t words __attribute__((vector_size(32)));

/* Times are quotients of floats: a few parts in 2^24 off. */
#define EARLY 0x1p-20f

#if BW_SIMD_X86
#    include <immintrin.h>
#    define LANES_NAME bw_sweep_lanes_avx2
#    define LANES_TARGET __attribute__((target("avx2")))
#    define LANES_BITS(words) ((uint32_t)_mm256_movemask_ps((__m256)(words)))
#    include "incremental/sweep_lanes_template.h"
#endif

static uint32_t sign_bits(const words *w)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < BW_WIDTH; lane++)
        bits |= ((*w)[lane] < 0 ? 1u : 0u) << lane;
    return bits;
}

#define LANES_NAME bw_sweep_lanes
#define LANES_TARGET
#define LANES_BITS(words) sign_bits(&(words))
#include "incremental/sweep_lanes_template.h"
