/* Bodies that come, go and move: their boxes, and the boxes of the scene. */
#ifndef BW_WORLD_BODIES_H
#define BW_WORLD_BODIES_H

#include "world/world.h"

/* The box of a member under a pose (NULL: identity), and half the separation around it. Places its shape, if it is one. */
bw_result bw_member_measure(const bw_world *world, const bw_member *member, const bw_transform *pose,
                            bw_convex *placed, bw_box *out, bw_fault *fault);
/* The box grown by a distance, rounded outward. */
bw_box bw_box_grown(const bw_box *box, double by);
/* Gives members new boxes in the scene, at least `boxes`. */
bw_result bw_world_place(bw_world *world, const bw_id *ids, const bw_box *boxes, uint32_t count);

#endif
