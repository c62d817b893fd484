/* Groups: all pairs of two sets of nodes at once.
 *
 * Near the closest points of two bodies every box of one is near many of the other, and the more so the finer
 * they are, since a box stands out from the surface by about its own size: a descent by pairs meets their
 * product. A group descends through the two sets one after the other, and drops what is farther than the
 * limit from the box around all that is left of the other set, or from each of at most 32 boxes around parts of it
 * (hull.h); that costs their sum. The boxes of leaves are drawn tight around their corners, along the axes of the frame. Only
 * the leaves that are left are then compared in pairs.
 *
 * Where too much is left (bodies that interlock, or lie along each other), the group is given up and its pairs are taken up
 * one by one. */
#include "collide/distance/distance.h"
#include "collide/distance/hull.h"
#include "tree/wide/prefetch.h"

#include <math.h>

enum {
    AHEAD = 6, /* how many leaves before one is read it is asked for */
    FEW = 64   /* pairs of eights of leaves that are compared sooner than narrowed */
};

static bw_distance_nodes *nodes_of(bw_distance_side *s)
{
    return &s->nodes[s->now];
}

static bw_distance_nodes *children_of(bw_distance_side *s)
{
    return &s->nodes[!s->now];
}

typedef bw_distance_hull hull;

static inline void put(bw_distance_list *list, uint32_t at, uint32_t ref, bw_distance_box box)
{
    v4_store_box(list->box[at], box.low, box.high);
    list->ref[at] = ref;
}

static inline bw_distance_box box_at(const bw_distance_list *list, uint32_t at)
{
    const v4 last = v4_load(list->box[at] + 2);
    return (bw_distance_box){v4_load(list->box[at]), V4_SHUFFLE(last, last, 1, 2, 3, 3)};
}

static bw_distance_box lane_box(const bw_distance_boxes *boxes, uint32_t lane)
{
    return (bw_distance_box){{boxes->low[0][lane], boxes->low[1][lane], boxes->low[2][lane], 0.0f},
                             {boxes->high[0][lane], boxes->high[1][lane], boxes->high[2][lane], 0.0f}};
}

/* As the kernels bound two boxes. */
static inline float bound_of(bw_distance_box box, const bw_distance_box *other)
{
    const v4 gap = v4_max(v4_max(other->low - box.high, box.low - other->high), v4_all(0.0f));
    const v4 square = gap * gap;
    return (square[0] + square[1]) + square[2];
}

/* Whether a box may be within the limit of what is left of the other side. */
static inline bool is_near(const bw_distance_state *w, bw_distance_box box, const hull *other)
{
    return !(bound_of(box, &other->all) > w->limit2) && w->kernels->near_parts(&box, other, w->limit2);
}

/* Leaves whose corners are on the way. */
typedef struct leaf_refs {
    uint32_t count, ref[BW_DISTANCE_GROUP * BW_WIDTH];
    uint8_t part[BW_DISTANCE_GROUP * BW_WIDTH]; /* of the hull */
} leaf_refs;

/* The children of node `at` of so many that may be near the other side; leaves without a lens go to those that wait. False when
 * there are too many. */
static bool unfold(bw_distance_state *w, bw_distance_side *s, uint32_t node, uint32_t lanes, uint32_t at,
                   uint32_t of, const hull *other, hull *own, leaf_refs *waiting)
{
    const bw_distance_boxes *boxes = bw_distance_boxes_of(w, s, node);
    const bw_wide *tree = s->side->tree;
    bw_distance_nodes *children = children_of(s);
    bw_distance_list *list = &s->list;
    w->query->nodes_visited++;
    w->query->box_tests += bw_wide_bits(lanes);
    lanes = w->kernels->near_hull(boxes, lanes, other, w->limit2);
    const bool far = bw_wide_is_far(tree);
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = bw_wide_lowest(lanes), child = tree->nodes[node].child[lane];
        const uint32_t leaf = child & ~BW_WIDE_LEAF, part = bw_distance_part_of_node(at, lane, of);
        if (child != leaf && tree->lenses == NULL) {
            waiting->part[waiting->count] = (uint8_t)part;
            waiting->ref[waiting->count++] = leaf;
            if (far)
                bw_wide_fetch_leaf(tree, leaf);
            continue;
        }
        const bw_distance_box box = lane_box(boxes, lane);
        bw_distance_hull_add(own, part, box);
        if (child != leaf) { /* tight enough until nothing is left to unfold */
            if (list->count == BW_DISTANCE_LIST)
                return false;
            put(list, list->count++, leaf, box);
            continue;
        }
        if (children->count == BW_DISTANCE_GROUP)
            return false;
        children->ref[children->count++] = child;
        if (far)
            bw_wide_fetch_node(tree, child);
    }
    return true;
}

/* Of the leaves that wait those that are near the other side, by boxes around their corners. False when there are too
 * many. */
static bool unfold_leaves(bw_distance_state *w, bw_distance_side *s, const leaf_refs *waiting,
                          const hull *other, hull *own)
{
    bw_distance_list *list = &s->list;
    w->query->box_tests += waiting->count;
    for (uint32_t i = 0; i < waiting->count; i++) {
        const bw_distance_box box = bw_distance_shadow_of(w, s, waiting->ref[i]);
        if (!is_near(w, box, other))
            continue;
        if (list->count == BW_DISTANCE_LIST)
            return false;
        put(list, list->count++, waiting->ref[i], box);
        bw_distance_hull_add(own, waiting->part[i], box);
    }
    return true;
}

/* The first step down on one side, to these children of a node. */
static bool begin(bw_distance_state *w, bw_distance_side *s, uint32_t node, uint32_t lanes, const hull *other,
                  hull *own)
{
    leaf_refs waiting;
    waiting.count = 0;
    bw_distance_hull_clear(own);
    if (!unfold(w, s, node, lanes, 0, 1, other, own, &waiting) || !unfold_leaves(w, s, &waiting, other, own))
        return false;
    bw_distance_hull_close(own);
    return true;
}

/* Drops the leaves that are beyond the limit from the box around the other side, and adds the rest to the hull. Asking the
 * parts again takes as long as it gains. */
static void filter_leaves(const bw_distance_state *w, bw_distance_list *list, const hull *other, hull *own)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const bw_distance_box box = box_at(list, i);
        if (bound_of(box, &other->all) > w->limit2)
            continue;
        put(list, kept++, list->ref[i], box);
        bw_distance_hull_add(own, bw_distance_part_of_list(i, list->count), box);
    }
    list->count = kept;
}

/* The same by the parts. */
static void keep_near(const bw_distance_state *w, bw_distance_list *list, const hull *other, hull *own)
{
    uint32_t kept = 0;
    bw_distance_hull_clear(own);
    for (uint32_t i = 0; i < list->count; i++) {
        const bw_distance_box box = box_at(list, i);
        if (!is_near(w, box, other))
            continue;
        put(list, kept++, list->ref[i], box);
        bw_distance_hull_add(own, bw_distance_part_of_list(i, list->count), box);
    }
    list->count = kept;
    bw_distance_hull_close(own);
}

/* Draws the boxes of leaves tight around their corners, where they are those of lenses. */
static void draw_tight(bw_distance_state *w, bw_distance_side *s, const hull *other, hull *own)
{
    bw_distance_list *list = &s->list;
    uint32_t kept = 0;
    bw_distance_hull_clear(own);
    if (s->side->tree->lenses == NULL) {
        filter_leaves(w, list, other, own);
        bw_distance_hull_close(own);
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (i + AHEAD < list->count && bw_wide_is_far(s->side->tree))
            bw_wide_fetch_leaf(s->side->tree, list->ref[i + AHEAD]);
        if (!is_near(w, box_at(list, i), other))
            continue;
        const bw_distance_box box = bw_distance_shadow_of(w, s, list->ref[i]);
        w->query->box_tests++;
        if (!is_near(w, box, other))
            continue;
        put(list, kept++, list->ref[i], box);
        bw_distance_hull_add(own, bw_distance_part_of_list(i, list->count), box);
    }
    list->count = kept;
    bw_distance_hull_close(own);
}

/* One level down on one side. False when there are too many. */
static bool descend(bw_distance_state *w, bw_distance_side *s, const hull *other, hull *own)
{
    bw_distance_nodes *nodes = nodes_of(s);
    bw_distance_hull_clear(own);
    filter_leaves(w, &s->list, other, own);
    leaf_refs waiting;
    waiting.count = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const uint32_t count = s->side->tree->nodes[nodes->ref[i]].count;
        if (!unfold(w, s, nodes->ref[i], (1u << count) - 1, i, nodes->count, other, own, &waiting))
            return false;
    }
    if (!unfold_leaves(w, s, &waiting, other, own))
        return false;
    bw_distance_hull_close(own);
    nodes->count = 0;
    s->now = !s->now;
    return true;
}

static void hull_of_lanes(const bw_distance_boxes *boxes, uint32_t lanes, hull *out)
{
    bw_distance_hull_clear(out);
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = bw_wide_lowest(lanes);
        bw_distance_hull_add(out, lane, lane_box(boxes, lane));
    }
    bw_distance_hull_close(out);
}

static uint32_t chunk_lanes(const bw_distance_list *list, uint32_t chunk)
{
    uint32_t left = list->count - chunk * BW_WIDTH;
    return left < BW_WIDTH ? (1u << left) - 1 : 0xFFu;
}

/* Two eights of leaves, those that are within the limit: as bits and bounds. Leaves are listed in the order
 * of the tree, so that eight in a row are close together. */
static uint64_t compare_chunks(bw_distance_state *w, uint32_t i, uint32_t j, const bw_distance_box *around_a,
                               const bw_distance_box *around_b, float limit2,
                               float bound[BW_WIDTH * BW_WIDTH])
{
    w->query->box_tests++;
    if (bound_of(*around_a, around_b) > limit2)
        return 0;
    w->query->box_tests += BW_WIDTH * BW_WIDTH;
    return w->kernels->pairs(&w->a.list.boxes[j], chunk_lanes(&w->a.list, j), &w->b.list.boxes[i],
                             chunk_lanes(&w->b.list, i), limit2, bound);
}

enum { CHUNKS = BW_DISTANCE_LIST / BW_WIDTH };

/* Puts the boxes in order for the kernels, eight after eight in the same place, and finds the box around each
 * eight. */
static uint32_t make_chunks(bw_distance_list *list, bw_distance_box out[CHUNKS])
{
    uint32_t count = (list->count + BW_WIDTH - 1) / BW_WIDTH;
    for (uint32_t i = 0; i < count; i++) {
        bw_distance_boxes chunk;
        out[i] = bw_distance_nothing;
        for (uint32_t k = 0; k < BW_WIDTH; k++) {
            const uint32_t at = i * BW_WIDTH + k < list->count ? i * BW_WIDTH + k : i * BW_WIDTH;
            const bw_distance_box box = box_at(list, at);
            bw_distance_box_add(&out[i], box);
            bw_distance_boxes_set(&chunk, k, box);
        }
        list->boxes[i] = chunk;
    }
    return count;
}

/* The boxes of a side's leaves in the frame as it is now. */
static void draw_again(bw_distance_state *w, bw_distance_side *s)
{
    bw_distance_list *list = &s->list;
    w->query->box_tests += list->count;
    for (uint32_t i = 0; i < list->count; i++)
        put(list, i, list->ref[i], bw_distance_shadow_of(w, s, list->ref[i]));
}

/* Of the leaves that are left those that are near the other side after the limit has come down and the frame has turned. */
static void narrow(bw_distance_state *w)
{
    hull a, b;
    draw_again(w, &w->a);
    draw_again(w, &w->b);
    bw_distance_hull_clear(&b);
    for (uint32_t i = 0; i < w->b.list.count; i++)
        bw_distance_hull_add(&b, bw_distance_part_of_list(i, w->b.list.count), box_at(&w->b.list, i));
    bw_distance_hull_close(&b);
    keep_near(w, &w->a.list, &b, &a);
    keep_near(w, &w->b.list, &a, &b);
}

/* The pair of leaves that is the nearest by its boxes. False where none is within the limit. */
static bool nearest_pair(bw_distance_state *w, const bw_distance_box *a, uint32_t count_a,
                         const bw_distance_box *b, uint32_t count_b, uint32_t *best_a, uint32_t *best_b)
{
    float bound[BW_WIDTH * BW_WIDTH], least = w->limit2;
    bool any = false;
    for (uint32_t i = 0; i < count_b; i++)
        for (uint32_t j = 0; j < count_a; j++) {
            uint64_t mask = compare_chunks(w, i, j, &a[j], &b[i], least, bound);
            for (; mask != 0; mask &= mask - 1) {
                uint32_t bit = bw_wide_lowest(mask);
                if (any && !(bound[bit] < least))
                    continue;
                any = true;
                least = bound[bit];
                *best_a = j * BW_WIDTH + (bit & 7);
                *best_b = i * BW_WIDTH + (bit >> 3);
            }
        }
    return any;
}

/* All pairs of leaves that are left. The nearest by their boxes comes first: it is likely to set the limit. Where it turns the
 * frame, too, the others are looked through once more before they are compared. */
static bool compare_lists(bw_distance_state *w)
{
    bw_distance_box a[CHUNKS], b[CHUNKS];
    float bound[BW_WIDTH * BW_WIDTH];
    uint32_t best_a = 0, best_b = 0, count_a, count_b;
    for (bool again = true;; again = false) {
        const uint64_t turn = w->turn;
        count_a = make_chunks(&w->a.list, a);
        count_b = make_chunks(&w->b.list, b);
        if (!nearest_pair(w, a, count_a, b, count_b, &best_a, &best_b))
            return true;
        if (!bw_distance_compare(w, w->a.list.ref[best_a], w->b.list.ref[best_b]))
            return false;
        if (w->turn == turn || !again || count_a * count_b <= FEW)
            break;
        narrow(w);
    }
    for (uint32_t i = 0; i < count_b; i++)
        for (uint32_t j = 0; j < count_a; j++) {
            uint64_t mask = compare_chunks(w, i, j, &a[j], &b[i], w->limit2, bound);
            for (; mask != 0; mask &= mask - 1) {
                uint32_t bit = bw_wide_lowest(mask), in_a = j * BW_WIDTH + (bit & 7),
                         in_b = i * BW_WIDTH + (bit >> 3);
                if (bound[bit] > w->limit2 || (in_a == best_a && in_b == best_b))
                    continue;
                if (!bw_distance_compare(w, w->a.list.ref[in_a], w->b.list.ref[in_b]) ||
                    !bw_distance_may_continue(w))
                    return false;
            }
        }
    return true;
}

bool bw_distance_group(bw_distance_state *w, const bw_distance_item *parent, uint64_t mask, bool *done)
{
    hull a, b;
    uint32_t lanes = 0, rows = 0;
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        uint32_t row = mask >> 8 * i & 0xFFu;
        lanes |= row;
        rows |= (uint32_t)(row != 0) << i;
    }
    w->a.nodes[0].count = w->a.nodes[1].count = w->a.list.count = 0;
    w->b.nodes[0].count = w->b.nodes[1].count = w->b.list.count = 0;
    w->a.now = w->b.now = false;
    *done = false;
    hull_of_lanes(bw_distance_boxes_of(w, &w->b, parent->b), rows, &b);
    if (!begin(w, &w->a, parent->a, lanes, &b, &a) || !begin(w, &w->b, parent->b, rows, &a, &b))
        return true;
    w->a.now = !w->a.now;
    w->b.now = !w->b.now;
    while (nodes_of(&w->a)->count + nodes_of(&w->b)->count > 0)
        if (!descend(w, &w->a, &b, &a) || !descend(w, &w->b, &a, &b))
            return true;
    draw_tight(w, &w->a, &b, &a);
    draw_tight(w, &w->b, &a, &b);
    bw_distance_hull_clear(&a);
    filter_leaves(w, &w->a.list, &b, &a);
    *done = true;
    return compare_lists(w);
}
