/* The operations of geom/ccd/lanes_template.h, one query at a time. */
#ifndef BW_GEOM_CCD_LANES_ONE_H
#define BW_GEOM_CCD_LANES_ONE_H

#include "geom/ccd/ccd.h"
#include "geom/ccd/double_limits.h"

#define LANES_FN static inline
#define LANES 1
typedef double lanes;
typedef bool mask;

#define l_set(a) ((double)(a))
#define l_add(a, b) ((a) + (b))
#define l_sub(a, b) ((a) - (b))
#define l_mul(a, b) ((a) * (b))
#define l_div(a, b) ((a) / (b))
#define l_sqrt sqrt
#define l_abs fabs
#define l_greater(a, b) ((a) > (b))
#define l_choose(m, yes, no) ((m) ? (yes) : (no))
#define m_and(a, b) ((a) && (b))
#define m_or(a, b) ((a) || (b))
#define m_not(a) (!(a))
#define m_bits(a) ((uint32_t)(a))

LANES_FN lanes l_max(lanes a, lanes b)
{
    return a > b ? a : b;
}
LANES_FN lanes l_min(lanes a, lanes b)
{
    return a < b ? a : b;
}

#include "geom/ccd/lanes_template.h"
#include "geom/ccd/near_template.h"

#include "geom/ccd/close_template.h"

#endif
