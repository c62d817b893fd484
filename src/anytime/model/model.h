/* Looking up a model (boxwood/anytime.h). */
#ifndef BW_ANYTIME_MODEL_MODEL_H
#define BW_ANYTIME_MODEL_MODEL_H

#include "anytime/moments/moments.h"

#include <boxwood/anytime.h>

#define BW_ADB_KNOTS_A_UNIT 5.0f /* knots of a hazard curve for each standard deviation */

extern const bw_adb_model bw_adb_models[2][BW_ADB_KIND_LOOSE + 1]; /* by poses and kind */

/* Of two bodies. */
static inline bw_adb_kind bw_adb_kind_of(const bw_moments *a, const bw_moments *b)
{
    if (a->filling + b->filling < 2.0 * 0.99)
        return BW_ADB_KIND_LOOSE;
    if (a->rods + b->rods >= 2.0 * 0.12)
        return BW_ADB_KIND_RODS;
    if (a->solidity + b->solidity < 2.0 * 0.99)
        return BW_ADB_KIND_LIMBS;
    return a->density * b->density < 15.5 * 15.5 ? BW_ADB_KIND_SHELL : BW_ADB_KIND_PARTS;
}

/* A curve at m standard deviations, between knots along a line. */
static inline float bw_adb_curve(const float curve[BW_ADB_KNOTS], float m)
{
    float x = m * BW_ADB_KNOTS_A_UNIT;
    x = x < (float)(BW_ADB_KNOTS - 1) - 0.001f ? x : (float)(BW_ADB_KNOTS - 1) - 0.001f;
    uint32_t i = (uint32_t)x;
    return curve[i] + (x - (float)i) * (curve[i + 1] - curve[i]);
}

/* The hazard of two nodes whose means are m standard deviations apart. */
static inline float bw_adb_hazard(const bw_adb_model *model, uint32_t code_a, uint32_t code_b, float m)
{
    return bw_adb_curve(model->hazard[bw_moment_class(code_a, code_b)], m);
}

/* -log(1 - p), infinite for p >= 1, 0 for p <= 0. */
float bw_adb_hazard_of(double p);
double bw_adb_probability_of(double hazard);

/* Rows of bw_adb_model.end. */
enum { BW_END_PRUNED = 0, BW_END_COUNTED = 1, BW_END_BUDGET = 5, BW_END_SURE = 16 };
uint32_t bw_adb_end_counted(uint32_t counted);
uint32_t bw_adb_end_budget(uint64_t steps);
/* Of a query that has made so many steps: 0 to BW_ADB_STAGES - 1. */
static inline uint32_t bw_adb_stage(uint64_t steps)
{
    static const uint8_t stages[33] = {0, 1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5,
                                       6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    return steps <= 32 ? stages[steps] : 7u;
}
/* Where along a row evidence lies: 0 to BW_ADB_LEVELS - 1. */
double bw_adb_end_place(double evidence);
/* The probability of a collision. */
double bw_adb_end(const bw_adb_model *model, uint32_t row, double evidence);
/* The least evidence at which row gives p; infinite where it never does. */
double bw_adb_end_reaches(const bw_adb_model *model, uint32_t row, double p);

/* The fastest setting that promises a wanted error. NULL: none does. */
const bw_adb_setting *bw_adb_setting_for(const bw_adb_setting settings[BW_ADB_SETTINGS], double wanted_error);
/* Whether every number is in its domain: models come from callers. */
bool bw_adb_model_valid(const bw_adb_model *model);

#endif
