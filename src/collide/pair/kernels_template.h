/* The kernels of wide queries at one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL and KERNELS,
 * the name of their table. */
#include "collide/clearance/clearance_template.h"
#include "collide/pair/boxes_template.h"
#include "collide/pair/error_bounds_template.h"
#include "collide/pair/triangles_template.h"
#include "collide/self/fans_template.h"
#include "collide/separation/within_template.h"

#include "collide/pair/leaf_obbs_template.h"
#include "collide/pair/leaf_slab_template.h"

const bw_wide_kernels KERNELS = {box_bounds, triangle_bounds, box_pair,   map,          best_pair, clearance,
                                 obb_map,    obb_pairs,       slab_boxes, prepare_leaf, leaf_pair, leaf_pairs,
                                 own_pair,   own_pairs,       own_leaf,   fan_words,    append,    triangles,
                                 within,     neighbours,      shift};
