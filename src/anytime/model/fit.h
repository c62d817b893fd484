/* Monotone curves from counts of observations. */
#ifndef BW_ANYTIME_MODEL_FIT_H
#define BW_ANYTIME_MODEL_FIT_H

#include <stdbool.h>
#include <stdint.h>

enum { BW_FIT_MOST = 32 };

/* Observations about the knots of a curve, each shared between the two knots it lies between. */
typedef struct bw_fit {
    uint32_t knots; /* at most BW_FIT_MOST */
    double seen[BW_FIT_MOST], hits[BW_FIT_MOST];
} bw_fit;

/* place: 0 to knots - 1. */
void bw_fit_add(bw_fit *fit, double place, bool hit, double weight);

/* The shares hits / seen as a curve that falls (or rises): the best monotone fit, with `weight` observations
 * of the prior share added to each knot, then smoothed along the logits. The best fit alone is a staircase,
 * and a threshold that meets a stair moves far for a little more training data; smoothed it does not.
 * out: knots shares, strictly between 0 and 1. */
void bw_fit_curve(const bw_fit *fit, const double *prior, double weight, bool falling, double *out);

#endif
