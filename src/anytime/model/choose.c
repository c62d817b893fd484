/* Which setting of a query meets a wanted error at the least cost, from a body's tally of trials. */
#include "anytime/model/choose.h"

#include <math.h>
#include <string.h>

const float bw_wanted_errors[BW_ANYTIME_SETTINGS] = {0.05f,  0.02f,  0.01f,   0.005f,
                                                     0.002f, 0.001f, 0.0005f, 0.0002f};

uint32_t bw_wanted_level(double wanted_error)
{
    uint32_t w = 0;
    while (w < BW_ANYTIME_SETTINGS && (double)bw_wanted_errors[w] > wanted_error * 1.0000001)
        w++;
    return w;
}

/* What the rate of errors of a further body may be, before it is tried: most are like those of training; but
 * some are strange, and of them nothing is known but that they may err several times as often as is wanted.
 * Both are gamma distributions, and so is what a count of errors leaves of them. */
static const double like_shape = 1.0, strange_shape = 0.5, strange_share = 0.2, strange_rate = 4.0;
/* A body takes a setting where the doubt is less. Chosen, as the numbers above, by bodies whose families were
 * held out (./dev calibrate tells how they do). */
static const double most_doubt = 0.03;
/* And where it is faster than the exact query by what these estimates of time are off, mostly. */
static const double least_gain = 1.1;

/* The probability that a gamma variable of a shape is above x: Wilson and Hilferty's root. */
static double above(double shape, double x)
{
    const double z = (cbrt(x / shape) - 1.0 + 1.0 / (9.0 * shape)) * 3.0 * sqrt(shape);
    return 0.5 * erfc(z * 0.70710678118654752);
}

/* The logarithm of how likely a count is, less what both kinds of bodies have in common. */
static double likelihood(uint32_t wrong, double poses, double shape, double rate)
{
    double sum = shape * log(rate) - (shape + wrong) * log(rate + poses);
    for (uint32_t k = 0; k < wrong; k++)
        sum += log(shape + k);
    return sum;
}

double bw_doubt(uint32_t wrong, uint32_t poses, double expected, double wanted)
{
    const double like = like_shape / fmax(expected, 1e-6), strange = strange_shape / (strange_rate * wanted);
    if (wrong >= wanted * poses)
        return 1.0;
    const double odds = log((1.0 - strange_share) / strange_share) +
                        likelihood(wrong, poses, like_shape, like) -
                        likelihood(wrong, poses, strange_shape, strange);
    const double is_strange = 1.0 / (1.0 + exp(fmin(odds, 100.0)));
    return (1.0 - is_strange) * above(like_shape + wrong, (like + poses) * wanted) +
           is_strange * above(strange_shape + wrong, (strange + poses) * wanted);
}

/* How many times as often as others a body errs in one way: from the most careful setting at which errors
 * were expected enough to be counted. wrong: its errors, expected: shares, both by caution. */
static double readiness(const uint32_t *wrong, const float *expected, uint32_t count, uint32_t poses)
{
    const double enough = 8.0, before = 2.0;
    uint32_t at = 0;
    for (uint32_t k = 0; k < count; k++)
        if (poses * (double)expected[k] >= enough)
            at = k;
    return fmax((before + wrong[at]) / (before + poses * (double)expected[at]), 0.2);
}

/* Nanoseconds on one core of an EPYC (Zen 3): to look at the bodies as wholes, to make a walk ready, a step.
 * Beside `boxwood-bench anytime --impl boxwood-moments,boxwood-moments-strict` (time and steps of 56 cases at
 * two wanted errors): half of the 112 times are 0.92 to 1.20 of this, nine in ten 0.76 to 1.39, and a line
 * through them has 211 ns per step. Only the ratio to the cost of an exact query
 * (anytime/train/self_calibration.c) matters, and other prices would be other choices than those that were
 * measured. */
double bw_cost_of(const bw_tally *t, uint32_t s, uint32_t p)
{
    return 117.0 + (214.0 * t->walked[s][p] + 188.0 * (double)t->steps[s][p]) / t->poses;
}

bw_choice bw_choose(const bw_tally *t, const bw_prospect *prospect, double wanted, double exact_cost)
{
    uint32_t mistaken[BW_TRIAL_SURES];
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        mistaken[s] = t->mistaken[s][BW_TRIAL_PRUNES - 1];
    const double premature = readiness(mistaken, prospect->mistaken, BW_TRIAL_SURES, t->poses),
                 blind =
                     readiness(t->missed[BW_TRIAL_SURES - 1], prospect->missed, BW_TRIAL_PRUNES, t->poses);
    bw_choice best = {.exact = true};
    double least = exact_cost / least_gain;
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++) {
            const double expected =
                             premature * (double)prospect->mistaken[s] + blind * (double)prospect->missed[p],
                         cost = bw_cost_of(t, s, p);
            if (cost >= least ||
                bw_doubt(t->mistaken[s][p] + t->missed[s][p], t->poses, expected, wanted) > most_doubt)
                continue;
            least = cost;
            best = (bw_choice){false, (uint8_t)s, (uint8_t)p};
        }
    return best;
}

void bw_choice_setting(bw_choice choice, const bw_prospect *prospect, uint32_t w, bw_anytime_setting *out)
{
    out->error = bw_wanted_errors[w];
    memcpy(out->sure, prospect->grid.sure[choice.sure], sizeof out->sure);
    out->prune = bw_trial_prunes[choice.prune];
}

void bw_prospect_of(const bw_anytime_model *model, const bw_tally *tallies, uint32_t count, bw_prospect *out)
{
    double mistaken[BW_TRIAL_SURES] = {0}, missed[BW_TRIAL_PRUNES] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const bw_tally *t = &tallies[i];
        for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
            mistaken[s] += (double)t->mistaken[s][BW_TRIAL_PRUNES - 1] / t->poses / count;
        for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++)
            missed[p] += (double)t->missed[BW_TRIAL_SURES - 1][p] / t->poses / count;
    }
    bw_trial_grid_of(model, &out->grid);
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        out->mistaken[s] = (float)mistaken[s];
    for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++)
        out->missed[p] = (float)missed[p];
}
