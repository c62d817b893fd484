/* Sine and cosine: the angle less a multiple of pi / 2, which is known in three parts, then the Taylor series about 0. Sums and products
 * alone, in one order. */
#include "geom/sine.h"

#include <math.h>

/* pi / 2: a multiple of the first two parts, of 33 bits each, by up to 2^20 is a double. */
#define FIRST 0x1.921fb544p+0
#define SECOND 0x1.0b4611a6p-34
#define THIRD 0x1.3198a2e037073p-69
#define PER_QUARTER 0x1.45f306dc9c883p-1 /* 2 / pi */
#define TURN 0x1.921fb54442d18p+2
#define LARGE 0x1p20

/* What is left of an angle, as a sum: at most pi / 4, but for rounding. */
typedef struct rest {
    double most, less;
    int quarter; /* of a turn, 0 to 3 */
} rest;

static rest rest_of(double angle)
{
    rest out;
    if (!isfinite(angle))
        return (rest){angle - angle, 0, 0}; /* not a number */
    if (fabs(angle) > LARGE)
        angle = fmod(angle, TURN);
    const double k = floor(angle * PER_QUARTER + 0.5);
    const double a = angle - k * FIRST, b = k * SECOND; /* exact */
    const double sum = a - b, back = a - sum, lost = (a - (sum + back)) + (back - b) - k * THIRD;
    out.most = sum + lost;
    out.less = (sum - out.most) + lost;
    out.quarter = (int)k & 3;
    return out;
}

static double sine_of(const rest *r)
{
    const double x = r->most, z = x * x;
    const double p =
        1.0 / 120 +
        z * (-1.0 / 5040 +
             z * (1.0 / 362880 +
                  z * (-1.0 / 39916800 +
                       z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000))))));
    return x + (r->less * (1 - 0.5 * z) + z * x * (-1.0 / 6 + z * p));
}

static double cosine_of(const rest *r)
{
    const double x = r->most, z = x * x, half = 0.5 * z, most = 1 - half;
    const double p =
        1.0 / 24 +
        z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 +
                                                  z * (1.0 / 479001600 + z * (-1.0 / 87178291200 +
                                                                              z * (1.0 / 20922789888000))))));
    return most + ((1 - most - half) + (z * z * p - x * r->less));
}

double bw_sine(double angle)
{
    const rest r = rest_of(angle);
    const double value = r.quarter & 1 ? cosine_of(&r) : sine_of(&r);
    return r.quarter & 2 ? -value : value;
}

double bw_cosine(double angle)
{
    const rest r = rest_of(angle);
    const double value = r.quarter & 1 ? sine_of(&r) : cosine_of(&r);
    return (r.quarter + 1) & 2 ? -value : value;
}
