/* How the surface below each node of a wide tree is spread: its area-weighted mean and covariance.
 *
 * Two surfaces whose means are t apart and whose covariances are S and T meet the more likely the smaller
 * M^2 = t^T (S + T)^-1 t is: the distance in the metric of their own extent. Measured on held-out objects
 * this tells more than boxes, normals or the paper's cells do (docs/lab/adb-trees.md). */
#ifndef BW_ANYTIME_MOMENTS_MOMENTS_H
#define BW_ANYTIME_MOMENTS_MOMENTS_H

#include "base/memory.h"
#include "tree/wide/wide.h"

#include <boxwood/tree.h>

/* The children of the node of the same index in the tree. All in units of the body: (x - origin) / unit, so
 * that squares of coordinates never overflow. Unused lanes are zero. */
typedef struct bw_moment_node {
    float mean[3][BW_WIDTH];
    float spread[6][BW_WIDTH]; /* covariance: xx, yy, zz, xy, xz, yz, with a little added to the diagonal so
                                  that a flat part has an inverse */
    /* Size and density: level + 32 * sparseness. The level (0 to 15) is how often the trace can be doubled
     * before it exceeds the whole body's; the sparseness (0 to 3) is 0 where the area is large for the
     * trace, as of a patch or a shell, and 3 where little surface is spread wide, as of rods. */
    uint32_t code[BW_WIDTH];
} bw_moment_node;

enum { BW_MOMENT_LEVELS = 16, BW_MOMENT_SPARSE = 32 };

/* The class of a pair, a row of bw_anytime_model.hazard: the mean sparseness, then the mean level by two. */
static inline uint32_t bw_moment_class(uint32_t code_a, uint32_t code_b)
{
    uint32_t sum = code_a + code_b;
    return sum >> 6 << 3 | (sum & 31u) >> 2;
}

/* The mean of the normals, weighted by area: shorter than 1 where the surface bends. */
typedef struct bw_moment_normals {
    float normal[3][BW_WIDTH];
} bw_moment_normals;

typedef struct bw_moments {
    bw_moment_node *nodes;      /* one per node of the tree */
    bw_moment_normals *normals; /* apart: queries read them only where places are asked for */
    uint32_t count;
    double origin[3], unit;
    bw_moment_node whole; /* lane 0: the whole body */
    double density;       /* area over the trace of the whole */
    double rods;          /* the share of sparse ones among parts of a quarter to a sixteenth of its trace */
    double filling, solidity; /* how often two of it meet, see anytime/moments/solidity.c */
} bw_moments;

/* The nodes of an empty tree are none. On failure (BW_ERROR_MEMORY) *out is untouched. */
bw_result bw_moments_make(const bw_wide *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                          bw_moments *out);
/* Sets filling and solidity, by some hundred exact queries of the body with itself, the same ones
 * every time. Fails with BW_ERROR_MEMORY only. The nodes must not be none. */
bw_result bw_moments_try_solidity(bw_moments *moments, const bw_wide *wide, const bw_tree *tree,
                                  const bw_mesh *mesh, const bw_allocator *allocator);
void bw_moments_release(const bw_allocator *allocator, bw_moments *moments);
/* NULL if they are those of the tree and mesh to about 1e-4, computed triangle by triangle; otherwise a
 * sentence. */
const char *bw_moments_check(const bw_moments *moments, const bw_wide *tree, const bw_mesh *mesh,
                             const bw_allocator *allocator);

#endif
