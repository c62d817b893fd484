/* The kernels of wide queries at the level AVX2. */
#include "base/simd/level.h"

#if BW_SIMD_X86
#    define WIDE_LEVEL 3
#    include "collide/pair/boxes_template.h"
#    include "collide/pair/triangles_template.h"
#    include "collide/self/fans_template.h"
#    include "collide/span/candidates_template.h"

#    include "collide/pair/leaf_obbs_template.h"
#    include "collide/pair/leaf_slab_template.h"

const bw_wide_kernels bw_wide_kernels_avx2 = {
    box_pair,  map,         best_pair,     obb_map,      obb_pairs,    slab_boxes, prepare_leaf,
    leaf_pair, own_pair,    own_leaf,      fan_words,    append,       triangles,  neighbours,
    shift,     ahead_boxes, ahead_prepare, ahead_leaves, ahead_append, ahead_trim, ahead_offer};
#endif
