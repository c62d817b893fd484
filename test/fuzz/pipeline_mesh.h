/* Meshes and poses of the fuzzer's bytes. */
#ifndef BW_FUZZ_PIPELINE_MESH_H
#define BW_FUZZ_PIPELINE_MESH_H

#include <boxwood/mesh.h>

#include "fuzz/bytes.h"

/* How coordinates are read: RAW bytes (NaN, infinities, denormals), small numbers on a lattice (touching and
 * coplanar triangles, zero areas), and a mixture of both. */
typedef struct fuzz_mesh {
    bw_mesh mesh;
    void *positions; /* of exactly the bytes that the view may be read for, so that the sanitizer sees any
                        more */
    uint32_t *indices;
    size_t bytes;
    bool readable; /* by the rules of bw_mesh_validate */
} fuzz_mesh;

void fuzz_mesh_take(fuzz_mesh *out, bytes *b);
void fuzz_mesh_free(fuzz_mesh *m);
/* New coordinates in place; a readable mesh only. */
void fuzz_mesh_move(fuzz_mesh *m, bytes *b);

/* Where vertex v starts, in bytes. */
size_t fuzz_mesh_offset(const fuzz_mesh *m, uint32_t v);

/* A pose, or NULL: a translation, small numbers, powers of two from one end of the range to the other, or any
 * bits. */
const bw_transform *fuzz_pose_take(bytes *b, bw_transform *out);

/* A plain second opinion. */
bw_defect fuzz_mesh_defect(const bw_mesh *mesh, uint32_t primitive);

#endif
