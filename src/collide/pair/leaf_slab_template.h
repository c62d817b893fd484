/* The slab of a leaf against eight boxes, for one level of base/simd/f32x8.h: included after
 * collide/pair/triangles_template.h. The margin is derived in docs/lab/needles-margins.md. */
#ifndef BW_COLLIDE_PAIR_LEAF_SLAB_TEMPLATE_H
#define BW_COLLIDE_PAIR_LEAF_SLAB_TEMPLATE_H

LANES_TARGET static uint32_t slab_boxes(const bw_wide_ready *leaf, const float (*min)[BW_WIDTH],
                                        const float (*max)[BW_WIDTH])
{
    v8 low = v8_all(0.0f), high = low, size = low;
    float far = 0.0f;
    for (int k = 0; k < 3; k++) {
        const float o = (float)leaf->origin[k], distance = o < 0.0f ? -o : o;
        far = distance > far ? distance : far;
        const v8 n = v8_all(leaf->normal[k]), first = v8_load(min[k]), last = v8_load(max[k]);
        const v8 p = v8_mul(n, v8_sub(first, v8_all(o))), q = v8_mul(n, v8_sub(last, v8_all(o)));
        low = v8_add(low, v8_min(p, q));
        high = v8_add(high, v8_max(p, q));
        size = v8_max(v8_max(absolute(first), absolute(last)), size);
    }
    const float u = 0x1p-24f, own = 2.0f * leaf->error + 8.0f * u * far + leaf->separation;
    v8 margin = v8_mul(v8_all(leaf->weight), v8_add(v8_mul(v8_all(8.0f * u), size), v8_all(own)));
    margin = v8_add(margin, v8_all(0x1p-140f));
    m8 beyond = v8_greater(v8_sub(low, margin), v8_all(leaf->high));
    m8 before = v8_greater(v8_all(leaf->low), v8_add(high, margin));
    return m8_bits(m8_or(beyond, before));
}

#endif
