/* The walk of plain rays, for one level of wide_lanes.h. */
#ifndef BW_COLLIDE_RAY_PLAIN_TEMPLATE_H
#define BW_COLLIDE_RAY_PLAIN_TEMPLATE_H

#include "collide/lane_lists.h"
#include "collide/ray_plain_set.h"
#include "collide/wide_kernels.h"
#include "geom/triangle.h"

#include <string.h>

typedef struct plain_boxes {
    v8 near[3], far[3], inverse[3], more[3];
} plain_boxes;

LANES_FN plain_boxes plain_spread(const bw_plain_ray *r)
{
    plain_boxes b;
    for (int k = 0; k < 3; k++) {
        b.near[k] = v8_all(r->near[k]);
        b.far[k] = v8_all(r->far[k]);
        b.inverse[k] = v8_all(r->inverse[k]);
        b.more[k] = v8_all(r->more[k]);
    }
    return b;
}

/* Which of eight boxes the ray does not meet within the limit, and from where on it is in the others (not
 * negative). A lane that is not used has its planes 2^120 the wrong way round: at least 2^100 apart in T. */
LANES_FN m8 plain_missed(const bw_plain_ray *r, const plain_boxes *b, const bw_wide_node *node, v8 limit,
                         v8 *enter)
{
    const float *planes = &node->min[0][0];
    v8 in[3], out[3];
    for (int k = 0; k < 3; k++) {
        in[k] = v8_mul(v8_sub(b->near[k], v8_load(planes + r->first[k])), b->inverse[k]);
        out[k] = v8_mul(v8_sub(b->far[k], v8_load(planes + r->last[k])), b->more[k]);
    }
    *enter = v8_max(v8_max(in[0], in[1]), v8_max(in[2], v8_all(0.0f)));
    return v8_greater(*enter, v8_min(v8_min(out[0], out[1]), v8_min(out[2], limit)));
}

enum { PLAIN_FEW = 4 }; /* boxes of a node that are sorted */

#if WIDE_LEVEL == 3
/* Boxes are in the order of where the ray enters them: a float that is not negative is in the order of its
 * bits, of which the last three make room for the lane. */
LANES_FN __m256i plain_keys(v8 enter)
{
    const __m256i bits = _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(enter));
    return _mm256_or_si256(bits, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* The lane of the nearest box that is met: of several as near, to a relative 2^-20, the first. */
LANES_FN uint32_t plain_nearest(v8 enter, m8 missed, uint32_t mask)
{
    (void)mask;
    const __m256i keys = _mm256_or_si256(plain_keys(enter), _mm256_castps_si256(missed));
    __m128i least = _mm_min_epu32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256(keys, 1));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0x4E));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(least) & 7;
}

LANES_FN void plain_push(bw_plain_stack *stack, uint32_t top, const uint32_t *child, v8 enter, uint32_t mask)
{
    const __m256i order = pick8_of(lane_lists[mask]);
    const __m256i kids = _mm256_loadu_si256((const __m256i *)(const void *)child);
    _mm256_storeu_ps(stack->at + top, _mm256_permutevar8x32_ps(enter, order));
    _mm256_storeu_si256((__m256i *)(void *)(stack->ref + top), _mm256_permutevar8x32_epi32(kids, order));
}

/* Up to PLAIN_FEW, the farthest first, without a branch: moved to the front, and sorted by a network. Those
 * that are missed have the lowest key. */
LANES_FN void plain_push_few(bw_plain_stack *stack, uint32_t top, const uint32_t *child, v8 enter, m8 missed,
                             uint32_t mask)
{
    const __m256i kids = _mm256_loadu_si256((const __m256i *)(const void *)child);
    const __m256i keys = _mm256_or_si256(plain_keys(enter), _mm256_castps_si256(missed));
    __m128i v = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(keys, pick8_of(lane_lists[mask])));
    __m128i w = _mm_shuffle_epi32(v, 0xB1);
    v = _mm_blend_epi16(_mm_max_epi32(v, w), _mm_min_epi32(v, w), 0xCC);
    w = _mm_shuffle_epi32(v, 0x4E);
    v = _mm_blend_epi16(_mm_max_epi32(v, w), _mm_min_epi32(v, w), 0xF0);
    w = _mm_shuffle_epi32(v, 0xD8);
    v = _mm_blend_epi16(_mm_max_epi32(v, w), _mm_min_epi32(v, w), 0x30);
    const __m256i order = _mm256_castsi128_si256(v); /* by the last three bits, the lane */
    _mm_storeu_ps(stack->at + top, _mm256_castps256_ps128(_mm256_permutevar8x32_ps(enter, order)));
    _mm_storeu_si128((__m128i *)(void *)(stack->ref + top),
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(kids, order)));
}
#else
LANES_FN uint32_t plain_nearest(v8 enter, m8 missed, uint32_t mask)
{
    (void)missed;
    float at[BW_WIDTH];
    uint32_t bits[BW_WIDTH], least = UINT32_MAX;
    v8_store(at, enter);
    memcpy(bits, at, sizeof bits);
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = bw_wide_lowest(mask), key = (bits[lane] & ~7u) | lane;
        least = key < least ? key : least;
    }
    return least & 7;
}

LANES_FN void plain_push(bw_plain_stack *stack, uint32_t top, const uint32_t *child, v8 enter, uint32_t mask)
{
    float at[BW_WIDTH];
    v8_store(at, enter);
    for (; mask != 0; mask &= mask - 1, top++) {
        const uint32_t lane = bw_wide_lowest(mask);
        stack->at[top] = at[lane];
        stack->ref[top] = child[lane];
    }
}

LANES_FN void plain_push_few(bw_plain_stack *stack, uint32_t top, const uint32_t *child, v8 enter, m8 missed,
                             uint32_t mask)
{
    (void)missed;
    float at[BW_WIDTH];
    uint32_t bits[BW_WIDTH], keys[PLAIN_FEW], count = 0;
    v8_store(at, enter);
    memcpy(bits, at, sizeof bits);
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = bw_wide_lowest(mask), key = (bits[lane] & ~7u) | lane;
        uint32_t slot = count++;
        for (; slot > 0 && keys[slot - 1] < key; slot--)
            keys[slot] = keys[slot - 1];
        keys[slot] = key;
    }
    for (uint32_t i = 0; i < count; i++) {
        stack->at[top + i] = at[keys[i] & 7];
        stack->ref[top + i] = child[keys[i] & 7];
    }
}
#endif

/* Kept apart from all that other functions see: in registers. */
typedef struct plain_counts {
    uint64_t nodes, boxes, leaves;
} plain_counts;

LANES_FN void plain_add(bw_plain *c, const plain_counts *counts)
{
    c->nodes_visited += counts->nodes;
    c->box_tests += counts->boxes;
    c->nodes_visited += counts->leaves;
    c->primitive_tests += counts->leaves * BW_WIDTH;
}

/* The slots of a leaf that the ray may meet, unused ones (which repeat the first) among them; sets those that
 * its line certainly crosses. */
LANES_FN uint32_t plain_leaf(const bw_plain_ray *r, const bw_wide_corners *corners, uint32_t *crossed)
{
    /* Where the leaf's origin is, seen along the ray. */
#if WIDE_LEVEL == 3
    const __m128 placed = _mm_permutevar_ps(_mm_loadu_ps(corners->origin),
                                            _mm_loadu_si128((const __m128i *)(const void *)r->side));
    const __m128 upper = _mm_movehl_ps(placed, placed); /* along the axis, and the magnitude */
    const __m128d along = _mm_cvtps_pd(_mm_moveldup_ps(upper));
    const __m128 at = _mm_cvtpd_ps(_mm_sub_pd(_mm_sub_pd(_mm_cvtps_pd(placed), _mm_loadu_pd(r->offset)),
                                              _mm_mul_pd(_mm_loadu_pd(r->slope), along)));
    const __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), at), magnitude = _mm_movehdup_ps(upper);
    const __m128 wide =
        _mm_add_ss(_mm_add_ss(_mm_add_ss(magnitude, magnitude), _mm_max_ss(size, _mm_movehdup_ps(size))),
                   _mm_load_ss(&r->blur));
    const v8 at_x = _mm256_broadcastss_ps(at), at_y = _mm256_broadcastss_ps(_mm_movehdup_ps(at));
    const v8 above = _mm256_broadcastss_ps(_mm_mul_ss(_mm_mul_ss(wide, wide), _mm_set_ss(42.0f * 0x1p-24f)));
#else
    const double along = (double)corners->origin[r->axis];
    const float x_at = (float)(((double)corners->origin[r->side[0]] - r->offset[0]) - r->slope[0] * along);
    const float y_at = (float)(((double)corners->origin[r->side[1]] - r->offset[1]) - r->slope[1] * along);
    const float size_x = x_at < 0.0f ? -x_at : x_at, size_y = y_at < 0.0f ? -y_at : y_at;
    const float wide =
        corners->magnitude + corners->magnitude + (size_x > size_y ? size_x : size_y) + r->blur;
    const v8 at_x = v8_all(x_at), at_y = v8_all(y_at), above = v8_all(wide * wide * (42.0f * 0x1p-24f));
#endif
    /* The negatives of what is meant, twice in every product. */
    v8 x[3], y[3];
    const v8 slope_x = v8_all(r->slope_float[0]), slope_y = v8_all(r->slope_float[1]);
    for (int i = 0; i < 3; i++) {
        const v8 z = v8_load(corners->coordinate[i][r->axis]);
        x[i] = v8_sub(v8_sub(v8_mul(slope_x, z), v8_load(corners->coordinate[i][r->side[0]])), at_x);
        y[i] = v8_sub(v8_sub(v8_mul(slope_y, z), v8_load(corners->coordinate[i][r->side[1]])), at_y);
    }
    const v8 p = v8_sub(v8_mul(x[0], y[1]), v8_mul(y[0], x[1]));
    const v8 q = v8_sub(v8_mul(x[1], y[2]), v8_mul(y[1], x[2]));
    const v8 s = v8_sub(v8_mul(x[2], y[0]), v8_mul(y[2], x[0]));
    const v8 least = v8_min(v8_min(p, q), s), most = v8_max(v8_max(p, q), s);
    const v8 below = v8_sub(v8_all(0.0f), above);
    const m8 passed = m8_and(v8_greater(below, least), v8_greater(most, above));
    *crossed = m8_bits(m8_or(v8_greater(least, above), v8_greater(below, most)));
    return ~m8_bits(passed) & 0xFFu;
}

/* The parameter where the line crosses the triangle in a slot, as bw_ray_crossing_quick gives it, from what
 * the leaf has kept. False where that is not the triangle itself to the last bit, or does not give the
 * parameter.
 *
 * A leaf has c = x - o, rounded. Where |c| is at most |o| and |x|, both of these are multiples of the ulp of
 * the smaller, and less than 2^24 of it is |c|: no bit of the difference was lost, and o + c is x. (The
 * computed sum is off by less than 2^-23 |x|.) */
#if WIDE_LEVEL == 3
LANES_FN __m256d plain_corner(const bw_wide_corners *leaf, int corner, uint32_t slot, __m128 origin,
                              __m128 *same)
{
    const __m128 sign = _mm_set1_ps(-0.0f);
    __m128 c = _mm_load_ss(&leaf->coordinate[corner][0][slot]);
    c = _mm_insert_ps(c, _mm_load_ss(&leaf->coordinate[corner][1][slot]), 0x10);
    c = _mm_insert_ps(c, _mm_load_ss(&leaf->coordinate[corner][2][slot]), 0x20);
    const __m128 size = _mm_mul_ps(_mm_andnot_ps(sign, _mm_add_ps(origin, c)), _mm_set1_ps(1.0f - 0x1p-19f));
    const __m128 least = _mm_min_ps(size, _mm_andnot_ps(sign, origin));
    *same = _mm_and_ps(*same, _mm_cmple_ps(_mm_andnot_ps(sign, c), least));
    return _mm256_add_pd(_mm256_cvtps_pd(origin), _mm256_cvtps_pd(c));
}

/* a[0] + a[1] + a[2], and the same of b. */
LANES_FN __m128d plain_sums(__m256d a, __m256d b)
{
    const __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    return _mm_add_pd(_mm_add_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd)),
                      _mm256_extractf128_pd(even, 1));
}

LANES_FN bool plain_crossing(const bw_plain_ray *r, const bw_wide_corners *leaf, uint32_t slot, double *out_t)
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    const __m128 origin = _mm_loadu_ps(leaf->origin);
    __m128 same = _mm_castsi128_ps(_mm_set1_epi32(-1));
    const __m256d a = plain_corner(leaf, 0, slot, origin, &same),
                  b = plain_corner(leaf, 1, slot, origin, &same),
                  c = plain_corner(leaf, 2, slot, origin, &same);
    const __m256d u = _mm256_sub_pd(b, a), w = _mm256_sub_pd(c, a),
                  to = _mm256_sub_pd(a, _mm256_loadu_pd(r->given)), d = _mm256_loadu_pd(r->direction);
    const __m256d p = _mm256_mul_pd(_mm256_permute4x64_pd(u, 0xC9), _mm256_permute4x64_pd(w, 0xD2)),
                  q = _mm256_mul_pd(_mm256_permute4x64_pd(u, 0xD2), _mm256_permute4x64_pd(w, 0xC9));
    const __m256d normal = _mm256_sub_pd(p, q),
                  permanent = _mm256_add_pd(_mm256_andnot_pd(sign, p), _mm256_andnot_pd(sign, q));
    const __m128d value = plain_sums(_mm256_mul_pd(to, normal), _mm256_mul_pd(d, normal)),
                  size = plain_sums(_mm256_mul_pd(_mm256_andnot_pd(sign, to), permanent),
                                    _mm256_mul_pd(_mm256_andnot_pd(sign, d), permanent));
    const __m128d t = _mm_div_sd(value, _mm_unpackhi_pd(value, value));
    const __m128d large = _mm_cmpge_pd(size, _mm_set1_pd(BW_PERMANENT_MIN));
    const __m128d sure =
        _mm_cmplt_pd(_mm_mul_pd(_mm_set1_pd(BW_ORIENT3D_ERROR), size),
                     _mm_mul_pd(_mm_set1_pd(BW_ACCURATE), _mm_andnot_pd(_mm_set1_pd(-0.0), value)));
    *out_t = _mm_cvtsd_f64(t);
    const int all = _mm_movemask_ps(same) | _mm_movemask_pd(_mm_and_pd(large, sure)) << 4;
    return all == 0x3F && fabs(*out_t - 1.0) >= 0x1p-40;
}
#else
LANES_FN bool plain_crossing(const bw_plain_ray *r, const bw_wide_corners *leaf, uint32_t slot, double *out_t)
{
    bw_vec3 corners[3];
    for (int i = 0; i < 3; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            const float c = leaf->coordinate[i][k][slot], o = leaf->origin[k];
            if (!(fabsf(c) <= fabsf(o) && fabsf(c) <= (1.0f - 0x1p-19f) * fabsf(o + c)))
                return false;
            at[k] = (double)o + (double)c;
        }
        corners[i] = (bw_vec3){at[0], at[1], at[2]};
    }
    return bw_ray_crossing_quick(r->from, r->direction, corners, out_t);
}
#endif

/* Takes up the triangles of a leaf that the ray may meet, those of `crossed` certainly; false when the ray
 * needs no more. */
LANES_FN bool plain_decide(const bw_plain *c, bw_plain_ray *r, uint32_t leaf, uint32_t maybe,
                           uint32_t crossed)
{
    const uint32_t *primitives = c->tree->primitives + (size_t)leaf * BW_WIDTH;
    do {
        const uint32_t slot = bw_wide_lowest(maybe);
        const bool is_crossed = (crossed >> slot & 1) != 0;
        bw_ray_hit hit = {.primitive = primitives[slot], .kind = BW_CONTACT_CROSSING};
        if (hit.primitive == BW_NONE) /* unused slots come last */
            break;
        if (!(c->exact && is_crossed && plain_crossing(r, &c->tree->corners[leaf], slot, &hit.t)))
            bw_plain_meet(c, r, leaf, slot, is_crossed, &hit);
        else if (hit.t < 0.0)
            continue;
        if (hit.kind == BW_CONTACT_NONE || hit.t > r->hit.t ||
            (hit.t == r->hit.t && hit.primitive > r->hit.primitive))
            continue;
        r->hit = hit;
        if (c->any)
            return false;
        r->limit = bw_plain_limit(r, hit.t);
    } while ((maybe &= maybe - 1) != 0);
    return true;
}

/* Asks for what a node or leaf is read from. */
LANES_FN void plain_fetch(const bw_wide *tree, uint32_t ref)
{
    const uintptr_t index = ref & ~BW_WIDE_LEAF; /* far outside for a ray that is done: only asked for */
    const uintptr_t node_at = (uintptr_t)tree->nodes + index * sizeof *tree->nodes;
    const uintptr_t leaf_at = (uintptr_t)tree->corners + index * sizeof *tree->corners;
    const uintptr_t at = (ref & BW_WIDE_LEAF) != 0 ? leaf_at : node_at;
    /* Numbers, since a pointer must not be that far outside. NOLINTBEGIN(performance-no-int-to-ptr) */
    BW_PREFETCH((const void *)at);
    BW_PREFETCH((const void *)(at + 64));
    BW_PREFETCH((const void *)(at + 128));
    BW_PREFETCH((const void *)(at + 192));
    BW_PREFETCH((const void *)(at + 256));
    /* NOLINTEND(performance-no-int-to-ptr) */
}

LANES_TARGET static bool plain_cast(bw_plain *c, const bw_vec3 *origin, const bw_vec3 *through, double limit,
                                    bw_ray_hit *hit)
{
    const bw_wide *tree = c->tree;
    plain_counts counts = {0, 0, 0};
    bw_plain_ray r;
    if (!plain_set(c, origin, through, limit, &r))
        return false;
    bw_plain_stack stack;
    stack.at[0] = -INFINITY; /* a limit may be negative */
    stack.ref[0] = BW_PLAIN_DONE;
    const plain_boxes boxes = plain_spread(&r);
    v8 end = v8_all(r.limit);
    uint32_t ref = 0, top = 1;
    bool deep = false;
    for (;;) {
        while ((ref & BW_WIDE_LEAF) == 0) {
            const bw_wide_node *node = &tree->nodes[ref];
            counts.nodes++;
            counts.boxes += node->count;
            v8 enter;
            const m8 missed = plain_missed(&r, &boxes, node, end, &enter);
            uint32_t mask = ~m8_bits(missed) & 0xFFu;
            if (mask == 0)
                goto next;
            if (top > BW_PLAIN_STACK - BW_WIDTH) {
                deep = true;
                goto done;
            }
            const uint32_t lane = plain_nearest(enter, missed, mask);
            ref = node->child[lane];
            mask &= ~(1u << lane);
            plain_push(&stack, top, node->child, enter, mask);
            top += (uint32_t)__builtin_popcount(mask);
        }
        if (ref == BW_PLAIN_DONE)
            break;
        const uint32_t leaf = ref & ~BW_WIDE_LEAF;
        uint32_t crossed;
        /* Of use once a triangle is met, and what comes next if none is: then late. */
        plain_fetch(tree, stack.ref[top - 1]);
        BW_PREFETCH(tree->primitives + (size_t)leaf * BW_WIDTH);
        counts.leaves++;
        const uint32_t maybe = plain_leaf(&r, &tree->corners[leaf], &crossed);
        if (maybe != 0) {
            if (!plain_decide(c, &r, leaf, maybe, crossed))
                break;
            end = v8_all(r.limit);
        }
    next:
        do {
            top--;
            ref = stack.ref[top];
        } while (!(stack.at[top] <= r.limit));
    }
done:
    plain_add(c, &counts);
    *hit = r.hit;
    return !deep;
}

/* Rays in flight. Each step takes up a node or a leaf of every ray: first the nodes, then the leaves, then
 * the triangles that are met, and then new rays take the place of those that are done. Which of these comes
 * next for a ray depends on it alone, and lists instead of branches tell. */
enum { PLAIN_LANES = 16, PLAIN_LEAVES = 8 }; /* so many leaves are taken up at once */

typedef struct plain_list {
    uint8_t lane[PLAIN_LANES + 1]; /* one more is written than is kept */
    uint32_t count;
} plain_list;

typedef struct plain_flow {
    plain_list nodes, leaves, done;
} plain_flow;

/* Appends a ray to the list of what it does next, where `ready`, and asks for what it will read. */
LANES_FN void plain_route(const bw_wide *tree, plain_flow *flow, uint32_t lane, uint32_t ref, uint32_t ready)
{
    const uint32_t leaf = ref >> 31, done = ref == BW_PLAIN_DONE;
    const uintptr_t index = ref & ~BW_WIDE_LEAF; /* far outside for a ray that is done: only asked for */
    const uintptr_t node_at = (uintptr_t)tree->nodes + index * sizeof *tree->nodes;
    const uintptr_t leaf_at = (uintptr_t)tree->corners + index * sizeof *tree->corners;
    const uintptr_t slots_at = (uintptr_t)tree->primitives + index * (BW_WIDTH * sizeof *tree->primitives);
    const uintptr_t at = leaf != 0 ? leaf_at : node_at;
    /* Numbers, since a pointer must not be that far outside. NOLINTBEGIN(performance-no-int-to-ptr) */
    BW_PREFETCH((const void *)at);
    BW_PREFETCH((const void *)(at + 64));
    BW_PREFETCH((const void *)(at + 128));
    BW_PREFETCH((const void *)(at + 192));
    BW_PREFETCH((const void *)(leaf != 0 ? at + 256 : at));
    BW_PREFETCH((const void *)(leaf != 0 ? slots_at : at));
    /* NOLINTEND(performance-no-int-to-ptr) */
    flow->nodes.lane[flow->nodes.count] = (uint8_t)lane;
    flow->nodes.count += ready & (leaf ^ 1);
    flow->leaves.lane[flow->leaves.count] = (uint8_t)lane;
    flow->leaves.count += ready & (leaf ^ done);
    flow->done.lane[flow->done.count] = (uint8_t)lane;
    flow->done.count += ready & done;
}

/* The next plain ray, if there is one; others are answered on the way. */
LANES_FN bool plain_feed(bw_plain_job *job, uint32_t *next, bw_plain_ray *r)
{
    while (*next < job->last) {
        const bw_ray *ray = &job->rays[*next];
        r->index = (*next)++;
        if (plain_set(job->common, &ray->origin, &ray->through,
                      ray->limit > 0.0 ? ray->limit : (double)INFINITY, r))
            return true;
        if (!job->cast_other(job, r->index))
            *next = job->last;
    }
    return false;
}

LANES_FN void plain_finish(bw_plain_job *job, uint32_t *next, const bw_plain_ray *r)
{
    if (r->deep) {
        if (!job->cast_other(job, r->index))
            *next = job->last;
        return;
    }
    job->found += r->hit.primitive != BW_NONE;
    job->hits[r->index] = r->hit;
    if (r->hit.primitive == BW_NONE)
        job->hits[r->index].t = (double)INFINITY;
}

/* Takes up the node r->ref and goes on to the nearest of its boxes, or to the top of the stack. `sorted`: the
 * others are wanted in order, which saves visits where the nearest contact is sought, and time as long as
 * they are few. */
LANES_FN void plain_node(const bw_wide *tree, plain_counts *counts, bw_plain_ray *r, bw_plain_stack *stack,
                         bool sorted)
{
    const bw_wide_node *node = &tree->nodes[r->ref];
    counts->nodes++;
    counts->boxes += node->count;
    if (r->top > BW_PLAIN_STACK - BW_WIDTH) {
        r->deep = true;
        r->ref = BW_PLAIN_DONE;
        return;
    }
    const plain_boxes boxes = plain_spread(r);
    v8 enter;
    const m8 missed = plain_missed(r, &boxes, node, v8_all(r->limit), &enter);
    uint32_t mask = ~m8_bits(missed) & 0xFFu;
    if (sorted && __builtin_popcount(mask) <= PLAIN_FEW) {
        plain_push_few(stack, r->top, node->child, enter, missed, mask);
        r->top += (uint32_t)__builtin_popcount(mask) - 1;
        r->ref = stack->ref[r->top];
        return;
    }
    const uint32_t lane = plain_nearest(enter, missed, mask), none = mask == 0;
    const uint32_t *next = none ? stack->ref + r->top - 1 : node->child + lane;
    const uint32_t ref = *next;
    mask &= ~(1u << lane);
    plain_push(stack, r->top, node->child, enter, mask);
    r->ref = ref;
    r->top += (uint32_t)__builtin_popcount(mask) - none;
}

/* The topmost within the limit; the one at the bottom always is. */
LANES_FN void plain_pop(bw_plain_ray *r, const bw_plain_stack *stack)
{
    uint32_t top = r->top;
#if WIDE_LEVEL == 3
    if (top <= BW_WIDTH) { /* after a contact most are beyond it: all at once */
        const uint32_t within =
            (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(v8_load(stack->at), v8_all(r->limit), _CMP_LE_OQ));
        r->top = 31 - (uint32_t)__builtin_clz((within & ((1u << top) - 1)) | 1);
        r->ref = stack->ref[r->top];
        return;
    }
#endif
    do
        top--;
    while (!(stack->at[top] <= r->limit));
    r->ref = stack->ref[top];
    r->top = top;
}

LANES_FN void plain_leaves(const bw_plain *c, plain_counts *counts, bw_plain_ray *rays,
                           bw_plain_stack *stacks, plain_flow *flow)
{
    struct {
        uint8_t lane, maybe, crossed;
    } met[PLAIN_LANES + 1];
    uint32_t met_count = 0;
    const plain_list leaves = flow->leaves;
    flow->leaves.count = 0;
    for (uint32_t i = 0; i < leaves.count; i++) {
        bw_plain_ray *r = &rays[leaves.lane[i]];
        uint32_t crossed;
        const uint32_t maybe = plain_leaf(r, &c->tree->corners[r->ref & ~BW_WIDE_LEAF], &crossed),
                       passed = maybe == 0;
        counts->leaves++;
        met[met_count].lane = leaves.lane[i];
        met[met_count].maybe = (uint8_t)maybe;
        met[met_count].crossed = (uint8_t)crossed;
        met_count += passed ^ 1;
        const uint32_t above = stacks[leaves.lane[i]].ref[r->top - 1];
        r->top -= passed;
        r->ref = passed != 0 ? above : r->ref;
        plain_route(c->tree, flow, leaves.lane[i], r->ref, passed);
    }
    for (uint32_t i = 0; i < met_count; i++) {
        bw_plain_ray *r = &rays[met[i].lane];
        if (plain_decide(c, r, r->ref & ~BW_WIDE_LEAF, met[i].maybe, met[i].crossed))
            plain_pop(r, &stacks[met[i].lane]);
        else
            r->ref = BW_PLAIN_DONE;
        plain_route(c->tree, flow, met[i].lane, r->ref, 1);
    }
}

/* One after another. */
LANES_FN void plain_each(bw_plain_job *job)
{
    for (uint32_t i = job->first; i < job->last; i++) {
        const bw_ray *ray = &job->rays[i];
        bw_ray_hit *hit = &job->hits[i];
        if (!plain_cast(job->common, &ray->origin, &ray->through,
                        ray->limit > 0.0 ? ray->limit : (double)INFINITY, hit)) {
            if (!job->cast_other(job, i))
                return;
        } else if (hit->primitive == BW_NONE) {
            hit->t = (double)INFINITY;
        } else {
            job->found++;
        }
    }
}

LANES_TARGET static void plain_stream(bw_plain_job *job)
{
    if (job->common->near) {
        plain_each(job);
        return;
    }
    bw_plain_ray rays[PLAIN_LANES];
    bw_plain_stack stacks[PLAIN_LANES];
    bw_plain *c = job->common;
    const bw_wide *tree = c->tree;
    plain_counts counts = {0, 0, 0};
    plain_flow flow;
    uint32_t next = job->first;
    flow.nodes.count = flow.leaves.count = flow.done.count = 0;
    for (uint32_t lane = 0; lane < PLAIN_LANES; lane++) {
        stacks[lane].at[0] = -INFINITY;
        stacks[lane].ref[0] = BW_PLAIN_DONE;
        if (plain_feed(job, &next, &rays[lane]))
            flow.nodes.lane[flow.nodes.count++] = (uint8_t)lane;
    }
    while (flow.nodes.count + flow.leaves.count > 0) {
        const plain_list nodes = flow.nodes;
        flow.nodes.count = flow.done.count = 0;
        for (uint32_t i = 0; i < nodes.count; i++) {
            bw_plain_ray *r = &rays[nodes.lane[i]];
            plain_node(tree, &counts, r, &stacks[nodes.lane[i]], !c->any);
            plain_route(tree, &flow, nodes.lane[i], r->ref, 1);
        }
        if (flow.leaves.count >= PLAIN_LEAVES || flow.nodes.count == 0)
            plain_leaves(c, &counts, rays, stacks, &flow);
        for (uint32_t i = 0; i < flow.done.count; i++) {
            bw_plain_ray *r = &rays[flow.done.lane[i]];
            plain_finish(job, &next, r);
            if (plain_feed(job, &next, r))
                flow.nodes.lane[flow.nodes.count++] = flow.done.lane[i];
        }
    }
    plain_add(c, &counts);
}

#endif
