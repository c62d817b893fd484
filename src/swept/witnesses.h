/* The nearest points of two features of a step at a time: see witnesses.c. */
#ifndef BW_SWEPT_WITNESSES_H
#define BW_SWEPT_WITNESSES_H

#include "geom/ccd/witness.h"
#include "swept/swept.h"

/* Two features at a time: points and velocities, the vertex first. */
typedef struct bw_swept_moment {
    bw_vec3 points[4], velocities[4];
    bw_ccd_features features; /* of these */
} bw_swept_moment;

/* Out points into itself: it stays where it is. */
void bw_swept_moment_of(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature, uint32_t number_a,
                        uint32_t number_b, double time, bw_swept_moment *out);
/* The witness with its sides as the meshes', which those of features with the vertex in b are not. */
bw_swept_witness bw_swept_witness_from(bw_ccd_feature feature, const bw_ccd_witness *witness);

#endif
