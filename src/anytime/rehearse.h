#ifndef BW_ANYTIME_REHEARSE_H
#define BW_ANYTIME_REHEARSE_H

#include "anytime/choose.h"

typedef struct bw_rehearsal {
    bw_tally tally;
    uint32_t measured;          /* exact queries */
    uint64_t nodes, primitives; /* that those took up */
} bw_rehearsal;

/* About how long an exact query takes, in nanoseconds. */
double bw_cost_exact(const bw_rehearsal *rehearsal);

/* How a body does with itself at so many poses, or fewer where queries take very long. BW_ERROR_EMPTY where
 * there are no such poses. The grid is the model's. */
bw_result bw_rehearse(const bw_adb *adb, const bw_mesh *mesh, bw_adb_poses kind, const bw_adb_model *model,
                      const bw_trial_grid *grid, uint32_t poses, bw_scene *scene, bw_rehearsal *out);

/* The choices of a new body, whose statistics stand: exact where it cannot be tried. Fails with
 * BW_ERROR_MEMORY only. */
bw_result bw_rehearse_all(bw_adb *adb, const bw_mesh *mesh, uint32_t poses);

#endif
