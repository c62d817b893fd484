/* A part store on disk, version 1: many parts in one file, of which any can be read alone.
 *
 *   store_head | a block per mesh | tables: files, meshes, parts, poses, boxes, text | store_tail
 *
 * Everything is little-endian and stands at multiples of 16 bytes. It is written from front to back, so the tail, which
 * says where the tables are, comes last: a file without it was not finished or was cut. Every block and every table has a
 * checksum (store/sum.h), the head and the tail have their own.
 *
 * A block holds, one after the other, each padded with zeros to 16 bytes: positions (floats where that loses nothing, else
 * doubles), indices (16 bits where these are enough), faces and lines where they tell something, and a saved tree.
 *
 * A part stands where boxwood export puts it: the vertices of its mesh mapped by its pose as bw_transform_point maps. Its
 * box holds all of its triangles there. */
#ifndef TOOL_STORE_FORMAT_H
#define TOOL_STORE_FORMAT_H

#include <stdint.h>

enum { STORE_VERSION = 1, STORE_ALIGN = 16, STORE_TABLES = 6 };

/* Bytes that no text begins with and that show changed line ends. */
#define STORE_MAGIC                                                                                          \
    {                                                                                                        \
        0x89, 'B', 'W', 'S', '\r', '\n', 0x1a, '\n'                                                          \
    }

typedef struct store_head {
    unsigned char magic[8];
    uint32_t version;
    uint32_t reserved;
    uint64_t unused[5];
    uint64_t sum; /* of what stands before it */
} store_head;

typedef enum store_table {
    STORE_FILES = 0,
    STORE_MESHES = 1,
    STORE_PARTS = 2,
    STORE_POSES = 3, /* bw_transform: twelve doubles */
    STORE_BOXES = 4, /* bw_box of each part: six floats */
    STORE_TEXT = 5   /* names, each ended by a zero */
} store_table;

typedef struct store_range {
    uint64_t offset, bytes, sum;
} store_range;

typedef struct store_file {
    uint64_t path; /* into the text */
    uint32_t first_part, part_count;
} store_file;

enum {
    STORE_POINTS = 1,      /* every vertex is a primitive; no indices, faces or lines */
    STORE_DOUBLES = 2,     /* positions are doubles */
    STORE_WIDE = 4,        /* indices have 32 bits */
    STORE_HAS_FACES = 8,   /* of each triangle: its face; without, triangle and face have the same number */
    STORE_HAS_LINES = 16,  /* of each triangle: its line */
    STORE_QUARANTINE = 32, /* primitives with fatal defects are among them: they are left out of the tree */
    STORE_FLAGS = 63
};

typedef struct store_mesh {
    uint64_t offset, bytes, sum; /* of its block */
    uint64_t tree_bytes;         /* 0: without a tree */
    uint32_t vertex_count, primitive_count;
    uint32_t flags;
    uint32_t uses; /* parts */
    uint32_t
        pose; /* of the only part that uses it, or STORE_NONE: such a mesh is put in its place when it is read */
    uint32_t left_out; /* primitives with fatal defects */
} store_mesh;

typedef struct store_part {
    uint32_t file, number;   /* counted from 0 within the file */
    uint32_t mesh, pose;     /* pose: STORE_NONE: none */
    uint64_t first_triangle; /* of the triangles that boxwood export writes */
    uint64_t name;           /* into the text; may be empty */
} store_part;

#define STORE_NONE UINT32_MAX

typedef struct store_tail {
    store_range tables[STORE_TABLES];
    uint64_t primitives, left_out; /* of all parts */
    double unit;                   /* metres; 0: nobody says */
    uint32_t up;                   /* model_up */
    uint32_t version;
    uint64_t file_bytes; /* of the whole file */
    uint64_t unused;
    unsigned char magic[8];
    uint64_t sum; /* of what stands before it */
} store_tail;

_Static_assert(sizeof(store_head) == 64 && sizeof(store_file) == 16 && sizeof(store_mesh) == 56 &&
                   sizeof(store_part) == 32 && sizeof(store_tail) == 208,
               "records of a store have no gaps");

#endif
