/* The public face of motion/gap.h. */
#include "motion/curve.h"
#include "motion/gap.h"

#include <math.h>

bool bw_plan_crossing(const bw_plan *a, const bw_plan *b, int axis, double after, double until,
                      bw_crossing *out)
{
    if (a == NULL || b == NULL || out == NULL || axis < 0 || axis > 2 || !(after < until))
        return false;
    bw_curve ca = bw_plan_curve(a, axis), cb = bw_plan_curve(b, axis);
    if (bw_curve_equal(&ca, &cb))
        return false;
    bw_gap gap;
    bw_gap_make(&ca, &cb, after, until, &gap);
    bw_crossing crossing = {.from = after, .before = bw_gap_order(&gap)};
    crossing.to = bw_gap_settle(&gap, &crossing.order);
    /* Times are rounded to the safe side: where one is left too early, look again from there. */
    while (crossing.before != 0 && crossing.order == crossing.before && crossing.to == gap.start) {
        crossing.from = bw_gap_leave(&gap);
        double start = crossing.from > gap.start ? crossing.from : nextafter(gap.start, INFINITY);
        if (start > until)
            return false;
        bw_gap_make(&ca, &cb, start, until, &gap);
        crossing.to = bw_gap_settle(&gap, &crossing.order);
    }
    if (crossing.order == 0)
        crossing.to = until;
    *out = crossing;
    return true;
}
