/* A mesh and its motion, followed: a kinetic tree, or, for one that stands still, an ordinary tree. */
#ifndef BW_TIMELINE_MOVING_BODY_H
#define BW_TIMELINE_MOVING_BODY_H

#include "kinetic/kinetic.h"

#include <boxwood/timeline.h>

typedef struct bw_moving_body {
    bw_kinetic *kinetic; /* NULL: it stands still */
    bw_tree *still;
    bw_mesh mesh; /* of the still one */
} bw_moving_body;

/* What can be said against a moving mesh. */
bw_result bw_moving_check(const bw_moving *moving);
/* On failure *out is untouched. */
bw_result bw_moving_body_create(const bw_kinetic_use *use, const bw_kinetic_desc *desc,
                                const bw_moving *moving, bw_moving_body *out);
void bw_moving_body_release(bw_moving_body *body);
size_t bw_moving_body_bytes(const bw_moving_body *body);
bw_result bw_moving_body_advance(bw_moving_body *body, double time);
/* For queries, at the present time; its mesh is not for reading. */
bw_result bw_moving_body_show(bw_moving_body *body, bw_body *out);

#endif
