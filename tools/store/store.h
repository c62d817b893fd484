/* A part store opened: its tables are mapped, meshes are read one by one. */
#ifndef TOOL_STORE_STORE_H
#define TOOL_STORE_STORE_H

#include "store/encode.h"

typedef struct store {
    char *path;
    int file;
    void *map; /* from the first table to the end of the file */
    size_t map_bytes;
    store_tail tail;
    const store_file *files;
    const store_mesh *meshes;
    const store_part *parts;
    const bw_transform *poses;
    const bw_box *boxes; /* of the parts */
    const char *text;
    uint32_t file_count, mesh_count, part_count, pose_count;
} store;

/* Whether a file begins like a store. */
bool store_is(const char *path);
/* Checks head, tail and tables: checksums, and every number against what it counts or names. The fault names the file and
 * what is wrong with it. */
bool store_open(store *out, const char *path, fault *why);
void store_close(store *store);

static inline const char *store_file_path(const store *s, uint32_t file)
{
    return s->text + s->files[file].path;
}
static inline const char *store_part_name(const store *s, uint32_t part)
{
    return s->text + s->parts[part].name;
}
/* NULL where it has none, or where its mesh is its own and is put in its place when it is read. */
const bw_transform *store_part_pose(const store *s, uint32_t part);

/* A mesh without its arrays: how many vertices and triangles it has. */
bw_mesh store_counts(const store *s, uint32_t mesh);

/* A buffer for blocks, used again and again. */
typedef struct store_buffer {
    unsigned char *bytes;
    size_t capacity;
} store_buffer;

/* Reads the block of a mesh into the buffer and checks it. Any number of threads, each with a buffer of its own. */
bool store_read_block(const store *s, uint32_t mesh, store_buffer *buffer, fault *why);
/* The mesh of it, put in its place where it has but one part. out->tree points into the buffer: until its next use. */
bool store_read(const store *s, uint32_t mesh, store_buffer *buffer, store_geometry *out, fault *why);
/* The same without putting it anywhere; a saved tree may be for another place. */
bool store_read_as_is(const store *s, uint32_t mesh, store_buffer *buffer, store_geometry *out, fault *why);
/* The tree over such a mesh: the saved one, or a new one. */
bool store_tree(const store *s, uint32_t mesh, const store_geometry *geometry, bw_tree **out, fault *why);

#endif
