/* Building a BoxTree over the leaves of a wide tree: every wide node becomes a few binary ones, divided where
 * the boxes that one plane each implies are smallest. */
#include "kinetic/kinetic.h"

#include <math.h>

/* Lanes of a wide node that become one subtree. */
typedef struct group {
    uint32_t node, count, lane[BW_WIDTH];
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
            group l = {g->node, 0, {0}, g->box}, r = l;
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

static group all_lanes(const bw_wide *wide, uint32_t node, const bw_box *box)
{
    group g = {.node = node, .count = wide->nodes[node].count, .box = *box};
    for (uint32_t lane = 0; lane < g.count; lane++)
        g.lane[lane] = lane;
    return g;
}

static uint32_t new_node(bw_boxtree *tree)
{
    tree->nodes[tree->node_count] =
        (bw_boxtree_node){BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_BOXTREE_LEAF};
    return tree->node_count++;
}

/* A node for a lane, whose own lanes are still to be divided. */
static uint32_t node_of_lane(bw_kinetic *k, const group *g, bw_box *boxes)
{
    bw_boxtree *tree = &k->boxtree;
    uint32_t child = k->tree->wide.nodes[g->node].child[g->lane[0]], leaf = child & ~BW_WIDE_LEAF;
    uint32_t node = new_node(tree);
    tree->nodes[node].lane = g->node * BW_WIDTH + g->lane[0];
    if (child & BW_WIDE_LEAF) {
        tree->leaf_node[leaf] = node;
        tree->nodes[node].number = leaf;
    } else {
        tree->top[child] = node;
        boxes[child] = g->box;
    }
    return node;
}

static uint32_t node_of_group(bw_kinetic *k, const group *g, bw_box *boxes);

/* Makes a node an inner one over two or more lanes. */
static void divide_below(bw_kinetic *k, const group *g, uint32_t at, bw_box *boxes)
{
    bw_boxtree *tree = &k->boxtree;
    group left, right;
    uint32_t axis = divide(&k->tree->wide, g, &left, &right);
    uint32_t first = node_of_group(k, &left, boxes), second = node_of_group(k, &right, boxes);
    bw_boxtree_node *node = &tree->nodes[at];
    tree->inner[tree->inner_count] = at;
    node->number = tree->inner_count++;
    node->axis = axis;
    node->left = first;
    node->right = second;
    tree->nodes[first].parent = tree->nodes[second].parent = at;
}

/* No deeper than there are lanes. */
static uint32_t node_of_group(bw_kinetic *k, const group *g, bw_box *boxes)
{
    if (g->count == 1)
        return node_of_lane(k, g, boxes);
    uint32_t at = new_node(&k->boxtree);
    divide_below(k, g, at, boxes);
    return at;
}

/* Divides the lanes of a node of the wide tree below the node that has its box. */
static void divide_node(bw_kinetic *k, uint32_t wide_node, bw_box *boxes)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const uint32_t at = tree->top[wide_node];
    const bw_box *box = &boxes[wide_node];
    group g = all_lanes(wide, wide_node, box);
    while (g.count == 1) { /* a wide node may have one lane only: a lane below with the same box */
        uint32_t child = wide->nodes[g.node].child[0];
        if (tree->nodes[at].lane == BW_NONE)
            tree->nodes[at].lane = g.node * BW_WIDTH;
        if (child & BW_WIDE_LEAF) {
            tree->nodes[at].number = child & ~BW_WIDE_LEAF;
            tree->leaf_node[child & ~BW_WIDE_LEAF] = at;
            return;
        }
        tree->top[child] = at;
        g = all_lanes(wide, child, box);
    }
    divide_below(k, &g, at, boxes);
}

bool bw_boxtree_add_nodes(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    bw_box *boxes = bw_allocate(&k->allocator, wide->node_count, sizeof *boxes);
    if (boxes == NULL)
        return false;
    boxes[0] = wide->bounds;
    tree->root = tree->top[0] = new_node(tree);
    for (uint32_t w = 0; w < wide->node_count; w++) /* children come after their parent */
        if (wide->nodes[w].count > 0 && tree->nodes[tree->top[w]].number == BW_NONE)
            divide_node(k, w, boxes);
    bw_release(&k->allocator, boxes, wide->node_count, sizeof *boxes);
    return true;
}

uint32_t bw_boxtree_depth(const bw_boxtree *tree)
{
    uint32_t most = 0, depth = 0, last = BW_NONE;
    for (uint32_t node = BW_NONE; (node = bw_boxtree_next_up(tree, node)) != BW_NONE; last = node) {
        if (last != BW_NONE && tree->nodes[last].parent == node)
            depth--;
        else /* down again, from the top or from a right sibling of the last one */
            for (uint32_t up = node, above = last == BW_NONE ? BW_NONE : tree->nodes[last].parent;
                 tree->nodes[up].parent != above; up = tree->nodes[up].parent)
                depth++;
        most = depth > most ? depth : most;
    }
    return most;
}

/* The longest list of a plane that watches so many; 0: none is kept. When it is made half of it is filled, as
 * other vertices join it later. */
static uint32_t list_room(uint32_t watched)
{
    enum { FEW = 48 };
    return watched <= FEW ? 0 : 2 * (8 + (uint32_t)ceil(sqrt(watched)));
}

bw_result bw_boxtree_add_lists(bw_kinetic *k)
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
