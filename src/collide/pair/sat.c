/* The separating axis test of two boxes under a pose, with proven margins. */
#include "collide/pair/sat.h"

#include <math.h>

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Brings n to a length near one by a power of two, so that products with it neither overflow nor vanish; n =
 * 0 (and whatever overflowed on the way to n) becomes the zero axis, which separates nothing. */
static void normalise(double n[3])
{
    double largest = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    int exponent = 0;
    if (!(largest > 0.0) || !isfinite(largest) || !isfinite(n[0] + n[1] + n[2])) {
        n[0] = n[1] = n[2] = 0.0;
        return;
    }
    frexp(largest, &exponent);
    for (int k = 0; k < 3; k++)
        n[k] = ldexp(n[k], -exponent);
}

static double reach_of(const bw_box *box, int axis)
{
    return fmax(fabs((double)box->min[axis]), fabs((double)box->max[axis]));
}

/* margin: with u = 2^-53, each computed quantity along n (the distance of the centres, the extents, the
 * mapped vertices) is off by less than 16 u times S = sum_k |n_k| (reach_a_k + |t_k| + sum_j |M_kj|
 * reach_b_j), the largest any term can be. Less than twenty roundings are chained in all; 2^-45 S = 256 u S
 * covers them with room to spare. An absolute term covers underflow. */
static void set_axis(bw_sat_axis *axis, const double n[3], const bw_transform *map, const bw_box *bounds_a,
                     const bw_box *bounds_b)
{
    double scale = 0.0;
    for (int k = 0; k < 3; k++) {
        axis->n[k] = n[k];
        axis->abs_n[k] = fabs(n[k]);
        double column[3] = {map->m[0][k], map->m[1][k], map->m[2][k]};
        axis->abs_w[k] = fabs(n[0] * column[0] + n[1] * column[1] + n[2] * column[2]);
        double term = reach_of(bounds_a, k) + fabs(map->m[k][3]);
        for (int j = 0; j < 3; j++)
            term += fabs(map->m[k][j]) * reach_of(bounds_b, j);
        scale += fabs(n[k]) * term;
    }
    axis->margin = 0x1p-45 * scale + 0x1p-900;
}

void bw_sat_prepare(bw_sat *sat, const bw_transform *map, const bw_box *bounds_a, const bw_box *bounds_b,
                    bw_box_test test)
{
    sat->map = *map;
    sat->count = test == BW_BOX_TEST_SAT ? BW_SAT_AXES : BW_SAT_LITE_AXES;
    double column[3][3];
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++)
            column[j][k] = map->m[k][j];
        /* Lengths of edges do not matter for directions, and scaled ones cannot overflow below. */
        normalise(column[j]);
    }
    for (int k = 0; k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2};
        double face[3];
        cross(column[(k + 1) % 3], column[(k + 2) % 3], face);
        normalise(face);
        set_axis(&sat->axis[k], unit, map, bounds_a, bounds_b);
        set_axis(&sat->axis[3 + k], face, map, bounds_a, bounds_b);
        for (int j = 0; j < 3; j++) {
            double edges[3];
            cross(unit, column[j], edges);
            normalise(edges);
            set_axis(&sat->axis[6 + 3 * k + j], edges, map, bounds_a, bounds_b);
        }
    }
}
