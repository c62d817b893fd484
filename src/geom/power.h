/* Powers of two. */
#ifndef BW_GEOM_POWER_H
#define BW_GEOM_POWER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The least power of two above x, not negative and finite, and its inverse; 1 for 0. As frexp and ldexp do, of which
 * it is an inline form. */
static inline void bw_power_above(double x, double *power, double *inverse)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t exponent = bits >> 52;
    if (exponent - 1 < 2044) { /* neither is subnormal */
        const uint64_t up = (exponent + 1) << 52, down = (2045 - exponent) << 52;
        memcpy(power, &up, sizeof up);
        memcpy(inverse, &down, sizeof down);
        return;
    }
    int scale;
    (void)frexp(x, &scale);
    *power = ldexp(1, scale);
    *inverse = ldexp(1, -scale);
}

#endif
