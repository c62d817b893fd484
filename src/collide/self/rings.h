/* Which triangles of a mesh are near each other along its surface: by how many vertex rings they are
 * connected. Triangles that share a vertex are connected by one ring, those that have a common neighbour of
 * that kind by two, and so on. */
#ifndef BW_COLLIDE_SELF_RINGS_H
#define BW_COLLIDE_SELF_RINGS_H

#include "base/array.h"
#include "mesh/view.h"

enum { BW_RING_SETS = 16 };

/* Of a mesh, for all threads of a query. */
typedef struct bw_rings {
    const bw_mesh *mesh;
    uint32_t count;          /* of the rings; at least 1 */
    bw_adjacency *adjacency; /* NULL: not needed */
} bw_rings;

/* BW_ERROR_MEMORY, BW_ERROR_INDEX. */
bw_result bw_rings_init(bw_rings *rings, const bw_mesh *mesh, uint32_t count, const bw_allocator *allocator);
void bw_rings_release(bw_rings *rings);

/* Of a thread: the vertices around the triangles that were looked at last. */
typedef struct bw_ring_sets {
    uint32_t triangle[BW_RING_SETS];
    bw_array vertices[BW_RING_SETS]; /* uint32_t, ascending */
} bw_ring_sets;

void bw_ring_sets_init(bw_ring_sets *sets, const bw_allocator *allocator);
void bw_ring_sets_release(bw_ring_sets *sets);

/* Whether two triangles are connected by at most the count of rings. BW_ERROR_MEMORY. */
bw_result bw_rings_connect(const bw_rings *rings, bw_ring_sets *sets, uint32_t a, uint32_t b, bool *connect);

#endif
