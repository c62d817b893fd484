/* What is asked of the separation list: contacts, the list itself, and whether it is valid. */
#include "incremental/judge.h"
#include "incremental/sweep.h"
#include "incremental/timeline/events.h"

#include "mesh/view.h"

#include <math.h>

static uint32_t leaf_of(const bw_list *list, const bw_list_pair *p, uint32_t side)
{
    return bw_kinetic_child(list->trees[side], p->box[side]) & ~BW_WIDE_LEAF;
}

/* The primitives of a leaf at the present time. */
typedef struct bw_list_leaf {
    uint32_t leaf, count;
    bw_vec3 corners[BW_WIDTH][3];
    bw_sweep_boxes boxes;
} bw_list_leaf;

size_t bw_list_leaf_size(void)
{
    return sizeof(bw_list_leaf);
}

static void fill(const bw_kinetic *k, uint32_t leaf, double now, bw_list_leaf *out)
{
    out->leaf = leaf;
    out->count = k->tree->wide.leaves[leaf].count;
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        uint32_t primitive = k->tree->wide.primitives[(size_t)leaf * BW_WIDTH + (i < out->count ? i : 0)];
        bw_vec3 *p = out->corners[i];
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t v = bw_mesh_view_index(&k->mesh, primitive, corner);
            p[corner] = (bw_vec3){bw_flight_at(&k->flight, v, 0, now), bw_flight_at(&k->flight, v, 1, now),
                                  bw_flight_at(&k->flight, v, 2, now)};
        }
        bw_box box = bw_box_of_points(p, 3);
        for (int axis = 0; axis < 3; axis++) {
            out->boxes.min[axis][i] = box.min[axis];
            out->boxes.max[axis][i] = box.max[axis];
        }
    }
}

static const bw_list_leaf *ready(bw_list *list, const bw_list_pair *p, uint32_t side, double now)
{
    uint32_t leaf = leaf_of(list, p, side);
    bw_list_leaf *slot = &list->cache[side][leaf % BW_LIST_CACHE];
    if (slot->leaf != leaf)
        fill(list->trees[side], leaf, now, slot);
    return slot;
}

static bool compare(bw_list *list, const bw_list_pair *p, double now, bw_judge *judge)
{
    const bw_list_leaf *a = ready(list, p, 0, now), *b = ready(list, p, 1, now);
    const uint32_t *of_a = list->trees[0]->tree->wide.primitives + (size_t)a->leaf * BW_WIDTH;
    const uint32_t *of_b = list->trees[1]->tree->wide.primitives + (size_t)b->leaf * BW_WIDTH;
    const bw_sweep_boxes *const boxes_a[2] = {&a->boxes, &a->boxes}, /* both ends are one */
        *const boxes_b[2] = {&b->boxes, &b->boxes};
    bool self = list->trees[0] == list->trees[1];
    for (uint32_t i = 0; i < b->count; i++) {
        bw_sweep_box box = bw_sweep_box_of(boxes_b, i);
        float from[BW_WIDTH], to[BW_WIDTH];
        uint32_t bits = bw_sweep_lanes_for(judge->simd)(boxes_a, &box, 0, 0, 1, from, to);
        for (bits &= (1u << (p->fixed ? i : a->count)) - 1; bits != 0; bits &= bits - 1) {
            uint32_t j = bw_wide_lowest(bits);
            bool go_on = self && of_a[j] > of_b[i]
                             ? bw_judge_pair(judge, of_b[i], b->corners[i], of_a[j], a->corners[j])
                             : bw_judge_pair(judge, of_a[j], a->corners[j], of_b[i], b->corners[i]);
            if (!go_on)
                return false;
        }
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

void bw_list_collide(bw_list *list, bw_hit_sink *sink)
{
    double now = bw_kinetic_time(list->trees[0]);
    bw_judge judge;
    bool self = list->trees[0] == list->trees[1];
    bw_judge_init(&judge, sink, self ? list->trees[0]->mesh.indices : NULL);
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < BW_LIST_CACHE; i++)
            list->cache[side][i].leaf = BW_NONE;
    for (size_t i = 0; i < list->meeting.count; i++)
        if (!compare(list, bw_list_at(list, *(const uint32_t *)bw_array_at(&list->meeting, i)), now, &judge))
            return;
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
