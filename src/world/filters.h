/* Which bodies are looked at together, as it stands from step to step. */
#ifndef BW_WORLD_FILTERS_H
#define BW_WORLD_FILTERS_H

#include "world/world.h"

/* Whether layers, masks, groups, fixed bodies or allowed pairs keep two members apart. */
bool bw_filters_part(const bw_world *world, const bw_member *a, const bw_member *b);
/* Forgets the allowed pairs of a body that is gone. */
void bw_filters_forget(bw_world *world, bw_id id);

/* Whether a question is about a member. */
bool bw_filter_passes(const bw_world_filter *filter, const bw_member *member);

#endif
