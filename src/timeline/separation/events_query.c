/* What is asked of the separation list: contacts, the list itself, and whether it is valid. */
#include "timeline/separation/events.h"

#include "collide/pair/narrow_phase.h"

#include <math.h>

static uint32_t leaf_of(const bw_list *list, const bw_list_pair *p, uint32_t side)
{
    return bw_kinetic_child(list->trees[side], p->box[side]) & ~BW_WIDE_LEAF;
}

/* The next pair in the order of a traversal; BW_NONE after the last. */
static uint32_t next_pair(const bw_list *list, uint32_t id)
{
    const bw_list_pair *p = bw_list_at(list, id);
    if (p->child != BW_NONE)
        return p->child;
    while (p->sibling == BW_NONE) {
        if (p->parent == BW_NONE)
            return BW_NONE;
        p = bw_list_at(list, p->parent);
    }
    return p->sibling;
}

bw_result bw_list_collide(bw_list *list, bw_hit_sink *sink)
{
    bw_body bodies[2];
    bool self = list->trees[0] == list->trees[1];
    for (int i = 0; i < 2; i++) {
        bw_result result = bw_kinetic_query_body(list->trees[i], &bodies[i], NULL);
        if (result != BW_OK)
            return result;
    }
    const bw_wide *a = &bodies[0].tree->wide, *b = &bodies[1].tree->wide;
    const bw_wide_side side_a = {a, bodies[0].mesh}, side_b = {b, bodies[1].mesh};
    const bw_relative_pose still = {true, false, bw_transform_identity(), NULL};
    bw_wide_plan plan = {.a = &side_a, .b = &side_b, .pose = &still, .self = self};
    plan.kernels = bw_wide_kernels_for(bw_simd_level(BW_SIMD_AUTO));
    plan.allocator = bw_allocator_or_heap(sink->desc->allocator);
    bw_error_bounds_prepare(&plan.frame, plan.kernels, &still, &a->bounds, &b->bounds);
    bw_traversal walk;
    bw_traversal_init(&walk, &plan, sink);
    bool go_on = true;
    for (size_t i = 0; i < list->meeting.count && go_on; i++) {
        const bw_list_pair *p = bw_list_at(list, *(const uint32_t *)bw_array_at(&list->meeting, i));
        bw_wide_leaf_pair leaves = {leaf_of(list, p, 0), leaf_of(list, p, 1)};
        bw_wide_need_node(a, a->leaves[leaves.a].parent);
        bw_wide_need_node(b, b->leaves[leaves.b].parent);
        go_on = bw_wide_compare_leaves(&walk, leaves);
    }
    if (go_on)
        bw_wide_decide_all(&walk);
    bw_traversal_release(&walk);
    return walk.result;
}

static bw_box box_of(const bw_list *list, const bw_list_pair *p, uint32_t side)
{
    const bw_kinetic *k = list->trees[side];
    uint32_t lane = p->box[side];
    return lane == bw_kinetic_root(k)
               ? k->tree->wide.bounds
               : bw_wide_lane_box(&k->tree->wide.nodes[lane / BW_WIDTH], lane % BW_WIDTH);
}

void bw_list_visit(const bw_list *list, bw_separation_visitor *visitor, void *user)
{
    for (uint32_t id = 0; id != BW_NONE; id = next_pair(list, id)) {
        const bw_list_pair *p = bw_list_at(list, id);
        if (p->meeting && !p->leaves)
            continue;
        bw_separation_entry entry = {
            .meeting = p->meeting, .leaves = p->leaves, .a = box_of(list, p, 0), .b = box_of(list, p, 1)};
        if (p->leaves) {
            const bw_wide *a = &list->trees[0]->tree->wide, *b = &list->trees[1]->tree->wide;
            uint32_t leaf_a = leaf_of(list, p, 0), leaf_b = leaf_of(list, p, 1);
            entry.primitives_a = a->primitives + (size_t)leaf_a * BW_WIDTH;
            entry.primitives_b = b->primitives + (size_t)leaf_b * BW_WIDTH;
            entry.count_a = a->leaves[leaf_a].count;
            entry.count_b = b->leaves[leaf_b].count;
        }
        if (!visitor(user, &entry))
            return;
    }
}

static uint32_t children_of(const bw_list *list, const bw_list_pair *p, uint32_t side)
{
    uint32_t child = bw_kinetic_child(list->trees[side], p->box[side]);
    return child & BW_WIDE_LEAF ? 1 : list->trees[side]->tree->wide.nodes[child].count;
}

static const char *check_pair(const bw_list *list, uint32_t id, double now)
{
    const bw_list_pair *p = bw_list_at(list, id);
    uint64_t below = 0, a = children_of(list, p, 0), b = children_of(list, p, 1);
    for (uint32_t c = p->child; c != BW_NONE; c = bw_list_at(list, c)->sibling)
        below++;
    if (below != (p->meeting && !p->leaves ? (p->fixed ? a * (a + 1) / 2 : a * b) : 0))
        return "a pair does not have below it what it should";
    if (!p->fixed && p->meeting != bw_list_overlap(list, p, now))
        return "a pair is not what its boxes are";
    bool pending = bw_heap_has(&list->heap, id);
    if (pending && !(bw_heap_key(&list->heap, id) > now))
        return "a certificate does not lie in the future";
    if (p->leaves && p->meeting && *(const uint32_t *)bw_array_at(&list->meeting, p->place) != id)
        return "two leaves that overlap are not among those to be compared";
    for (uint32_t side = 0; side < 2; side++)
        if ((p->before[side] == BW_NONE) != (list->first[side][p->box[side]] == id))
            return "a box does not know a pair that it takes part in";
    return NULL;
}

const char *bw_list_check(bw_list *list)
{
    double now = bw_kinetic_time(list->trees[0]);
    for (uint32_t side = 0; side < 2; side++) {
        const char *fault = bw_kinetic_check(list->trees[side]);
        if (fault != NULL)
            return fault;
    }
    for (uint32_t id = 0; id != BW_NONE; id = next_pair(list, id)) {
        const char *fault = check_pair(list, id, now);
        if (fault != NULL)
            return fault;
    }
    return bw_heap_check(&list->heap);
}
