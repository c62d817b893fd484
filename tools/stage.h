/* Two built-in meshes that move and deform against each other, every answer timed and a sample of it
 * verified. */
#ifndef TOOL_STAGE_H
#define TOOL_STAGE_H

#include "fault.h"

#include "scenes/scenes.h"

#include <boxwood/collide.h>

typedef struct stage {
    bws_mesh meshes[2];
    bw_mesh views[2];
    bw_tree *trees[2];
    double build_seconds[2];
    bw_hit *hits; /* of the last frame */
    size_t hit_capacity;
    bws_random random; /* draws the samples */
} stage;

typedef struct frame {
    bw_collide_report report;
    double refit_seconds; /* of both trees; 0: none was needed */
    double query_seconds; /* the median of five */
    uint64_t sampled;     /* pairs of triangles tested without trees or boxes, to compare */
    uint64_t wrong;       /* of those, answered otherwise by the query */
} frame;

/* Takes the meshes over and builds their trees; on failure they are given back. */
bool stage_start(stage *stage, bws_mesh *a, bws_mesh *b, fault *why);
void stage_end(stage *stage);
/* Fits both trees to the meshes' new positions. */
bool stage_refit(stage *stage, frame *frame, fault *why);
/* All contacts, b placed by the pose (NULL: as it is); then the sample. */
bool stage_query(stage *stage, const bw_transform *pose, frame *frame, fault *why);
/* The contacts alone, into stage->hits: neither timed nor verified. */
bool stage_contacts(stage *stage, const bw_transform *pose, uint64_t *hit_count, fault *why);

#endif
