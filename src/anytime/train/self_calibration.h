/* Bodies tried with each other. */
#ifndef BW_ANYTIME_TRAIN_SELF_CALIBRATION_H
#define BW_ANYTIME_TRAIN_SELF_CALIBRATION_H

#include "anytime/model/choose.h"

enum { BW_TRIES = 1024 }; /* unless told */

typedef struct bw_self_calibration {
    bw_tally tally;
    uint32_t measured;          /* exact queries */
    uint64_t nodes, primitives; /* that those took up */
} bw_self_calibration;

/* What two bodies, whose statistics are not empty, choose by how they did with each other at so many poses
 * (half as many near contact; fewer where queries take very long): exact where they cannot be tried. Their
 * poses are not looked at. Fails with BW_ERROR_MEMORY only. */
bw_result bw_self_calibrate(const bw_anytime_body *a, const bw_anytime_body *b, bw_anytime_poses kind,
                            uint32_t poses, const bw_allocator *allocator,
                            bw_choice choices[BW_ANYTIME_SETTINGS]);

#endif
