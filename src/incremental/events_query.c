/* What is asked of the separation list: contacts, the list itself, and whether it is valid. */
#include "incremental/events.h"
#include "incremental/judge.h"

#include "mesh/view.h"

#include <math.h>

static uint32_t leaf_of(const bw_list *list, const bw_list_pair *p, uint32_t side)
{
    return bw_kinetic_child(list->trees[side], p->box[side]) & ~BW_WIDE_LEAF;
}

/* The corners of a leaf's primitives at the present time. */
static uint32_t leaf_corners(const bw_kinetic *k, uint32_t leaf, double now, bw_vec3 out[BW_WIDTH][3])
{
    uint32_t count = k->tree->wide.leaves[leaf].count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t v =
                bw_view_index(&k->mesh, k->tree->wide.primitives[(size_t)leaf * BW_WIDTH + i], corner);
            out[i][corner] =
                (bw_vec3){bw_flight_at(&k->flight, v, 0, now), bw_flight_at(&k->flight, v, 1, now),
                          bw_flight_at(&k->flight, v, 2, now)};
        }
    return count;
}

static bool compare(const bw_list *list, const bw_list_pair *p, double now, bw_judge *judge)
{
    bw_vec3 corners[2][BW_WIDTH][3];
    uint32_t count[2];
    const uint32_t *primitives[2];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t leaf = leaf_of(list, p, side);
        count[side] = leaf_corners(list->trees[side], leaf, now, corners[side]);
        primitives[side] = list->trees[side]->tree->wide.primitives + (size_t)leaf * BW_WIDTH;
    }
    bool self = list->trees[0] == list->trees[1];
    for (uint32_t i = 0; i < count[1]; i++)
        for (uint32_t j = 0; j < (p->fixed ? i : count[0]); j++) {
            uint32_t a = primitives[0][j], b = primitives[1][i];
            bool go_on = self && a > b ? bw_judge_pair(judge, b, corners[1][i], a, corners[0][j])
                                       : bw_judge_pair(judge, a, corners[0][j], b, corners[1][i]);
            if (!go_on)
                return false;
        }
    return true;
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

void bw_list_collide(bw_list *list, bw_sink *sink)
{
    double now = bw_kinetic_time(list->trees[0]);
    bw_judge judge;
    bool self = list->trees[0] == list->trees[1];
    bw_judge_init(&judge, sink, self ? list->trees[0]->mesh.indices : NULL);
    for (uint32_t id = 0; id != BW_NONE; id = next_pair(list, id)) { /* the root is pair 0 */
        const bw_list_pair *p = bw_list_at(list, id);
        if (p->leaves && p->meeting && !compare(list, p, now, &judge))
            return;
    }
    bw_judge_finish(&judge);
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
