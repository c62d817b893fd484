/* The meshes and parts of the files that are packed together. */
#ifndef TOOL_STORE_PACK_LIST_H
#define TOOL_STORE_PACK_LIST_H

#include "body.h"
#include "store/encode.h"

typedef struct pack_file {
    const char *path;
    bool store, threaded; /* is a store; may be read by any thread */
    body body;            /* without a tree */
    fault *why;           /* it could not be read; NULL: it could */
    uint32_t first_part, part_count;
} pack_file;

typedef struct pack_mesh {
    uint32_t file;
    uint32_t first_triangle, first_vertex; /* in the model; the latter UINT32_MAX: vertices were collected */
    uint32_t uses, number;                 /* number in the store; STORE_NONE: not written yet */
    store_source source;
    uint32_t *indices; /* of the source, where they are numbered again */
    double *positions; /* of the source, where they were collected */
    bw_tree *tree;     /* only of meshes with defects: it knows which triangles are left out */
    store_block block;
    char *why; /* why it cannot be used; NULL: it can */
} pack_mesh;

typedef struct pack_part {
    uint32_t mesh, number;
    uint64_t first_triangle;
    const char *name;
    const bw_transform *pose; /* NULL: none */
    bw_box box;
    bool sound;
} pack_part;

typedef struct pack_list {
    const pack_file *files;
    bool trees, quarantine;
    pack_mesh *meshes;
    uint32_t mesh_count;
    size_t mesh_capacity;
    pack_part *parts;
    uint32_t part_count;
    size_t part_capacity;
} pack_list;

void pack_file_read(pack_file *file);
void pack_file_free(pack_file *file);
/* Lists what a file holds, moved as a whole by map (NULL: not). */
void pack_list_add(pack_list *list, uint32_t file, const bw_transform *map);
/* Both may be called by several threads for different numbers; boxes after all meshes. */
void pack_mesh_encode(pack_list *list, uint32_t mesh);
void pack_part_box(pack_list *list, uint32_t part);
void pack_list_free(pack_list *list);

#endif
