/* Looking up a model (boxwood/anytime.h). */
#ifndef BW_ANYTIME_MODEL_MODEL_H
#define BW_ANYTIME_MODEL_MODEL_H

#include "anytime/moments/moments.h"

#include <boxwood/anytime_train.h>

#define BW_ANYTIME_KNOTS_A_UNIT 5.0f /* knots of a hazard curve for each standard deviation */

extern const bw_anytime_model bw_anytime_models[2][BW_ANYTIME_KIND_LOOSE + 1]; /* by poses and kind */

/* Of two bodies. */
static inline bw_anytime_kind bw_anytime_kind_of(const bw_moments *a, const bw_moments *b)
{
    if (a->filling + b->filling < 2.0 * 0.99)
        return BW_ANYTIME_KIND_LOOSE;
    if (a->rods + b->rods >= 2.0 * 0.12)
        return BW_ANYTIME_KIND_RODS;
    if (a->solidity + b->solidity < 2.0 * 0.99)
        return BW_ANYTIME_KIND_LIMBS;
    return a->density * b->density < 15.5 * 15.5 ? BW_ANYTIME_KIND_SHELL : BW_ANYTIME_KIND_PARTS;
}

/* A curve at m standard deviations, between knots along a line. */
static inline float bw_anytime_curve(const float curve[BW_ANYTIME_KNOTS], float m)
{
    float x = m * BW_ANYTIME_KNOTS_A_UNIT;
    x = x < (float)(BW_ANYTIME_KNOTS - 1) - 0.001f ? x : (float)(BW_ANYTIME_KNOTS - 1) - 0.001f;
    uint32_t i = (uint32_t)x;
    return curve[i] + (x - (float)i) * (curve[i + 1] - curve[i]);
}

/* The hazard of two nodes whose means are m standard deviations apart. */
static inline float bw_anytime_hazard(const bw_anytime_model *model, uint32_t code_a, uint32_t code_b,
                                      float m)
{
    return bw_anytime_curve(model->hazard[bw_moment_class(code_a, code_b)], m);
}

/* -log(1 - p), infinite for p >= 1, 0 for p <= 0. */
float bw_anytime_hazard_of(double p);
double bw_anytime_probability_of(double hazard);

/* Rows of bw_anytime_model.end. */
enum { BW_END_PRUNED = 0, BW_END_COUNTED = 1, BW_END_BUDGET = 5, BW_END_SURE = 16 };
uint32_t bw_anytime_end_counted(uint32_t counted);
uint32_t bw_anytime_end_budget(uint64_t steps);
/* Of a query that has made so many steps: 0 to BW_ANYTIME_STAGES - 1. */
static inline uint32_t bw_anytime_stage(uint64_t steps)
{
    static const uint8_t stages[33] = {0, 1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5,
                                       6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    return steps <= 32 ? stages[steps] : 7u;
}
/* Where along a row evidence lies: 0 to BW_ANYTIME_LEVELS - 1. */
double bw_anytime_end_place(double evidence);
/* The probability of a collision. */
double bw_anytime_end(const bw_anytime_model *model, uint32_t row, double evidence);
/* The least evidence at which row gives p; infinite where it never does. */
double bw_anytime_end_reaches(const bw_anytime_model *model, uint32_t row, double p);

/* The fastest setting that promises a wanted error. NULL: none does. */
const bw_anytime_setting *bw_anytime_setting_for(const bw_anytime_setting settings[BW_ANYTIME_SETTINGS],
                                                 double wanted_error);
/* Whether every number is in its domain: models come from callers. */
bool bw_anytime_model_valid(const bw_anytime_model *model);

#endif
