/* How far points are from the surface of a tree's mesh, about: on a grid of cells over its bounds the distance
 * of each cell's middle, from which those of all points follow by the triangle inequality. What is far from
 * the surface is known to be so by one look. */
#ifndef BW_TREE_CLEARANCE_H
#define BW_TREE_CLEARANCE_H

#include "tree/wide/wide.h"

typedef struct bw_clearance {
    uint32_t count[3]; /* cells along each axis */
    double min[3];     /* where the first cell begins, and the tree */
    double cell;       /* the side of a cell: the unit of what follows */
    float extent[3];   /* of the tree, rounded up */
    size_t value_count;
    /* At the middle of each cell, x first: not above the true distance, and below it by a relative 2^-20 at
     * most. */
    float values[];
} bw_clearance;

/* Chooses the cells for a tree that is not empty, at most `cells`; values are left to the caller. NULL without
 * memory. */
bw_clearance *bw_clearance_create(const bw_wide *wide, uint32_t cells);
/* Takes a grid over, or drops the one there is (NULL). */
void bw_clearance_set(bw_wide *wide, bw_clearance *grid);
size_t bw_clearance_bytes(const bw_clearance *grid);

/* In the coordinates of the tree. */
bw_vec3 bw_clearance_middle(const bw_clearance *grid, size_t index);

#endif
