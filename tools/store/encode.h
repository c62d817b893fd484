/* A mesh as a block of a store, and back. */
#ifndef TOOL_STORE_ENCODE_H
#define TOOL_STORE_ENCODE_H

#include "fault.h"
#include "store/format.h"

#include <boxwood/tree.h>

/* A mesh to be stored. */
typedef struct store_source {
    bw_mesh view;             /* positions without a stride */
    const uint32_t *faces;    /* of each triangle; NULL: its own number */
    const uint32_t *lines;    /* NULL: none */
    const bw_transform *pose; /* of the only part that uses it; NULL: none, or there are several */
    uint32_t left_out;        /* primitives with fatal defects */
} store_source;

/* Where the arrays of a block stand, as the counts of its record give them. */
typedef struct store_layout {
    uint64_t positions, indices, faces, lines, tree, bytes;
} store_layout;

store_layout store_layout_of(const store_mesh *record);

typedef struct store_block {
    unsigned char *bytes; /* record.bytes of them; the caller frees it */
    store_mesh record;    /* without its offset and uses */
} store_block;

/* Chooses the smallest form that loses nothing; with a tree where that is wished and can be: not for meshes with defects.
 * Any thread may call it. */
bool store_encode(const store_source *source, bool with_tree, store_block *out, fault *why);

/* A mesh read back; one block, given back by store_geometry_free. */
typedef struct store_geometry {
    bw_mesh view;                  /* where its only part stands, if it has but one */
    const uint32_t *faces, *lines; /* NULL: none */
    const void *tree;              /* as bw_tree_load takes it */
    size_t tree_bytes;
    void *memory;
    size_t bytes; /* of memory */
} store_geometry;

/* bytes: the block, whose checksum holds. Every index is checked, the coordinates are not: bw_tree_create checks them, and
 * where there is a saved tree they are checked here. pose: of its only part, or NULL. */
bool store_decode(const store_mesh *record, const unsigned char *bytes, const bw_transform *pose,
                  store_geometry *out, fault *why);
void store_geometry_free(store_geometry *geometry);

#endif
