/* The walk of plain rays, for one level of wide_lanes.h. */
#ifndef BW_COLLIDE_RAY_PLAIN_TEMPLATE_H
#define BW_COLLIDE_RAY_PLAIN_TEMPLATE_H

#include "collide/ray_plain_set.h"
#include "collide/wide_kernels.h"

#include <string.h>

/* Both ends of a ray's way through a box are within a relative 2^-22 of what they should be. */
#define PLAIN_MORE (1.0f + 0x1p-20f)

static const uint32_t plain_nobody[BW_WIDTH] = {BW_NONE, BW_NONE, BW_NONE, BW_NONE,
                                                BW_NONE, BW_NONE, BW_NONE, BW_NONE};

/* Which of eight boxes the ray does not meet within the limit (unused lanes among them), and from where on it
 * is in the others (not negative). */
LANES_FN m8 plain_missed(const bw_plain_ray *r, const bw_wide_node *node, v8 *enter)
{
    v8 in = v8_all(0.0f), out = v8_all(r->limit);
    for (int k = 0; k < 3; k++) {
        const v8 inverse = v8_all(r->inverse[k]);
        const v8 a = v8_mul(v8_sub(v8_all(r->low[k]), v8_load(node->min[k])), inverse);
        const v8 b = v8_mul(v8_sub(v8_all(r->high[k]), v8_load(node->max[k])), inverse);
        in = v8_max(v8_min(a, b), in);
        out = v8_min(v8_max(a, b), out);
    }
    *enter = in;
    return m8_or(v8_greater(in, v8_mul(out, v8_all(PLAIN_MORE))), lanes_equal(node->child, plain_nobody));
}

/* The boxes that are met go on the stack, the farthest first, by where the ray enters them: a float that is
 * not negative is in the order of its bits, of which the last three make room for the lane. */
LANES_FN uint64_t plain_key(const uint32_t *child, const float enter[BW_WIDTH], uint32_t lane)
{
    uint32_t bits;
    memcpy(&bits, &enter[lane], sizeof bits);
    return (uint64_t)((bits & ~7u) | lane) << 32 | child[lane];
}

LANES_FN void plain_push(bw_plain_ray *r, const uint32_t *child, v8 enter, uint32_t mask)
{
    float at[BW_WIDTH];
    v8_store(at, enter);
    const uint32_t from = r->top;
    uint32_t top = from;
    for (; mask != 0; mask &= mask - 1) {
        const uint64_t key = plain_key(child, at, bw_wide_lowest(mask));
        uint32_t slot = top++;
        for (; slot > from && r->stack[slot - 1] < key; slot--)
            r->stack[slot] = r->stack[slot - 1];
        r->stack[slot] = key;
    }
    r->top = top;
}

#if WIDE_LEVEL == 3
/* By set of lanes: the first four in it, one a byte, then one that is not. */
#    define LANE(rest, set) ((uint32_t)__builtin_ctz((rest) != 0 ? (rest) : ~(uint32_t)(set)))
#    define LESS(set) ((uint32_t)(set) & ((uint32_t)(set)-1))
#    define ORDER(set)                                                                                       \
        (LANE(set, set) | LANE(LESS(set), set) << 8 | LANE(LESS(LESS(set)), set) << 16 |                     \
         LANE(LESS(LESS(LESS(set))), set) << 24)
#    define ORDER4(set) ORDER(set), ORDER((set) + 1), ORDER((set) + 2), ORDER((set) + 3)
#    define ORDER16(set) ORDER4(set), ORDER4((set) + 4), ORDER4((set) + 8), ORDER4((set) + 12)
#    define ORDER64(set) ORDER16(set), ORDER16((set) + 16), ORDER16((set) + 32), ORDER16((set) + 48)
static const uint32_t plain_order[256] = {ORDER64(0), ORDER64(64), ORDER64(128), ORDER64(192)};

LANES_FN __m256i plain_keys(v8 enter)
{
    const __m256i bits = _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(enter));
    return _mm256_or_si256(bits, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Up to four of them without a branch: moved to the front, and sorted by a network. Those that are missed
 * have the lowest key. */
LANES_FN void plain_push_few(bw_plain_ray *r, const uint32_t *child, v8 enter, m8 missed, uint32_t mask)
{
    const __m256i kids = _mm256_loadu_si256((const __m256i *)(const void *)child);
    const __m256i keys = _mm256_or_si256(plain_keys(enter), _mm256_castps_si256(missed));
    const __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi32_si128((int)plain_order[mask]));
    __m128i v = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(keys, order));
    __m128i w = _mm_shuffle_epi32(v, 0xB1);
    v = _mm_blend_epi16(_mm_max_epi32(v, w), _mm_min_epi32(v, w), 0xCC);
    w = _mm_shuffle_epi32(v, 0x4E);
    v = _mm_blend_epi16(_mm_max_epi32(v, w), _mm_min_epi32(v, w), 0xF0);
    w = _mm_shuffle_epi32(v, 0xD8);
    v = _mm_blend_epi16(_mm_max_epi32(v, w), _mm_min_epi32(v, w), 0x30);
    const __m128i refs = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(kids, _mm256_castsi128_si256(v)));
    uint64_t *top = r->stack + r->top;
    _mm_storeu_si128((__m128i *)(void *)top, _mm_unpacklo_epi32(refs, v));
    _mm_storeu_si128((__m128i *)(void *)(top + 2), _mm_unpackhi_epi32(refs, v));
    r->top += (uint32_t)__builtin_popcount(mask);
}

/* The reference of the nearest, sooner than from the stack. */
LANES_FN uint32_t plain_nearest(const uint32_t *child, v8 enter, m8 missed)
{
    const __m256i keys =
        _mm256_or_si256(plain_keys(enter), _mm256_srli_epi32(_mm256_castps_si256(missed), 1));
    __m128i least = _mm_min_epi32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256(keys, 1));
    least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0x4E));
    least = _mm_min_epi32(least, _mm_shuffle_epi32(least, 0xB1));
    return child[(uint32_t)_mm_cvtsi128_si32(least) & 7];
}
#endif

/* Takes the top of the stack, whatever the limit is. */
LANES_FN void plain_take(bw_plain_ray *r)
{
    r->top--;
    r->ref = (uint32_t)r->stack[r->top];
}

/* The topmost within the limit; the one at the bottom always is. `one`: it was written just now, in pieces,
 * which cannot be loaded as wholes for a while. */
LANES_FN void plain_pop(bw_plain_ray *r, bool one)
{
#if WIDE_LEVEL == 3
    if (!one && r->top <= BW_WIDTH) { /* after a contact most are beyond it: all at once */
        const __m256 a = _mm256_loadu_ps((const float *)(const void *)r->stack),
                     b = _mm256_loadu_ps((const float *)(const void *)(r->stack + 4));
        const __m256d upper = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0xDD));
        const __m256 at = _mm256_castpd_ps(_mm256_permute4x64_pd(upper, 0xD8));
        const uint32_t within =
            (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(at, _mm256_broadcast_ss(&r->limit), _CMP_LE_OQ));
        r->top = 31 - (uint32_t)__builtin_clz((within & ((1u << r->top) - 1)) | 1);
        r->ref = (uint32_t)r->stack[r->top];
        return;
    }
#endif
    (void)one;
    float at;
    do {
        plain_take(r);
        const uint32_t bits = (uint32_t)(r->stack[r->top] >> 32);
        memcpy(&at, &bits, sizeof at);
    } while (!(at <= r->limit) && r->top > 0);
}

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

/* Takes up the node r->ref and goes on to the nearest of its boxes, or to the top of the stack. `one`: this
 * is the only ray, which has nothing to do but to wait for that. */
LANES_FN void plain_node(const bw_wide *tree, plain_counts *counts, bw_plain_ray *r, bool one)
{
    const bw_wide_node *node = &tree->nodes[r->ref];
    v8 enter;
    counts->nodes++;
    counts->boxes += node->count;
    if (r->top > BW_PLAIN_STACK - BW_WIDTH) {
        r->deep = true;
        r->ref = BW_PLAIN_DONE;
        return;
    }
    const m8 missed = plain_missed(r, node, &enter);
    const uint32_t mask = ~m8_bits(missed) & 0xFFu;
    if (one && mask == 0) {
        plain_pop(r, true);
        return;
    }
#if WIDE_LEVEL == 3
    if (__builtin_popcount(mask) <= 4) {
        plain_push_few(r, node->child, enter, missed, mask);
        if (one) {
            r->top--;
            r->ref = plain_nearest(node->child, enter, missed);
            return;
        }
        plain_take(r);
        return;
    }
#endif
    (void)one;
    plain_push(r, node->child, enter, mask);
    plain_take(r);
}

/* The slots of a leaf that the ray may meet, unused ones (which repeat the first) among them; sets those that
 * its line certainly crosses. */
LANES_FN uint32_t plain_leaf(const bw_wide *tree, plain_counts *counts, const bw_plain_ray *r,
                             uint32_t *crossed)
{
    const uint32_t leaf = r->ref & ~BW_WIDE_LEAF;
    const bw_wide_corners *corners = &tree->corners[leaf];
    BW_PREFETCH(tree->primitives +
                (size_t)leaf * BW_WIDTH); /* of use once a triangle is met, and then late */
    /* Where the leaf's origin is, seen along the ray. */
    const double along = (double)corners->origin[r->axis];
    const float at_x = (float)(((double)corners->origin[r->side[0]] - r->offset[0]) - r->slope[0] * along);
    const float at_y = (float)(((double)corners->origin[r->side[1]] - r->offset[1]) - r->slope[1] * along);
    const float size_x = at_x < 0.0f ? -at_x : at_x, size_y = at_y < 0.0f ? -at_y : at_y;
    const float reach = 2.0f * corners->magnitude + (size_x > size_y ? size_x : size_y) + r->error;
    const float doubt = reach * (reach * (42.0f * 0x1p-24f) + r->error) + 0x1p-120f;
    v8 x[3], y[3];
    for (int i = 0; i < 3; i++) {
        const v8 z = v8_load(corners->coordinate[i][r->axis]);
        x[i] =
            v8_add(v8_sub(v8_load(corners->coordinate[i][r->side[0]]), v8_mul(v8_all(r->slope_float[0]), z)),
                   v8_all(at_x));
        y[i] =
            v8_add(v8_sub(v8_load(corners->coordinate[i][r->side[1]]), v8_mul(v8_all(r->slope_float[1]), z)),
                   v8_all(at_y));
    }
    const v8 p = v8_sub(v8_mul(x[0], y[1]), v8_mul(y[0], x[1]));
    const v8 q = v8_sub(v8_mul(x[1], y[2]), v8_mul(y[1], x[2]));
    const v8 s = v8_sub(v8_mul(x[2], y[0]), v8_mul(y[2], x[0]));
    const v8 least = v8_min(v8_min(p, q), s), most = v8_max(v8_max(p, q), s);
    const v8 above = v8_all(doubt), below = v8_all(-doubt);
    const m8 passed = m8_and(v8_greater(below, least), v8_greater(most, above));
    counts->leaves++;
    *crossed = m8_bits(m8_or(v8_greater(least, above), v8_greater(below, most)));
    return ~m8_bits(passed) & 0xFFu;
}

LANES_TARGET static bool plain_cast(bw_plain *c, const bw_vec3 *origin, const bw_vec3 *through, double limit,
                                    bw_ray_hit *hit)
{
    const bw_wide *tree = c->tree;
    plain_counts counts = {0, 0, 0};
    bw_plain_ray r;
    if (!plain_set(c, origin, through, limit, &r))
        return false;
    while (r.ref != BW_PLAIN_DONE) {
        while ((r.ref & BW_WIDE_LEAF) == 0)
            plain_node(tree, &counts, &r, true);
        if (r.ref == BW_PLAIN_DONE)
            break;
        uint32_t crossed;
        const uint32_t maybe = plain_leaf(tree, &counts, &r, &crossed);
        if (maybe != 0 && !bw_plain_decide(c, &r, maybe, crossed))
            break;
        plain_pop(&r, true);
    }
    plain_add(c, &counts);
    hit->primitive = r.hit.primitive;
    hit->kind = r.hit.kind;
    hit->t = r.hit.t;
    return !r.deep;
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

LANES_FN void plain_leaves(const bw_plain *c, plain_counts *counts, bw_plain_ray *rays, plain_flow *flow)
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
        const uint32_t maybe = plain_leaf(c->tree, counts, r, &crossed), passed = maybe == 0;
        met[met_count].lane = leaves.lane[i];
        met[met_count].maybe = (uint8_t)maybe;
        met[met_count].crossed = (uint8_t)crossed;
        met_count += passed ^ 1;
        const uint32_t above = (uint32_t)r->stack[r->top - 1];
        r->top -= passed;
        r->ref = passed != 0 ? above : r->ref;
        plain_route(c->tree, flow, leaves.lane[i], r->ref, passed);
    }
    for (uint32_t i = 0; i < met_count; i++) {
        bw_plain_ray *r = &rays[met[i].lane];
        if (bw_plain_decide(c, r, met[i].maybe, met[i].crossed))
            plain_pop(r, false);
        else
            r->ref = BW_PLAIN_DONE;
        plain_route(c->tree, flow, met[i].lane, r->ref, 1);
    }
}

LANES_TARGET static void plain_stream(bw_plain_job *job)
{
    bw_plain_ray rays[PLAIN_LANES];
    bw_plain *c = job->common;
    const bw_wide *tree = c->tree;
    plain_counts counts = {0, 0, 0};
    plain_flow flow;
    uint32_t next = job->first;
    flow.nodes.count = flow.leaves.count = flow.done.count = 0;
    for (uint32_t lane = 0; lane < PLAIN_LANES; lane++)
        if (plain_feed(job, &next, &rays[lane]))
            flow.nodes.lane[flow.nodes.count++] = (uint8_t)lane;
    while (flow.nodes.count + flow.leaves.count > 0) {
        const plain_list nodes = flow.nodes;
        flow.nodes.count = flow.done.count = 0;
        for (uint32_t i = 0; i < nodes.count; i++) {
            bw_plain_ray *r = &rays[nodes.lane[i]];
            plain_node(tree, &counts, r, false);
            plain_route(tree, &flow, nodes.lane[i], r->ref, 1);
        }
        if (flow.leaves.count >= PLAIN_LEAVES || flow.nodes.count == 0)
            plain_leaves(c, &counts, rays, &flow);
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
