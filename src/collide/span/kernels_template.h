/* Kernels for looking ahead, for one level of base/simd/f32x8.h: as those of boxes and triangles, with
 * everything at both ends of a span of time. The includer defines WIDE_LEVEL and KERNELS, the name of their
 * table. */
#ifndef BW_COLLIDE_SPAN_KERNELS_TEMPLATE_H
#define BW_COLLIDE_SPAN_KERNELS_TEMPLATE_H

#include "collide/pair/boxes_template.h"
#include "collide/pair/triangles_template.h"
#include "collide/span/kernels.h"

/* A local coordinate, and a product of it with a direction, is off by no more than this part of the largest
 * coordinate: some 10 roundings, generously. */
#define SPAN_ROUNDING 0x1p-19f
#define SPAN_TINY 0x1p-120f /* above what underflow can do */
/* Times are quotients of floats: a few parts in 2^24 off. */
#define SPAN_EARLY 0x1p-20f

/* The lanes of boxes that box i of others is apart from at both ends, on the same side. */
LANES_FN uint32_t row_apart(const box8 *box, const box8 *end, const bw_eight_boxes *other,
                            const bw_eight_boxes *other_end, uint32_t i)
{
    m8 above_x = m8_and(v8_greater(v8_all(other->min[0][i]), box->max_x),
                        v8_greater(v8_all(other_end->min[0][i]), end->max_x));
    m8 above_y = m8_and(v8_greater(v8_all(other->min[1][i]), box->max_y),
                        v8_greater(v8_all(other_end->min[1][i]), end->max_y));
    m8 above_z = m8_and(v8_greater(v8_all(other->min[2][i]), box->max_z),
                        v8_greater(v8_all(other_end->min[2][i]), end->max_z));
    m8 below_x = m8_and(v8_greater(box->min_x, v8_all(other->max[0][i])),
                        v8_greater(end->min_x, v8_all(other_end->max[0][i])));
    m8 below_y = m8_and(v8_greater(box->min_y, v8_all(other->max[1][i])),
                        v8_greater(end->min_y, v8_all(other_end->max[1][i])));
    m8 below_z = m8_and(v8_greater(box->min_z, v8_all(other->max[2][i])),
                        v8_greater(end->min_z, v8_all(other_end->max[2][i])));
    return m8_bits(m8_or(m8_or(m8_or(above_x, above_y), m8_or(above_z, below_x)), m8_or(below_y, below_z)));
}

/* Moved by an offset and made larger on all sides. */
LANES_FN void move_boxes(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], const float offset[3],
                         float slack, bw_eight_boxes *out)
{
    for (int i = 0; i < 3; i++) {
        v8_store(out->min[i], v8_add(v8_load(min[i]), v8_all(offset[i] - slack)));
        v8_store(out->max[i], v8_add(v8_load(max[i]), v8_all(offset[i] + slack)));
    }
}

LANES_TARGET static bw_wide_meeting span_boxes(const bw_wide_node *a, const bw_eight_boxes *end_a,
                                               uint32_t lanes, const bw_wide_node *b,
                                               const bw_span_boxes *boxes_b, uint32_t rows, float slack)
{
    static const float stay[3] = {0, 0, 0};
    bw_eight_boxes other, other_end;
    move_boxes(boxes_b->min, boxes_b->max, stay, slack, &other);
    move_boxes(boxes_b->end->min, boxes_b->end->max, stay, slack, &other_end);
    const box8 box = load_boxes(a->min, a->max), end = load_boxes(end_a->min, end_a->max);
    uint64_t result = 0;
    for (uint32_t left = rows; left != 0; left &= left - 1) {
        uint32_t i = bw_wide_lowest(left);
        result |= (uint64_t)(~row_apart(&box, &end, &other, &other_end, i) & lanes) << 8 * i;
    }
    return sort_out(a, b, result);
}

LANES_TARGET static void span_map(const bw_error_bounds *frame, const void *boxes, bw_eight_boxes *out)
{
    map_boxes(&frame->b_to_a, boxes, out);
}

LANES_TARGET static void span_turn(const bw_error_bounds *frame, bw_wide_corners *corners)
{
    for (int k = 0; k < 3; k++) {
        const triple c = load_triple(corners->coordinate[k]);
        store_triple(corners->coordinate[k],
                     (triple){along(c.x, c.y, c.z, frame->turn[0]), along(c.x, c.y, c.z, frame->turn[1]),
                              along(c.x, c.y, c.z, frame->turn[2])});
    }
}

LANES_FN void box_corners(const triple c[3], bw_eight_boxes *out)
{
    v8_store(out->min[0], v8_min(v8_min(c[0].x, c[1].x), c[2].x));
    v8_store(out->min[1], v8_min(v8_min(c[0].y, c[1].y), c[2].y));
    v8_store(out->min[2], v8_min(v8_min(c[0].z, c[1].z), c[2].z));
    v8_store(out->max[0], v8_max(v8_max(c[0].x, c[1].x), c[2].x));
    v8_store(out->max[1], v8_max(v8_max(c[0].y, c[1].y), c[2].y));
    v8_store(out->max[2], v8_max(v8_max(c[0].z, c[1].z), c[2].z));
}

LANES_FN span corners_along(const bw_wide_corners *corners, const float normal[3])
{
    v8 d[3];
    for (int k = 0; k < 3; k++) {
        triple c = load_triple(corners->coordinate[k]);
        d[k] = along(c.x, c.y, c.z, normal);
    }
    return (span){v8_min(v8_min(d[0], d[1]), d[2]), v8_max(v8_max(d[0], d[1]), d[2])};
}

LANES_FN float magnitude(float x)
{
    return x < 0.0f ? -x : x;
}

LANES_TARGET static void span_prepare(bw_span_leaf *leaf)
{
    triple area[2];
    for (int end = 0; end < 2; end++) {
        triple c[3];
        for (int k = 0; k < 3; k++)
            c[k] = load_triple(leaf->at[end].coordinate[k]);
        box_corners(c, &leaf->boxes[end]);
        area[end] = cross(subtract(c[1], c[0]), subtract(c[2], c[0]));
    }
    leaf->normal[0] = v8_sum(v8_add(area[0].x, area[1].x));
    leaf->normal[1] = v8_sum(v8_add(area[0].y, area[1].y));
    leaf->normal[2] = v8_sum(v8_add(area[0].z, area[1].z));
    leaf->weight = sum_norm(leaf->normal);
    for (int end = 0; end < 2; end++) {
        span whole = corners_along(&leaf->at[end], leaf->normal);
        leaf->low[end] = v8_lowest(whole.low);
        leaf->high[end] = v8_highest(whole.high);
    }
    leaf->reach =
        leaf->at[0].magnitude > leaf->at[1].magnitude ? leaf->at[0].magnitude : leaf->at[1].magnitude;
}

/* Whether the slab of one leaf keeps the other out all the time; shift is the other's offset along the
 * normal. */
LANES_FN bool slab_keeps_out(const bw_span_leaf *leaf, const bw_span_leaf *other, float shift, float delta)
{
    float margin = delta * leaf->weight + SPAN_TINY;
    bool above = true, below = true;
    for (int end = 0; end < 2; end++) {
        span s = corners_along(&other->at[end], leaf->normal);
        above = above && v8_lowest(s.low) > leaf->high[end] - shift + margin;
        below = below && leaf->low[end] - shift - margin > v8_highest(s.high);
    }
    return above || below;
}

LANES_TARGET static uint64_t span_leaves(const bw_span_leaf *a, const bw_span_leaf *b, float slack,
                                         bw_wide_gap *gap)
{
    float reach = a->reach + b->reach;
    for (int i = 0; i < 3; i++) {
        gap->offset[i] = (float)((double)b->at[0].origin[i] - (double)a->at[0].origin[i]);
        reach += magnitude(gap->offset[i]);
    }
    gap->delta = reach < 0x1p30f ? slack + SPAN_ROUNDING * reach : INFINITY;
    const float *d = gap->offset, *na = a->normal, *nb = b->normal;
    if (slab_keeps_out(a, b, (na[0] * d[0] + na[1] * d[1]) + na[2] * d[2], gap->delta))
        return 0;
    if (slab_keeps_out(b, a, -((nb[0] * d[0] + nb[1] * d[1]) + nb[2] * d[2]), gap->delta))
        return 0;
    bw_eight_boxes other, other_end;
    move_boxes(b->boxes[0].min, b->boxes[0].max, d, gap->delta, &other);
    move_boxes(b->boxes[1].min, b->boxes[1].max, d, gap->delta, &other_end);
    const box8 box = load_boxes(a->boxes[0].min, a->boxes[0].max),
               end = load_boxes(a->boxes[1].min, a->boxes[1].max);
    uint64_t apart = 0;
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        apart |= (uint64_t)row_apart(&box, &end, &other, &other_end, i) << 8 * i;
    return ~apart & bw_wide_spread((1u << a->count) - 1, (1u << b->count) - 1);
}

LANES_TARGET static uint64_t span_append(const bw_span_leaf *a, const bw_span_leaf *b, const bw_wide_gap *gap,
                                         uint64_t mask, bw_span_batch *batch)
{
    uint32_t n = batch->count;
    eight_pairs pairs = take_eight(&mask);
    batch->count = n + pairs.count;
    pick8 pick_a = pick8_of(pairs.slots_a), pick_b = pick8_of(pairs.slots_b);
    for (int end = 0; end < 2; end++)
        for (int corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 3; axis++) {
                v8_store(&batch->a[end][corner][axis][n],
                         v8_pick(a->at[end].coordinate[corner][axis], pick_a));
                v8_store(
                    &batch->b[end][corner][axis][n],
                    v8_add(v8_pick(b->at[end].coordinate[corner][axis], pick_b), v8_all(gap->offset[axis])));
            }
    v8_store(&batch->delta[n], v8_all(gap->delta));
    pick8_words(&batch->primitive_a[n], a->primitives, pick_a);
    pick8_words(&batch->primitive_b[n], b->primitives, pick_b);
    return mask;
}

/* Eight pairs of triangles at one time. */
typedef struct moment {
    triple a[3], b[3];
} moment;

LANES_FN triple load_lane(const float rows[3][BW_BATCH_ROW], uint32_t n)
{
    return (triple){v8_load(&rows[0][n]), v8_load(&rows[1][n]), v8_load(&rows[2][n])};
}

LANES_FN void load_moment(const bw_span_batch *batch, uint32_t n, int end, moment *out)
{
    for (int k = 0; k < 3; k++) {
        out->a[k] = load_lane(batch->a[end][k], n);
        out->b[k] = load_lane(batch->b[end][k], n);
    }
}

LANES_FN triple blend(triple a, triple b, v8 r, v8 s)
{
    return (triple){v8_add(v8_mul(r, a.x), v8_mul(s, b.x)), v8_add(v8_mul(r, a.y), v8_mul(s, b.y)),
                    v8_add(v8_mul(r, a.z), v8_mul(s, b.z))};
}

LANES_FN void moment_at(const moment ends[2], v8 s, moment *out)
{
    v8 r = v8_sub(v8_all(1.0f), s);
    for (int k = 0; k < 3; k++) {
        out->a[k] = blend(ends[0].a[k], ends[1].a[k], r, s);
        out->b[k] = blend(ends[0].b[k], ends[1].b[k], r, s);
    }
}

/* How far b is above a along a direction, and below. */
typedef struct gaps8 {
    v8 above, below;
} gaps8;

LANES_FN gaps8 gaps_along(const moment *m, triple n)
{
    v8 a0 = dot(n, m->a[0]), a1 = dot(n, m->a[1]), a2 = dot(n, m->a[2]);
    v8 b0 = dot(n, m->b[0]), b1 = dot(n, m->b[1]), b2 = dot(n, m->b[2]);
    return (gaps8){v8_sub(v8_min(v8_min(b0, b1), b2), v8_max(v8_max(a0, a1), a2)),
                   v8_sub(v8_min(v8_min(a0, a1), a2), v8_max(v8_max(b0, b1), b2))};
}

/* When each pair may meet. */
typedef struct window8 {
    v8 from, to;
    m8 over; /* never */
} window8;

/* Takes off what a direction proves. first, last: the pairs at both ends of the window. */
LANES_FN void cut(const moment *first, const moment *last, triple n, v8 delta, window8 *w)
{
    v8 zero = v8_all(0.0f);
    v8 margin =
        v8_add(v8_mul(v8_add(v8_add(absolute(n.x), absolute(n.y)), absolute(n.z)), delta), v8_all(SPAN_TINY));
    gaps8 g0 = gaps_along(first, n), g1 = gaps_along(last, n);
    m8 above = v8_greater(v8_add(g0.above, g1.above), v8_add(g0.below, g1.below));
    v8 gap0 = v8_sub(v8_choose(above, g0.above, g0.below), margin);
    v8 gap1 = v8_sub(v8_choose(above, g1.above, g1.below), margin);
    m8 apart0 = v8_greater(gap0, zero), apart1 = v8_greater(gap1, zero);
    w->over = m8_or(w->over, m8_and(apart0, apart1));
    v8 change = v8_add(w->from, v8_mul(v8_sub(w->to, w->from), v8_div(gap0, v8_sub(gap0, gap1))));
    v8 later = v8_sub(change, v8_all(SPAN_EARLY)), sooner = v8_add(change, v8_all(SPAN_EARLY));
    w->from = v8_choose(m8_and(apart0, v8_greater(later, w->from)), later, w->from);
    w->to = v8_choose(m8_and(apart1, v8_greater(w->to, sooner)), sooner, w->to);
    w->over = m8_or(w->over, v8_greater(w->from, w->to));
}

/* Of the directions that can separate two triangles, normals and products of edges, the one that does so
 * farthest; zero where none does. */
LANES_FN void prefer(const moment *m, triple n, triple *best, v8 *value)
{
    gaps8 g = gaps_along(m, n);
    v8 gap = v8_max(g.above, g.below), zero = v8_all(0.0f);
    v8 far = v8_choose(v8_greater(gap, zero), v8_div(v8_mul(gap, gap), dot(n, n)), zero);
    m8 better = v8_greater(far, *value);
    *best = choose(better, n, *best);
    *value = v8_choose(better, far, *value);
}

LANES_FN triple best_direction(const moment *m)
{
    v8 zero = v8_all(0.0f), value = zero;
    triple best = {zero, zero, zero}, edge_a[3], edge_b[3];
    for (int i = 0; i < 3; i++) {
        edge_a[i] = subtract(m->a[(i + 1) % 3], m->a[i]);
        edge_b[i] = subtract(m->b[(i + 1) % 3], m->b[i]);
    }
    prefer(m, cross(edge_a[0], edge_a[1]), &best, &value);
    prefer(m, cross(edge_b[0], edge_b[1]), &best, &value);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            prefer(m, cross(edge_a[i], edge_b[j]), &best, &value);
    return best;
}

LANES_FN triple normal_of(const triple p[3])
{
    return cross(subtract(p[1], p[0]), subtract(p[2], p[0]));
}

/* First the normals half-way, which settle most; then, twice, the best direction half-way through what is
 * left. */
LANES_TARGET static uint32_t span_trim(const bw_span_batch *batch, uint32_t first, float from[BW_WIDTH],
                                       float to[BW_WIDTH])
{
    v8 zero = v8_all(0.0f), half = v8_all(0.5f), delta = v8_load(&batch->delta[first]);
    window8 w = {zero, v8_all(1.0f), v8_greater(zero, zero)};
    moment ends[2], middle, start, stop;
    load_moment(batch, first, 0, &ends[0]);
    load_moment(batch, first, 1, &ends[1]);
    moment_at(ends, half, &middle);
    triple normal_a = normal_of(middle.a), normal_b = normal_of(middle.b);
    cut(&ends[0], &ends[1], normal_a, delta, &w);
    moment_at(ends, w.from, &start);
    moment_at(ends, w.to, &stop);
    cut(&start, &stop, normal_b, delta, &w);
    for (int round = 0; round < 2 && m8_bits(w.over) != 0xFFu; round++) {
        moment_at(ends, v8_mul(half, v8_add(w.from, w.to)), &middle);
        triple n = best_direction(&middle);
        moment_at(ends, w.from, &start);
        moment_at(ends, w.to, &stop);
        cut(&start, &stop, n, delta, &w);
    }
    v8_store(from, w.from);
    v8_store(to, w.to);
    return ~m8_bits(w.over) & 0xFFu;
}

/* The lowest and highest of three along each axis. */
typedef struct bounds {
    triple min, max;
} bounds;

LANES_FN bounds bounds_of(const triple c[3])
{
    return (bounds){{v8_min(v8_min(c[0].x, c[1].x), c[2].x), v8_min(v8_min(c[0].y, c[1].y), c[2].y),
                     v8_min(v8_min(c[0].z, c[1].z), c[2].z)},
                    {v8_max(v8_max(c[0].x, c[1].x), c[2].x), v8_max(v8_max(c[0].y, c[1].y), c[2].y),
                     v8_max(v8_max(c[0].z, c[1].z), c[2].z)}};
}

LANES_FN m8 any_greater(triple a, triple b)
{
    return m8_or(m8_or(v8_greater(a.x, b.x), v8_greater(a.y, b.y)), v8_greater(a.z, b.z));
}

LANES_FN v8 largest_of(triple a)
{
    return v8_max(v8_max(a.x, a.y), a.z);
}

LANES_FN triple magnitude_of(triple a)
{
    return (triple){absolute(a.x), absolute(a.y), absolute(a.z)};
}

/* Subtraction rounds monotonously, so boxes of differences that are apart are those of triangles that are. */
LANES_TARGET static void span_offer(const bw_wide_corners *corners_a, const bw_wide_corners *corners_b,
                                    const uint32_t *primitive_a, const uint32_t *primitive_b, uint32_t count,
                                    bw_wide_batch *batch)
{
    float rows_a[3][3][BW_WIDTH], rows_b[3][3][BW_WIDTH], extents[2][BW_WIDTH], deltas[BW_WIDTH];
    triple a[3], b[3], origin = load_triple(corners_a->coordinate[0]);
    for (int k = 0; k < 3; k++) {
        a[k] = subtract(load_triple(corners_a->coordinate[k]), origin);
        b[k] = subtract(load_triple(corners_b->coordinate[k]), origin);
        store_triple(rows_a[k], a[k]);
        store_triple(rows_b[k], b[k]);
    }
    bounds box_a = bounds_of(a), box_b = bounds_of(b);
    m8 apart = m8_or(any_greater(box_a.min, box_b.max), any_greater(box_b.min, box_a.max));
    uint32_t left = ~m8_bits(apart) & ((1u << count) - 1);
    if (left == 0)
        return;
    v8 up = v8_all(1.0f + 0x1p-20f), limit = v8_all(0x1p36f);
    v8_store(extents[0], v8_mul(up, largest_of(subtract(box_a.max, box_a.min))));
    v8_store(extents[1], v8_mul(up, largest_of(subtract(box_b.max, box_b.min))));
    v8 reach = v8_max(v8_max(largest_of(magnitude_of(box_a.min)), largest_of(magnitude_of(box_a.max))),
                      v8_max(largest_of(magnitude_of(box_b.min)), largest_of(magnitude_of(box_b.max))));
    /* Half an ulp of the largest float, twice; where squares could overflow nothing is certain. */
    v8 delta = v8_add(v8_mul(v8_all(0x1p-23f), reach), v8_all(SPAN_TINY));
    v8_store(deltas, v8_choose(v8_greater(limit, reach), delta, v8_all(INFINITY)));
    uint64_t lanes = 0;
    uint32_t n = batch->count;
    for (uint32_t k = 0; left != 0; left &= left - 1, k++) {
        lanes |= (uint64_t)bw_wide_lowest(left) << 8 * k;
        batch->count++;
    }
    pick8 pick = pick8_of(lanes);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            v8_store(&batch->a[k][axis][n], v8_pick(rows_a[k][axis], pick));
            v8_store(&batch->b[k][axis][n], v8_pick(rows_b[k][axis], pick));
        }
    v8_store(&batch->extent_a[n], v8_pick(extents[0], pick));
    v8_store(&batch->extent_b[n], v8_pick(extents[1], pick));
    v8_store(&batch->delta[n], v8_pick(deltas, pick));
    pick8_words(&batch->primitive_a[n], primitive_a, pick);
    pick8_words(&batch->primitive_b[n], primitive_b, pick);
}

const bw_span_kernels KERNELS = {span_boxes,  span_map,    span_turn, span_prepare,
                                 span_leaves, span_append, span_trim, span_offer};

#endif
