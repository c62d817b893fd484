/* Scenes in scenes: who holds whom. All functions do nothing for a scene without relatives. */
#ifndef BW_SCENE_INSTANCES_H
#define BW_SCENE_INSTANCES_H

#include "scene/scene.h"

typedef struct bw_family_instance {
    bw_id id; /* in the holder */
    bw_scene *child;
    bw_transform pose;
} bw_family_instance;

typedef struct bw_family_holder {
    bw_scene *scene;
    bw_id id;
} bw_family_holder;

struct bw_family {
    bw_family_instance *instances; /* sorted by the index of their ids */
    uint32_t instance_count, instance_capacity;
    bw_family_holder *holders;
    uint32_t holder_count, holder_capacity;
    float bounds[6]; /* that the holders know of */
};

/* The scene's bounds may have changed: the instances of it follow, and so upward. */
void bw_family_bounds_changed(bw_scene *scene);
const bw_family_instance *bw_family_find(const bw_scene *scene, bw_id id);
static inline bool bw_family_is_instance(const bw_scene *scene, bw_id id)
{
    return scene->family != NULL && bw_family_find(scene, id) != NULL;
}
/* An object is removed: if it is an instance, the child no longer hangs on it. */
void bw_family_drop(bw_scene *scene, bw_id id);
/* Takes a scene out of all others, and all others out of it. */
void bw_family_leave(bw_scene *scene);
size_t bw_family_bytes(const bw_scene *scene);
const char *bw_family_check(const bw_scene *scene);

/* bw_box_transformed with a margin for the rounding of composed poses: around nodes and instances, never
 * objects. */
bw_box bw_family_box_around(const bw_box *box, const bw_transform *pose);

#endif
