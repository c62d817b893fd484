/* Lenses: what is below a child of a node, between two parallel planes and within a cylinder across them.
 *
 * A box stands out from a tilted surface by about its own size, a lens only by what the surface bends within
 * it, which shrinks with the square of its size. Queries for distances use both (docs/ideas/distances.md,
 * where the margins are derived). */
#ifndef BW_TREE_WIDE_LENS_H
#define BW_TREE_WIDE_LENS_H

#include "tree/wide/wide.h"

/* Of the eight children of a node. With o the middle of a child's box as bw_lens_middle gives it, n its
 * normal and d = n (x - o), every point x of every primitive below it has low <= d <= high and |(x - o) - d n
 * / n^2| <= radius, for the numbers as they are stored. A child without a lens, and an unused lane, has
 * infinite ones. */
struct bw_lens {
    float normal[3][BW_WIDTH]; /* of length 1, but for rounding */
    float low[BW_WIDTH], high[BW_WIDTH], radius[BW_WIDTH];
};

/* A child has a lens if there are no more leaves below it. */
enum { BW_LENS_LEAVES = 512 };

static inline float bw_lens_middle(float min, float max)
{
    return 0.5f * min + 0.5f * max;
}

/* Makes the lenses of all nodes, the same bits for any tasks. On failure (BW_ERROR_MEMORY) all stays as it
 * was. */
bw_result bw_wide_make_lenses(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks);
void bw_wide_drop_lenses(bw_wide *wide);

/* Proves them: NULL, or a sentence about the first point that is outside its lens. */
const char *bw_wide_check_lenses(const bw_wide *wide, const bw_mesh *mesh);

#endif
