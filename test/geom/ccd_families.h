/* Motions of four points to ask continuous queries about: ordinary ones, and those that defeat rounding. */
#ifndef BW_TEST_CCD_FAMILIES_H
#define BW_TEST_CCD_FAMILIES_H

#include "scenes/random.h"

#include <boxwood/ccd.h>

typedef struct bw_ccd_sample {
    bw_vec3 start[4], end[4];
} bw_ccd_sample;

typedef struct bw_ccd_family {
    const char *name;
    void (*make)(bws_random *random, bool edges, bw_ccd_sample *out);
} bw_ccd_family;

extern const bw_ccd_family bw_ccd_families[];
extern const int bw_ccd_family_count;

/* The two features meet exactly at *time, 0, 1 or a dyadic time in between, at a corner, on an edge or
 * inside. Coordinates are of about the magnitude 2^exponent. */
void bw_ccd_touching(bws_random *random, bool edges, int exponent, bw_ccd_sample *out, double *time);

bw_ccd_result bw_ccd_ask(bool edges, const bw_ccd_sample *sample, const bw_ccd_desc *desc);
void bw_ccd_print(bool edges, const bw_ccd_sample *sample);

#endif
