/* Where two primitives meet that bw_collide has named: points, normal and depth of the pair. */
#ifndef BW_CONTACT_GEOMETRY_H
#define BW_CONTACT_GEOMETRY_H

#include "collide/relative_pose.h"

#include <boxwood/contact.h>

/* The two bodies of a query. Contacts are decided in the frame of a, and told in the world's. */
typedef struct bw_contact_frame {
    const bw_body *a, *b;
    bw_relative_pose relative;
    bool flip_a, flip_b; /* the pose is a reflection: triangles run the other way around */
} bw_contact_frame;

bw_result bw_contact_frame_init(const bw_body *a, const bw_body *b, bw_contact_frame *out);

/* The point in the world of one in the frame of a. */
static inline bw_vec3 bw_contact_frame_world(const bw_contact_frame *frame, bw_vec3 point)
{
    return frame->a->pose == NULL ? point : bw_transform_point(frame->a->pose, point);
}

/* All but the region. out->normal also tells whether the bodies lie on the same side of a common plane
 * (flush). False where a mapped coordinate leaves the exact range. */
bool bw_contact_of_hit(const bw_contact_frame *frame, const bw_hit *hit, bw_contact *out, bool *flush);

#endif
