/* The operations of geom/ccd/lanes_template.h, one query at a time. */
#ifndef BW_GEOM_CCD_LANES_ONE_H
#define BW_GEOM_CCD_LANES_ONE_H

#include "geom/ccd/ccd.h"
#include "geom/ccd/double_limits.h"

#define LANES_FN static inline
#define LANES 1
typedef double lanes;
typedef bool mask;

LANES_FN lanes l_set(double a)
{
    return a;
}
LANES_FN lanes l_add(lanes a, lanes b)
{
    return a + b;
}
LANES_FN lanes l_sub(lanes a, lanes b)
{
    return a - b;
}
LANES_FN lanes l_mul(lanes a, lanes b)
{
    return a * b;
}
LANES_FN lanes l_max(lanes a, lanes b)
{
    return a > b ? a : b;
}
LANES_FN lanes l_min(lanes a, lanes b)
{
    return a < b ? a : b;
}
LANES_FN lanes l_abs(lanes a)
{
    return fabs(a);
}
LANES_FN mask l_greater(lanes a, lanes b)
{
    return a > b;
}
LANES_FN mask m_and(mask a, mask b)
{
    return a && b;
}
LANES_FN mask m_or(mask a, mask b)
{
    return a || b;
}
LANES_FN uint32_t m_bits(mask a)
{
    return a;
}

LANES_FN lanes l_div(lanes a, lanes b)
{
    return a / b;
}
LANES_FN lanes l_sqrt(lanes a)
{
    return sqrt(a);
}
LANES_FN lanes l_choose(mask m, lanes yes, lanes no)
{
    return m ? yes : no;
}
LANES_FN mask m_not(mask a)
{
    return !a;
}

#include "geom/ccd/lanes_template.h"
#include "geom/ccd/near_template.h"

#include "geom/ccd/close_template.h"

#endif
