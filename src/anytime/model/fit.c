/* Monotone curves by pooling adjacent violators, from counts of observations. */
#include "anytime/model/fit.h"

#include <math.h>

void bw_fit_add(bw_fit *fit, double place, bool hit, double weight)
{
    double last = (double)(fit->knots - 1);
    if (!(place > 0.0))
        place = 0.0;
    if (place > last)
        place = last;
    uint32_t i = (uint32_t)place;
    if (i == fit->knots - 1)
        i--;
    double high = place - i, share[2] = {1.0 - high, high};
    for (uint32_t k = 0; k < 2; k++) {
        fit->seen[i + k] += weight * share[k];
        fit->hits[i + k] += hit ? weight * share[k] : 0.0;
    }
}

/* Pool adjacent violators: the least squares fit that rises. */
static void rise(uint32_t n, double *value, const double *weight)
{
    double mean[BW_FIT_MOST], mass[BW_FIT_MOST];
    uint32_t length[BW_FIT_MOST], blocks = 0;
    for (uint32_t i = 0; i < n; i++) {
        mean[blocks] = value[i];
        mass[blocks] = weight[i];
        length[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            double total = mass[blocks - 2] + mass[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * mass[blocks - 2] + mean[blocks - 1] * mass[blocks - 1]) / total;
            mass[blocks - 2] = total;
            length[blocks - 2] += length[blocks - 1];
            blocks--;
        }
    }
    uint32_t at = 0;
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < length[b]; i++)
            value[at++] = mean[b];
}

static double logit(double p)
{
    return log(p / (1.0 - p));
}

void bw_fit_curve(const bw_fit *fit, const double *prior, double weight, bool falling, double *out)
{
    uint32_t n = fit->knots;
    double value[BW_FIT_MOST], mass[BW_FIT_MOST], smooth[BW_FIT_MOST];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = falling ? n - 1 - i : i;
        mass[i] = fit->seen[k] + weight;
        value[i] = (fit->hits[k] + weight * prior[k]) / mass[i];
    }
    rise(n, value, mass);
    for (uint32_t i = 0; i < n; i++)
        value[i] = logit(fmin(fmax(value[i], 1e-6), 1.0 - 1e-6));
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < n; i++) {
            double before = value[i > 0 ? i - 1 : i], after = value[i + 1 < n ? i + 1 : i];
            smooth[i] = 0.25 * before + 0.5 * value[i] + 0.25 * after;
        }
        for (uint32_t i = 0; i < n; i++)
            value[i] = smooth[i];
    }
    for (uint32_t i = 0; i < n; i++)
        out[falling ? n - 1 - i : i] = 1.0 / (1.0 + exp(-value[i]));
}
