/* Scenes in scenes: which instances a scene holds, and which scenes hold instances of it. All functions do
 * nothing for a scene with neither. */
#ifndef BW_SCENE_INSTANCES_H
#define BW_SCENE_INSTANCES_H

#include "base/array.h"
#include "scene/scene.h"

typedef struct bw_instance {
    bw_id id; /* in the parent */
    bw_scene *child;
    bw_transform pose;
} bw_instance;

typedef struct bw_instance_parent {
    bw_scene *scene;
    bw_id id;
} bw_instance_parent;

struct bw_instances {
    bw_array children; /* of bw_instance, sorted by the index of their ids */
    bw_array parents;  /* of bw_instance_parent */
    float bounds[6];   /* that the parents know of */
};

/* Whether the scene holds any instance. */
static inline bool bw_instances_any(const bw_scene *scene)
{
    return scene->instances != NULL && scene->instances->children.count != 0;
}

/* The scene's bounds may have changed: the instances of it follow, and so upward. */
void bw_instances_bounds_changed(bw_scene *scene);
/* NULL: the object is none. */
const bw_instance *bw_instances_find(const bw_scene *scene, bw_id id);
/* An object is removed: if it is an instance, the child no longer hangs on it. */
void bw_instances_drop(bw_scene *scene, bw_id id);
/* Takes a scene out of all others, and all others out of it. */
void bw_instances_leave(bw_scene *scene);
size_t bw_instances_bytes(const bw_scene *scene);
const char *bw_instances_check(const bw_scene *scene);

/* bw_box_transformed with a margin for the rounding of composed poses: around nodes and instances, never
 * objects. */
bw_box bw_instances_box_around(const bw_box *box, const bw_transform *pose);

#endif
