/* The triangles around each vertex of a mesh, seen along an axis: where they go round it once, or less, and
 * all the same way, no two of them meet beyond what they share, and a query for self-contacts need not test
 * them (docs/lab/self-contacts.md). */
#ifndef BW_COLLIDE_SELF_FANS_H
#define BW_COLLIDE_SELF_FANS_H

#include "collide/pair/kernels.h"
#include "tree/tree.h"

/* What is known of the vertices of a mesh, for one query or, in a cache, for the next ones, too
 * (collide/span/pair_cache.h). */
typedef struct bw_fan_store {
    const bw_allocator *allocator;
    unsigned char *kinds; /* which fan of triangles each vertex has, by the indices alone */
    uint32_t *keys;       /* of the last query (bw_fans_find) */
    uint32_t room;        /* vertices */
    bool known;           /* the kinds, for the tree at hand */
} bw_fan_store;

void bw_fan_store_release(bw_fan_store *store);

#define BW_FAN_UNSURE 0x80000000u /* set in the key of a vertex of which nothing is certain */

/* What one triangle says of the fan at its corner. Bits 2 d and 2 d + 1: seen along axis d it does not
 * certainly turn one way, the other way. Bits 8 (d + 1): a line through the corner, across axis d, passes
 * between its other two corners. */
static inline void bw_fan_add(uint32_t *sum, uint32_t word)
{
    *sum = (*sum + (word & ~0xFFu)) | (word & 0xFFu);
}

/* Whether all vertices of a mesh can be read, and their numbers leave room for a bit. */
bool bw_fans_of_use(const bw_wide *tree, const bw_mesh *mesh);

/* One key per vertex, in the store: its number, with BW_FAN_UNSURE where nothing is certain. The same at every
 * level. BW_ERROR_MEMORY. */
bw_result bw_fans_find(const bw_wide *tree, const bw_mesh *mesh, bw_fan_store *store,
                       const bw_wide_kernels *kernels);

#endif
