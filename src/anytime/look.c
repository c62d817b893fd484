/* Two bodies as wholes: what can be said before any node is looked at. */
#include "anytime/walk.h"

#include <math.h>

static float narrow(double x)
{
    x = x < 1e30 ? x : 1e30;
    return (float)(x > -1e30 ? x : -1e30);
}

/* x in units of b is the point unit_b x + origin_b, which the pose maps, less origin_a, over unit_a. */
void bw_moment_map_prepare(bw_moment_map *map, const bw_pose *pose, const bw_moments *a, const bw_moments *b)
{
    double columns = 0.0;
    for (int i = 0; i < 3; i++) {
        double t = pose->map.m[i][3] - a->origin[i];
        for (int j = 0; j < 3; j++) {
            map->m[i][j] = narrow(pose->map.m[i][j] * (b->unit / a->unit));
            columns += pose->map.m[i][j] * pose->map.m[i][j];
            t += pose->map.m[i][j] * b->origin[j];
        }
        map->t[i] = narrow(t / a->unit);
    }
    map->scale = narrow(sqrt(columns / 3.0));
}

bool bw_adb_look_at(const bw_moments *a, const bw_moments *b, const bw_moment_map *map, float *distance)
{
    const bw_moment_kernels *kernels = bw_moment_kernels_for(bw_simd_level(BW_SIMD_AUTO));
    bw_moment_mapped mapped;
    float distances[BW_WIDTH * BW_WIDTH];
    kernels->map(map, &b->whole, &mapped);
    float size_a = a->whole.spread[0][0] + a->whole.spread[1][0] + a->whole.spread[2][0];
    float size_b = mapped.spread[0][0] + mapped.spread[1][0] + mapped.spread[2][0];
    if (!(size_a <= 4.0f * size_b && size_b <= 4.0f * size_a))
        return false;
    kernels->distances(&a->whole, &mapped, 1, distances);
    *distance = distances[0];
    return true;
}

float bw_adb_look(const bw_moments *a, const bw_moments *b, const bw_moment_map *map,
                  const bw_adb_model *model)
{
    float distance;
    return bw_adb_look_at(a, b, map, &distance) ? bw_adb_curve(model->whole, distance) : 0.0f;
}
