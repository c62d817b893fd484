/* Triangle kernels, for one level of wide_lanes.h. The bounds are derived in docs/ideas/wide-queries.md. */
#ifndef BW_COLLIDE_WIDE_TRIANGLES_TEMPLATE_H
#define BW_COLLIDE_WIDE_TRIANGLES_TEMPLATE_H

#include <math.h>

#include "collide/wide_kernels.h"
#include "collide/wide_lanes.h"

typedef struct triple {
    v8 x, y, z;
} triple;

LANES_FN triple load_triple(const float rows[3][BW_WIDTH])
{
    return (triple){v8_load(rows[0]), v8_load(rows[1]), v8_load(rows[2])};
}

LANES_FN triple subtract(triple a, triple b)
{
    return (triple){v8_sub(a.x, b.x), v8_sub(a.y, b.y), v8_sub(a.z, b.z)};
}

LANES_FN triple cross(triple a, triple b)
{
    return (triple){v8_sub(v8_mul(a.y, b.z), v8_mul(a.z, b.y)), v8_sub(v8_mul(a.z, b.x), v8_mul(a.x, b.z)),
                    v8_sub(v8_mul(a.x, b.y), v8_mul(a.y, b.x))};
}

LANES_FN v8 dot(triple a, triple b)
{
    return v8_add(v8_add(v8_mul(a.x, b.x), v8_mul(a.y, b.y)), v8_mul(a.z, b.z));
}

LANES_FN triple choose(m8 m, triple yes, triple no)
{
    return (triple){v8_choose(m, yes.x, no.x), v8_choose(m, yes.y, no.y), v8_choose(m, yes.z, no.z)};
}

LANES_FN v8 along(v8 x, v8 y, v8 z, const float normal[3])
{
    return v8_add(v8_add(v8_mul(v8_all(normal[0]), x), v8_mul(v8_all(normal[1]), y)),
                  v8_mul(v8_all(normal[2]), z));
}

/* The lowest and highest corner of each triangle along a direction. */
typedef struct span {
    v8 low, high;
} span;

LANES_FN span span_along(const bw_wide_ready *leaf, const float normal[3])
{
    v8 d[3];
    for (int k = 0; k < 3; k++) {
        const float(*c)[BW_WIDTH] = leaf->corner[k];
        d[k] = along(v8_load(c[0]), v8_load(c[1]), v8_load(c[2]), normal);
    }
    return (span){v8_min(v8_min(d[0], d[1]), d[2]), v8_max(v8_max(d[0], d[1]), d[2])};
}

LANES_TARGET static void prepare_leaf(const bw_wide_frame *frame, const bw_wide_corners *corners,
                                      uint32_t count, bw_wide_ready *out)
{
    out->count = count;
    out->corner = corners->coordinate;
    out->magnitude = corners->magnitude;
    if (frame == NULL) {
        for (int i = 0; i < 3; i++)
            out->origin[i] = (double)corners->origin[i];
    } else {
        double x = (double)corners->origin[0], y = (double)corners->origin[1], z = (double)corners->origin[2];
        for (int i = 0; i < 3; i++) {
            const double *m = frame->map[i];
            out->origin[i] = ((m[0] * x + m[1] * y) + m[2] * z) + m[3];
        }
        for (int k = 0; k < 3; k++) {
            triple v = load_triple(corners->coordinate[k]);
            for (int i = 0; i < 3; i++)
                v8_store(out->mapped[k][i], along(v.x, v.y, v.z, frame->turn[i]));
        }
        out->corner = (const float(*)[3][BW_WIDTH])out->mapped;
        out->magnitude *= frame->reach;
    }
    triple c0 = load_triple(out->corner[0]), c1 = load_triple(out->corner[1]),
           c2 = load_triple(out->corner[2]);
    triple min = {v8_min(v8_min(c0.x, c1.x), c2.x), v8_min(v8_min(c0.y, c1.y), c2.y),
                  v8_min(v8_min(c0.z, c1.z), c2.z)};
    triple max = {v8_max(v8_max(c0.x, c1.x), c2.x), v8_max(v8_max(c0.y, c1.y), c2.y),
                  v8_max(v8_max(c0.z, c1.z), c2.z)};
    triple extent = subtract(max, min), area = cross(subtract(c1, c0), subtract(c2, c0));
    v8_store(out->boxes.min[0], min.x);
    v8_store(out->boxes.min[1], min.y);
    v8_store(out->boxes.min[2], min.z);
    v8_store(out->boxes.max[0], max.x);
    v8_store(out->boxes.max[1], max.y);
    v8_store(out->boxes.max[2], max.z);
    v8_store(out->extent, v8_max(v8_max(extent.x, extent.y), extent.z));
    out->normal[0] = v8_sum(area.x);
    out->normal[1] = v8_sum(area.y);
    out->normal[2] = v8_sum(area.z);
    span whole = span_along(out, out->normal);
    out->low = v8_lowest(whole.low);
    out->high = v8_highest(whole.high);
    out->weight = (out->normal[0] < 0.0f ? -out->normal[0] : out->normal[0]) +
                  (out->normal[1] < 0.0f ? -out->normal[1] : out->normal[1]) +
                  (out->normal[2] < 0.0f ? -out->normal[2] : out->normal[2]);
}

/* The offset between the origins of two leaves, and how far from the exact corners the float ones may be;
 * infinity where the numbers are too large for products of three. */
LANES_FN void measure_gap(const bw_wide_frame *frame, const bw_wide_ready *a, const bw_wide_ready *b,
                          bw_wide_gap *gap)
{
    float largest = 0.0f;
    for (int i = 0; i < 3; i++) {
        gap->offset[i] =
            (float)(b->origin[i] - a->origin[i]); /* an infinity where it overflows (IEC 60559) */
        float size = gap->offset[i] < 0.0f ? -gap->offset[i] : gap->offset[i];
        largest = size > largest ? size : largest;
    }
    const float u = 0x1.04p-24f; /* with room for the roundings of this sum */
    float sum = b->magnitude + largest + a->magnitude;
    float delta = u * (5.0f * b->magnitude + 4.0f * largest + a->magnitude) +
                  b->magnitude * frame->turn_error + frame->slack;
    gap->delta = sum < 0x1p38f ? 1.01f * delta : INFINITY;
}

/* Whether the slab of one leaf keeps all corners of the other out; shift is the other's offset along the
 * normal. */
LANES_FN bool slab_separates(const bw_wide_ready *leaf, const bw_wide_ready *other, float shift, float delta)
{
    float margin = 8.0f * delta * leaf->weight + 0x1p-140f;
    span s = span_along(other, leaf->normal);
    return m8_bits(v8_greater(s.low, v8_all(leaf->high - shift + margin))) == 0xFFu ||
           m8_bits(v8_greater(v8_all(leaf->low - shift - margin), s.high)) == 0xFFu;
}

LANES_TARGET static uint64_t leaf_pair(const bw_wide_frame *frame, const bw_wide_ready *a,
                                       const bw_wide_ready *b, bw_wide_gap *gap)
{
    measure_gap(frame, a, b, gap);
    const float *d = gap->offset, *na = a->normal, *nb = b->normal;
    if (slab_separates(a, b, (na[0] * d[0] + na[1] * d[1]) + na[2] * d[2], gap->delta))
        return 0;
    if (slab_separates(b, a, -((nb[0] * d[0] + nb[1] * d[1]) + nb[2] * d[2]), gap->delta))
        return 0;
    bw_eight_boxes boxes;
    v8 min[3], max[3];
    float inflate = 3.0f * gap->delta;
    for (int i = 0; i < 3; i++) {
        min[i] = v8_load(a->boxes.min[i]);
        max[i] = v8_load(a->boxes.max[i]);
        v8_store(boxes.min[i], v8_add(v8_load(b->boxes.min[i]), v8_all(d[i] - inflate)));
        v8_store(boxes.max[i], v8_add(v8_load(b->boxes.max[i]), v8_all(d[i] + inflate)));
    }
    const bw_eight_boxes *moved = &boxes;
    uint64_t result = 0;
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        result |= (uint64_t)row_overlaps(min, max, moved->min, moved->max, i) << 8 * i;
    return result & bw_wide_spread((1u << a->count) - 1, (1u << b->count) - 1);
}

/* Signed distances of three points from a plane, times the length of its normal, and which of them are
 * certainly above or below it. */
typedef struct sides {
    m8 above[3], below[3];
} sides;

LANES_FN sides sides_of(triple normal, triple origin, const triple p[3], v8 threshold)
{
    sides s;
    v8 minus = v8_sub(v8_all(0.0f), threshold);
    for (int k = 0; k < 3; k++) {
        v8 d = dot(normal, subtract(p[k], origin));
        s.above[k] = v8_greater(d, threshold);
        s.below[k] = v8_greater(minus, d);
    }
    return s;
}

LANES_FN m8 all3(const m8 m[3])
{
    return m8_and(m8_and(m[0], m[1]), m[2]);
}

/* The corner alone on its side of the other's plane, and of the other two the one that comes later along the
 * line in which the planes meet (first x second normal), and the one that comes earlier. */
typedef struct wedge {
    triple apex, late, early;
    m8 above; /* the apex is */
} wedge;

LANES_FN wedge wedge_of(const triple p[3], const sides *s, bool second)
{
    m8 lone1 = m8_and(m8_xor(s->above[1], s->above[0]), m8_xor(s->above[1], s->above[2]));
    m8 lone2 = m8_and(m8_xor(s->above[2], s->above[0]), m8_xor(s->above[2], s->above[1]));
    wedge w;
    w.apex = choose(lone2, p[2], choose(lone1, p[1], p[0]));
    triple next = choose(lone2, p[0], choose(lone1, p[2], p[1]));
    triple previous = choose(lone2, p[1], choose(lone1, p[0], p[2]));
    w.above = m8_or(m8_or(m8_and(lone2, s->above[2]), m8_and(lone1, s->above[1])),
                    m8_without(s->above[0], m8_or(lone1, lone2)));
    w.late = second ? choose(w.above, previous, next) : choose(w.above, next, previous);
    w.early = second ? choose(w.above, next, previous) : choose(w.above, previous, next);
    return w;
}

LANES_TARGET static bw_wide_verdict triangles(const bw_wide_batch *batch)
{
    const float u = 0x1p-24f;
    triple a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = load_triple(batch->a[k]);
        b[k] = load_triple(batch->b[k]);
    }
    v8 delta = v8_load(batch->delta), zero = v8_all(0.0f), floor = v8_all(0x1p-140f);
    v8 fa = v8_add(v8_load(batch->extent_a), v8_mul(v8_all(3.0f), delta));
    v8 fb = v8_add(v8_load(batch->extent_b), v8_mul(v8_all(3.0f), delta));
    v8 reach = v8_add(fa, fb), delta40 = v8_mul(v8_all(40.0f), delta), u56 = v8_all(56.0f * u);
    v8 limit_a = v8_mul(fa, v8_add(delta40, v8_mul(u56, fa))),
       limit_b = v8_mul(fb, v8_add(delta40, v8_mul(u56, fb)));
    limit_a = v8_add(v8_mul(reach, v8_add(limit_a, floor)), floor);
    limit_b = v8_add(v8_mul(reach, v8_add(limit_b, floor)), floor);

    triple normal_a = cross(subtract(a[1], a[0]), subtract(a[2], a[0]));
    triple normal_b = cross(subtract(b[1], b[0]), subtract(b[2], b[0]));
    sides of_b = sides_of(normal_a, a[0], b, limit_a), of_a = sides_of(normal_b, b[0], a, limit_b);
    m8 apart = m8_or(m8_or(all3(of_b.above), all3(of_b.below)), m8_or(all3(of_a.above), all3(of_a.below)));
    m8 known = m8_and(m8_and(m8_or(of_a.above[0], of_a.below[0]), m8_or(of_a.above[1], of_a.below[1])),
                      m8_or(of_a.above[2], of_a.below[2]));
    known = m8_and(known, m8_and(m8_or(of_b.above[0], of_b.below[0]), m8_or(of_b.above[1], of_b.below[1])));
    known = m8_and(known, m8_or(of_b.above[2], of_b.below[2]));
    uint32_t used = (1u << batch->count) - 1, apart_bits = m8_bits(apart);
    uint32_t straddling = m8_bits(known) & ~apart_bits & used;
    if (straddling == 0)
        return (bw_wide_verdict){0, apart_bits & used};

    /* Both straddle the other's plane for certain: they meet where their intervals on the common line
     * overlap. Guigue and Devillers 2003: the order of two ends on the line is the sign of one determinant of
     * two edges. */
    wedge wa = wedge_of(a, &of_a, false), wb = wedge_of(b, &of_b, true);
    triple between = subtract(wb.apex, wa.apex);
    v8 first = dot(cross(subtract(wa.late, wa.apex), subtract(wb.early, wb.apex)), between);
    v8 second = dot(cross(subtract(wa.early, wa.apex), subtract(wb.late, wb.apex)), between);
    m8 flip = m8_xor(wa.above, wb.above); /* the apexes lie on different sides: the signs turn */
    first = v8_choose(flip, v8_sub(zero, first), first);
    second = v8_choose(flip, second, v8_sub(zero, second));
    v8 limit = v8_add(v8_mul(v8_mul(v8_all(17.0f), delta), reach), v8_mul(v8_mul(v8_all(52.0f * u), fa), fb));
    limit = v8_add(v8_mul(reach, v8_add(limit, floor)), floor);
    v8 minus = v8_sub(zero, limit);
    uint32_t meet = m8_bits(m8_and(v8_greater(first, limit), v8_greater(second, limit)));
    uint32_t miss = m8_bits(m8_or(v8_greater(minus, first), v8_greater(minus, second)));
    return (bw_wide_verdict){meet & straddling, (apart_bits & used) | (miss & straddling)};
}

#endif
