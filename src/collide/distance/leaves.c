/* The lower half of the walk: the frame, leaves in it, and pairs of triangles. */
#include "collide/distance/distance.h"
#include "geom/vec.h"
#include "tree/wide/deferred.h"
#include "tree/wide/gather_corners.h"
#include "tree/wide/lens.h"

#include <math.h>
#include <string.h>

void bw_distance_take_limit(bw_distance_state *w)
{
    if (w->known2 == w->query->limit2)
        return;
    w->known2 = w->query->limit2;
    w->limit = w->known2 < INFINITY ? bw_distance_frame_limit(&w->frame, sqrt(w->known2)) : INFINITY;
    w->limit2 = bw_distance_round_up(w->limit * w->limit * (1.0 + 0x1p-20));
}

void bw_distance_take_frame(bw_distance_state *w)
{
    w->turn += (uint64_t)1 << 32;
    bw_distance_map_set(&w->a.map, &w->frame, w->a.side);
    bw_distance_map_set(&w->b.map, &w->frame, w->b.side);
}

/* The frame follows the nearest pair, but not each hair's breadth: what was mapped is then of no more use. */
static void turn_frame(bw_distance_state *w)
{
    const double *axis = w->frame.axis[0];
    bw_vec3 d = bw_vec3_sub(w->query->on_b, w->query->on_a);
    double along = axis[0] * d.x + axis[1] * d.y + axis[2] * d.z, length2 = bw_vec3_dot(d, d);
    if (along > 0.0 && along * along > 0.9995 * length2)
        return;
    if (bw_distance_frame_turn(&w->frame, d))
        bw_distance_take_frame(w);
}

const bw_distance_boxes *bw_distance_boxes_of(const bw_distance_state *w, bw_distance_side *s, uint32_t node)
{
    uint32_t slot = node % BW_DISTANCE_NODES;
    if (s->node[slot] != (w->turn | node)) {
        s->node[slot] = w->turn | node;
        bw_wide_need_node(s->side->tree, node);
        const bw_wide *tree = s->side->tree;
        w->kernels->boxes(&s->map, &tree->nodes[node], tree->lenses != NULL ? &tree->lenses[node] : NULL,
                          &s->boxes[slot]);
    }
    return &s->boxes[slot];
}

const bw_distance_leaf *bw_distance_leaf_of(const bw_distance_state *w, bw_distance_side *s, uint32_t leaf)
{
    uint32_t slot = leaf % BW_DISTANCE_LEAVES;
    if (s->leaf[slot] != (w->turn | leaf)) {
        bw_wide_corners gathered;
        s->leaf[slot] = w->turn | leaf;
        w->kernels->leaf(&s->map, bw_wide_leaf_corners(s->side->tree, s->side->mesh, leaf, &gathered),
                         s->side->tree->primitives + leaf * (size_t)BW_WIDTH,
                         s->side->tree->leaves[leaf].count, &s->leaves[slot]);
    }
    return &s->leaves[slot];
}

bw_distance_box bw_distance_shadow_of(const bw_distance_state *w, const bw_distance_side *s, uint32_t leaf)
{
    bw_wide_corners gathered;
    bw_distance_box out;
    w->kernels->shadow(&s->map, bw_wide_leaf_corners(s->side->tree, s->side->mesh, leaf, &gathered), &out);
    return out;
}

/* Up to eight pairs of triangles, the nearest first. False when the walk ends. */
static bool measure(bw_distance_state *w, const bw_distance_leaf *a, const bw_distance_leaf *b,
                    const bw_distance_gap *gap, const uint32_t pair[BW_WIDTH], uint32_t count)
{
    uint64_t slots_a = 0, slots_b = 0;
    uint32_t apart = 0;
    float distance2[BW_WIDTH];
    for (uint32_t i = 0; i < count; i++) {
        slots_a |= (uint64_t)(pair[i] & 7) << 8 * i;
        slots_b |= (uint64_t)(pair[i] >> 3) << 8 * i;
        apart |= (uint32_t)(gap->apart >> pair[i] & 1) << i;
    }
    w->query->primitive_tests += count;
    w->kernels->triangles(a, b, gap, slots_a, slots_b, apart, distance2);
    float cut = bw_distance_threshold(w->limit, gap->size, gap->extent, gap->delta);
    const float touch = bw_distance_threshold(0.0, gap->size, gap->extent, gap->delta);
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        left |= (uint32_t) !(distance2[i] > cut) << i;
    while (left != 0) {
        uint32_t best = bw_wide_lowest(left);
        for (uint32_t others = w->query->nearest ? left & (left - 1) : 0; others != 0; others &= others - 1) {
            const uint32_t i = bw_wide_lowest(others);
            best = distance2[i] < distance2[best] ? i : best;
        }
        left &= ~(1u << best);
        if (distance2[best] > cut)
            continue;
        if (!w->query->visit(w->query, a->primitives[pair[best] & 7], b->primitives[pair[best] >> 3],
                             distance2[best] > touch))
            return false;
        if (w->query->limit2 != w->known2) {
            bw_distance_take_limit(w);
            cut = bw_distance_threshold(w->limit, gap->size, gap->extent, gap->delta);
        }
    }
    return true;
}

/* Two runs in a row, from the largest down, become one. */
static void merge(const uint64_t *from, uint32_t middle, uint32_t end, uint64_t *out)
{
    uint32_t i = 0, j = middle;
    while (i < middle && j < end) {
        const bool first = from[i] > from[j];
        *out++ = first ? from[i] : from[j];
        i += first;
        j += !first;
    }
    memcpy(out, from + i, (middle - i) * sizeof *out);
    memcpy(out + (middle - i), from + j, (end - j) * sizeof *out);
}

/* The pairs of a mask, the farthest first, so that a stack gives the nearest first; equal ones by number.
 * Bounds are not negative, so their bits are in the order of their values. */
uint32_t bw_distance_sort(uint64_t mask, const float *bound, uint64_t out[BW_WIDTH * BW_WIDTH])
{
    uint64_t other[BW_WIDTH * BW_WIDTH], *from = out, *to = other;
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1) { /* in runs of eight */
        const uint32_t bit = bw_wide_lowest(mask), run = count & ~7u;
        uint32_t bits, at = count++;
        memcpy(&bits, &bound[bit], sizeof bits);
        uint64_t key = (uint64_t)bits << 32 | bit;
        for (; at > run && out[at - 1] < key; at--)
            out[at] = out[at - 1];
        out[at] = key;
    }
    for (uint32_t width = BW_WIDTH; width < count; width *= 2) {
        for (uint32_t at = 0; at < count; at += 2 * width) {
            const uint32_t left = count - at;
            merge(from + at, left < width ? left : width, left < 2 * width ? left : 2 * width, to + at);
        }
        uint64_t *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != out)
        memcpy(out, from, count * sizeof *out);
    return count;
}

/* The pairs of triangles whose boxes are near, nearest first, as long as they are within the limit. */
static bool measure_all(bw_distance_state *w, const bw_distance_leaf *a, const bw_distance_leaf *b,
                        const bw_distance_gap *gap)
{
    uint64_t sorted[BW_WIDTH * BW_WIDTH];
    uint32_t left = bw_distance_sort(gap->near, gap->bound, sorted);
    while (left > 0) {
        uint32_t pair[BW_WIDTH], count = 0;
        float cut = bw_distance_threshold(w->limit, gap->size, 0.0f, gap->delta);
        for (; left > 0 && count < BW_WIDTH; left--) {
            pair[count] = (uint32_t)sorted[left - 1] & 63;
            if (gap->bound[pair[count]] > cut)
                left = 1; /* so are all that follow */
            else
                count++;
        }
        if (count > 0 && !measure(w, a, b, gap, pair, count))
            return false;
    }
    return true;
}

/* Leaves that stand aside from each other are compared along the line between them, too. */
static void look_along(const bw_distance_state *w, const bw_distance_leaf *a, const bw_distance_leaf *b,
                       bw_distance_gap *gap)
{
    const float *d = gap->offset;
    double length =
        sqrt((double)d[0] * (double)d[0] + (double)d[1] * (double)d[1] + (double)d[2] * (double)d[2]);
    if (!(length > 0x1p-60 && w->limit < INFINITY))
        return;
    double inverse = (1.0 - 0x1p-22) / length;
    float n[3];
    for (int k = 0; k < 3; k++)
        n[k] = (float)((double)d[k] * inverse);
    w->kernels->along(a, b, n, w->limit, gap);
}

/* Whether the leaves were compared before, as far as is remembered; from now on they are. */
static bool were_compared(bw_distance_state *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const uint64_t key = (uint64_t)(leaf_a + 1) << 32 | (leaf_b + 1);
    uint64_t *known = &w->compared[(leaf_a * 31 + leaf_b) % BW_DISTANCE_COMPARED];
    if (*known == key)
        return true;
    *known = key;
    return false;
}

bool bw_distance_compare(bw_distance_state *w, uint32_t leaf_a, uint32_t leaf_b)
{
    if (w->query->leaves != NULL)
        return w->query->leaves(w->query, leaf_a, leaf_b);
    if (w->query->nearest && were_compared(w, leaf_a, leaf_b))
        return true;
    const bw_distance_leaf *a = bw_distance_leaf_of(w, &w->a, leaf_a),
                           *b = bw_distance_leaf_of(w, &w->b, leaf_b);
    bw_distance_gap gap;
    double before = w->query->limit2;
    w->query->box_tests += (uint64_t)a->count * b->count;
    if (w->query->nearest && w->kernels->beyond(a, b, w->limit))
        return true;
    bw_distance_gap_set(a, b, &gap);
    if (w->query->nearest)
        look_along(w, a, b, &gap);
    if (gap.near != 0)
        w->kernels->leaf_pair(a, b, w->limit, &gap);
    if (gap.near == 0)
        return true;
    bool go_on = measure_all(w, a, b, &gap);
    if (w->query->nearest && w->query->limit2 < before) {
        w->last = (bw_witness){true, leaf_a, leaf_b};
        if (go_on)
            turn_frame(w);
    }
    return go_on;
}
