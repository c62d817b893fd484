/* The nodes of eight that the cheapest collapse of a binary tree makes, written in depth-first order.
 *
 * Where a node will stand is known only when all before it are counted. The top of the tree is walked by one
 * thread; what hangs from it, at most 512 subtrees, is first counted and then written side by side. */
#include "base/tasks.h"
#include "tree/build/collapse.h"
#include "tree/build/first_touch.h"

enum { TOP_LEVELS = 3, PARTS = BW_WIDTH * BW_WIDTH * BW_WIDTH };

/* The binary nodes that become the lanes of a wide one; a group stands there once for each of its leaves. */
typedef struct lane_list {
    uint32_t count;
    uint32_t at[BW_WIDTH];
    bool leaf[BW_WIDTH]; /* a leaf, or one of a group's */
} lane_list;

static inline void list_node(const bw_split_node *nodes, uint32_t index, lane_list *list)
{
    list->at[list->count] = index;
    list->leaf[list->count++] = nodes[index].count != 0 && nodes[index].count <= BW_WIDTH;
}

static void list_group(const bw_split_node *nodes, uint32_t index, lane_list *list)
{
    for (uint32_t first = 0; first < nodes[index].count; first += BW_WIDTH) {
        list->at[list->count] = index;
        list->leaf[list->count++] = true;
    }
}

static void list_lanes(const bw_split_node *nodes, uint32_t index, uint32_t lanes, lane_list *list)
{
    const bw_split_node *node = &nodes[index];
    const uint32_t left = node->left_lanes[lanes - 1];
    if (left == 0) {
        list_node(nodes, index, list);
    } else if (left == BW_LANES_ALL) {
        list_group(nodes, index, list);
    } else {
        list_lanes(nodes, index + 1, left, list);
        list_lanes(nodes, node->right, lanes - left, list);
    }
}

/* The lanes of a node that becomes a wide one. */
static void lanes_of(const bw_split_node *nodes, uint32_t index, lane_list *list)
{
    list->count = 0;
    if (nodes[index].count != 0) {
        list_group(nodes, index, list); /* or the only leaf, under the root */
        return;
    }
    const uint32_t left = nodes[index].left_lanes[BW_WIDTH - 1];
    list_lanes(nodes, index + 1, left, list);
    list_lanes(nodes, nodes[index].right, BW_WIDTH - left, list);
}

/* A subtree below the top: how much it holds, then where that stands. */
typedef struct part {
    uint32_t root; /* among the binary nodes */
    uint32_t nodes, leaves;
    uint32_t parent, lane;
    uint32_t first_node, first_leaf;
} part;

typedef struct layout {
    const bw_split_node *binary;
    const uint32_t *order;    /* NULL: the leaves have their primitives */
    const bw_box *leaf_boxes; /* of groups */
    bw_wide *wide;
    part parts[PARTS]; /* as a depth-first walk meets them */
    uint32_t part_count;
    uint32_t node_count, leaf_count; /* counted, or written, so far by the thread of the top */
} layout;

/* Names the parts, and counts the nodes and leaves above them. */
static void walk_top(layout *l, uint32_t index, uint32_t level)
{
    lane_list list;
    lanes_of(l->binary, index, &list);
    l->node_count++;
    for (uint32_t lane = 0; lane < list.count; lane++) {
        if (list.leaf[lane])
            l->leaf_count++;
        else if (level + 1 < TOP_LEVELS)
            walk_top(l, list.at[lane], level + 1);
        else
            l->parts[l->part_count++] = (part){.root = list.at[lane]};
    }
}

static void count_below(const bw_split_node *binary, uint32_t index, part *p)
{
    lane_list list;
    lanes_of(binary, index, &list);
    p->nodes++;
    for (uint32_t lane = 0; lane < list.count; lane++) {
        if (list.leaf[lane])
            p->leaves++;
        else
            count_below(binary, list.at[lane], p);
    }
}

static void count_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    layout *l = context;
    for (uint32_t i = begin; i < end; i++)
        count_below(l->binary, l->parts[i].root, &l->parts[i]);
}

static void write_primitives(const layout *l, const bw_split_node *from, uint32_t index)
{
    uint32_t *slots = &l->wide->primitives[(size_t)index * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        slots[i] = i < from->count ? l->order[from->first + i] : BW_NONE;
    l->wide->leaves[index] = (bw_wide_leaf){.count = (uint8_t)from->count};
}

static void write_leaf(const layout *l, const bw_split_node *from, uint32_t index, uint32_t parent,
                       uint32_t lane)
{
    bw_wide *wide = l->wide;
    if (l->order != NULL)
        write_primitives(l, from, index);
    bw_wide_set_lane(&wide->nodes[parent], lane, l->order != NULL ? &from->box : &l->leaf_boxes[index]);
    wide->nodes[parent].child[lane] = BW_WIDE_LEAF | index;
    wide->leaves[index].parent = parent;
    wide->leaves[index].lane = (uint8_t)lane;
}

static void write_lane(const layout *l, uint32_t at, uint32_t lane, uint32_t from, uint32_t child)
{
    bw_wide_set_lane(&l->wide->nodes[at], lane, &l->binary[from].box);
    l->wide->nodes[at].child[lane] = child;
}

static void clear_rest(bw_wide_node *node)
{
    for (uint32_t lane = node->count; lane < BW_WIDTH; lane++)
        bw_wide_clear_lane(node, lane);
}

/* The next node and leaf to write. */
typedef struct place {
    uint32_t node, leaf;
} place;

static void write_below(const layout *l, uint32_t index, uint32_t parent, uint32_t parent_lane, place *next)
{
    lane_list list;
    lanes_of(l->binary, index, &list);
    const uint32_t at = next->node++;
    bw_wide_node *node = &l->wide->nodes[at];
    bw_wide_init_node(node, list.count, parent, parent_lane);
    for (uint32_t lane = 0; lane < list.count; lane++) {
        if (list.leaf[lane]) {
            write_leaf(l, &l->binary[list.at[lane]], next->leaf++, at, lane);
        } else {
            write_lane(l, at, lane, list.at[lane], next->node);
            write_below(l, list.at[lane], at, lane, next);
        }
    }
    clear_rest(node);
    node->end = next->node;
}

static void write_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const layout *l = context;
    for (uint32_t i = begin; i < end; i++) {
        const part *p = &l->parts[i];
        place next = {p->first_node, p->first_leaf};
        write_below(l, p->root, p->parent, p->lane, &next);
    }
}

/* Writes the top, and tells the parts where they stand; *which is the next of these. */
static void write_top(layout *l, uint32_t index, uint32_t parent, uint32_t parent_lane, uint32_t level,
                      uint32_t *which, place *next)
{
    lane_list list;
    lanes_of(l->binary, index, &list);
    const uint32_t at = next->node++;
    bw_wide_node *node = &l->wide->nodes[at];
    bw_wide_init_node(node, list.count, parent, parent_lane);
    for (uint32_t lane = 0; lane < list.count; lane++) {
        if (list.leaf[lane]) {
            write_leaf(l, &l->binary[list.at[lane]], next->leaf++, at, lane);
            continue;
        }
        write_lane(l, at, lane, list.at[lane], next->node);
        if (level + 1 < TOP_LEVELS) {
            write_top(l, list.at[lane], at, lane, level + 1, which, next);
            continue;
        }
        part *p = &l->parts[(*which)++];
        p->parent = at;
        p->lane = lane;
        p->first_node = next->node;
        p->first_leaf = next->leaf;
        next->node += p->nodes;
        next->leaf += p->leaves;
    }
    clear_rest(node);
    node->end = next->node;
}

static void count_all(layout *l, const bw_tasks *tasks)
{
    walk_top(l, 0, 0);
    bw_parallel(tasks, count_parts, l, l->part_count, PARTS / 64);
    for (uint32_t i = 0; i < l->part_count; i++) {
        l->node_count += l->parts[i].nodes;
        l->leaf_count += l->parts[i].leaves;
    }
}

static void write_all(layout *l, uint32_t primitive_count, const bw_tasks *tasks)
{
    uint32_t which = 0;
    write_top(l, 0, BW_NONE, 0, 0, &which, &(place){0, 0});
    bw_parallel_first_touch(tasks, write_parts, l, l->part_count, PARTS / 64, NULL, 0);
    l->wide->bounds = l->binary[0].box;
    l->wide->primitive_count = primitive_count;
    l->wide->preorder = true;
}

bw_result bw_wide_collapse(const bw_split_node *nodes, const uint32_t *order, uint32_t count,
                           uint32_t leaf_capacity, const bw_tasks *tasks, const bw_allocator *allocator,
                           bw_wide *out)
{
    layout l = {.binary = nodes, .order = order};
    count_all(&l, tasks);
    bw_wide wide;
    const uint32_t capacity = leaf_capacity > l.leaf_count ? leaf_capacity : l.leaf_count;
    bw_result result = bw_wide_reserve(allocator, l.node_count, capacity, &wide);
    if (result != BW_OK)
        return result;
    wide.leaf_count = l.leaf_count;
    l.wide = &wide;
    write_all(&l, count, tasks);
    *out = wide;
    return BW_OK;
}

bw_result bw_wide_collapse_groups(const bw_split_node *nodes, const bw_box *leaf_boxes, uint32_t count,
                                  const bw_tasks *tasks, bw_wide *wide)
{
    layout l = {.binary = nodes, .leaf_boxes = leaf_boxes, .wide = wide};
    count_all(&l, tasks);
    bw_result result = bw_wide_reserve_nodes(wide, l.node_count);
    if (result == BW_OK)
        write_all(&l, count, tasks);
    return result;
}
