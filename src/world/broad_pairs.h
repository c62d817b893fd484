/* Broad pairs: the pairs of bodies whose boxes in the scene meet, kept from step to step. */
#ifndef BW_WORLD_BROAD_PAIRS_H
#define BW_WORLD_BROAD_PAIRS_H

#include "world/world.h"

/* Brings the list up to date with the scene. */
bw_result bw_broad_pairs_update(bw_world *world);
/* Fills world->active with the broad pairs that filters let through and whose boxes meet: those of the members, or
 * boxes[place] where given. */
bw_result bw_broad_pairs_select(bw_world *world, const bw_box *boxes,
                                bool (*may_meet)(void *user, bw_id a, bw_id b), void *user);
void bw_broad_pairs_release(bw_world *world);

#endif
