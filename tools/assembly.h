/* Many parts from many files: every mesh once, with one tree, and each part a mesh that stands somewhere.
 *
 * A part stands at the coordinates that boxwood export would write: those of its mesh, mapped by its pose as
 * bw_transform_point maps. A mesh of a single part has that pose in its vertices already. */
#ifndef TOOL_ASSEMBLY_H
#define TOOL_ASSEMBLY_H

#include "body.h"
#include "store/cache.h"
#include "units.h"

typedef struct assembly_file {
    const char *path;
    body body; /* its model; no tree. Empty where the file was skipped */
    uint32_t first_part, part_count;
    char *error; /* why it was skipped; NULL: it was not */
} assembly_file;

typedef struct assembly_mesh {
    uint32_t file;
    uint32_t first_triangle; /* in the model */
    uint32_t first_vertex;   /* in the model: the view starts there */
    uint32_t uses;           /* parts */
    bw_mesh view;
    bw_tree *tree; /* NULL: not built, or it cannot be */
    bw_result result;
    bw_fault defect;
    bool closed; /* only known after assembly_close */
} assembly_mesh;

typedef struct assembly_part {
    uint32_t file, number;   /* counted from 0 within the file */
    uint64_t first_triangle; /* of the triangles that boxwood export writes */
    uint32_t mesh;
    const char *name;         /* may be empty */
    const bw_transform *pose; /* NULL: none, or in the vertices */
    bw_box box;               /* holds every vertex where it stands */
} assembly_part;

typedef struct assembly {
    assembly_file *files;
    uint32_t file_count;
    assembly_mesh *meshes;
    uint32_t mesh_count;
    assembly_part *parts;
    uint32_t part_count;
    size_t mesh_capacity, part_capacity;
    uint64_t triangles;     /* or points, of all parts */
    uint64_t quarantined;   /* of these, left out */
    uint32_t skipped_files; /* with keep_going */
    uint32_t skipped_parts;
    size_t tree_bytes;
    double unit; /* of the common space, in metres; 0: nobody says */
    model_up up;
    /* Of a store (assembly_open): meshes is NULL, they are read when they are held. */
    store *store; /* NULL: files */
    store_cache *cache;
    bool find_closed;      /* after assembly_close */
    unsigned char *closed; /* of each mesh: 0 not known yet, 1 no, 2 yes */
} assembly;

typedef struct assembly_desc {
    bool quarantine; /* leave out primitives with defects */
    bool keep_going; /* skip files that cannot be read and parts that cannot be used, with a word on each */
    const char *quarantine_option; /* which asks for it; NULL: --quarantine */
    const unit_wish *units;        /* NULL: nothing is said of units and axes */
} assembly_desc;

/* Reads the files and brings them into one space (units.h). Every assembly must be given to assembly_free,
 * also where this fails. */
bool assembly_read(assembly *out, const char *const *files, uint32_t count, const assembly_desc *desc,
                   fault *why);
/* Opens a part store instead: its meshes are read when they are needed, and of those that are not held any more at most
 * `memory` bytes are kept. Names and boxes are there at once; nothing is to be built. */
bool assembly_open(assembly *out, const char *path, size_t memory, uint32_t workers, fault *why);
/* Builds the trees and finds the boxes. */
bool assembly_build(assembly *assembly, const assembly_desc *desc, const bw_tasks *tasks, fault *why);
/* Finds which meshes are closed, vertices of equal position taken as one. */
void assembly_close(assembly *assembly, const bw_tasks *tasks);
void assembly_free(assembly *assembly);

/* A mesh while it is looked at. */
typedef struct assembly_held {
    const bw_mesh *view;
    const bw_tree *tree;
    bool closed;                   /* only known after assembly_close */
    const uint32_t *faces, *lines; /* of its triangles, of stores; NULL: their own numbers, none */
    store_held held;
} assembly_held;

/* Gives the mesh until it is released; only those of stores can fail. Each thread has a number below the `workers` of
 * assembly_open. */
bool assembly_hold(const assembly *assembly, uint32_t worker, uint32_t mesh, assembly_held *out, fault *why);
void assembly_release(const assembly *assembly, const assembly_held *held);
/* Gives back the memory of all meshes of a store: nothing can be held any more. */
void assembly_drop(assembly *assembly);

/* "engine.obj:crank/piston", or the file alone if it has but one part. */
void assembly_name(const assembly *assembly, uint32_t part, char *out, size_t size);
/* The corners where they stand. */
void assembly_corners(const assembly *assembly, uint32_t part, uint32_t primitive, bw_vec3 out[3]);

#endif
