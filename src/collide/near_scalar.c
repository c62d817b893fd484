/* The kernels of distance queries at the level SCALAR. */
#include "base/simd.h"

#define WIDE_LEVEL 1
#include "collide/near_boxes_template.h"
#include "collide/near_triangles_template.h"

const bw_near_kernels bw_near_kernels_scalar = {boxes,     pairs, leaf,      shadow,
                                                leaf_pair, along, triangles, point_boxes};
