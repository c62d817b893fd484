/* The relative pose of two bodies, prepared once per query: the map itself and what can go wrong with it. */
#ifndef BW_COLLIDE_RELATIVE_POSE_H
#define BW_COLLIDE_RELATIVE_POSE_H

#include "mesh/view.h"

#include <boxwood/collide.h>

typedef struct bw_relative_pose {
    bool identity; /* no map at all: coordinates of b are used as they are */
    bool check;    /* a mapped coordinate may fall below the exact range: test each one that is used */
    bw_transform map;
    const struct bw_separation *separation; /* collide/separation/separation.h; NULL: contacts only */
} bw_relative_pose;

/* Whether a map can take a sound coordinate of the mesh below the exact range, to something nonzero. */
bool bw_map_may_underflow(const bw_transform *map, const bw_mesh *mesh);

/* inverse(a->pose) * b->pose, with bounds for the coordinates it can give. */
bw_result bw_relative_pose_between(const bw_body *a, const bw_body *b, bw_relative_pose *out);

/* The corners of b's primitive in a's frame: the coordinates that the answer is exact for. False when one
 * leaves the exact range. */
static inline bool bw_relative_pose_corners(const bw_relative_pose *pose, const bw_mesh *mesh,
                                            uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_view_corners(mesh, primitive, out);
    if (pose->identity)
        return true;
    for (int i = 0; i < 3; i++)
        out[i] = bw_transform_point(&pose->map, out[i]);
    return !pose->check || bw_exact_range(out, 3);
}

#endif
