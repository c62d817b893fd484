/* Building a BoxTree over the leaves of a wide tree: every wide node becomes a few binary ones, divided where
 * the boxes that one plane each implies are smallest. */
#include "kinetic/kinetic.h"

#include "base/array.h"

#include <math.h>

/* Lanes of a wide node that become one subtree. */
typedef struct group {
    uint32_t node, count, lane[BW_WIDTH];
    uint32_t parent, depth;
    bool is_right;
    bw_box box; /* implied */
} group;

static double area(const bw_box *box)
{
    double x = (double)box->max[0] - (double)box->min[0], y = (double)box->max[1] - (double)box->min[1];
    double z = (double)box->max[2] - (double)box->min[2];
    return (x + y) * z + x * y;
}

/* The lanes of a group by where the middles of their boxes are. */
static void order_lanes(const bw_wide_node *node, const group *g, uint32_t axis, uint32_t order[BW_WIDTH])
{
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t lane = g->lane[i], at = i;
        float middle = node->min[axis][lane] + node->max[axis][lane];
        for (; at > 0 && node->min[axis][order[at - 1]] + node->max[axis][order[at - 1]] > middle; at--)
            order[at] = order[at - 1];
        order[at] = lane;
    }
}

/* The division of a group of two or more whose implied boxes, each weighed by its lanes, are the smallest; of
 * equals the most even. Returns the axis. */
static uint32_t divide(const bw_wide *wide, const group *g, group *left, group *right)
{
    const bw_wide_node *node = &wide->nodes[g->node];
    double best = INFINITY;
    uint32_t best_axis = 0, best_skew = BW_WIDTH;
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t order[BW_WIDTH];
        order_lanes(node, g, axis, order);
        for (uint32_t cut = 1; cut < g->count; cut++) {
            group l = {g->node, 0, {0}, 0, g->depth + 1, false, g->box}, r = l;
            r.is_right = true;
            l.box.max[axis] = -BW_WIDE_EMPTY;
            r.box.min[axis] = BW_WIDE_EMPTY;
            for (uint32_t i = 0; i < cut; i++) {
                float x = node->max[axis][order[i]];
                l.lane[l.count++] = order[i];
                l.box.max[axis] = x > l.box.max[axis] ? x : l.box.max[axis];
            }
            for (uint32_t i = cut; i < g->count; i++) {
                float x = node->min[axis][order[i]];
                r.lane[r.count++] = order[i];
                r.box.min[axis] = x < r.box.min[axis] ? x : r.box.min[axis];
            }
            double cost = area(&l.box) * l.count + area(&r.box) * r.count;
            uint32_t skew = l.count > r.count ? l.count - r.count : r.count - l.count;
            if (cost < best || (cost == best && skew < best_skew)) {
                best = cost;
                best_axis = axis;
                best_skew = skew;
                *left = l;
                *right = r;
            }
        }
    }
    return best_axis;
}

static uint32_t all_lanes(const bw_wide *wide, uint32_t node, group *g)
{
    g->node = node;
    g->count = wide->nodes[node].count;
    for (uint32_t lane = 0; lane < g->count; lane++)
        g->lane[lane] = lane;
    return g->count;
}

/* Makes the node of a group and pushes its children, the left one last. */
static bool add_node(bw_kinetic *k, group *g, bw_array *stack)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    uint32_t at = tree->node_count++;
    bw_boxtree_node *node = &tree->nodes[at];
    *node = (bw_boxtree_node){g->parent, BW_NONE, 0, BW_NONE, g->depth, BW_BOXTREE_LEAF};
    tree->depth = g->depth > tree->depth ? g->depth : tree->depth;
    if (g->is_right)
        tree->nodes[g->parent].right = at;
    while (g->count == 1) { /* a wide node may have one lane only: a lane below with the same box */
        uint32_t child = wide->nodes[g->node].child[g->lane[0]];
        if (node->lane == BW_NONE)
            node->lane = g->node * BW_WIDTH + g->lane[0];
        if (child & BW_WIDE_LEAF) {
            node->number = child & ~BW_WIDE_LEAF;
            tree->leaf_node[node->number] = at;
            return true;
        }
        all_lanes(wide, child, g);
    }
    group left, right;
    node->axis = divide(wide, g, &left, &right);
    node->number = tree->inner_count;
    tree->inner[tree->inner_count++] = at;
    left.parent = right.parent = at;
    group *to = bw_array_extend(stack, 2);
    if (to == NULL)
        return false;
    to[0] = right;
    to[1] = left;
    return true;
}

static bool add_nodes(bw_kinetic *k)
{
    bw_array stack = bw_array_of(sizeof(group), &k->allocator);
    group g = {.parent = BW_NONE, .box = k->tree->wide.bounds};
    all_lanes(&k->tree->wide, 0, &g);
    bool good = add_node(k, &g, &stack);
    while (good && stack.count > 0) {
        g = *(const group *)bw_array_at(&stack, stack.count - 1);
        stack.count--;
        good = add_node(k, &g, &stack);
    }
    bw_array_release(&stack);
    return good;
}

/* The longest list of a plane that watches so many; 0: none is kept. When it is made half of it is filled, as
 * other vertices join it later. */
static uint32_t list_room(uint32_t watched)
{
    enum { FEW = 48 };
    return watched <= FEW ? 0 : 2 * (8 + (uint32_t)ceil(sqrt(watched)));
}

static bw_result add_lists(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    uint64_t listed = 0;
    for (uint32_t plane = 0; plane < bw_boxtree_planes(tree); plane++) {
        uint32_t count = bw_boxtree_candidates(k, plane, NULL), room = list_room(count);
        tree->room = count > tree->room ? count : tree->room;
        tree->when_room = room > tree->when_room ? room : tree->when_room;
        tree->list_of[plane] = room > 0 ? tree->list_count++ : BW_NONE;
        listed += room;
    }
    if (listed >= BW_NONE)
        return BW_ERROR_SIZE;
    tree->listed_room = (uint32_t)listed;
    tree->candidate = bw_allocate(&k->allocator, tree->room, sizeof *tree->candidate);
    tree->lists = bw_allocate(&k->allocator, (size_t)tree->list_count + 1, sizeof *tree->lists);
    tree->listed = bw_allocate(&k->allocator, (size_t)listed + 1, sizeof *tree->listed);
    tree->when = bw_allocate(&k->allocator, (size_t)tree->when_room + 1, sizeof *tree->when);
    if (tree->candidate == NULL || tree->lists == NULL || tree->listed == NULL || tree->when == NULL)
        return BW_ERROR_MEMORY;
    uint32_t first = 0;
    for (uint32_t plane = 0; plane < bw_boxtree_planes(tree); plane++)
        if (tree->list_of[plane] != BW_NONE) {
            uint32_t room = list_room(bw_boxtree_candidates(k, plane, NULL));
            tree->lists[tree->list_of[plane]] = (bw_boxtree_list){first, room, 0, BW_NONE, -INFINITY};
            first += room;
        }
    return BW_OK;
}

bw_result bw_boxtree_create(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    *tree = (bw_boxtree){.heap = bw_heap_over(&k->allocator), .leaf_room = wide->leaf_count};
    for (uint32_t i = 0; i < wide->leaf_count; i++)
        tree->leaves += wide->leaves[i].count > 0;
    size_t leaves = tree->leaves;
    if (leaves == 0)
        return BW_OK;
    if (leaves >= BW_NONE / 4)
        return BW_ERROR_SIZE;
    tree->nodes = bw_allocate(&k->allocator, 2 * leaves - 1, sizeof *tree->nodes);
    tree->inner = bw_allocate(&k->allocator, leaves, sizeof *tree->inner);
    tree->leaf_node = bw_allocate(&k->allocator, tree->leaf_room, sizeof *tree->leaf_node);
    tree->winner = bw_allocate(&k->allocator, 2 * leaves + 4, sizeof *tree->winner);
    tree->list_of = bw_allocate(&k->allocator, 2 * leaves + 4, sizeof *tree->list_of);
    if (tree->list_of == NULL || tree->nodes == NULL || tree->inner == NULL || tree->leaf_node == NULL ||
        tree->winner == NULL || !bw_heap_reserve(&tree->heap, (uint32_t)(2 * leaves + 4)) || !add_nodes(k))
        return BW_ERROR_MEMORY;
    tree->stack = bw_allocate(&k->allocator, (size_t)tree->depth + 2, sizeof *tree->stack);
    tree->path = bw_allocate(&k->allocator, (size_t)tree->depth + 1, sizeof *tree->path);
    if (tree->stack == NULL || tree->path == NULL)
        return BW_ERROR_MEMORY;
    return add_lists(k);
}

void bw_boxtree_release(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_allocator *a = &k->allocator;
    size_t leaves = tree->leaves;
    bw_release(a, tree->nodes, 2 * leaves - 1, sizeof *tree->nodes);
    bw_release(a, tree->inner, leaves, sizeof *tree->inner);
    bw_release(a, tree->leaf_node, tree->leaf_room, sizeof *tree->leaf_node);
    bw_release(a, tree->winner, 2 * leaves + 4, sizeof *tree->winner);
    bw_release(a, tree->stack, (size_t)tree->depth + 2, sizeof *tree->stack);
    bw_release(a, tree->path, (size_t)tree->depth + 1, sizeof *tree->path);
    bw_release(a, tree->candidate, tree->room, sizeof *tree->candidate);
    bw_release(a, tree->list_of, 2 * leaves + 4, sizeof *tree->list_of);
    bw_release(a, tree->lists, (size_t)tree->list_count + 1, sizeof *tree->lists);
    bw_release(a, tree->listed, (size_t)tree->listed_room + 1, sizeof *tree->listed);
    bw_release(a, tree->when, (size_t)tree->when_room + 1, sizeof *tree->when);
    bw_heap_release(&tree->heap);
    *tree = (bw_boxtree){.heap = bw_heap_over(a)};
}

size_t bw_boxtree_bytes(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    size_t leaves = tree->leaves;
    if (leaves == 0)
        return 0;
    return (2 * leaves - 1) * sizeof *tree->nodes + leaves * sizeof *tree->inner +
           tree->leaf_room * sizeof *tree->leaf_node + (2 * leaves + 4) * sizeof *tree->winner +
           ((size_t)tree->depth + 2) * sizeof *tree->stack + ((size_t)tree->depth + 1) * sizeof *tree->path +
           (2 * leaves + 4) * sizeof *tree->list_of + ((size_t)tree->list_count + 1) * sizeof *tree->lists +
           ((size_t)tree->listed_room + 1) * sizeof *tree->listed +
           ((size_t)tree->when_room + 1) * sizeof *tree->when + tree->room * sizeof *tree->candidate +
           bw_heap_bytes(&tree->heap);
}
