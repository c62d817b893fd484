/* The inner loops of a step (swept.h), for one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL
 * and KERNELS, the name of the table. */
#include "swept/swept.h"

#include "base/simd/f32x8.h"
#include "base/simd/lane_lists.h"
#include "collide/pair/kernels.h"
#include "geom/box.h"

#include "swept/pairs_template.h"

#include "swept/bounds_template.h"

#include "swept/far_template.h"

const bw_swept_kernels KERNELS = {nodes_meet, leaves_meet, again, inside, not_far, bound, refit};
