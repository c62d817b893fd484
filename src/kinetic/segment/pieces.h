/* A motion as pieces of time in which every vertex moves on a straight line, or leaves it by no more than is
 * known: from keyframe to keyframe, or, of velocities and plans, parts of equal length. */
#ifndef BW_KINETIC_SEGMENT_PIECES_H
#define BW_KINETIC_SEGMENT_PIECES_H

#include "motion/curve.h"
#include "tree/wide/wide.h"

typedef struct bw_pieces {
    const bw_motion *motion;
    double begin, end;
    uint32_t count;   /* of velocities and plans */
    double curvature; /* half of the largest second derivative of a coordinate */
} bw_pieces;

/* One of them. */
typedef struct bw_piece {
    uint32_t number; /* the next one has the next number */
    double from, to;
    double bend; /* no coordinate is farther from the straight line between the ends */
} bw_piece;

/* The motion must be valid, and stay. So many pieces that curves bend by a quarter of a triangle at most, as
 * far as its size is known from that of the tree, unless that needs thousands. least: of velocities too. */
bw_pieces bw_pieces_of(const bw_motion *motion, const bw_wide *tree, uint32_t least);
/* The piece that begins at or before a time of the motion, and ends after it or at the motion's end. */
bw_piece bw_piece_at(const bw_pieces *pieces, double time);

#endif
