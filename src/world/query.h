/* What queries of a world share. */
#ifndef BW_WORLD_QUERY_H
#define BW_WORLD_QUERY_H

#include "base/stack.h"
#include "world/world.h"

/* The bodies whose rooms meet a box, by id, into a stack of bw_id. */
bw_result bw_world_in_box(const bw_world *world, const bw_box *box, bw_stack *ids);
/* A box within the coordinates that a scene takes. */
bw_box bw_box_clipped(bw_box box);

#endif
