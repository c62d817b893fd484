/* Triangle kernels, for one level of base/simd/f32x8.h. The bounds are derived in docs/lab/wide-queries.md.
 */
#ifndef BW_COLLIDE_PAIR_TRIANGLES_TEMPLATE_H
#define BW_COLLIDE_PAIR_TRIANGLES_TEMPLATE_H

#include <math.h>
#include <string.h>

#include "base/simd/f32x8.h"
#include "collide/pair/kernels.h"

typedef struct triple {
    v8 x, y, z;
} triple;

LANES_FN triple load_triple(const float rows[3][BW_WIDTH])
{
    return (triple){v8_load(rows[0]), v8_load(rows[1]), v8_load(rows[2])};
}

LANES_FN void store_triple(float rows[3][BW_WIDTH], triple a)
{
    v8_store(rows[0], a.x);
    v8_store(rows[1], a.y);
    v8_store(rows[2], a.z);
}

LANES_FN v8 absolute(v8 a)
{
    return v8_max(a, v8_sub(v8_all(0.0f), a));
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

/* The boxes of triangles, and their longest sides. */
LANES_FN void bound_triangles(triple c0, triple c1, triple c2, bw_wide_ready *out)
{
    triple min = {v8_min(v8_min(c0.x, c1.x), c2.x), v8_min(v8_min(c0.y, c1.y), c2.y),
                  v8_min(v8_min(c0.z, c1.z), c2.z)};
    triple max = {v8_max(v8_max(c0.x, c1.x), c2.x), v8_max(v8_max(c0.y, c1.y), c2.y),
                  v8_max(v8_max(c0.z, c1.z), c2.z)};
    triple extent = subtract(max, min);
    v8_store(out->boxes.min[0], min.x);
    v8_store(out->boxes.min[1], min.y);
    v8_store(out->boxes.min[2], min.z);
    v8_store(out->boxes.max[0], max.x);
    v8_store(out->boxes.max[1], max.y);
    v8_store(out->boxes.max[2], max.z);
    v8_store(out->extent, v8_max(v8_max(extent.x, extent.y), extent.z));
}

#include "collide/pair/long_edges_template.h"

/* The separation times the length of a normal, rounded up; components are scaled, so that no square
 * underflows. */
LANES_FN float separation_along(float separation, const float n[3])
{
    const float x = n[0] < 0.0f ? -n[0] : n[0], y = n[1] < 0.0f ? -n[1] : n[1],
                z = n[2] < 0.0f ? -n[2] : n[2];
    const float most = x > y ? (x > z ? x : z) : (y > z ? y : z);
    if (!(most > 0.0f))
        return 0.0f;
    const float p = x / most, q = y / most, r = z / most;
    return separation * most * sqrtf(p * p + q * q + r * r) * (1.0f + 0x1p-20f);
}

LANES_TARGET static inline void prepare_leaf(const bw_error_bounds *frame, bool second,
                                             const bw_wide_corners *corners, const uint32_t *primitives,
                                             uint32_t count, bw_wide_ready *out)
{
    out->primitives = primitives;
    out->count = count;
    out->corner = corners->coordinate;
    if (!second) {
        out->error = corners->magnitude < 0x1p36f ? frame->share_a * corners->magnitude : INFINITY;
        for (int i = 0; i < 3; i++)
            out->origin[i] = (double)corners->origin[i];
    } else {
        double x = (double)corners->origin[0], y = (double)corners->origin[1], z = (double)corners->origin[2];
        for (int i = 0; i < 3; i++) {
            const double *m = frame->map[i];
            out->origin[i] = ((m[0] * x + m[1] * y) + m[2] * z) + m[3];
        }
        if (!frame->identity) {
            for (int k = 0; k < 3; k++) {
                triple v = load_triple(corners->coordinate[k]);
                for (int i = 0; i < 3; i++)
                    v8_store(out->mapped[k][i], along(v.x, v.y, v.z, frame->turn[i]));
            }
            out->corner = (const float(*)[3][BW_WIDTH])out->mapped;
        }
        out->error = frame->reach * corners->magnitude < 0x1p36f
                         ? frame->share_b * corners->magnitude + frame->share_all
                         : INFINITY;
    }
    triple c0 = load_triple(out->corner[0]), c1 = load_triple(out->corner[1]),
           c2 = load_triple(out->corner[2]);
    triple area = cross(subtract(c1, c0), subtract(c2, c0));
    bound_triangles(c0, c1, c2, out);
    out->normal[0] = v8_sum(area.x);
    out->normal[1] = v8_sum(area.y);
    out->normal[2] = v8_sum(area.z);
    span whole = span_along(out, out->normal);
    out->low = v8_lowest(whole.low);
    out->high = v8_highest(whole.high);
    out->weight = sum_norm(out->normal);
    out->has_long_edges = false;
    out->separation = frame->separation;
    out->separation_along =
        frame->separation > 0.0f ? separation_along(frame->separation, out->normal) : 0.0f;
}

/* Which triangles of the other leaf the slab of one keeps out; shift is the other's offset along the normal. */
LANES_FN uint32_t triangles_beyond(const bw_wide_ready *leaf, const bw_wide_ready *other, float shift,
                                   float delta)
{
    float margin = 8.0f * delta * leaf->weight + 0x1p-140f + leaf->separation_along;
    span s = span_along(other, leaf->normal);
    return m8_bits(m8_or(v8_greater(s.low, v8_all(leaf->high - shift + margin)),
                         v8_greater(v8_all(leaf->low - shift - margin), s.high)));
}

LANES_TARGET static inline uint64_t leaf_pair(bw_wide_ready *a, bw_wide_ready *b, bw_wide_gap *gap)
{
    for (int i = 0; i < 3; i++) /* an infinity where it overflows (IEC 60559), and then so is delta */
        gap->offset[i] = (float)(b->origin[i] - a->origin[i]);
    gap->delta = a->error + b->error;
    const float *d = gap->offset, *na = a->normal, *nb = b->normal;
    uint32_t rows = (1u << b->count) - 1, lanes = (1u << a->count) - 1;
    rows &= ~triangles_beyond(a, b, (na[0] * d[0] + na[1] * d[1]) + na[2] * d[2], gap->delta);
    if (rows == 0)
        return 0;
    lanes &= ~triangles_beyond(b, a, -((nb[0] * d[0] + nb[1] * d[1]) + nb[2] * d[2]), gap->delta);
    if (lanes == 0)
        return 0;
    bw_eight_boxes moved;
    float inflate = 3.0f * gap->delta + a->separation;
    for (int i = 0; i < 3; i++) {
        v8_store(moved.min[i], v8_add(v8_load(b->boxes.min[i]), v8_all(d[i] - inflate)));
        v8_store(moved.max[i], v8_add(v8_load(b->boxes.max[i]), v8_all(d[i] + inflate)));
    }
    LANES_FROM_MEMORY(moved);
    const bw_eight_boxes *other = &moved;
    const box8 boxes = load_boxes(a->boxes.min, a->boxes.max);
    uint64_t result = all_overlaps(&boxes, other->min, other->max);
    result &= bw_wide_spread(lanes, rows);
    return bw_wide_count(result) < LONG_EDGES_PAIRS ? result : result & overlaps_across_long_edges(a, b, gap);
}

LANES_TARGET static inline uint32_t leaf_pairs(bw_wide_ready *a, bw_wide_ready *b, uint64_t pairs,
                                               bw_wide_close *out)
{
    uint32_t count = 0;
    for (; pairs != 0; pairs &= pairs - 1) {
        bw_wide_close *close = &out[count];
        close->pair = bw_wide_lowest(pairs);
        close->triangles = leaf_pair(&a[close->pair & 7], &b[close->pair >> 3], &close->gap);
        count += close->triangles != 0;
    }
    return count;
}

/* Up to eight pairs of slots: of the first leaf and of the second, a byte each. */
typedef struct eight_pairs {
    uint64_t slots_a, slots_b;
    uint32_t count;
} eight_pairs;

/* Takes them off the mask. Always eight rounds: no branch that nobody can predict. */
LANES_FN eight_pairs take_eight(uint64_t *mask)
{
    eight_pairs p = {0, 0, 0};
    for (uint32_t k = 0; k < BW_WIDTH; k++) {
        uint64_t bit = bw_wide_lowest(*mask | (uint64_t)1 << 63); /* the last where there is none */
        p.slots_a |= (bit & 7) << 8 * k;
        p.slots_b |= bit >> 3 << 8 * k;
        p.count += *mask != 0;
        *mask &= *mask - 1;
    }
    return p;
}

LANES_TARGET static inline uint64_t append(const bw_wide_ready *a, const bw_wide_ready *b,
                                           const bw_wide_gap *gap, uint64_t mask, bw_wide_batch *batch)
{
    uint32_t n = batch->count;
    eight_pairs pairs = take_eight(&mask);
    batch->count = n + pairs.count;
    pick8 pick_a = pick8_of(pairs.slots_a), pick_b = pick8_of(pairs.slots_b);
    for (int axis = 0; axis < 3; axis++) {
        v8 offset = v8_all(gap->offset[axis]);
        for (int corner = 0; corner < 3; corner++) {
            v8_store(&batch->a[corner][axis][n], v8_pick(a->corner[corner][axis], pick_a));
            v8_store(&batch->b[corner][axis][n], v8_add(v8_pick(b->corner[corner][axis], pick_b), offset));
        }
    }
    v8_store(&batch->extent_a[n], v8_pick(a->extent, pick_a));
    v8_store(&batch->extent_b[n], v8_pick(b->extent, pick_b));
    v8_store(&batch->delta[n], v8_all(gap->delta));
    pick8_words(&batch->primitive_a[n], a->primitives, pick_a);
    pick8_words(&batch->primitive_b[n], b->primitives, pick_b);
    return mask;
}

LANES_TARGET static inline void shift(bw_wide_batch *batch, uint32_t first)
{
    for (int axis = 0; axis < 3; axis++)
        for (int corner = 0; corner < 3; corner++) {
            v8_store(batch->a[corner][axis], v8_load(batch->a[corner][axis] + first));
            v8_store(batch->b[corner][axis], v8_load(batch->b[corner][axis] + first));
        }
    v8_store(batch->extent_a, v8_load(batch->extent_a + first));
    v8_store(batch->extent_b, v8_load(batch->extent_b + first));
    v8_store(batch->delta, v8_load(batch->delta + first));
    memcpy(batch->primitive_a, batch->primitive_a + first, BW_WIDTH * sizeof *batch->primitive_a);
    memcpy(batch->primitive_b, batch->primitive_b + first, BW_WIDTH * sizeof *batch->primitive_b);
    batch->count -= first;
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

/* Eight pairs of triangles, and how far a determinant may be from its exact value: of a plane of a or b with
 * a corner of the other, and of an edge of each. */
typedef struct contest {
    triple a[3], b[3];
    v8 limit_a, limit_b, limit_edges;
    v8 reach, delta; /* of the differences of corners; the error of each */
} contest;

LANES_FN void load_contest(const bw_wide_batch *batch, uint32_t n, contest *c)
{
    const float u = 0x1p-24f;
    for (int k = 0; k < 3; k++) {
        c->a[k] =
            (triple){v8_load(&batch->a[k][0][n]), v8_load(&batch->a[k][1][n]), v8_load(&batch->a[k][2][n])};
        c->b[k] =
            (triple){v8_load(&batch->b[k][0][n]), v8_load(&batch->b[k][1][n]), v8_load(&batch->b[k][2][n])};
    }
    v8 delta = v8_load(&batch->delta[n]), floor = v8_all(0x1p-140f);
    v8 fa = v8_add(v8_load(&batch->extent_a[n]), v8_mul(v8_all(3.0f), delta));
    v8 fb = v8_add(v8_load(&batch->extent_b[n]), v8_mul(v8_all(3.0f), delta));
    v8 reach = v8_add(v8_add(fa, fb), v8_all(batch->separation)), delta40 = v8_mul(v8_all(40.0f), delta),
       u56 = v8_all(56.0f * u);
    v8 a = v8_mul(fa, v8_add(delta40, v8_mul(u56, fa))), b = v8_mul(fb, v8_add(delta40, v8_mul(u56, fb)));
    v8 edges = v8_add(v8_mul(v8_mul(v8_all(17.0f), delta), reach), v8_mul(v8_mul(v8_all(52.0f * u), fa), fb));
    c->reach = reach;
    c->delta = delta;
    c->limit_a = v8_add(v8_mul(reach, v8_add(a, floor)), floor);
    c->limit_b = v8_add(v8_mul(reach, v8_add(b, floor)), floor);
    c->limit_edges = v8_add(v8_mul(reach, v8_add(edges, floor)), floor);
}

LANES_FN m8 certain(const sides *s, int k)
{
    return m8_or(s->above[k], s->below[k]);
}

/* Both straddle the other's plane for certain: they meet where their intervals on the common line overlap.
 * Guigue and Devillers 2003: the order of two ends on the line is the sign of one determinant of two edges.
 */
LANES_FN bw_wide_verdict compare_intervals(const contest *c, const sides *of_a, const sides *of_b)
{
    wedge wa = wedge_of(c->a, of_a, false), wb = wedge_of(c->b, of_b, true);
    triple between = subtract(wb.apex, wa.apex);
    v8 first = dot(cross(subtract(wa.late, wa.apex), subtract(wb.early, wb.apex)), between);
    v8 second = dot(cross(subtract(wa.early, wa.apex), subtract(wb.late, wb.apex)), between);
    v8 zero = v8_all(0.0f), minus = v8_sub(zero, c->limit_edges);
    m8 flip = m8_xor(wa.above, wb.above); /* the apexes lie on different sides: the signs turn */
    first = v8_choose(flip, v8_sub(zero, first), first);
    second = v8_choose(flip, second, v8_sub(zero, second));
    uint32_t meet = m8_bits(m8_and(v8_greater(first, c->limit_edges), v8_greater(second, c->limit_edges)));
    uint32_t miss = m8_bits(m8_or(v8_greater(minus, first), v8_greater(minus, second)));
    return (bw_wide_verdict){meet, miss};
}

LANES_TARGET static inline bw_wide_verdict triangles(const bw_wide_batch *batch, uint32_t first)
{
    contest c;
    load_contest(batch, first, &c);
    triple normal_a = cross(subtract(c.a[1], c.a[0]), subtract(c.a[2], c.a[0]));
    triple normal_b = cross(subtract(c.b[1], c.b[0]), subtract(c.b[2], c.b[0]));
    sides of_b = sides_of(normal_a, c.a[0], c.b, c.limit_a),
          of_a = sides_of(normal_b, c.b[0], c.a, c.limit_b);
    uint32_t apart =
        m8_bits(m8_or(m8_or(all3(of_b.above), all3(of_b.below)), m8_or(all3(of_a.above), all3(of_a.below))));
    m8 known_a = m8_and(m8_and(certain(&of_a, 0), certain(&of_a, 1)), certain(&of_a, 2));
    m8 known_b = m8_and(m8_and(certain(&of_b, 0), certain(&of_b, 1)), certain(&of_b, 2));
    uint32_t straddling = m8_bits(m8_and(known_a, known_b)) & ~apart;
    if (straddling == 0)
        return (bw_wide_verdict){0, apart};
    bw_wide_verdict verdict = compare_intervals(&c, &of_a, &of_b);
    return (bw_wide_verdict){verdict.crossing & straddling, apart | (verdict.apart & straddling)};
}

/* Which pairs are certainly apart along a direction that is across an edge and in the plane of its triangle:
 * so are triangles that lie side by side in one plane, or nearly. */
LANES_FN uint32_t side_by_side_in_plane(const contest *c, triple normal_a, triple normal_b)
{
    const v8 zero = v8_all(0.0f);
    triple a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = subtract(c->a[k], c->a[0]);
        b[k] = subtract(c->b[k], c->a[0]);
    }
    v8 share = v8_add(v8_mul(v8_all(8.0f), c->delta), v8_mul(v8_all(16.0f * 0x1p-24f), c->reach));
    m8 apart = m8_of(0);
    for (int i = 0; i < 6; i++) {
        const triple *p = i < 3 ? a : b;
        int k = i < 3 ? i : i - 3;
        triple d = cross(i < 3 ? normal_a : normal_b, subtract(p[k == 2 ? 0 : k + 1], p[k]));
        triple minus = {v8_sub(zero, d.x), v8_sub(zero, d.y), v8_sub(zero, d.z)};
        v8 weight = v8_add(v8_add(v8_max(d.x, minus.x), v8_max(d.y, minus.y)), v8_max(d.z, minus.z));
        v8 margin = v8_add(v8_mul(weight, share), v8_all(0x1p-120f));
        v8 a0 = dot(d, a[0]), a1 = dot(d, a[1]), a2 = dot(d, a[2]);
        v8 b0 = dot(d, b[0]), b1 = dot(d, b[1]), b2 = dot(d, b[2]);
        v8 after = v8_sub(v8_min(v8_min(b0, b1), b2), v8_max(v8_max(a0, a1), a2));
        v8 before = v8_sub(v8_min(v8_min(a0, a1), a2), v8_max(v8_max(b0, b1), b2));
        apart = m8_or(apart, m8_or(v8_greater(after, margin), v8_greater(before, margin)));
    }
    return m8_bits(m8_and(apart, v8_greater(v8_all(0x1p30f), c->reach)));
}

/* Which corners of a are corners of b. */
LANES_FN void find_shared(const uint32_t (*a)[BW_WIDTH], const uint32_t (*b)[BW_WIDTH], m8 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = m8_or(m8_or(lanes_equal(a[k], b[0]), lanes_equal(a[k], b[1])), lanes_equal(a[k], b[2]));
}

/* All corners but the shared ones are certainly above, or all are below. */
LANES_FN m8 on_one_side(const sides *s, const m8 shared[3])
{
    m8 above = m8_and(m8_and(m8_or(s->above[0], shared[0]), m8_or(s->above[1], shared[1])),
                      m8_or(s->above[2], shared[2]));
    m8 below = m8_and(m8_and(m8_or(s->below[0], shared[0]), m8_or(s->below[1], shared[1])),
                      m8_or(s->below[2], shared[2]));
    return m8_or(above, below);
}

/* One shared corner: whether the corner after it is above. */
LANES_FN m8 next_above(const sides *s, const m8 shared[3])
{
    return m8_or(m8_or(m8_and(shared[0], s->above[1]), m8_and(shared[1], s->above[2])),
                 m8_and(shared[2], s->above[0]));
}

/* Corners that are shared lie in both planes and are left out. If the others of one triangle are on one side
 * of the other's plane, nothing else is common. If one corner is shared and the other two lie on different
 * sides, each triangle meets the other's plane in a segment from that corner: along + (normal a x normal b)
 * for a if its next corner is above b's plane, along - for b if its next corner is above a's; they are common
 * if the two agree. */
LANES_TARGET static inline bw_wide_verdict neighbours(const bw_wide_batch *batch, uint32_t first,
                                                      const bw_wide_vertices *vertices)
{
    contest c;
    load_contest(batch, first, &c);
    triple normal_a = cross(subtract(c.a[1], c.a[0]), subtract(c.a[2], c.a[0]));
    triple normal_b = cross(subtract(c.b[1], c.b[0]), subtract(c.b[2], c.b[0]));
    sides of_b = sides_of(normal_a, c.a[0], c.b, c.limit_a),
          of_a = sides_of(normal_b, c.b[0], c.a, c.limit_b);
    m8 shared_a[3], shared_b[3];
    find_shared(vertices->a, vertices->b, shared_a);
    find_shared(vertices->b, vertices->a, shared_b);
    m8 any = m8_or(m8_or(shared_a[0], shared_a[1]), shared_a[2]);
    uint32_t same = m8_bits(m8_or(all3(shared_a), all3(shared_b)));
    uint32_t apart = m8_bits(m8_or(on_one_side(&of_a, shared_a), on_one_side(&of_b, shared_b))) & ~same;
    /* Exactly one shared corner of each. */
    m8 one_a = m8_without(m8_xor(m8_xor(shared_a[0], shared_a[1]), shared_a[2]), all3(shared_a));
    m8 one_b = m8_without(m8_xor(m8_xor(shared_b[0], shared_b[1]), shared_b[2]), all3(shared_b));
    m8 known_a = m8_and(m8_and(m8_or(certain(&of_a, 0), shared_a[0]), m8_or(certain(&of_a, 1), shared_a[1])),
                        m8_or(certain(&of_a, 2), shared_a[2]));
    m8 known_b = m8_and(m8_and(m8_or(certain(&of_b, 0), shared_b[0]), m8_or(certain(&of_b, 1), shared_b[1])),
                        m8_or(certain(&of_b, 2), shared_b[2]));
    uint32_t straddling = m8_bits(m8_and(known_a, known_b)) & ~apart;
    uint32_t fans = straddling & m8_bits(m8_and(one_a, one_b));
    uint32_t agree = m8_bits(m8_xor(next_above(&of_a, shared_a), next_above(&of_b, shared_b)));
    bw_wide_verdict verdict = {fans & agree, apart | (fans & ~agree)};
    straddling &= ~m8_bits(any);
    if (straddling != 0) {
        bw_wide_verdict strangers = compare_intervals(&c, &of_a, &of_b);
        verdict.crossing |= strangers.crossing & straddling;
        verdict.apart |= strangers.apart & straddling;
    }
    uint32_t unsure = ~(verdict.crossing | verdict.apart | m8_bits(any)) & 0xFFu;
    if (unsure != 0)
        verdict.apart |= unsure & side_by_side_in_plane(&c, normal_a, normal_b);
    return verdict;
}

#endif
