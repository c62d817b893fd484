/* What the files of worlds share: the World, and who may use it. */
#ifndef BOXWOOD_PYTHON_WORLD_H
#define BOXWOOD_PYTHON_WORLD_H

#include "core.h"

/* What a body of the world is made of: kept as long as the body. */
typedef struct entry {
    bw_id id;
    PyObject *object; /* Tree, Mesh, Shape or KineticMesh */
    void *read;       /* that must not be changed meanwhile: Core or KineticMesh; NULL for a shape */
    Mesh *mesh;       /* of a tree; NULL */
} entry;
typedef struct World {
    PyObject_HEAD int users;
    bw_world *world;
    entry *entries;
    size_t count, capacity;
    PyObject *pool; /* NULL: none */
} World;

/* A world and all its bodies for the length of one call: none is changed by another thread, and each still has the mesh that it
 * came with. */
bool world_enter(World *world, bool write, tasks *threads);
void world_leave(World *world, tasks *threads);
extern schema impact_schema;
bool world_queries_init(PyObject *module);

METHOD(World_rays);
METHOD(World_rays_all);
METHOD(World_overlap);
METHOD(World_distance);
METHOD(World_sweep);

#endif
