/* Whether motions and plans are sound. */
#ifndef BW_MOTION_VALIDATE_H
#define BW_MOTION_VALIDATE_H

#include <boxwood/motion.h>

/* The first number at fault of one plan over [begin, end], or BW_DEFECT_NONE; see bw_motion_validate. The
 * vertex is not said. */
bw_fault bw_plan_fault_of(const bw_plan *plan, double begin, double end);

/* bw_motion_validate, but of the vertices before the first only that they can be read. *where is written
 * where a number is at fault. */
bw_result bw_motion_validate_from(const bw_motion *motion, uint32_t first, bw_fault *where);

#endif
