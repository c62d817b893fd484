/* The kernels of distance queries at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "collide/distance/boxes_template.h"
#    include "collide/distance/triangles_template.h"

const bw_distance_kernels bw_distance_kernels_avx2 = {boxes,     pairs, leaf,      shadow,
                                                      leaf_pair, along, triangles, point_boxes};
#endif
