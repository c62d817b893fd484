/* Boxes of floats around points of doubles: every bound is rounded outward, so that a box never misses what
 * it bounds. The helpers return the nearest float on their side, never one further. */
#ifndef BW_GEOM_BOX_H
#define BW_GEOM_BOX_H

#include <boxwood/math.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* The float next to f towards minus infinity; f is finite. */
static inline float bw_float_before(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (f > 0)
        bits -= 1; /* the bits of positive floats ascend with their values */
    else if (f < 0)
        bits += 1;
    else
        bits = 0x80000001u; /* either zero: the smallest negative */
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* The largest float that is not above x. Infinities stay; a NaN stays a NaN. */
static inline float bw_float_down(double x)
{
    if (!(fabs(x) <= (double)FLT_MAX)) /* the cast below would not be defined */
        return x > 0 ? (x > DBL_MAX ? INFINITY : FLT_MAX) : x < 0 ? -INFINITY : NAN;
    float f = (float)x;
    return (double)f > x ? bw_float_before(f) : f;
}

/* The smallest float that is not below x. */
static inline float bw_float_up(double x)
{
    return -bw_float_down(-x);
}

static inline bw_box bw_box_empty(void)
{
    return (bw_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline bw_box bw_box_union(const bw_box *a, const bw_box *b)
{
    bw_box out;
    for (int i = 0; i < 3; i++) {
        out.min[i] = a->min[i] < b->min[i] ? a->min[i] : b->min[i];
        out.max[i] = a->max[i] > b->max[i] ? a->max[i] : b->max[i];
    }
    return out;
}

#endif
