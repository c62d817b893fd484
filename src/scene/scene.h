/* A scene: ids and users in a table, objects in a tree. */
#ifndef BW_SCENE_SCENE_H
#define BW_SCENE_SCENE_H

#include "scene/kind.h"

typedef struct bw_tracker bw_tracker;
typedef struct bw_instances bw_instances;

struct bw_scene {
    bw_allocator allocator;
    bw_tasks tasks;
    bool has_tasks;
    bw_simd simd;
    bw_nesting wanted, used; /* used is never AUTO */
    bool leafy;
    uint32_t threshold;
    const char *reason;
    uint32_t chosen_at; /* AUTO: objects when it chose last */
    bw_table table;
    bw_scene_tree *tree;
    bw_tracker *tracker;     /* scene/tracker.h; NULL: pairs are not tracked */
    bw_instances *instances; /* scene/instances.h; NULL: neither holds a scene nor is held */
};

/* The public creation with a level of instructions, for tests. */
bw_result bw_scene_create_at(const bw_scene_desc *desc, bw_simd simd, bw_scene **out);

/* Puts all objects into a tree of another kind. False: no memory, nothing changed. */
bool bw_scene_change_nesting(bw_scene *scene, bw_nesting nesting, bool leafy);
/* What AUTO chooses for boxes that are about to be all there are, or (NULL) for the objects in the scene. */
void bw_scene_choose_nesting(bw_scene *scene, const bw_box *boxes, uint32_t count, bw_nesting *nesting,
                             bool *leafy);

/* Changes below the public functions, which validated all arguments: they keep pairs and instances up to
 * date. */
bw_result bw_object_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out);
void bw_object_move(bw_scene *scene, bw_id id, const bw_box *box);
void bw_object_remove(bw_scene *scene, bw_id id);

/* The packed box of a live object. */
static inline const float *bw_object_box(const bw_scene *scene, uint32_t index)
{
    return scene->tree->kind->object_box(scene->tree, index);
}

/* A box around everything, packed. */
static inline const float *bw_scene_packed_bounds(const bw_scene *scene)
{
    return scene->tree->kind->bounds(scene->tree);
}

#endif
