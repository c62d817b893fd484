/* Eight boxes of a body as balls in the grid of another, for one level of base/simd/f32x8.h. A ball is at
 * least as far from the surface as its middle is, less its radius; the middle is at least as far as that of
 * its cell, less the distance of the two middles, and as far as it is from the box of all cells. */
#ifndef BW_COLLIDE_CLEARANCE_CLEARANCE_TEMPLATE_H
#define BW_COLLIDE_CLEARANCE_CLEARANCE_TEMPLATE_H

#include "base/simd/f32x8.h"
#include "collide/clearance/clearance.h"

LANES_TARGET static void clearance(const bw_clearance_view *view, const bw_wide_node *node,
                                   bw_clearance_eight *out)
{
    const bw_clearance *grid = view->grid;
    const v8 half = v8_all(0.5f), zero = v8_all(0.0f);
    v8 middle[3], size2 = zero, beyond2 = zero, from2 = zero;
    float at[3][BW_WIDTH];
    uint32_t index[BW_WIDTH] = {0};
    float value[BW_WIDTH];
    for (int k = 0; k < 3; k++) {
        const v8 low = v8_mul(half, v8_load(node->min[k])), high = v8_mul(half, v8_load(node->max[k]));
        const v8 size = v8_sub(high, low);
        middle[k] = v8_add(low, high);
        size2 = v8_add(size2, v8_mul(size, size));
    }
    for (int k = 2; k >= 0; k--) {
        const float *m = view->m[k];
        v8 x = v8_add(v8_mul(v8_all(m[0]), middle[0]), v8_mul(v8_all(m[1]), middle[1]));
        x = v8_add(v8_add(x, v8_mul(v8_all(m[2]), middle[2])), v8_all(view->t[k]));
        const v8 beyond = v8_max(v8_max(v8_sub(zero, x), v8_sub(x, v8_all(grid->extent[k]))), zero);
        beyond2 = v8_add(beyond2, v8_mul(beyond, beyond));
        v8_store(at[k], v8_min(v8_max(x, zero), v8_all((float)(grid->count[k] - 1))));
        float cell[BW_WIDTH];
        for (uint32_t i = 0; i < BW_WIDTH; i++) {
            const uint32_t number = (uint32_t)at[k][i];
            index[i] = index[i] * grid->count[k] + number;
            cell[i] = (float)number + 0.5f;
        }
        const v8 from = v8_sub(x, v8_load(cell));
        from2 = v8_add(from2, v8_mul(from, from));
    }
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        value[i] = grid->values[index[i]];
    const v8 from = v8_sqrt(from2), known = v8_load(value);
    const v8 radius = v8_add(v8_mul(v8_sqrt(size2), v8_all(view->stretch)), v8_all(view->slack));
    v8_store(out->radius, radius);
    v8_store(out->low, v8_sub(v8_max(v8_sub(known, from), v8_sqrt(beyond2)), radius));
    v8_store(out->high, v8_mul(v8_add(v8_add(known, from), radius), v8_all(1.0f + 0x1p-18f)));
}

#endif
