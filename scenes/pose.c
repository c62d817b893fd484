#include "scenes/scenes.h"

#include <math.h>

/* Two numbers uniform in the unit disc, and the square of their length. */
static double in_disc(bws_random *random, double *x, double *y)
{
    for (;;) {
        *x = bws_random_double(random, -1, 1);
        *y = bws_random_double(random, -1, 1);
        double s = *x * *x + *y * *y;
        if (s < 1 && s > 0)
            return s;
    }
}

/* Marsaglia, "Choosing a point from the surface of a sphere", 1972; no sine, so the bits are the same
 * everywhere. */
bw_vec3 bws_random_direction(bws_random *random)
{
    double x, y, s = in_disc(random, &x, &y), r = 2 * sqrt(1 - s);
    return (bw_vec3){x * r, y * r, 1 - 2 * s};
}

bw_transform bws_random_pose(bws_random *random, const bws_pose_desc *desc)
{
    /* The same paper's point on the sphere in four dimensions: a unit quaternion. */
    double x, y, z, w, s = in_disc(random, &x, &y), t = in_disc(random, &z, &w);
    double r = sqrt((1 - s) / t);
    z *= r;
    w *= r;
    double rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    bool given = desc->low != 0 || desc->high != 0;
    double low = given ? desc->low : 0.5, high = given ? desc->high : 2;
    bw_transform pose;
    for (int j = 0; j < 3; j++) {
        double scale = low == high ? low : bws_random_double(random, low, high);
        if (desc->mirror && bws_random_bool(random))
            scale = -scale;
        for (int i = 0; i < 3; i++)
            pose.m[i][j] = rotation[i][j] * scale;
    }
    for (int i = 0; i < 3; i++)
        pose.m[i][3] = bws_random_double(random, -desc->reach, desc->reach);
    return pose;
}

bw_transform bws_random_rigid(bws_random *random, double reach)
{
    return bws_random_pose(random, &(bws_pose_desc){.reach = reach, .low = 1, .high = 1});
}
