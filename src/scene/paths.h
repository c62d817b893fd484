/* Paths of instances, numbered: how queries name what they find in scenes in scenes. */
#ifndef BW_SCENE_PATHS_H
#define BW_SCENE_PATHS_H

#include "base/array.h"
#include "scene/key_map.h"
#include "scene/scene.h"

typedef struct bw_path {
    const bw_scene *scene; /* that the path leads to */
    bw_transform pose;     /* from there to the outermost scene */
    uint32_t above;        /* the path to the scene that holds the last instance */
    uint32_t depth;        /* instances on the way */
    bw_id instance;        /* the last of them */
    uint32_t round;        /* of the query that saw it last */
} bw_path;

struct bw_scene_paths {
    bw_allocator allocator;
    bw_array paths;   /* of bw_path; the first is the outermost scene itself */
    bw_key_map index; /* of paths by their last instance and the path above */
    bw_array ids;     /* room for the longest path, for bw_scene_paths_get */
    uint32_t round;
};

static inline bw_path *bw_path_at(const bw_scene_paths *paths, uint32_t path)
{
    return bw_array_at(&paths->paths, path);
}

/* Begins a query from an outermost scene. False: no memory. */
bool bw_paths_begin(bw_scene_paths *paths, const bw_scene *scene);
/* The number of the path that goes on through an instance, with the pose as it is now; 0: no memory. */
uint32_t bw_paths_extend(bw_scene_paths *paths, uint32_t above, bw_id instance);
/* Whether a number from an earlier query still leads somewhere from the outermost scene of this one; its pose
 * is then as it is now. */
bool bw_paths_follow(bw_scene_paths *paths, uint32_t path);
/* An order of paths that does not depend on their numbers: shorter ones first, then by the ids of their
 * instances from the outermost on. Below 0, 0 or above 0. */
int bw_paths_compare(const bw_scene_paths *paths, uint32_t a, uint32_t b);

#endif
