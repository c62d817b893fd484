/* A mesh whose reference tree is as deep as it has triangles: stacks of traversals outgrow their first room.
 */
#ifndef BW_TEST_FAULT_LADDER_H
#define BW_TEST_FAULT_LADDER_H

#include "scenes/scenes.h"

/* Three triangles, one along each axis, at the distance 2^99 from the origin and about as large, then three
 * at half of that, and so on: halving the longest side of the box splits off one at a time, down to the
 * smallest float. Count up to 730. Doubles. lean, below 0.4, is the slant: ladders of different slant share
 * edges. */
bw_result ladder_make(uint32_t count, double lean, bws_mesh *out);

/* Rows of 64 triangles across the x axis, each row 64 times nearer to the origin and as much smaller than the
 * one before: a tree of eight children a node, too, peels off a row or less a level, and from the origin the
 * deepest is the nearest. Up to 36 rows. Doubles. */
bw_result telescope_make(uint32_t rows, bws_mesh *out);

#endif
