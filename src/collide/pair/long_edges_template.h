/* Long triangles that pass each other: the interval of each along one direction across the long edges of both
 * leaves, for one level of base/simd/f32x8.h. Included by collide/pair/triangles_template.h only, whose
 * span_along it takes. The margin is derived in docs/lab/needles-margins.md. */
#ifndef BW_COLLIDE_PAIR_LONG_EDGES_TEMPLATE_H
#define BW_COLLIDE_PAIR_LONG_EDGES_TEMPLATE_H

/* Where boxes leave fewer pairs than this of two leaves it is cheaper to test them. */
enum { LONG_EDGES_PAIRS = 17 };

LANES_FN float sum_norm(const float d[3])
{
    return (d[0] < 0.0f ? -d[0] : d[0]) + (d[1] < 0.0f ? -d[1] : d[1]) + (d[2] < 0.0f ? -d[2] : d[2]);
}

/* The sum of the longest edge of each triangle, all turned to the side of the first, with a sum norm of 1;
 * zero, which separates nothing, where there is no such sum. */
LANES_FN void find_long_edges(bw_wide_ready *leaf)
{
    triple c0 = load_triple(leaf->corner[0]), c1 = load_triple(leaf->corner[1]),
           c2 = load_triple(leaf->corner[2]);
    triple e0 = subtract(c1, c0), e1 = subtract(c2, c1), e2 = subtract(c0, c2);
    v8 l0 = dot(e0, e0), l1 = dot(e1, e1), l2 = dot(e2, e2);
    triple e = choose(v8_greater(l1, l0), e1, e0);
    e = choose(v8_greater(l2, v8_max(l0, l1)), e2, e);
    float first[3] = {v8_first(e.x), v8_first(e.y), v8_first(e.z)};
    const v8 zero = v8_all(0.0f);
    m8 turned = v8_greater(zero, along(e.x, e.y, e.z, first));
    e = choose(turned, (triple){v8_sub(zero, e.x), v8_sub(zero, e.y), v8_sub(zero, e.z)}, e);
    float sum[3] = {v8_sum(e.x), v8_sum(e.y), v8_sum(e.z)}, norm = sum_norm(sum);
    float factor = norm > 0x1p-100f && norm < 0x1p100f ? 1.0f / norm : 0.0f;
    for (int i = 0; i < 3; i++)
        leaf->long_edges[i] = factor * sum[i];
    leaf->has_long_edges = true;
}

/* The pairs of triangles, bit 8 i + j for slot i of b and slot j of a, that are not certainly apart along the
 * product of the long edges of the leaves. */
LANES_FN uint64_t overlaps_across_long_edges(bw_wide_ready *a, bw_wide_ready *b, const bw_wide_gap *gap)
{
    if (!a->has_long_edges)
        find_long_edges(a);
    if (!b->has_long_edges)
        find_long_edges(b);
    const float *p = a->long_edges, *q = b->long_edges, *d = gap->offset;
    const float n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    const float shift = (n[0] * d[0] + n[1] * d[1]) + n[2] * d[2];
    const float margin = (8.0f * gap->delta + a->separation) * sum_norm(n) + 0x1p-140f;
    const span of_a = span_along(a, n), of_b = span_along(b, n);
    float low[BW_WIDTH], high[BW_WIDTH];
    v8_store(low, v8_add(of_b.low, v8_all(shift - margin)));
    v8_store(high, v8_add(of_b.high, v8_all(shift + margin)));
    LANES_FROM_MEMORY(low);
    LANES_FROM_MEMORY(high);
    uint64_t apart = 0;
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        m8 beyond = v8_greater(v8_all(low[i]), of_a.high), before = v8_greater(of_a.low, v8_all(high[i]));
        apart |= (uint64_t)m8_bits(m8_or(beyond, before)) << 8 * i;
    }
    return ~apart;
}

#endif
