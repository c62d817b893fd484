/* Linear trajectories in registers of AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define BW_D4_AVX2
#    define KERNELS bw_track_kernels_avx2
#    include "kinetic/linear_tracks_template.h"
#endif
