/* The contacts of one pair. */
#ifndef BW_WORLD_NARROW_H
#define BW_WORLD_NARROW_H

#include "base/cancel.h"
#include "world/world.h"

/* Adds the contacts of two members to a piece, in order. *meet: whether there are any; without `list` that is all.
 * BW_ERROR_STOPPED: by cancel, which may be NULL and is asked within pairs of meshes only. */
bw_result bw_narrow(const bw_world *world, bw_broad_pair *pair, bool list, bw_cancel *cancel, bw_piece *piece,
                    bool *meet, bw_fault *fault);

#endif
