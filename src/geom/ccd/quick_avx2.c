/* The stages of geom/ccd/quick.h, a register of four doubles a point. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    include "geom/ccd/quick_template.h"

__attribute__((target("avx2"))) bw_ccd_quick_answer bw_ccd_quick_avx2(bool edges, const bw_vec3 start[4],
                                                                      const bw_vec3 end[4], double tolerance,
                                                                      bw_ccd_bracket *out)
{
    return edges ? quick_decide(true, start, end, tolerance, out)
                 : quick_decide(false, start, end, tolerance, out);
}
#endif
