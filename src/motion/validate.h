#ifndef BW_MOTION_VALIDATE_H
#define BW_MOTION_VALIDATE_H

#include <boxwood/motion.h>

/* The first number at fault of one plan over [begin, end], or BW_DEFECT_NONE; see bw_motion_validate. */
typedef struct bw_plan_fault {
    bw_defect defect;
    uint32_t degree, axis; /* degree: BW_NONE for the origin and for sums */
    double value;
} bw_plan_fault;

bw_plan_fault bw_plan_fault_of(const bw_plan *plan, double begin, double end);

#endif
