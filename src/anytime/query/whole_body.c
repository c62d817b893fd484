/* Two bodies as wholes: what can be said before any node is looked at. */
#include "anytime/query/query.h"

#include <math.h>

static float narrow(double x)
{
    x = x < 1e30 ? x : 1e30;
    return (float)(x > -1e30 ? x : -1e30);
}

/* x in units of b is the point unit_b x + origin_b, which the pose maps, less origin_a, over unit_a. */
void bw_moment_map_prepare(bw_moment_map *map, const bw_relative_pose *pose, const bw_moments *a,
                           const bw_moments *b)
{
    const double ratio = b->unit / a->unit;
    double to[3][4], columns = 0.0, sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *m = pose->map.m[i];
        double t = m[3] - a->origin[i];
        for (int j = 0; j < 3; j++) {
            to[i][j] = m[j] * ratio;
            columns += m[j] * m[j];
            t += m[j] * b->origin[j];
        }
        to[i][3] = t / a->unit;
        sum += (fabs(to[i][0]) + fabs(to[i][1])) + (fabs(to[i][2]) + fabs(to[i][3]));
    }
    const bool fits = sum < 1e30; /* then each does */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            map->m[i][j] = fits ? (float)to[i][j] : narrow(to[i][j]);
        map->t[i] = fits ? (float)to[i][3] : narrow(to[i][3]);
    }
    map->scale = narrow(sqrt(columns / 3.0));
}

/* A symmetric matrix: xx, yy, zz, xy, xz, yz. */
static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

static float along(const float m[3], float x, float y, float z)
{
    return m[0] * x + m[1] * y + m[2] * z;
}

/* One pair only, so lane by lane as the kernels do eight: the same operations in the same order give the same
 * bits, and nothing has to be written to memory and read back. */
bool bw_anytime_whole_body_of(const bw_moments *a, const bw_moments *b, const bw_moment_map *map,
                              float *distance)
{
    float t[3], s[6], turned[3][3];
    for (int i = 0; i < 3; i++)
        t[i] = along(map->m[i], b->whole.mean[0][0], b->whole.mean[1][0], b->whole.mean[2][0]) + map->t[i];
    for (int q = 0; q < 6; q++)
        s[q] = b->whole.spread[q][0];
    for (int i = 0; i < 3; i++) {
        turned[i][0] = along(map->m[i], s[0], s[3], s[4]);
        turned[i][1] = along(map->m[i], s[3], s[1], s[5]);
        turned[i][2] = along(map->m[i], s[4], s[5], s[2]);
    }
    for (int q = 0; q < 6; q++)
        s[q] = along(map->m[column[q]], turned[row[q]][0], turned[row[q]][1], turned[row[q]][2]);
    float size_a = a->whole.spread[0][0] + a->whole.spread[1][0] + a->whole.spread[2][0];
    float size_b = s[0] + s[1] + s[2];
    if (!(size_a <= 4.0f * size_b && size_b <= 4.0f * size_a))
        return false;
    float x = t[0] - a->whole.mean[0][0], y = t[1] - a->whole.mean[1][0], z = t[2] - a->whole.mean[2][0];
    float xx = a->whole.spread[0][0] + s[0], yy = a->whole.spread[1][0] + s[1],
          zz = a->whole.spread[2][0] + s[2], xy = a->whole.spread[3][0] + s[3],
          xz = a->whole.spread[4][0] + s[4], yz = a->whole.spread[5][0] + s[5];
    float cxx = yy * zz - yz * yz, cyy = xx * zz - xz * xz, czz = xx * yy - xy * xy;
    float cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy, cyz = xy * xz - xx * yz;
    float determinant = xx * cxx + xy * cxy + xz * cxz;
    float straight = x * x * cxx + y * y * cyy + z * z * czz;
    float across = x * y * cxy + x * z * cxz + y * z * cyz;
    float m2 = (straight + (across + across)) / determinant;
    *distance = sqrtf(m2 > 0.0f ? m2 : 0.0f);
    return true;
}

float bw_anytime_whole_body(const bw_moments *a, const bw_moments *b, const bw_moment_map *map,
                            const bw_anytime_model *model)
{
    float distance;
    return bw_anytime_whole_body_of(a, b, map, &distance) ? bw_anytime_curve(model->whole, distance) : 0.0f;
}
