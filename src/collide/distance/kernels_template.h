/* The kernels of distance queries at one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL and
 * KERNELS, the name of their table. */
#include "collide/distance/boxes_template.h"
#include "collide/distance/nearest_template.h"
#include "collide/distance/triangles_template.h"

const bw_distance_kernels KERNELS = {boxes, pairs,     leaf,      shadow,     beyond, leaf_pair,
                                     along, triangles, near_hull, near_parts, descend};
