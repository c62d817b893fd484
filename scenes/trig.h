/* Sine and cosine by plain arithmetic: the C library's differ in the last bit from one system to the next,
 * and a scene must have the same bits everywhere. Error below 2e-16 + 1e-16 |x| for |x| up to 1e5. */
#ifndef BWS_TRIG_H
#define BWS_TRIG_H

#include <math.h>

#define BWS_PI 3.14159265358979323846

/* The angle reduced to [-pi/4, pi/4], and the quadrant it was in. */
static inline double bws_reduce(double x, int *quadrant)
{
    double q = floor(x * (2 / BWS_PI) + 0.5);
    *quadrant = (int)(q - 4 * floor(q / 4));
    /* pi/2 in two parts (Cody and Waite): the first has 33 bits, so q times it is exact. */
    return (x - q * 0x1.921fb544p+0) - q * 0x1.0b4611a626331p-34;
}

static inline double bws_sin_core(double x)
{
    double t = x * x;
    double p = -1.0 / 1307674368000;
    p = p * t + 1.0 / 6227020800;
    p = p * t - 1.0 / 39916800;
    p = p * t + 1.0 / 362880;
    p = p * t - 1.0 / 5040;
    p = p * t + 1.0 / 120;
    p = p * t - 1.0 / 6;
    return x + x * (t * p);
}

static inline double bws_cos_core(double x)
{
    double t = x * x;
    double p = 1.0 / 20922789888000;
    p = p * t - 1.0 / 87178291200;
    p = p * t + 1.0 / 479001600;
    p = p * t - 1.0 / 3628800;
    p = p * t + 1.0 / 40320;
    p = p * t - 1.0 / 720;
    p = p * t + 1.0 / 24;
    return 1 - (t * 0.5 - t * (t * p));
}

static inline double bws_sin(double x)
{
    int quadrant;
    double r = bws_reduce(x, &quadrant);
    double s = quadrant % 2 == 0 ? bws_sin_core(r) : bws_cos_core(r);
    return quadrant < 2 ? s : -s;
}

static inline double bws_cos(double x)
{
    int quadrant;
    double r = bws_reduce(x, &quadrant);
    double c = quadrant % 2 == 0 ? bws_cos_core(r) : bws_sin_core(r);
    return quadrant == 0 || quadrant == 3 ? c : -c;
}

#endif
