/* The lower half of the traversal: leaves, candidates, and what floats leave undecided. */
#include "collide/pair/narrow_phase.h"
#include "collide/pair/traverse.h"
#include "collide/self/shared_features.h"
#include "collide/separation/separation.h"
#include "geom/exact/triangle.h"
#include "mesh/view.h"

/* One mesh: whether two triangles are neighbours that a query leaves out. False when the query ends. */
static bool are_connected(bw_traversal *w, uint32_t a, uint32_t b, bool *connected)
{
    w->result = bw_rings_connect(w->rings, &w->ring_sets, a, b, connected);
    return w->result == BW_OK;
}

static bool take_hit(bw_traversal *w, uint32_t a, uint32_t b, bw_contact_kind kind)
{
    if (w->rings != NULL && (kind == BW_CONTACT_NEAR || w->rings_hide_contacts)) {
        bool connected;
        if (!are_connected(w, a, b, &connected))
            return false;
        if (connected)
            return true;
    }
    if (w->self && a > b)
        return bw_hit_sink_add(w->sink, b, a, kind);
    return bw_hit_sink_add(w->sink, a, b, kind);
}

/* Whether they meet, exactly. False when the query ends. */
static bool find_contact(bw_traversal *w, uint32_t a, uint32_t b, bw_contact_kind *kind)
{
    bw_vec3 corners_a[3], corners_b[3];
    bw_mesh_view_corners(w->mesh_a, a, corners_a);
    if (!bw_relative_pose_corners(w->pose, w->mesh_b, b, corners_b)) {
        w->result = BW_ERROR_RANGE;
        return false;
    }
    bool exact = false;
    if (w->self && w->mesh_a->indices != NULL)
        *kind = bw_contact_beyond_shared(corners_a, w->mesh_a->indices + 3 * (size_t)a, corners_b,
                                         w->mesh_a->indices + 3 * (size_t)b, &exact);
    else
        *kind = bw_triangle_triangle_counted(corners_a, corners_b, &exact);
    w->sink->report.exact_tests += exact;
    return true;
}

/* What floats left open: the contact exactly, then the distance in double. */
static bool decide_exactly(bw_traversal *w, uint32_t a, uint32_t b, bool apart)
{
    const bw_separation *separation = w->pose->separation;
    bw_contact_kind kind = BW_CONTACT_NONE;
    if (!apart && !find_contact(w, a, b, &kind))
        return false;
    if (kind == BW_CONTACT_NONE && separation != NULL) {
        /* A rounded distance depends on the order of the two: in one mesh, the lower first. */
        const uint32_t first = w->self && a > b ? b : a, second = w->self && a > b ? a : b;
        bw_vec3 corners_a[3], corners_b[3];
        if (!bw_metric_corners(&separation->sides[0], first, corners_a) ||
            !bw_metric_corners(&separation->sides[1], second, corners_b)) {
            w->result = BW_ERROR_RANGE;
            return false;
        }
        if (bw_triangle_distance2(corners_a, corners_b, NULL, NULL) <= separation->distance2)
            kind = BW_CONTACT_NEAR;
    }
    return kind == BW_CONTACT_NONE || take_hit(w, a, b, kind);
}

/* The vertices of eight pairs of triangles of one mesh. */
static void list_vertices(const bw_traversal *w, uint32_t first, uint32_t count, bw_wide_vertices *out)
{
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        uint32_t lane = first + (i < count ? i : 0);
        const uint32_t *a = w->mesh_a->indices + 3 * (size_t)w->batch.primitive_a[lane];
        const uint32_t *b = w->mesh_a->indices + 3 * (size_t)w->batch.primitive_b[lane];
        for (int k = 0; k < 3; k++) {
            out->a[k][i] = a[k];
            out->b[k][i] = b[k];
        }
    }
}

/* Of eight pairs of the batch, those in a set cross: without a branch for each, which nobody could predict. */
static bool gather_eight(bw_traversal *w, uint32_t first, uint32_t set)
{
    const uint32_t *a = w->batch.primitive_a + first, *b = w->batch.primitive_b + first;
    uint32_t n = w->hit_count;
    for (uint32_t k = 0; k < BW_WIDTH; k++) {
        w->hits[n] = (bw_hit){a[k], b[k], BW_CONTACT_CROSSING};
        n += set >> k & 1;
    }
    w->hit_count = n;
    return n <= BW_WIDE_HITS - BW_WIDTH || bw_traversal_deliver(w);
}

/* Up to eight pairs of the batch, in order. */
static bool decide_eight(bw_traversal *w, uint32_t first, uint32_t count)
{
    bw_wide_verdict verdict;
    if (w->self && w->mesh_a->indices != NULL) {
        bw_wide_vertices vertices;
        list_vertices(w, first, count, &vertices);
        verdict = w->kernels->neighbours(&w->batch, first, &vertices);
    } else {
        verdict = w->kernels->triangles(&w->batch, first);
    }
    w->sink->report.primitive_tests += count;
    bw_wide_nearness distance = {0, 0xFFu}; /* of what does not meet */
    if (w->pose->separation != NULL && (verdict.apart & ((1u << count) - 1)) != 0)
        distance = w->kernels->within(&w->batch, first, w->frame->near);
    const uint32_t out = verdict.apart & distance.far, near = verdict.apart & distance.near;
    if (w->gathers && count == BW_WIDTH && (out | verdict.crossing) == 0xFFu)
        return gather_eight(w, first, verdict.crossing);
    if (w->hit_count > 0 && !bw_traversal_deliver(w))
        return false;
    for (uint32_t left = ((1u << count) - 1) & ~out; left != 0; left &= left - 1) {
        uint32_t i = bw_wide_lowest(left);
        uint32_t a = w->batch.primitive_a[first + i], b = w->batch.primitive_b[first + i];
        bool go_on = (verdict.crossing >> i & 1) != 0 ? take_hit(w, a, b, BW_CONTACT_CROSSING)
                     : (near >> i & 1) != 0           ? take_hit(w, a, b, BW_CONTACT_NEAR)
                                            : decide_exactly(w, a, b, (verdict.apart >> i & 1) != 0);
        if (!go_on)
            return false;
    }
    return true;
}

bool bw_wide_decide_full(bw_traversal *w)
{
    uint32_t first = 0;
    for (; first + BW_WIDTH <= w->batch.count; first += BW_WIDTH)
        if (!decide_eight(w, first, BW_WIDTH))
            return false;
    w->kernels->shift(&w->batch, first);
    return true;
}

bool bw_wide_decide_all(bw_traversal *w)
{
    uint32_t count = w->batch.count;
    w->batch.count = 0;
    for (uint32_t first = 0; first < count; first += BW_WIDTH)
        if (!decide_eight(w, first, count - first < BW_WIDTH ? count - first : BW_WIDTH))
            return false;
    return true;
}

bool bw_wide_compare_leaves(bw_traversal *w, bw_wide_leaf_pair pair)
{
    bw_wide_leaf_cache *cache_a = &w->leaves_a, *cache_b = &w->leaves_b;
    if (w->self) {
        cache_a = bw_wide_own_cache(w, pair.a);
        cache_b = bw_wide_own_cache(w, pair.b);
        /* Of two that would be in one place the first goes to the other cache. */
        if (((pair.a != pair.b) & (cache_a == cache_b) &
             (bw_wide_leaf_slot(cache_a, pair.a) == bw_wide_leaf_slot(cache_b, pair.b))) != 0)
            cache_a = bw_wide_own_cache(w, pair.a + 1);
    }
    bw_wide_ready *a = bw_wide_leaf_ready(cache_a, pair.a), *b = bw_wide_leaf_ready(cache_b, pair.b);
    bw_wide_gap gap;
    uint64_t mask =
        w->leaves_b.keys != NULL ? w->kernels->own_pair(a, b, &gap) : w->kernels->leaf_pair(a, b, &gap);
    w->last = pair;
    w->sink->report.box_tests += (uint64_t)a->count * b->count;
    if (w->self && pair.a == pair.b)
        mask &= BW_WIDE_BELOW; /* each pair once, and none with itself */
    while (mask != 0) {
        mask = w->kernels->append(a, b, &gap, mask, &w->batch);
        if (w->batch.count > BW_BATCH_ROW - BW_WIDTH && !bw_wide_decide_full(w))
            return false;
    }
    return !w->any_hit || bw_wide_decide_all(w);
}

bool bw_wide_compare_visit(bw_traversal *w, const bw_wide_leaf_visit *visit)
{
    bw_wide_leaf_cache *cache_a = &w->leaves_a, *cache_b = &w->leaves_b;
    if (w->self) {
        cache_a = bw_wide_own_cache(w, visit->a);
        cache_b = bw_wide_own_cache(w, visit->b);
        if (((visit->a != visit->b) & (cache_a == cache_b) &
             (bw_wide_leaf_group(cache_a, visit->a) == bw_wide_leaf_group(cache_b, visit->b))) != 0)
            cache_a = bw_wide_own_cache(w, visit->a + 1);
    }
    bw_wide_ready *a = bw_wide_leaves_ready(cache_a, visit->a, bw_wide_lanes(visit->pairs));
    bw_wide_ready *b = bw_wide_leaves_ready(cache_b, visit->b, bw_wide_rows(visit->pairs));
    bw_wide_close close[BW_WIDTH * BW_WIDTH];
    const uint32_t count = w->leaves_b.keys != NULL ? w->kernels->own_pairs(a, b, visit->pairs, close)
                                                    : w->kernels->leaf_pairs(a, b, visit->pairs, close);
    w->sink->report.box_tests += BW_WIDTH * BW_WIDTH * (uint64_t)bw_wide_count(visit->pairs);
    for (uint32_t k = 0; k < count; k++) {
        const bw_wide_close *c = &close[k];
        w->last = bw_wide_leaves_at(&w->a->nodes[visit->a], &w->b->nodes[visit->b], c->pair);
        /* Within a leaf of one mesh each pair once, and none with itself. */
        uint64_t mask = w->self && w->last.a == w->last.b ? c->triangles & BW_WIDE_BELOW : c->triangles;
        while (mask != 0) {
            mask = w->kernels->append(&a[c->pair & 7], &b[c->pair >> 3], &c->gap, mask, &w->batch);
            if (w->batch.count > BW_BATCH_ROW - BW_WIDTH && !bw_wide_decide_full(w))
                return false;
        }
        if (w->any_hit && !bw_wide_decide_all(w))
            return false;
    }
    return true;
}
