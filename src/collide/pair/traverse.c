/* The upper half of the traversal: nodes. */
#include "collide/pair/traverse.h"

#include "collide/pair/best_first.h"
#include "collide/pair/narrow_phase.h"
#include "collide/self/fans.h"
#include "tree/wide/deferred.h"
#include "tree/wide/prefetch.h"

/* A search for any contact may be over before fans pay: they are looked at after so many tests per triangle
 * as take about as long. */
enum { FANS_SHARE = 1 };

/* One mesh: how many visits before a comparison the indices of its leaves are fetched. */
enum { AHEAD = 6 };

/* A tree is coarse beside one of more than so many times its leaves. */
enum { COARSE = 4 };

void bw_traversal_init(bw_traversal *w, const bw_wide_plan *plan, bw_hit_sink *sink)
{
    w->a = plan->a->tree;
    w->b = plan->b->tree;
    w->mesh_a = plan->a->mesh;
    w->mesh_b = plan->b->mesh;
    w->pose = plan->pose;
    w->kernels = plan->kernels;
    w->frame = &plan->frame;
    w->sat = plan->use_sat ? &plan->sat : NULL;
    w->sink = sink;
    w->self = plan->self;
    w->any_hit = sink->desc->mode == BW_COLLIDE_ANY;
    /* Best first, boxes alone decide the order of visits. */
    w->coarse_a = !w->any_hit && w->a->leaf_count < w->b->leaf_count / COARSE;
    w->coarse_b = !w->any_hit && w->b->leaf_count < w->a->leaf_count / COARSE;
    w->result = BW_OK;
    w->stack = bw_stack_over(w->room, sizeof w->room, sizeof *w->room, &plan->allocator);
    w->mapped.a = w->mapped.b = NULL;
    w->obbs = plan->use_obbs ? &plan->obbs : NULL;
    w->obbs_b.of = NULL;
    w->waiting_visits = w->waiting_pairs = 0;
    w->batch.count = 0;
    w->gathers = false;
    w->hit_count = 0;
    w->batch.separation = plan->frame.separation;
    w->rings = plan->rings;
    w->rings_hide_contacts = plan->rings_hide_contacts;
    if (w->rings != NULL)
        bw_ring_sets_init(&w->ring_sets, &plan->allocator);
    bw_wide_leaf_cache_init(&w->leaves_a, w->a, w->mesh_a, w->kernels, w->frame, w->self);
    bw_wide_leaf_cache_init(&w->leaves_b, w->b, w->mesh_b, w->kernels, w->frame, true);
    if (w->self) {
        w->leaves_a.keys = w->leaves_b.keys = plan->keys;
        bw_wide_leaf_cache_halve(&w->leaves_a);
        bw_wide_leaf_cache_halve(&w->leaves_b);
    }
    w->fans_after = UINT64_MAX;
    if (w->self && plan->keys == NULL && w->pose->separation == NULL && bw_fans_of_use(w->a, w->mesh_a)) {
        w->fans_after = FANS_SHARE * (uint64_t)w->a->primitive_count;
        w->fans = plan->fans;
    }
}

/* From now on pairs around certified vertices are left out. */
static bool find_fans(bw_traversal *w)
{
    w->fans_after = UINT64_MAX;
    w->result = bw_fans_find(w->a, w->mesh_a, w->fans, w->kernels);
    if (w->result != BW_OK)
        return false;
    bw_wide_leaf_cache_set_keys(&w->leaves_a, w->fans->keys);
    bw_wide_leaf_cache_set_keys(&w->leaves_b, w->fans->keys);
    return true;
}

void bw_traversal_release(bw_traversal *w)
{
    if (w->rings != NULL)
        bw_ring_sets_release(&w->ring_sets);
    bw_stack_release(&w->stack);
}

bool bw_traversal_deliver(bw_traversal *w)
{
    const uint32_t count = w->hit_count;
    const bw_status status = w->sink->report.status;
    w->hit_count = 0;
    const bool go_on = count == 0 || bw_hit_sink_add_crossing(w->sink, w->hits, count);
    if (status == BW_STOPPED) /* by progress, with these found before */
        w->sink->report.status = status;
    return go_on;
}

void bw_traversal_fetch_leaves(const bw_traversal *w, bw_wide_leaf_pair pair)
{
    bw_wide_fetch_leaf(w->a, pair.a);
    bw_wide_fetch_leaf(w->b, pair.b);
}

bool bw_traversal_push(bw_traversal *w, const bw_wide_item *item)
{
    if (bw_wide_push(&w->stack, w->a, w->b, *item))
        return true;
    w->result = BW_ERROR_MEMORY;
    return false;
}

/* One mesh: asks for the indices of leaves below a node that are not at hand. */
static void prefetch_indices(bw_traversal *w, uint32_t node, uint32_t lanes)
{
    BW_ONLY_PREFETCHES;
    const bw_wide_leaf_cache *cache = bw_wide_own_cache(w, node);
    const uint32_t *child = w->a->nodes[node].child;
    for (lanes &= bw_wide_leaves_missing(cache, node); lanes != 0; lanes &= lanes - 1) {
        const uint32_t leaf = child[bw_wide_lowest(lanes)] & ~BW_WIDE_LEAF;
        const uint32_t *primitives = w->a->primitives + (size_t)leaf * BW_WIDTH;
        for (uint32_t i = 0; i < w->a->leaves[leaf].count; i += 2)
            BW_PREFETCH(w->mesh_a->indices + 3 * (size_t)primitives[i]);
    }
}

static bool compare_waiting(bw_traversal *w)
{
    const uint32_t count = w->waiting_visits;
    w->waiting_visits = w->waiting_pairs = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (w->leaves_b.keys != NULL && bw_wide_is_far(w->a) && k + AHEAD < count) {
            const bw_wide_leaf_visit *next = &w->visits[k + AHEAD];
            prefetch_indices(w, next->a, bw_wide_lanes(next->pairs));
            prefetch_indices(w, next->b, bw_wide_rows(next->pairs));
        }
        if (!bw_wide_compare_visit(w, &w->visits[k]))
            return false;
    }
    return true;
}

/* How far the middles of two children are from each other: the nearer, the sooner they meet. */
static float distance2(const bw_traversal *w, const bw_wide_node *a, uint32_t bit)
{
    const bw_eight_boxes *b = &w->mapped.b_in_a;
    uint32_t i = bit >> 3, j = bit & 7;
    float sum = 0.0f;
    for (int k = 0; k < 3; k++) {
        float d = (a->min[k][j] + a->max[k][j]) - (b->min[k][i] + b->max[k][i]);
        sum += d * d;
    }
    return sum;
}

uint32_t bw_traversal_nearest(const bw_traversal *w, const bw_wide_node *a, uint64_t mask)
{
    uint32_t best = bw_wide_lowest(mask);
    float best_distance = distance2(w, a, best);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        uint32_t bit = bw_wide_lowest(mask);
        float d = distance2(w, a, bit);
        best = d < best_distance ? bit : best;
        best_distance = d < best_distance ? d : best_distance;
    }
    return best;
}

uint64_t bw_traversal_compare_obbs(bw_traversal *w, const bw_wide_item *item, uint64_t leaves)
{
    const bw_leaf_obbs *a = &w->a->obbs.of_node[item->a], *b = &w->b->obbs.of_node[item->b];
    if (w->obbs_b.of != b)
        w->kernels->obb_map(w->obbs, b, &w->obbs_b);
    w->sink->report.box_tests += bw_wide_count(leaves);
    return w->kernels->obb_pairs(w->obbs, a, &w->obbs_b, leaves);
}

static void prefetch_leaves(const bw_wide *tree, uint32_t node, uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1)
        bw_wide_fetch_leaf(tree, tree->nodes[node].child[bw_wide_lowest(lanes)] & ~BW_WIDE_LEAF);
}

bool bw_traversal_leaves(bw_traversal *w, const bw_wide_item *item, uint64_t mask)
{
    mask = bw_traversal_oriented(w, item, mask);
    if (mask == 0)
        return true;
    if (bw_wide_is_far(w->a))
        prefetch_leaves(w->a, item->a, bw_wide_lanes(mask));
    if (bw_wide_is_far(w->b))
        prefetch_leaves(w->b, item->b, bw_wide_rows(mask));
    w->visits[w->waiting_visits++] = (bw_wide_leaf_visit){item->a, item->b, mask};
    w->waiting_pairs += bw_wide_count(mask);
    return (w->waiting_visits < BW_WIDE_VISITS &&
            w->waiting_pairs < (w->any_hit ? BW_WIDTH : BW_WIDE_WAITING)) ||
           compare_waiting(w);
}

bool bw_traversal_nodes(bw_traversal *w, const bw_wide_item *item, uint64_t mask)
{
    const bw_wide_visit visit = bw_traversal_visited(w, item);
    if (bw_wide_push_children(&w->stack, &visit, item, mask))
        return true;
    w->result = BW_ERROR_MEMORY;
    return false;
}

/* All fifteen axes, or where each test ends, one pair of boxes at a time: for those who ask for it. */
static uint64_t separate_one_by_one(const bw_traversal *w, const bw_wide_node *a, const bw_wide_node *b,
                                    uint64_t tested, uint64_t mask)
{
    uint64_t kept = 0, *exits = w->sink->desc->axis_exits;
    for (uint64_t left = exits != NULL ? tested : mask; left != 0; left &= left - 1) {
        uint32_t bit = bw_wide_lowest(left);
        bw_box box_a = bw_wide_lane_box(a, bit & 7), box_b = bw_wide_lane_box(b, bit >> 3);
        int axis = bw_sat_separates(w->sat, box_a.min, box_a.max, box_b.min, box_b.max);
        if (axis < 0)
            kept |= (uint64_t)1 << bit;
        if (exits != NULL)
            exits[axis < 0 ? BW_AXIS_OVERLAP : axis]++;
    }
    return kept & mask;
}

/* Of pairs of children those that the slab of a leaf of the coarse body does not keep apart. */
static uint64_t separate_by_slabs(bw_traversal *w, uint32_t node_a, uint32_t node_b, uint64_t mask)
{
    const bw_wide_node *a = &w->a->nodes[node_a], *b = &w->b->nodes[node_b];
    const uint64_t each = 0x0101010101010101u;
    for (uint64_t left = mask; left != 0;) {
        const uint32_t pair = bw_wide_lowest(left), i = pair >> 3, j = pair & 7;
        const uint64_t same = w->coarse_a ? each << j : (uint64_t)0xFFu << 8 * i;
        const uint32_t child = w->coarse_a ? a->child[j] : b->child[i];
        left &= ~same;
        if ((child & BW_WIDE_LEAF) == 0)
            continue;
        const bw_wide_ready *leaf = w->coarse_a ? &bw_wide_leaves_ready(&w->leaves_a, node_a, 1u << j)[j]
                                                : &bw_wide_leaves_ready(&w->leaves_b, node_b, 1u << i)[i];
        const uint32_t out = w->coarse_a
                                 ? w->kernels->slab_boxes(leaf, w->mapped.b_in_a.min, w->mapped.b_in_a.max)
                                 : w->kernels->slab_boxes(leaf, a->min, a->max);
        mask &= ~(w->coarse_a ? bw_wide_spread(1u, out) << j : (uint64_t)out << 8 * i);
    }
    return mask;
}

bw_wide_meeting bw_traversal_visit(bw_traversal *w, const bw_wide_item *item)
{
    const bw_wide_node *a = &w->a->nodes[item->a], *b = &w->b->nodes[item->b];
    bw_wide_need_node(w->a, item->a);
    bw_wide_need_node(w->b, item->b);
    uint32_t lanes = item->lanes & ((1u << a->count) - 1), rows = item->rows & ((1u << b->count) - 1);
    bw_wide_meeting meeting = w->kernels->box_pair(w->frame, a, lanes, b, rows, &w->mapped);
    uint64_t tested = (lanes & rows) == 0xFFu ? 64 : bw_wide_bits(lanes) * bw_wide_bits(rows);
    if (w->self && a == b) {
        meeting.leaves &= BW_WIDE_BELOW | BW_WIDE_SELF;
        meeting.others &= BW_WIDE_BELOW | BW_WIDE_SELF;
    }
    if (w->sat != NULL) {
        uint64_t kept =
            separate_one_by_one(w, a, b, bw_wide_spread(lanes, rows), meeting.leaves | meeting.others);
        meeting.leaves &= kept;
        meeting.others &= kept;
    }
    if ((w->coarse_a || w->coarse_b) && (meeting.leaves | meeting.others) != 0) {
        uint64_t kept = separate_by_slabs(w, item->a, item->b, meeting.leaves | meeting.others);
        meeting.leaves &= kept;
        meeting.others &= kept;
    }
    w->sink->report.nodes_visited++;
    w->sink->report.box_tests += tested;
    return meeting;
}

bool bw_traversal_descend(bw_traversal *w)
{
    const bw_wide_item *top;
    while ((top = bw_stack_pop(&w->stack)) != NULL) {
        bw_wide_item item = *top;
        if (!bw_hit_sink_wanted(w->sink))
            return false;
        if (w->sink->report.primitive_tests > w->fans_after && !find_fans(w))
            return false;
        bw_wide_meeting meeting = bw_traversal_visit(w, &item);
        if (meeting.leaves != 0 && !bw_traversal_leaves(w, &item, meeting.leaves))
            return false;
        if (meeting.others != 0 && !bw_traversal_nodes(w, &item, meeting.others))
            return false;
    }
    return true;
}

bool bw_traversal_finish(bw_traversal *w)
{
    return compare_waiting(w) && bw_wide_decide_all(w);
}

bool bw_traversal_run(bw_traversal *w)
{
    return (!w->any_hit || bw_traversal_best_first(w)) && bw_traversal_descend(w) && bw_traversal_finish(w);
}
