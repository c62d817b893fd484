/* A body of the fuzzer's bytes with a wide tree, perhaps with holes, and plain answers about it. */
#ifndef BW_FUZZ_BODY_H
#define BW_FUZZ_BODY_H

#include <boxwood/nearest.h>

#include "fuzz/pipeline_mesh.h"

enum { FUZZ_MOST = 256 }; /* more than a mesh can have primitives */

typedef struct fuzz_body {
    fuzz_mesh m;
    bw_tree *tree;
    bw_transform pose;
    bw_body body;
    bool in[FUZZ_MOST]; /* the primitives in the tree */
    uint32_t count;     /* primitives of the mesh */
} fuzz_body;

/* False, with nothing to give back, where no tree can be built. */
bool fuzz_body_take(fuzz_body *out, bytes *b);
void fuzz_body_free(fuzz_body *f);

/* The corners of a primitive in the common frame. */
void fuzz_body_corners(const fuzz_body *f, uint32_t primitive, bw_vec3 out[3]);

/* What a query of distances or rays must say of the pose alone. SURE: it is good; DOUBTFUL: BW_OK or
 * BW_ERROR_RANGE, and the answer need not be exact; else BW_ERROR_NOT_FINITE. */
typedef enum fuzz_range { FUZZ_SURE, FUZZ_DOUBTFUL, FUZZ_NOT_FINITE } fuzz_range;
fuzz_range fuzz_body_range(const fuzz_body *f);

/* Whether the result is one that the ranges of two bodies allow, and an answer to compare with. */
bool fuzz_answered(bw_result result, fuzz_range a, fuzz_range b);

/* The largest coordinate in use, in the common frame. */
double fuzz_body_size(const fuzz_body *f);

#endif
