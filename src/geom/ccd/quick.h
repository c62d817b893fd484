/* The quick stages of single continuous queries: what decides nearly all of them. One register holds a point,
 * or the coefficients of the cubic; coordinates are checked on the way. The same answers at every SIMD level,
 * bit by bit. docs/lab/continuous.md has the bounds. */
#ifndef BW_GEOM_CCD_QUICK_H
#define BW_GEOM_CCD_QUICK_H

#include "geom/ccd/moving.h"

typedef enum bw_ccd_quick_answer {
    BW_CCD_QUICK_APART,
    BW_CCD_QUICK_CONTACT, /* within the bracket, which is as narrow as the tolerance */
    BW_CCD_QUICK_ONE, /* the cubic has one root, in the bracket; inside cannot be told from outside there */
    BW_CCD_QUICK_UNSURE, /* anything else */
    BW_CCD_QUICK_RANGE   /* a coordinate is not zero, nor of a magnitude that these stages are made for */
} bw_ccd_quick_answer;

/* Magnitudes that these stages are made for: products of four differences lose nothing to underflow. */
#define BW_CCD_QUICK_MIN 0x1p-150
#define BW_CCD_QUICK_MAX 0x1p150

/* start and end: any numbers. The bracket is set for CONTACT and ONE. */
bw_ccd_quick_answer bw_ccd_quick(bool edges, const bw_vec3 start[4], const bw_vec3 end[4], double tolerance,
                                 bw_ccd_bracket *out);
/* Everything else, with what the quick stages found. The coordinates are within the exact range. */
bw_ccd_result bw_ccd_decide_slowly(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                   double tolerance, bw_ccd_quick_answer quick, bw_ccd_bracket *root);

/* The quick stages for processors that have AVX2, on x86. */
bw_ccd_quick_answer bw_ccd_quick_avx2(bool edges, const bw_vec3 start[4], const bw_vec3 end[4],
                                      double tolerance, bw_ccd_bracket *out);

#endif
