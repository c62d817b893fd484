/* The inner loops of a step (swept.h), for one level of wide_lanes.h. The includer defines WIDE_LEVEL and
 * KERNELS, the name of the table. */
#include "swept/swept.h"

#include "collide/lane_lists.h"
#include "collide/wide_kernels.h"
#include "collide/wide_lanes.h"
#include "geom/box.h"

#include "swept/pairs_template.h"

#include "swept/bounds_template.h"

#include "swept/far_template.h"

const bw_swept_kernels KERNELS = {meet, meet_rows, leaves_meet, again, inside, not_far, bound, refit};
