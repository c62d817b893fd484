/* Margins for comparing the oriented boxes of leaves in float. The derivation is in docs/lab/needles-margins.md. */
#include "collide/pair/leaf_obbs.h"

#include "collide/separation/separation.h"
#include "geom/box.h"

#include <math.h>

static const double u = 0x1p-24, v = 0x1p-50;
static const double tiny = 0x1p-140;                               /* above all that underflow can lose */
static const double largest_turn = 0x1p20, largest_place = 0x1p40; /* up to these no product overflows */

static double larger(double a, double b)
{
    return a < b ? b : a;
}

bool bw_leaf_obb_frame_prepare(bw_leaf_obb_frame *frame, const bw_relative_pose *pose, const bw_wide *a,
                               const bw_wide *b)
{
    const bw_transform *map = &pose->map;
    const double separation = pose->separation != NULL ? pose->separation->far : 0.0;
    if (a->obbs.of_node == NULL || b->obbs.of_node == NULL)
        return false;
    const double far_a = (double)a->obbs.far_centre, far_b = (double)b->obbs.far_centre;
    const double half_a = (double)a->obbs.far_half, half_b = (double)b->obbs.far_half;
    double reach = 0, turn_error = 0, shift = 0, slack = 0;
    for (int i = 0; i < 3; i++) {
        const double *m = map->m[i];
        double t = m[3] - (double)a->obbs.origin[i], sum = 0, error = 0;
        double size = fabs(m[3]) + fabs((double)a->obbs.origin[i]);
        for (int j = 0; j < 3; j++) {
            if (!(fabs(m[j]) < largest_turn))
                return false;
            frame->turn[i][j] = (float)m[j];
            t += m[j] * (double)b->obbs.origin[j];
            sum += fabs(m[j]);
            error += fabs(m[j] - (double)frame->turn[i][j]);
            size += fabs(m[j]) * larger(fabs((double)b->bounds.min[j]), fabs((double)b->bounds.max[j]));
        }
        if (!(size < largest_place))
            return false;
        frame->shift[i] = (float)t;
        reach = larger(reach, sum);
        turn_error = larger(turn_error, error);
        shift = larger(shift, fabs(t));
        slack = larger(slack, 4.0 * v * size);
    }
    if (!(far_a + far_b + half_a + half_b + separation < largest_place))
        return false;
    const double centre = turn_error * far_b + 6.0 * u * (reach * far_b + shift) + slack;
    const double apart = 4.0 * u * (reach * far_b + shift + far_a);
    const double sides = 3.0 * half_b * (turn_error + 16.0 * u * reach) + 36.0 * u * half_a;
    const double parallel = 5.0 * u * reach * (2.0 * half_a + 3.0 * reach * half_b);
    frame->share = bw_float_up(1.02 * (centre + apart + sides) + (1.0 + 0x1p-20) * separation);
    const double scale =
        (1.0 + reach) * (1.0 + reach) * (1.0 + far_a + far_b + half_a + half_b + shift + separation);
    frame->floor = bw_float_up(1.02 * parallel + tiny * scale);
    return true;
}
