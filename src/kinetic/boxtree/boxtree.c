/* Events of the kinetic BoxTree: kinetic/boxtree/boxtree.h says what it is. The order of events, and what is
 * done while a crossing is open, is that of the queue: see kinetic/queue/queue.c. */
#include "kinetic/kinetic.h"

#include <math.h>

static bool is_root(uint32_t plane)
{
    return plane < 6;
}

static uint32_t node_of(const bw_boxtree *tree, uint32_t plane)
{
    return tree->inner[(plane - 6) / 2];
}

uint32_t bw_boxtree_extent(const bw_boxtree *tree, uint32_t plane)
{
    return is_root(plane) ? plane : tree->nodes[node_of(tree, plane)].axis * 2 + (plane % 2 == 0);
}

/* The top of what a plane bounds. */
static uint32_t below(const bw_boxtree *tree, uint32_t plane)
{
    if (is_root(plane))
        return tree->root;
    const bw_boxtree_node *node = &tree->nodes[node_of(tree, plane)];
    return plane % 2 == 0 ? node->left : node->right;
}

static uint32_t watcher(const bw_boxtree *tree, uint32_t node, uint32_t extent)
{
    for (uint32_t above = tree->nodes[node].parent; above != BW_NONE;
         node = above, above = tree->nodes[node].parent) {
        uint32_t side = node == tree->nodes[above].left ? 0 : 1;
        if (tree->nodes[above].axis == extent / 2 && side == 1 - extent % 2)
            return 6 + tree->nodes[above].number * 2 + side;
    }
    return extent;
}

static uint32_t above(const bw_boxtree *tree, uint32_t plane)
{
    return watcher(tree, node_of(tree, plane), bw_boxtree_extent(tree, plane));
}

uint32_t bw_boxtree_next_up(const bw_boxtree *tree, uint32_t node)
{
    uint32_t down = tree->root;
    if (node != BW_NONE) {
        uint32_t parent = tree->nodes[node].parent;
        if (parent == BW_NONE || tree->nodes[parent].right == node)
            return parent;
        down = tree->nodes[parent].right;
    }
    while (tree->nodes[down].axis != BW_BOXTREE_LEAF)
        down = tree->nodes[down].left;
    return down;
}

/* Where a search for candidates goes on after a node below its top whose part is done; the top: nowhere. */
static uint32_t go_on(const bw_boxtree *tree, uint32_t node, uint32_t top, uint32_t axis)
{
    while (node != top) {
        uint32_t parent = tree->nodes[node].parent;
        if (tree->nodes[parent].axis != axis && tree->nodes[parent].left == node)
            return tree->nodes[parent].right;
        node = parent;
    }
    return top;
}

uint32_t bw_boxtree_candidates(const bw_kinetic *k, uint32_t plane, uint32_t *candidate)
{
    const bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const uint32_t extent = bw_boxtree_extent(tree, plane), top = below(tree, plane);
    uint32_t count = 0, node = top;
    for (;;) {
        const bw_boxtree_node *n = &tree->nodes[node];
        if (n->axis == BW_BOXTREE_LEAF) {
            const uint32_t *vertex = wide->vertices + wide->vertex_first[n->number];
            uint32_t vertices = wide->leaves[n->number].vertex_count;
            for (uint32_t i = 0; candidate != NULL && i < vertices; i++)
                candidate[count + i] = vertex[i];
            count += vertices;
            node = go_on(tree, node, top, extent / 2);
            if (node == top)
                return count;
        } else if (n->axis == extent / 2) { /* one child's best is known */
            bool maximum = extent % 2 == 1;
            if (candidate != NULL)
                candidate[count] = tree->winner[6 + n->number * 2 + !maximum];
            count++;
            node = maximum ? n->right : n->left;
        } else
            node = n->left;
    }
}

/* ---- lists ---- */

static bw_boxtree_list *list_of(const bw_boxtree *tree, uint32_t plane)
{
    return tree->list_of[plane] == BW_NONE ? NULL : &tree->lists[tree->list_of[plane]];
}

static bool is_listed(const bw_boxtree *tree, const bw_boxtree_list *list, uint32_t v)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (tree->listed[list->first + i] == v)
            return true;
    return false;
}

/* A vertex that a plane did not watch before, or that has another plan. */
static void list_vertex(bw_boxtree *tree, uint32_t plane, uint32_t v)
{
    bw_boxtree_list *list = list_of(tree, plane);
    if (list == NULL || list->horizon == -INFINITY || is_listed(tree, list, v))
        return;
    if (list->count == list->room)
        list->horizon = -INFINITY;
    else
        tree->listed[list->first + list->count++] = v;
}

/* Lists those that may overtake the winner first, of all that the plane watches; returns the first time at
 * which any may. */
static double make_list(bw_kinetic *k, bw_boxtree_list *list, const bw_extent_order *all, uint32_t winner,
                        double now)
{
    bw_boxtree *tree = &k->boxtree;
    uint32_t *listed = tree->listed + list->first, most = list->room / 2, last = 0;
    double *when = tree->when, first = INFINITY;
    list->count = 1;
    list->reference = listed[0] = winner;
    list->horizon = INFINITY;
    when[0] = -INFINITY; /* stays */
    for (uint32_t i = 0; i < all->count; i++) {
        bw_race race = {winner, all->candidate[i], (int)(all->extent / 2), bw_extent_sign(all->extent)};
        double t = bw_flight_leave(&k->flight, &race, now, list->horizon);
        if (t >= list->horizon || is_listed(tree, list, all->candidate[i]))
            continue;
        first = t < first ? t : first;
        uint32_t at = list->count < most ? list->count++ : last;
        listed[at] = all->candidate[i];
        when[at] = t;
        if (list->count < most)
            continue;
        /* Full: whoever comes later than the last of the list waits for the horizon. */
        for (uint32_t j = 0; j < list->count; j++)
            last = when[j] >= when[last] ? j : last;
        list->horizon = when[last];
    }
    return first;
}

/* ---- certificates ---- */

/* Those that compete for a plane at a time. */
static bw_extent_order order_of(bw_kinetic *k, uint32_t plane, double now)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_boxtree_list *list = list_of(tree, plane);
    bw_extent_order order = {.flight = &k->flight,
                             .extent = bw_boxtree_extent(tree, plane),
                             .candidate = tree->candidate,
                             .simd = k->simd};
    if (list != NULL && now < list->horizon) {
        order.candidate = tree->listed + list->first;
        order.count = list->count;
    } else
        order.count = bw_boxtree_candidates(k, plane, tree->candidate);
    k->compared += order.count;
    return order;
}

/* Whether a list is to be made of those that compete: they are all that the plane watches, and many. */
static bool wants_list(const bw_kinetic *k, uint32_t plane, const bw_extent_order *order)
{
    return list_of(&k->boxtree, plane) != NULL && order->candidate == k->boxtree.candidate;
}

static void date_listed(bw_boxtree *tree, uint32_t plane, double failure)
{
    const bw_boxtree_list *list = list_of(tree, plane);
    bw_heap_set(&tree->heap, plane, list != NULL && list->horizon < failure ? list->horizon : failure);
}

/* Dates a plane whose winner is right. */
static void certify(bw_kinetic *k, uint32_t plane, const bw_extent_order *order, double now)
{
    bw_boxtree *tree = &k->boxtree;
    uint32_t winner = tree->winner[plane];
    date_listed(tree, plane,
                wants_list(k, plane, order) ? make_list(k, list_of(tree, plane), order, winner, now)
                                            : bw_extent_order_failure(order, winner, now));
}

/* Gives the plane to the farthest and dates its certificate; whether another vertex has it now. */
static bool decide(bw_kinetic *k, uint32_t plane, const bw_extent_order *order, double now)
{
    bw_boxtree *tree = &k->boxtree;
    uint32_t present = tree->winner[plane];
    if (wants_list(k, plane, order)) {
        tree->winner[plane] = bw_extent_order_winner(order, present, now);
        certify(k, plane, order, now);
    } else {
        double failure;
        tree->winner[plane] = bw_extent_order_decide(order, present, now, &failure);
        date_listed(tree, plane, failure);
    }
    return tree->winner[plane] != present;
}

/* Searches all that a plane watches for who realises it now. */
static void search(bw_kinetic *k, uint32_t plane)
{
    bw_boxtree_list *list = list_of(&k->boxtree, plane);
    if (list != NULL)
        list->horizon = -INFINITY;
    bw_extent_order order = order_of(k, plane, k->now);
    decide(k, plane, &order, k->now);
}

bw_result bw_boxtree_start(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_boxtree *tree = &k->boxtree;
    (void)report;
    k->now = time;
    bw_heap_clear(&tree->heap);
    if (tree->root == BW_NONE)
        return BW_OK;
    for (uint32_t plane = 0; plane < bw_boxtree_planes(tree); plane++)
        tree->winner[plane] = BW_NONE;
    for (uint32_t node = BW_NONE; (node = bw_boxtree_next_up(tree, node)) != BW_NONE;)
        for (uint32_t side = 0; side < 2 && tree->nodes[node].axis != BW_BOXTREE_LEAF; side++)
            search(k, 6 + tree->nodes[node].number * 2 + side);
    for (uint32_t plane = 0; plane < 6; plane++)
        search(k, plane);
    return BW_OK;
}

static void propagate(bw_kinetic *k, uint32_t plane, double now, bw_kinetic_report *report)
{
    for (bool changed = true; changed;) {
        report->updates++;
        if (is_root(plane))
            return;
        uint32_t v = k->boxtree.winner[plane];
        plane = above(&k->boxtree, plane);
        list_vertex(&k->boxtree, plane, v);
        bw_extent_order order = order_of(k, plane, now);
        changed = decide(k, plane, &order, now);
    }
}

static void process(bw_kinetic *k, uint32_t plane, double time, double target, bw_kinetic_report *report)
{
    bw_boxtree *tree = &k->boxtree;
    for (;;) {
        double until;
        bw_extent_order order = order_of(k, plane, time);
        bw_standing standing = bw_extent_order_standing(&order, tree->winner[plane], time, &until);
        if (standing == BW_STANDING_CERTAIN) {
            certify(k, plane, &order, time);
            report->checks++;
            return;
        }
        bool now = until <= time || time >= target;
        if (!now) {
            bw_heap_item next;
            now = standing == BW_STANDING_LOST && until <= target;
            time = until < target ? until : target;
            if (bw_heap_top(&tree->heap, &next) && next.key <= time) {
                bw_heap_set(&tree->heap, plane, time); /* others come first */
                return;
            }
            order = now ? order_of(k, plane, time) : order; /* the list may end before */
        }
        if (now) {
            if (decide(k, plane, &order, time)) {
                report->events++;
                propagate(k, plane, time, report);
            } else
                report->checks++;
            return;
        }
    }
}

bw_result bw_boxtree_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_heap_item top;
    while (bw_heap_top(&k->boxtree.heap, &top) && top.key <= time) {
        bw_heap_pop(&k->boxtree.heap, &top);
        process(k, top.id, top.key, time, report);
    }
    return BW_OK;
}

/* ---- changes of plans ---- */

static bool is_stamped(const bw_kinetic *k, uint32_t v, uint32_t stamp)
{
    return v != BW_NONE && k->reach.vertex_stamp[v] == stamp;
}

/* A list whose reference has another plan proves nothing. */
static void doubt_list(bw_kinetic *k, uint32_t plane, uint32_t stamp)
{
    bw_boxtree_list *list = list_of(&k->boxtree, plane);
    if (list != NULL && is_stamped(k, list->reference, stamp))
        list->horizon = -INFINITY;
}

static void replan_plane(bw_kinetic *k, uint32_t plane, uint32_t stamp)
{
    for (;;) {
        doubt_list(k, plane, stamp);
        bw_extent_order order = order_of(k, plane, k->now);
        bool changed = decide(k, plane, &order, k->now);
        uint32_t winner = k->boxtree.winner[plane];
        k->total.updates += changed;
        if (is_root(plane) || !(changed || is_stamped(k, winner, stamp)))
            return;
        plane = above(&k->boxtree, plane);
        list_vertex(&k->boxtree, plane, winner);
    }
}

/* A vertex with a new plan: as long as another one whose plan is old stays ahead of it, the entry need only
 * not come later than the new vertex may overtake. */
static void replan_vertex(bw_kinetic *k, uint32_t plane, uint32_t extent, uint32_t v, uint32_t stamp)
{
    bw_boxtree *tree = &k->boxtree;
    uint32_t winner = tree->winner[plane];
    const bw_boxtree_list *list = list_of(tree, plane);
    list_vertex(tree, plane, v);
    if (is_stamped(k, winner, stamp) || (list != NULL && !(k->now < list->horizon)) ||
        bw_flight_out(&k->flight, v, extent, k->now) > bw_flight_out(&k->flight, winner, extent, k->now)) {
        replan_plane(k, plane, stamp);
        return;
    }
    double key = bw_heap_has(&tree->heap, plane) ? bw_heap_key(&tree->heap, plane) : INFINITY;
    bw_race race = {winner, v, (int)(extent / 2), bw_extent_sign(extent)};
    double t = bw_flight_leave(&k->flight, &race, k->now, key);
    if (t < key)
        bw_heap_set(&tree->heap, plane, t);
}

/* All planes above a leaf that a vertex with another plan realises, or whose lists refer to it, also where
 * none on the way does: these are searched again. */
static void replan_references(bw_kinetic *k, uint32_t plane, uint32_t stamp)
{
    const bw_boxtree *tree = &k->boxtree;
    for (;; plane = above(tree, plane)) {
        const bw_boxtree_list *list = list_of(tree, plane);
        bool refers = list != NULL && list->horizon != -INFINITY && is_stamped(k, list->reference, stamp);
        if (refers || is_stamped(k, tree->winner[plane], stamp))
            replan_plane(k, plane, stamp);
        if (is_root(plane))
            return;
    }
}

void bw_boxtree_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count)
{
    const bw_boxtree *tree = &k->boxtree;
    const bw_vertex_leaves *reach = &k->reach;
    uint32_t stamp = bw_vertex_leaves_stamp(&k->reach, vertices, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = reach->first[vertices[i]]; j < reach->first[vertices[i] + 1]; j++)
            for (uint32_t extent = 0; extent < BW_EXTENTS; extent++) {
                uint32_t plane = watcher(tree, tree->leaf_node[reach->leaf[j]], extent);
                replan_vertex(k, plane, extent, vertices[i], stamp);
                replan_references(k, plane, stamp);
            }
}
