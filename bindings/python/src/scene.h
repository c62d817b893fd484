/* What the files of scenes share: the Scene, who may use it, and the numbers of paths through scenes in scenes. */
#ifndef BOXWOOD_PYTHON_SCENE_H
#define BOXWOOD_PYTHON_SCENE_H

#include "core.h"

typedef struct Scene Scene;
/* Borrowed: a parent takes itself out when it goes. */
typedef struct scene_parent {
    Scene *scene;
    uint32_t count; /* instances of the child in it */
} scene_parent;
struct Scene {
    PyObject_HEAD int users;
    bw_scene *scene;
    PyObject *pool;      /* NULL: none */
    PyObject *instances; /* a dict from ids to Scenes; NULL: never had one */
    scene_parent *parents;
    uint32_t parent_count, parent_capacity;
};
extern PyTypeObject *scene_type;

/* A scene for the length of one call. A scene and all that hold it are one object for writers, so that a reader of one of
 * them keeps a writer of any scene below it out. */
typedef struct scene_held {
    Scene **all; /* the scene, and all that hold it: references */
    Scene *one[1];
    uint32_t count;
    bool write;
    tasks threads;
} scene_held;
bool scene_read(Scene *scene, scene_held *out);
/* other: one that is written, too; or NULL. */
bool scene_write(Scene *scene, Scene *other, scene_held *out);
void scene_done(scene_held *held);
/* What an object that is removed held; nothing where it was no instance. */
void scene_forget(Scene *scene, bw_id id);
/* Takes the scene out of its children, and lets go of them. */
void scene_leave(Scene *scene);
/* Whether no scene holds it, and none that it holds is read or changed; false with RuntimeError. */
bool scene_may_close(PyObject *scene);

/* Paths for one call: NULL for None. They are of the first scene that they were used with. */
bool paths_get(PyObject *object, Scene *scene, bw_scene_paths **out, void **held);
bool nested_init(PyObject *module);
METHOD(Scene_insert_scene);
METHOD(Scene_set_pose);
METHOD(Scene_child);

/* A ViewCache for one call: NULL for None; *held is what shared_done takes afterwards. */
bool view_cache_get(PyObject *object, bw_view_cache **out, void **held);

/* Ids with the numbers of their paths. */
typedef struct found_object {
    bw_id id;
    uint32_t path;
} found_object;
/* Where objects of a query go: ids, or ids with paths; and first to a function of the caller's. */
typedef struct found {
    grown rows;
    callback visit;
    bool with_paths;
} found;
bool found_begin(PyObject *visit, bool with_paths, found *found, bw_scene_output *output);
/* The ids, or the table of objects, or the exception. */
PyObject *found_end(found *found, bw_result result, const bw_fault *fault);

bool scene_queries_init(PyObject *module);
METHOD(Scene_query_many);
METHOD(Scene_query);
METHOD(Scene_pairs);
METHOD(Scene_pairs_changed);
METHOD(Scene_nearest);
METHOD(Scene_cast);

#endif
