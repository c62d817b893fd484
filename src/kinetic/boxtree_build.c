/* Building a BoxTree over the leaves of a wide tree: every wide node becomes a few binary ones, divided where
 * the boxes that one plane each implies are smallest. */
#include "kinetic/kinetic.h"

#include <math.h>
#include <string.h>

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

uint32_t bw_boxtree_new_node(bw_boxtree *tree)
{
    uint32_t node = tree->free_nodes;
    if (node != BW_NONE)
        tree->free_nodes = tree->nodes[node].parent;
    else
        node = tree->node_used++;
    tree->nodes[node] =
        (bw_boxtree_node){BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_NONE, BW_BOXTREE_LEAF};
    return node;
}

static uint32_t new_number(bw_boxtree *tree, uint32_t node)
{
    uint32_t number = tree->free_numbers;
    if (number != BW_NONE)
        tree->free_numbers = tree->inner[number];
    else
        number = tree->number_used++;
    tree->inner[number] = node;
    tree->winner[6 + number * 2] = tree->winner[7 + number * 2] = BW_NONE;
    tree->inner_count++;
    return number;
}

/* The node of a lane; where there is none yet a new one, whose own lanes are still to be divided. */
static uint32_t node_of_lane(bw_kinetic *k, const group *g, bw_box *boxes)
{
    bw_boxtree *tree = &k->boxtree;
    uint32_t child = k->tree->wide.nodes[g->node].child[g->lane[0]], leaf = child & ~BW_WIDE_LEAF;
    uint32_t *known = child & BW_WIDE_LEAF ? &tree->leaf_node[leaf] : &tree->top[child];
    if (*known == BW_NONE) {
        *known = bw_boxtree_new_node(tree);
        if (child & BW_WIDE_LEAF)
            tree->nodes[*known].number = leaf;
        else if (boxes != NULL)
            boxes[child] = g->box;
    }
    tree->nodes[*known].lane = g->node * BW_WIDTH + g->lane[0];
    return *known;
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
    node->number = new_number(tree, at);
    node->axis = axis;
    node->wide = g->node;
    node->left = first;
    node->right = second;
    tree->nodes[first].parent = tree->nodes[second].parent = at;
}

/* No deeper than there are lanes. */
static uint32_t node_of_group(bw_kinetic *k, const group *g, bw_box *boxes)
{
    if (g->count == 1)
        return node_of_lane(k, g, boxes);
    uint32_t at = bw_boxtree_new_node(&k->boxtree);
    divide_below(k, g, at, boxes);
    return at;
}

void bw_boxtree_divide(bw_kinetic *k, uint32_t wide_node, uint32_t at, const bw_box *box, bw_box *boxes)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    group g = all_lanes(wide, wide_node, box);
    tree->top[wide_node] = at;
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

static bool is_divided(const bw_boxtree *tree, uint32_t node)
{
    return tree->nodes[node].number != BW_NONE;
}

static bool add_nodes(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    bw_box *boxes = bw_allocate(&k->allocator, wide->node_count, sizeof *boxes);
    if (boxes == NULL)
        return false;
    boxes[0] = wide->bounds;
    tree->root = tree->top[0] = bw_boxtree_new_node(tree);
    for (uint32_t w = 0; w < wide->node_count; w++) /* children come after their parent */
        if (wide->nodes[w].count > 0 && !is_divided(tree, tree->top[w]))
            bw_boxtree_divide(k, w, tree->top[w], &boxes[w], boxes);
    bw_release(&k->allocator, boxes, wide->node_count, sizeof *boxes);
    return true;
}

/* How many nodes are above the deepest one. */
static uint32_t depth_of(const bw_boxtree *tree)
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

/* ---- memory ---- */

/* What grows with the leaves of the wide tree. */
static void release_shape(const bw_allocator *a, bw_boxtree *tree)
{
    size_t leaves = tree->leaf_room;
    bw_release(a, tree->nodes, 2 * leaves, sizeof *tree->nodes);
    bw_release(a, tree->inner, leaves, sizeof *tree->inner);
    bw_release(a, tree->leaf_node, leaves, sizeof *tree->leaf_node);
    bw_release(a, tree->winner, 2 * leaves + 6, sizeof *tree->winner);
    bw_release(a, tree->list_of, 2 * leaves + 6, sizeof *tree->list_of);
    bw_release(a, tree->top, tree->top_room, sizeof *tree->top);
}

static bool allocate_shape(const bw_allocator *a, uint32_t leaf_room, uint32_t top_room, bw_boxtree *out)
{
    size_t leaves = leaf_room;
    out->leaf_room = leaf_room;
    out->top_room = top_room;
    out->nodes = bw_allocate(a, 2 * leaves, sizeof *out->nodes);
    out->inner = bw_allocate(a, leaves, sizeof *out->inner);
    out->leaf_node = bw_allocate(a, leaves, sizeof *out->leaf_node);
    out->winner = bw_allocate(a, 2 * leaves + 6, sizeof *out->winner);
    out->list_of = bw_allocate(a, 2 * leaves + 6, sizeof *out->list_of);
    out->top = bw_allocate(a, top_room, sizeof *out->top);
    if (out->nodes == NULL || out->inner == NULL || out->leaf_node == NULL || out->winner == NULL ||
        out->list_of == NULL || out->top == NULL)
        return false;
    memset(out->leaf_node, 0xff, leaves * sizeof *out->leaf_node); /* BW_NONE */
    memset(out->winner, 0xff, (2 * leaves + 6) * sizeof *out->winner);
    memset(out->list_of, 0xff, (2 * leaves + 6) * sizeof *out->list_of);
    memset(out->top, 0xff, top_room * sizeof *out->top);
    return true;
}

bw_result bw_boxtree_create(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    *tree = (bw_boxtree){
        .heap = bw_heap_over(&k->allocator), .root = BW_NONE, .free_nodes = BW_NONE, .free_numbers = BW_NONE};
    if (wide->node_count == 0)
        return BW_OK;
    if (wide->leaf_count >= BW_NONE / 4)
        return BW_ERROR_SIZE;
    if (!allocate_shape(&k->allocator, wide->leaf_count, wide->node_count, tree) ||
        !bw_heap_reserve(&tree->heap, 2 * wide->leaf_count + 6) || !add_nodes(k))
        return BW_ERROR_MEMORY;
    tree->depth = depth_of(tree);
    tree->path = bw_allocate(&k->allocator, (size_t)tree->depth + 1, sizeof *tree->path);
    if (tree->path == NULL)
        return BW_ERROR_MEMORY;
    tree->path_room = tree->depth + 1;
    return add_lists(k);
}

/* The arrays that grow with the leaves, with more room and the same contents. */
static bool grow_shape(bw_kinetic *k, uint32_t leaf_room, uint32_t top_room)
{
    bw_boxtree *tree = &k->boxtree, more = *tree;
    const bw_allocator *a = &k->allocator;
    if (!bw_heap_reserve(&tree->heap, 2 * leaf_room + 6))
        return false;
    if (!allocate_shape(a, leaf_room, top_room, &more)) {
        release_shape(a, &more);
        return false;
    }
    size_t leaves = tree->leaf_room;
    if (leaves > 0) {
        memcpy(more.nodes, tree->nodes, 2 * leaves * sizeof *more.nodes);
        memcpy(more.inner, tree->inner, leaves * sizeof *more.inner);
        memcpy(more.leaf_node, tree->leaf_node, leaves * sizeof *more.leaf_node);
        memcpy(more.winner, tree->winner, (2 * leaves + 6) * sizeof *more.winner);
        memcpy(more.list_of, tree->list_of, (2 * leaves + 6) * sizeof *more.list_of);
        memcpy(more.top, tree->top, tree->top_room * sizeof *more.top);
    }
    more.heap = tree->heap;
    release_shape(a, tree);
    *tree = more;
    return true;
}

bw_result bw_boxtree_reserve(bw_kinetic *k, uint32_t edits)
{
    enum { DEEPER = 16 }; /* an edit divides two nodes of the wide tree anew */
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const bw_allocator *a = &k->allocator;
    uint64_t leaves = (uint64_t)wide->leaf_count + edits, nodes = (uint64_t)wide->node_count + edits;
    if (leaves >= BW_NONE / 4 || nodes >= BW_NONE)
        return BW_ERROR_SIZE;
    if (leaves > tree->leaf_room || nodes > tree->top_room) {
        leaves = leaves > tree->leaf_room ? leaves + leaves / 4 : tree->leaf_room;
        nodes = nodes > tree->top_room ? nodes + nodes / 4 : tree->top_room;
        if (leaves >= BW_NONE / 4 || nodes >= BW_NONE)
            return BW_ERROR_SIZE;
        if (!grow_shape(k, (uint32_t)leaves, (uint32_t)nodes))
            return BW_ERROR_MEMORY;
    }
    /* A plane watches no more than all vertices in all leaves, and a plane for each of these. */
    uint64_t watched = (uint64_t)wide->vertex_used + (uint64_t)edits * BW_EDIT_VERTICES + tree->leaf_room;
    if (watched >= BW_NONE)
        return BW_ERROR_SIZE;
    if (watched > tree->room) {
        uint32_t *candidate = bw_allocate(a, (size_t)watched, sizeof *candidate);
        if (candidate == NULL)
            return BW_ERROR_MEMORY;
        bw_release(a, tree->candidate, tree->room, sizeof *candidate);
        tree->candidate = candidate;
        tree->room = (uint32_t)watched;
    }
    uint64_t depth = (uint64_t)tree->depth + (uint64_t)edits * DEEPER;
    depth = depth > tree->leaf_room ? tree->leaf_room : depth;
    if (depth + 1 > tree->path_room) {
        bw_box *path = bw_allocate(a, (size_t)depth + 1, sizeof *path);
        if (path == NULL)
            return BW_ERROR_MEMORY;
        bw_release(a, tree->path, tree->path_room, sizeof *path);
        tree->path = path;
        tree->path_room = (uint32_t)depth + 1;
    }
    tree->depth = tree->depth > (uint32_t)depth ? tree->depth : (uint32_t)depth;
    return BW_OK;
}

void bw_boxtree_release(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_allocator *a = &k->allocator;
    release_shape(a, tree);
    bw_release(a, tree->path, tree->path_room, sizeof *tree->path);
    bw_release(a, tree->candidate, tree->room, sizeof *tree->candidate);
    bw_release(a, tree->lists, (size_t)tree->list_count + 1, sizeof *tree->lists);
    bw_release(a, tree->listed, (size_t)tree->listed_room + 1, sizeof *tree->listed);
    bw_release(a, tree->when, (size_t)tree->when_room + 1, sizeof *tree->when);
    bw_heap_release(&tree->heap);
    *tree = (bw_boxtree){.heap = bw_heap_over(a), .root = BW_NONE};
}

size_t bw_boxtree_bytes(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    size_t leaves = tree->leaf_room, bytes = bw_heap_bytes(&tree->heap);
    if (leaves > 0)
        bytes += leaves * (2 * sizeof *tree->nodes + sizeof *tree->inner + sizeof *tree->leaf_node) +
                 (2 * leaves + 6) * (sizeof *tree->winner + sizeof *tree->list_of) +
                 tree->top_room * sizeof *tree->top;
    if (tree->lists != NULL)
        bytes += ((size_t)tree->list_count + 1) * sizeof *tree->lists;
    if (tree->listed != NULL)
        bytes += ((size_t)tree->listed_room + 1) * sizeof *tree->listed;
    if (tree->when != NULL)
        bytes += ((size_t)tree->when_room + 1) * sizeof *tree->when;
    return bytes + tree->path_room * sizeof *tree->path + tree->room * sizeof *tree->candidate;
}
