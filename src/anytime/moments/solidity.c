/* How solid a body is: whether two of it meet where their surfaces overlap in the mean.
 *
 * What a distance of means, in standard deviations, foretells differs from body to body, and no sum over the
 * surface tells how: limbs and branches pass each other, and rings hold each other, where spheres, cars and
 * statues of the same area and extent meet. So it is tried. */
#include "anytime/moments/moments.h"

#include "anytime/train/random.h"
#include "collide/pair/pair.h"

#include <boxwood/collide.h>

/* Standard deviations of the means: up to the second number all but loose bodies meet, and up to the third
 * those that are solid. */
static const double bounds[3] = {0.5, 1.5, 2.0};
enum { TRIES = 192 }; /* for each */

/* t^T (S + R S R^T)^-1 t for a direction t. */
static double squared_distance(const float (*spread)[BW_WIDTH], double turn[3][3], const double t[3])
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double s[3][3], c[3][3], determinant = 0.0, sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s[i][j] = (double)spread[at[i][j]][0];
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    s[i][j] += turn[i][k] * turn[j][l] * (double)spread[at[k][l]][0];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = s[i1][j1] * s[i2][j2] - s[i1][j2] * s[i2][j1];
            sum += t[i] * c[i][j] * t[j];
        }
    for (int j = 0; j < 3; j++)
        determinant += s[0][j] * c[0][j];
    return sum / determinant;
}

/* The body turned about the mean of its surface, which then stands at so many standard deviations. */
static bw_transform pose_at(const bw_moments *m, double turn[3][3], const double along[3], double deviations)
{
    bw_transform pose;
    double distance = deviations / sqrt(squared_distance(m->whole.spread, turn, along)), mean[3];
    for (int k = 0; k < 3; k++)
        mean[k] = (double)m->whole.mean[k][0] * m->unit + m->origin[k];
    for (int i = 0; i < 3; i++) {
        pose.m[i][3] = mean[i] + along[i] * distance * m->unit;
        for (int j = 0; j < 3; j++) {
            pose.m[i][j] = turn[i][j];
            pose.m[i][3] -= turn[i][j] * mean[j];
        }
    }
    return pose;
}

/* How often two of the body meet at low to high standard deviations; negative where memory ran out. */
static double share_met(const bw_moments *m, const bw_wide_side *side, const bw_tree *tree, double low,
                        double high, const bw_allocator *allocator)
{
    bw_random r = {1};
    uint32_t met = 0;
    for (uint32_t i = 0; i < TRIES; i++) {
        double turn[3][3], along[3];
        bw_random_turn(&r, turn);
        bw_random_direction(&r, 3, along);
        bw_transform at = pose_at(m, turn, along, low + (high - low) * (i + 0.5) / TRIES);
        bw_relative_pose pose;
        if (bw_relative_pose_between(&(bw_body){tree, side->mesh, NULL}, &(bw_body){tree, side->mesh, &at},
                                     &pose) != BW_OK)
            continue; /* out of range: free, as far as a query could tell */
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .allocator = allocator};
        bw_hit_sink sink = {.desc = &desc};
        bw_result result = bw_wide_pair(side, side, &pose, &(bw_wide_options){.simd = BW_SIMD_AUTO}, &sink);
        if (result == BW_ERROR_MEMORY)
            return -1.0;
        met += sink.report.hit_count > 0;
    }
    return (double)met / TRIES;
}

bw_result bw_moments_try_solidity(bw_moments *m, const bw_wide *wide, const bw_tree *tree,
                                  const bw_mesh *mesh, const bw_allocator *allocator)
{
    bw_wide_side side = {wide, mesh};
    m->filling = share_met(m, &side, tree, bounds[0], bounds[1], allocator);
    m->solidity = share_met(m, &side, tree, bounds[1], bounds[2], allocator);
    return m->filling < 0.0 || m->solidity < 0.0 ? BW_ERROR_MEMORY : BW_OK;
}
