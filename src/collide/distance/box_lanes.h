/* Eight boxes in the frame of a distance query, and the gaps between them, for one level of
 * base/simd/f32x8.h. */
#ifndef BW_COLLIDE_DISTANCE_BOX_LANES_H
#define BW_COLLIDE_DISTANCE_BOX_LANES_H

#include "base/simd/f32x8_vec3.h"
#include "collide/distance/kernels.h"
#include "tree/wide/lens.h"

#include <math.h>

/* The smallest value of a linear form over a box takes, per axis, the end that the sign of its factor
 * chooses. */
LANES_FN void map_boxes(const bw_distance_map *map, const bw_wide_node *node, bw_distance_boxes *out)
{
    v8 near[3], far[3];
    for (int j = 0; j < 3; j++) {
        v8 centre = v8_all(map->centre[j]);
        near[j] = v8_sub(v8_load(node->min[j]), centre);
        far[j] = v8_sub(v8_load(node->max[j]), centre);
    }
    for (int i = 0; i < 3; i++) {
        v8 low = v8_all(map->low[i]), high = v8_all(map->high[i]);
        for (int j = 0; j < 3; j++) {
            v8 m = v8_all(map->m[i][j]), p = v8_mul(m, near[j]), q = v8_mul(m, far[j]);
            low = v8_add(low, v8_min(p, q));
            high = v8_add(high, v8_max(p, q));
        }
        v8_store(out->low[i], low);
        v8_store(out->high[i], high);
    }
}

/* Draws the boxes of a node's children tight by their lenses: along a row of the map, what is below reaches
 * over the slab times what of the row is along the normal, and to both sides by the radius times what is
 * across it. Children without a lens stay as they are. */
LANES_FN void tighten_boxes(const bw_distance_map *map, const bw_wide_node *node, const bw_lens *lens,
                            bw_distance_boxes *out)
{
    const v8 half = v8_all(0.5f), zero = v8_all(0.0f), more = v8_all(1.0f + 0x1p-19f);
    const v8 slab_low = v8_load(lens->low), slab_high = v8_load(lens->high), radius = v8_load(lens->radius);
    const m8 some = v8_greater(v8_all(INFINITY), radius);
    v8 o[3], n[3];
    for (int j = 0; j < 3; j++) {
        o[j] = v8_add(v8_mul(half, v8_load(node->min[j])), v8_mul(half, v8_load(node->max[j])));
        o[j] = v8_sub(o[j], v8_all(map->centre[j]));
        n[j] = v8_load(lens->normal[j]);
    }
    for (int i = 0; i < 3; i++) {
        const v8 mx = v8_all(map->m[i][0]), my = v8_all(map->m[i][1]), mz = v8_all(map->m[i][2]);
        v8 at = v8_add(v8_add(v8_mul(mx, o[0]), v8_mul(my, o[1])), v8_mul(mz, o[2]));
        v8 along = v8_add(v8_add(v8_mul(mx, n[0]), v8_mul(my, n[1])), v8_mul(mz, n[2]));
        v8 p = v8_mul(along, slab_low), q = v8_mul(along, slab_high);
        v8 across = v8_sqrt(v8_max(v8_sub(v8_all(map->row2[i]), v8_mul(along, along)), zero));
        v8 side = v8_add(v8_mul(v8_mul(across, radius), more), v8_all(map->lens_slack[i]));
        v8 low = v8_add(v8_all(map->low[i]), v8_sub(v8_add(at, v8_min(p, q)), side));
        v8 high = v8_add(v8_all(map->high[i]), v8_add(v8_add(at, v8_max(p, q)), side));
        v8 old_low = v8_load(out->low[i]), old_high = v8_load(out->high[i]);
        v8_store(out->low[i], v8_choose(some, v8_max(low, old_low), old_low));
        v8_store(out->high[i], v8_choose(some, v8_min(high, old_high), old_high));
    }
}

/* The squared gap along one axis between eight boxes and one; a NaN is no gap. */
LANES_FN v8 gap2(v8 low, v8 high, float other_low, float other_high)
{
    v8 gap = v8_max(v8_sub(v8_all(other_low), high), v8_sub(low, v8_all(other_high)));
    gap = v8_max(gap, v8_all(0.0f));
    return v8_mul(gap, gap);
}

typedef struct near8 {
    v8 low[3], high[3];
} near8;

LANES_FN near8 load_near(const bw_distance_boxes *boxes)
{
    return (near8){{v8_load(boxes->low[0]), v8_load(boxes->low[1]), v8_load(boxes->low[2])},
                   {v8_load(boxes->high[0]), v8_load(boxes->high[1]), v8_load(boxes->high[2])}};
}

#endif
