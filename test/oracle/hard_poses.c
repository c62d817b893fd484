#include "oracle/hard_poses.h"

#include "scenes/scenes.h"

#include <math.h>

static bw_transform shear(bws_random *random)
{
    bw_transform t = bws_random_rigid(random, 0.7);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] += bws_random_double(random, -0.7, 0.7);
    return t;
}

/* Everything falls into one plane, on a line, or to a point. */
static bw_transform flatten(bws_random *random)
{
    bw_transform t = shear(random);
    uint64_t rank = bws_random_below(random, 6);
    for (int j = 0; j < 3; j++) {
        t.m[2][j] = t.m[0][j] + t.m[1][j];
        if (rank < 2)
            t.m[1][j] = 2 * t.m[0][j];
        if (rank < 1)
            t.m[0][j] = t.m[1][j] = t.m[2][j] = 0;
    }
    return t;
}

/* Flat but for the last bits, where an inverse is all rounding. */
static bw_transform nearly_flatten(bws_random *random)
{
    bw_transform t = flatten(random);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] += ldexp(bws_random_double(random, -1, 1), -(int)bws_random_int(random, 20, 60));
    return t;
}

bw_transform bw_hard_pose(bws_random *random, int kind)
{
    switch (kind) {
    case 0:
        return bws_random_rigid(random, 0.8);
    case 1:
        return bws_random_pose(random,
                               &(bws_pose_desc){.reach = 0.8, .low = 0.1, .high = 3.0, .mirror = true});
    case 2:
        return shear(random);
    case 3:
        return flatten(random);
    default:
        return nearly_flatten(random);
    }
}
