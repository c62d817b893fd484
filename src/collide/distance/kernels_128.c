/* The kernels of distance queries at the level SSE. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 2
#    include "collide/distance/boxes_template.h"
#    include "collide/distance/triangles_template.h"

const bw_distance_kernels bw_distance_kernels_128 = {boxes,     pairs, leaf,      shadow,
                                                     leaf_pair, along, triangles, point_boxes};
#endif
