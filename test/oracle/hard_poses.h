/* Poses that queries find hard: rigid, scaled and mirrored, sheared, flat, and flat but for the last bits. */
#ifndef BW_ORACLE_HARD_POSES_H
#define BW_ORACLE_HARD_POSES_H

#include "scenes/random.h"

#include <boxwood/math.h>

enum { BW_HARD_POSES = 5 };

/* kind: 0 rigid, 1 scaled unevenly and mirrored, 2 sheared, 3 flat (a plane, a line or a point), 4 nearly so.
 */
bw_transform bw_hard_pose(bws_random *random, int kind);

#endif
