/* Kernels that compare the oriented boxes of leaves, for one level of base/simd/f32x8.h: included after
 * collide/pair/triangles_template.h, whose triples they take. */
#ifndef BW_COLLIDE_PAIR_LEAF_OBBS_TEMPLATE_H
#define BW_COLLIDE_PAIR_LEAF_OBBS_TEMPLATE_H

#include "collide/pair/leaf_obbs.h"

LANES_FN v8 sum_norms(triple a)
{
    return v8_add(v8_add(absolute(a.x), absolute(a.y)), absolute(a.z));
}

LANES_FN v8 size_along(triple a, triple b)
{
    return absolute(dot(a, b));
}

/* One of eight vectors in every lane. */
LANES_FN triple all_of(const float rows[3][BW_WIDTH], uint32_t i)
{
    return (triple){v8_all(rows[0][i]), v8_all(rows[1][i]), v8_all(rows[2][i])};
}

LANES_FN triple turn_triple(const bw_leaf_obb_frame *frame, triple a)
{
    return (triple){along(a.x, a.y, a.z, frame->turn[0]), along(a.x, a.y, a.z, frame->turn[1]),
                    along(a.x, a.y, a.z, frame->turn[2])};
}

LANES_TARGET static void obb_map(const bw_leaf_obb_frame *frame, const bw_leaf_obbs *b,
                                 bw_leaf_obb_mapped *out)
{
    const triple normal = load_triple(b->normal), long_side = load_triple(b->along);
    const triple n = turn_triple(frame, normal), l = turn_triple(frame, long_side),
                 w = turn_triple(frame, cross(normal, long_side));
    const triple c = turn_triple(frame, load_triple(b->centre)), flat = cross(l, w);
    out->of = b;
    store_triple(out->centre,
                 (triple){v8_add(c.x, v8_all(frame->shift[0])), v8_add(c.y, v8_all(frame->shift[1])),
                          v8_add(c.z, v8_all(frame->shift[2]))});
    store_triple(out->axis[0], n);
    store_triple(out->axis[1], l);
    store_triple(out->axis[2], w);
    store_triple(out->flat, flat);
    store_triple(out->half, load_triple(b->half));
    v8 sum = v8_mul(v8_load(b->half[0]), size_along(flat, n));
    sum = v8_add(sum, v8_mul(v8_load(b->half[1]), size_along(flat, l)));
    sum = v8_add(sum, v8_mul(v8_load(b->half[2]), size_along(flat, w)));
    sum = v8_add(sum, v8_mul(v8_all(frame->share), sum_norms(flat)));
    v8_store(out->reach, v8_add(sum, v8_all(frame->floor)));
}

/* Along the flat sides' directions of both, and along the product of their long ones, where needles that pass
 * each other are thin. */
LANES_TARGET static uint64_t obb_pairs(const bw_leaf_obb_frame *frame, const bw_leaf_obbs *a,
                                       const bw_leaf_obb_mapped *b, uint64_t mask)
{
    const triple c = load_triple(a->centre), na = load_triple(a->normal), la = load_triple(a->along),
                 wa = cross(na, la);
    const v8 hn = v8_load(a->half[0]), hl = v8_load(a->half[1]), hw = v8_load(a->half[2]);
    const v8 share = v8_all(frame->share), floor = v8_all(frame->floor);
    v8 own = v8_add(v8_mul(hn, size_along(na, na)), v8_mul(hl, size_along(na, la)));
    own = v8_add(own, v8_mul(hw, size_along(na, wa)));
    own = v8_add(own, v8_add(v8_mul(share, sum_norms(na)), floor));
    for (uint64_t left = mask; left != 0;) {
        const uint32_t i = bw_wide_lowest(left) >> 3;
        left &= ~((uint64_t)0xFFu << 8 * i);
        const triple between = subtract(all_of(b->centre, i), c);
        const triple nb = all_of(b->axis[0], i), lb = all_of(b->axis[1], i), wb = all_of(b->axis[2], i);
        const v8 kn = v8_all(b->half[0][i]), kl = v8_all(b->half[1][i]), kw = v8_all(b->half[2][i]);
        v8 reach = v8_add(own, v8_mul(kn, size_along(na, nb)));
        reach = v8_add(v8_add(reach, v8_mul(kl, size_along(na, lb))), v8_mul(kw, size_along(na, wb)));
        m8 apart = v8_greater(size_along(na, between), reach);

        triple d = all_of(b->flat, i);
        reach = v8_add(v8_all(b->reach[i]), v8_mul(hn, size_along(d, na)));
        reach = v8_add(v8_add(reach, v8_mul(hl, size_along(d, la))), v8_mul(hw, size_along(d, wa)));
        apart = m8_or(apart, v8_greater(size_along(d, between), reach));

        d = cross(la, lb);
        reach = v8_add(v8_mul(hn, size_along(d, na)), v8_mul(hw, size_along(d, wa)));
        reach = v8_add(v8_add(reach, v8_mul(kn, size_along(d, nb))), v8_mul(kw, size_along(d, wb)));
        reach = v8_add(v8_add(reach, v8_mul(share, sum_norms(d))), floor);
        apart = m8_or(apart, v8_greater(size_along(d, between), reach));
        mask &= ~((uint64_t)m8_bits(apart) << 8 * i);
    }
    return mask;
}

#endif
