/* What a step keeps of its mesh beside positions: see topology.c. */
#ifndef BW_SWEPT_TOPOLOGY_H
#define BW_SWEPT_TOPOLOGY_H

#include "swept/swept.h"

static inline uint32_t bw_swept_triangles(const bw_mesh *mesh)
{
    return mesh->indices == NULL ? 0 : mesh->triangle_count;
}

/* BW_OK, or what is wrong with a coordinate. */
bw_result bw_swept_coordinate(double x);
/* Copies faces, edges, points and thicknesses, and makes room for positions. On a bad index or thickness its
 * place; what was made is left for bw_swept_destroy. */
bw_result bw_swept_copy_topology(bw_swept *s, const bw_swept_desc *desc, const bw_mesh *mesh,
                                 bw_fault *where);

#endif
