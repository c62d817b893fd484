/* Lookups in the curves of a model, and the models that come with the library. */
#include "anytime/model/model.h"

#include "anytime/moments/kernels.h"

#include <math.h>
#include <string.h>

const bw_anytime_model *bw_anytime_model_builtin(bw_anytime_poses poses, bw_anytime_kind kind)
{
    return (unsigned)poses <= BW_ANYTIME_POSES_CONTACT && (unsigned)kind <= BW_ANYTIME_KIND_LOOSE
               ? &bw_anytime_models[poses][kind]
               : NULL;
}

float bw_anytime_hazard_of(double p)
{
    if (!(p < 1.0))
        return INFINITY;
    return p <= 0.0 ? 0.0f : (float)-log1p(-p);
}

double bw_anytime_probability_of(double hazard)
{
    return -expm1(-hazard);
}

uint32_t bw_anytime_end_counted(uint32_t counted)
{
    uint32_t most = BW_END_BUDGET - BW_END_COUNTED;
    return BW_END_COUNTED - 1 + (counted < most ? counted : most);
}

uint32_t bw_anytime_end_budget(uint64_t steps)
{
    uint32_t row = BW_END_BUDGET;
    for (uint64_t limit = 1; row < BW_END_SURE - 1 && steps > limit; limit *= 2)
        row++;
    return row;
}

double bw_anytime_end_place(double evidence)
{
    if (!(evidence > 0x1p-9))
        return 0.0;
    if (evidence > 0x1p7)
        return (double)(BW_ANYTIME_LEVELS - 1);
    /* A logarithm that runs along a line between powers of two is as good, and cheap: the bits of the number
     * are its sum of exponent and mantissa. */
    uint64_t bits;
    memcpy(&bits, &evidence, sizeof bits);
    double place = 2.0 * ((double)(int64_t)(bits - ((uint64_t)(1023 - 9) << 52)) * 0x1p-52);
    return place < (double)(BW_ANYTIME_LEVELS - 1) ? place : (double)(BW_ANYTIME_LEVELS - 1);
}

double bw_anytime_end(const bw_anytime_model *model, uint32_t row, double evidence)
{
    double place = bw_anytime_end_place(evidence);
    int i = (int)place;
    if (i > BW_ANYTIME_LEVELS - 2)
        i = BW_ANYTIME_LEVELS - 2;
    double low = (double)model->end[row][i], high = (double)model->end[row][i + 1];
    return low + (place - i) * (high - low);
}

double bw_anytime_end_reaches(const bw_anytime_model *model, uint32_t row, double p)
{
    if (!((double)model->end[row][BW_ANYTIME_LEVELS - 1] >= p))
        return (double)INFINITY;
    double low = 0.0, high = 0x1p7;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (bw_anytime_end(model, row, middle) >= p)
            high = middle;
        else
            low = middle;
    }
    return high;
}

const bw_anytime_setting *bw_anytime_setting_for(const bw_anytime_setting settings[BW_ANYTIME_SETTINGS],
                                                 double wanted_error)
{
    for (int i = 0; i < BW_ANYTIME_SETTINGS && settings[i].error > 0.0f; i++)
        if ((double)settings[i].error <= wanted_error * 1.0000001)
            return &settings[i];
    return NULL;
}

/* Asked at every query that has a model of its own, so it looks at eight numbers at a time. */
bool bw_anytime_model_valid(const bw_anytime_model *model)
{
    bool fine = bw_moment_kernels_for(bw_simd_level(BW_SIMD_AUTO))->sound(model);
    for (int i = 0; i < BW_ANYTIME_SETTINGS; i++)
        fine &= model->setting[i].error <= 1.0f;
    return fine;
}
