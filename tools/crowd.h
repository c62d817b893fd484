/* The objects of boxwood scene: the parts of files, or a made crowd. */
#ifndef TOOL_CROWD_H
#define TOOL_CROWD_H

#include "assembly.h"

#include <boxwood/cull.h>

typedef struct crowd {
    char name[64]; /* of the distribution; "files" */
    bw_box *boxes;
    uint32_t count;
    double query_size; /* of a small query */
    double unit;       /* of files, in metres; 0: nobody says */
    model_up up;       /* where nobody says, and of made crowds: z */
    bool has_files;
    assembly assembly;  /* has_files */
    uint32_t solid;     /* made crowds: the boxes below this hide what is behind them */
    double solid_share; /* of a box, about its centre, that is solid: a ball holds a smaller cube */
    float cube[24];     /* of the last occluder */
    bw_mesh cube_mesh;
} crowd;

/* uniform, clustered, lissajous, sphere, city; NULL: uniform. */
bool crowd_make(crowd *out, const char *spread, uint32_t count, uint64_t seed, fault *why);
bool crowd_read(crowd *out, const char *const *files, int count, const unit_wish *stated, bool keep_going,
                fault *why);
void crowd_free(crowd *crowd);
/* For bw_cull_desc: user is the crowd, an object's user its number. */
bool crowd_occluder(void *user, const bw_scene_object *object, bw_occluder *out);

#endif
