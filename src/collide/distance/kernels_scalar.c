/* The kernels of distance queries at the level SCALAR. */
#include "base/simd/level.h"

#define WIDE_LEVEL 1
#include "collide/distance/boxes_template.h"
#include "collide/distance/triangles_template.h"

const bw_distance_kernels bw_distance_kernels_scalar = {boxes,     pairs, leaf,      shadow,
                                                        leaf_pair, along, triangles, point_boxes};
