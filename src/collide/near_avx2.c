/* The kernels of distance queries at the level AVX2. */
#include "base/simd.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "collide/near_boxes_template.h"
#    include "collide/near_triangles_template.h"

const bw_near_kernels bw_near_kernels_avx2 = {boxes,     pairs, leaf,      shadow,
                                              leaf_pair, along, triangles, point_boxes};
#endif
