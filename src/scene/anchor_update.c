/* Insertion and removal, one at a time: a full leaf splits at the median of its centres, a sparse one joins
 * its sibling, and a branch that grew too long is built anew (the scapegoat rule of Galperin and Rivest). */
#include "scene/anchor.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SPARSE = 7,  /* objects below which a leaf looks for a sibling to join */
    JOINED = 20, /* objects that a joined leaf may have */
    SHRINKS = 4, /* objects that leave a leaf's surface before its box is computed anew */
    BATCH = BW_ANCHOR_LEAF_CAPACITY + 1
};

typedef struct item {
    float box[6];
    bw_id id;
} item;

static void place(const bw_anchor_context *context, bw_id id, uint32_t leaf, uint32_t slot)
{
    bw_table_entry(context->table, bw_id_index(id))->place = bw_anchor_place(leaf, slot);
}

static void append(bw_anchor_context *context, uint32_t index, const float box[6], bw_id id)
{
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(context->tree, index);
    assert(leaf->count < BW_ANCHOR_LEAF_CAPACITY);
    memcpy(leaf->boxes[leaf->count], box, sizeof leaf->boxes[0]);
    leaf->ids[leaf->count] = id;
    place(context, id, index, leaf->count);
    leaf->count++;
    bw_anchor_box_grow(leaf->box, box);
}

static void fill(bw_anchor_context *context, uint32_t leaf, const item *items, uint32_t count)
{
    bw_anchor_leaf *l = bw_anchor_leaf_at(context->tree, leaf);
    l->count = l->shrinks = 0;
    bw_anchor_box_clear(l->box);
    for (uint32_t i = 0; i < count; i++)
        append(context, leaf, items[i].box, items[i].id);
}

static void refresh_cell(bw_anchor_context *context, uint32_t leaf)
{
    float cell[6];
    bw_anchor_leaf *l = bw_anchor_leaf_at(context->tree, leaf);
    bw_anchor_cell(context->tree, l->parent, cell);
    bw_anchor_widen(l, cell);
}

/* ---- branches that grew too long ---- */

static uint32_t leaves_below(const bw_anchor_tree *tree, bw_anchor_ref ref)
{
    if (ref == 0 || bw_anchor_is_leaf(ref))
        return ref != 0;
    uint32_t sum = 0;
    for (int slot = 0; slot < BW_ANCHOR_CHILDREN; slot++)
        sum += leaves_below(tree, bw_anchor_node_at(tree, bw_anchor_node_of(ref))->child[slot]);
    return sum;
}

/* Twice the height of a full tree over so many leaves. */
static uint32_t height_limit(uint32_t leaves)
{
    uint32_t height = 1;
    for (uint64_t full = 8; full < leaves; full *= 8)
        height++;
    return 2 * height;
}

/* A node was added: where it lies too deep, some ancestor has too few leaves for the height above it; build
 * that anew. */
static void rebalance(bw_anchor_context *context, uint32_t node)
{
    const bw_anchor_tree *tree = context->tree;
    uint32_t depth = 1;
    for (uint32_t parent = tree->parents[node]; parent != BW_ANCHOR_NO_PARENT;
         parent = tree->parents[parent >> 3])
        depth++;
    if (depth <= height_limit(bw_slab_live(&tree->leaves)) + 2)
        return;
    uint32_t height = 1, parent = tree->parents[node];
    for (; parent != BW_ANCHOR_NO_PARENT; parent = tree->parents[parent >> 3], height++) {
        uint32_t nodes_parent = tree->parents[parent >> 3];
        bw_anchor_ref ref = bw_anchor_child(tree, nodes_parent);
        if (height + 1 > height_limit(leaves_below(tree, ref))) {
            bw_anchor_rebuild_below(context, nodes_parent);
            return;
        }
    }
}

/* ---- splitting ---- */

/* Two children where there was one; a node must be reserved. Returns the node that was added, or
 * BW_ANCHOR_FREE. The boxes above are brought up to date. */
static uint32_t fork(bw_anchor_tree *tree, uint32_t parent, int axis, float plane, bw_anchor_ref left,
                     const float left_box[6], bw_anchor_ref right, const float right_box[6])
{
    uint32_t added = BW_ANCHOR_FREE, position = 8, home = 0;
    if (parent != BW_ANCHOR_NO_PARENT) {
        home = parent >> 3;
        position = bw_anchor_position(bw_anchor_node_at(tree, home), parent & 7u);
    }
    float both[6];
    memcpy(both, left_box, sizeof both);
    bw_anchor_box_grow(both, right_box);
    if (position >= 8) {
        added = home = bw_anchor_take_node(tree);
        position = 1;
        /* The slot keeps its old box, so that the change is seen on the way up. */
        float old[6];
        bw_anchor_child_box(tree, parent, old);
        bw_anchor_attach(tree, parent, bw_anchor_ref_node(added), old);
    }
    bw_anchor_node *node = bw_anchor_node_at(tree, home);
    node->plane[position - 1] = plane;
    node->axes = (node->axes & ~(3u << (2 * (position - 1)))) | (uint32_t)axis << (2 * (position - 1));
    bw_anchor_attach(tree, 8 * home + bw_anchor_first_slot(2 * position), left, left_box);
    bw_anchor_attach(tree, 8 * home + bw_anchor_first_slot(2 * position + 1), right, right_box);
    bw_anchor_node_box(node, both);
    bw_anchor_raise(tree, tree->parents[home], both);
    return added;
}

static void sort_floats(float *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        float value = values[i];
        uint32_t j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

/* A plane with centres on both sides, as near to the median as can be; false where all centres coincide. */
static bool choose_plane(const item *items, uint32_t count, int *axis, float *plane)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) {
            float c = bw_anchor_axis_centre(items[i].box, a);
            low[a] = c < low[a] ? c : low[a];
            high[a] = c > high[a] ? c : high[a];
        }
    int best = 0;
    for (int a = 1; a < 3; a++)
        best = high[a] - low[a] > high[best] - low[best] ? a : best;
    if (!(high[best] > low[best]))
        return false;
    float values[BATCH];
    for (uint32_t i = 0; i < count; i++)
        values[i] = bw_anchor_axis_centre(items[i].box, best);
    sort_floats(values, count);
    uint32_t up = count / 2, down = count / 2;
    while (up < count && values[up] == values[0])
        up++;
    while (down > 0 && values[down - 1] == values[count / 2])
        down--;
    *axis = best;
    *plane = down > 0 ? values[down] : values[up];
    return true;
}

/* Coincident objects beyond a leaf's capacity: a node whose slots go by a hash. */
static bool split_hashed(bw_anchor_context *context, uint32_t leaf, const item *items)
{
    bw_anchor_tree *tree = context->tree;
    uint32_t parent = bw_anchor_leaf_at(tree, leaf)->parent, level = 0;
    if (parent != BW_ANCHOR_NO_PARENT && (bw_anchor_node_at(tree, parent >> 3)->axes & BW_ANCHOR_HASHED) != 0)
        level = BW_ANCHOR_HASH_LEVEL(bw_anchor_node_at(tree, parent >> 3)->axes) + 1;
    item sorted[BATCH];
    uint32_t starts[BW_ANCHOR_CHILDREN + 1];
    bw_anchor_node probe = {.axes = BW_ANCHOR_HASHED | level};
    uint32_t used = 0;
    for (;;) {
        uint32_t count = 0;
        used = 0;
        for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++) {
            starts[slot] = count;
            for (uint32_t i = 0; i < BATCH; i++)
                if (bw_anchor_route(&probe, NULL, bw_id_index(items[i].id)) == slot)
                    sorted[count++] = items[i];
            used += count > starts[slot];
        }
        starts[BW_ANCHOR_CHILDREN] = count;
        if (used > 1)
            break;
        probe.axes++; /* one slot takes all: indices that agree in these bits differ in lower ones */
    }
    if (!bw_anchor_reserve(tree, context->allocator, 1, used - 1))
        return false;
    uint32_t added = bw_anchor_take_node(tree);
    bw_anchor_node_at(tree, added)->axes = probe.axes;
    for (int a = 0; a < 3; a++)
        bw_anchor_node_at(tree, added)->plane[a] = bw_anchor_axis_centre(items[0].box, a);
    float box[6];
    bw_anchor_child_box(tree, parent, box);
    bw_anchor_attach(tree, parent, bw_anchor_ref_node(added), box);
    bool first = true;
    for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++) {
        uint32_t count = starts[slot + 1] - starts[slot];
        if (count == 0)
            continue;
        uint32_t to = first ? leaf : bw_anchor_take_leaf(tree);
        first = false;
        fill(context, to, sorted + starts[slot], count);
        const bw_anchor_leaf *l = bw_anchor_leaf_at(tree, to);
        bw_anchor_attach(tree, 8 * added + slot, bw_anchor_ref_leaf(to, count), l->box);
        refresh_cell(context, to);
    }
    bw_anchor_node_box(bw_anchor_node_at(tree, added), box);
    bw_anchor_raise(tree, parent, box);
    tree->splits++;
    rebalance(context, added);
    return true;
}

/* A full leaf and one more. False: no memory, nothing changed. */
static bool split(bw_anchor_context *context, uint32_t leaf, const float box[6], bw_id id)
{
    bw_anchor_tree *tree = context->tree;
    item items[BATCH];
    const bw_anchor_leaf *full = bw_anchor_leaf_at(tree, leaf);
    for (uint32_t i = 0; i < BW_ANCHOR_LEAF_CAPACITY; i++) {
        memcpy(items[i].box, full->boxes[i], sizeof items[i].box);
        items[i].id = full->ids[i];
    }
    memcpy(items[BATCH - 1].box, box, sizeof items[0].box);
    items[BATCH - 1].id = id;
    int axis;
    float plane;
    if (!choose_plane(items, BATCH, &axis, &plane))
        return split_hashed(context, leaf, items);
    if (!bw_anchor_reserve(tree, context->allocator, 1, 1))
        return false;
    item left[BATCH], right[BATCH];
    uint32_t lefts = 0, rights = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        if (bw_anchor_axis_centre(items[i].box, axis) < plane)
            left[lefts++] = items[i];
        else
            right[rights++] = items[i];
    }
    uint32_t other = bw_anchor_take_leaf(tree);
    fill(context, leaf, left, lefts);
    fill(context, other, right, rights);
    uint32_t added = fork(tree, bw_anchor_leaf_at(tree, leaf)->parent, axis, plane,
                          bw_anchor_ref_leaf(leaf, lefts), bw_anchor_leaf_at(tree, leaf)->box,
                          bw_anchor_ref_leaf(other, rights), bw_anchor_leaf_at(tree, other)->box);
    refresh_cell(context, leaf);
    refresh_cell(context, other);
    tree->splits++;
    if (added != BW_ANCHOR_FREE)
        rebalance(context, added);
    return true;
}

/* ---- inserting ---- */

static bool insert_alone(bw_anchor_context *context, uint32_t parent, const float box[6], bw_id id)
{
    if (!bw_anchor_reserve(context->tree, context->allocator, 0, 1))
        return false;
    uint32_t leaf = bw_anchor_take_leaf(context->tree);
    append(context, leaf, box, id);
    float nothing[6];
    bw_anchor_box_clear(nothing);
    bw_anchor_attach(context->tree, parent, bw_anchor_ref_leaf(leaf, 1), nothing);
    bw_anchor_raise(context->tree, parent, box);
    refresh_cell(context, leaf);
    return true;
}

/* The object's centre is not that of the coincident objects below the node here: a plane between them. */
static bool insert_beside(bw_anchor_context *context, uint32_t parent, const float centre[3],
                          const float box[6], bw_id id)
{
    bw_anchor_tree *tree = context->tree;
    if (!bw_anchor_reserve(tree, context->allocator, 1, 1))
        return false;
    uint32_t leaf = bw_anchor_take_leaf(tree);
    append(context, leaf, box, id);
    bw_anchor_ref theirs = bw_anchor_child(tree, parent), ours = bw_anchor_ref_leaf(leaf, 1);
    const float *point = bw_anchor_node_at(tree, bw_anchor_node_of(theirs))->plane;
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = fabsf(centre[a] - point[a]) > fabsf(centre[axis] - point[axis]) ? a : axis;
    bool below = centre[axis] < point[axis];
    float plane = below ? point[axis] : centre[axis];
    float their_box[6];
    bw_anchor_child_box(tree, parent, their_box);
    uint32_t added = below ? fork(tree, parent, axis, plane, ours, box, theirs, their_box)
                           : fork(tree, parent, axis, plane, theirs, their_box, ours, box);
    refresh_cell(context, leaf);
    if (added != BW_ANCHOR_FREE)
        rebalance(context, added);
    return true;
}

bool bw_anchor_insert(bw_anchor_context *context, const float box[6], bw_id id)
{
    bw_anchor_tree *tree = context->tree;
    float centre[3];
    bw_anchor_centre(box, centre);
    uint32_t parent = BW_ANCHOR_NO_PARENT;
    bw_anchor_ref ref = tree->root;
    while (ref != 0 && !bw_anchor_is_leaf(ref)) {
        const bw_anchor_node *node = bw_anchor_node_at(tree, bw_anchor_node_of(ref));
        if ((node->axes & BW_ANCHOR_HASHED) != 0 &&
            (node->plane[0] != centre[0] || node->plane[1] != centre[1] || node->plane[2] != centre[2])) {
            if (!insert_beside(context, parent, centre, box, id))
                return false;
            tree->objects++;
            return true;
        }
        parent = 8 * bw_anchor_node_of(ref) + bw_anchor_route(node, centre, bw_id_index(id));
        ref = bw_anchor_child(tree, parent);
    }
    if (ref == 0) {
        if (!insert_alone(context, parent, box, id))
            return false;
    } else if (bw_anchor_count_of(ref) == BW_ANCHOR_LEAF_CAPACITY) {
        if (!split(context, bw_anchor_leaf_of(ref), box, id))
            return false;
    } else {
        uint32_t index = bw_anchor_leaf_of(ref);
        append(context, index, box, id);
        bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, index);
        bw_anchor_recount(tree, leaf, index);
        bw_anchor_raise(tree, parent, leaf->box);
    }
    tree->objects++;
    return true;
}

/* ---- removing ---- */

/* Takes an empty place away: the node with it if that is now empty, or makes its only child take its place.
 */
static void close_up(bw_anchor_tree *tree, uint32_t parent)
{
    float box[6];
    while (parent != BW_ANCHOR_NO_PARENT) {
        uint32_t home = parent >> 3, children = 0, last = 0;
        bw_anchor_node *node = bw_anchor_node_at(tree, home);
        for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++)
            if (node->child[slot] != 0) {
                children++;
                last = slot;
            }
        uint32_t above = tree->parents[home];
        if (children > 1) {
            bw_anchor_node_box(node, box);
            bw_anchor_raise(tree, above, box);
            return;
        }
        bw_anchor_ref ref = children == 0 ? 0 : node->child[last];
        float own[6];
        bw_anchor_child_box(tree, 8 * home + last, own);
        bw_anchor_child_box(tree, above, box);
        bw_anchor_give_node(tree, home);
        bw_anchor_attach(tree, above, ref, box);
        tree->merges++;
        if (children == 1) {
            bw_anchor_raise(tree, above, own);
            return;
        }
        bw_anchor_box_clear(box);
        bw_anchor_attach(tree, above, 0, box);
        parent = above;
    }
}

/* The slot of the sibling leaf that a sparse leaf may join, or BW_ANCHOR_FREE. */
static uint32_t sibling_leaf(const bw_anchor_tree *tree, uint32_t parent)
{
    const bw_anchor_node *node = bw_anchor_node_at(tree, parent >> 3);
    if ((node->axes & BW_ANCHOR_HASHED) != 0)
        return BW_ANCHOR_FREE;
    uint32_t position = bw_anchor_position(node, parent & 7u);
    if (position == 1)
        return BW_ANCHOR_FREE;
    uint32_t slot = bw_anchor_first_slot(position ^ 1u);
    bw_anchor_ref ref = node->child[slot];
    bool single = (position ^ 1u) >= 8 || node->plane[(position ^ 1u) - 1] == INFINITY;
    return single && ref != 0 && bw_anchor_is_leaf(ref) ? slot : BW_ANCHOR_FREE;
}

static void join(bw_anchor_context *context, uint32_t index)
{
    bw_anchor_tree *tree = context->tree;
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, index);
    if (leaf->parent == BW_ANCHOR_NO_PARENT)
        return;
    uint32_t home = leaf->parent >> 3, slot = leaf->parent & 7u,
             other_slot = sibling_leaf(tree, leaf->parent);
    if (other_slot == BW_ANCHOR_FREE)
        return;
    bw_anchor_node *node = bw_anchor_node_at(tree, home);
    uint32_t other = bw_anchor_leaf_of(node->child[other_slot]);
    bw_anchor_leaf *sibling = bw_anchor_leaf_at(tree, other);
    if (leaf->count + sibling->count > JOINED)
        return;
    for (uint32_t i = 0; i < leaf->count; i++)
        append(context, other, leaf->boxes[i], leaf->ids[i]);
    bw_anchor_give_leaf(tree, index);
    uint32_t position = bw_anchor_position(node, slot) / 2, first = bw_anchor_first_slot(position);
    float nothing[6], box[6];
    bw_anchor_box_clear(nothing);
    bw_anchor_attach(tree, 8 * home + slot, 0, nothing);
    bw_anchor_attach(tree, 8 * home + other_slot, 0, nothing);
    node->plane[position - 1] = INFINITY;
    memcpy(box, sibling->box, sizeof box);
    bw_anchor_attach(tree, 8 * home + first, bw_anchor_ref_leaf(other, sibling->count), box);
    tree->merges++;
    refresh_cell(context, other);
    close_up(tree, 8 * home + first);
}

void bw_anchor_remove(bw_anchor_context *context, uint32_t where)
{
    bw_anchor_tree *tree = context->tree;
    uint32_t index = where >> 5, slot = where & 31u;
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, index);
    uint32_t last = leaf->count - 1;
    for (int i = 0; i < 6; i++)
        if (leaf->boxes[slot][i] <= leaf->box[i]) {
            leaf->shrinks++;
            break;
        }
    if (slot != last) {
        memcpy(leaf->boxes[slot], leaf->boxes[last], sizeof leaf->boxes[0]);
        leaf->ids[slot] = leaf->ids[last];
        place(context, leaf->ids[slot], index, slot);
    }
    leaf->count = last;
    tree->objects--;
    if (last == 0) {
        uint32_t parent = leaf->parent;
        float nothing[6];
        bw_anchor_box_clear(nothing);
        bw_anchor_give_leaf(tree, index);
        bw_anchor_attach(tree, parent, 0, nothing);
        close_up(tree, parent);
        return;
    }
    bw_anchor_recount(tree, leaf, index);
    if (leaf->shrinks >= SHRINKS) {
        leaf->shrinks = 0;
        bw_anchor_leaf_box(leaf, leaf->box);
        bw_anchor_raise(tree, leaf->parent, leaf->box);
    }
    if (last < SPARSE)
        join(context, index);
}

/* ---- giving memory back ---- */

static bool leaf_used(const bw_anchor_tree *tree, uint32_t index)
{
    return bw_anchor_leaf_at(tree, index)->count != BW_ANCHOR_FREE;
}

static bool node_used(const bw_anchor_tree *tree, uint32_t index)
{
    return tree->parents[index] != BW_ANCHOR_FREE_NODE;
}

static void carry_leaf(bw_anchor_context *context, uint32_t from, uint32_t to)
{
    bw_anchor_tree *tree = context->tree;
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, to);
    memcpy(leaf, bw_anchor_leaf_at(tree, from), sizeof *leaf);
    bw_anchor_leaf_at(tree, from)->count = BW_ANCHOR_FREE;
    for (uint32_t i = 0; i < leaf->count; i++)
        place(context, leaf->ids[i], to, i);
    bw_anchor_recount(tree, leaf, to);
}

static void carry_node(bw_anchor_tree *tree, uint32_t from, uint32_t to)
{
    bw_anchor_node *node = bw_anchor_node_at(tree, to);
    memcpy(node, bw_anchor_node_at(tree, from), sizeof *node);
    uint32_t parent = tree->parents[to] = tree->parents[from];
    tree->parents[from] = BW_ANCHOR_FREE_NODE;
    if (parent == BW_ANCHOR_NO_PARENT)
        tree->root = bw_anchor_ref_node(to);
    else
        bw_anchor_node_at(tree, parent >> 3)->child[parent & 7u] = bw_anchor_ref_node(to);
    for (uint32_t slot = 0; slot < BW_ANCHOR_CHILDREN; slot++) {
        bw_anchor_ref ref = node->child[slot];
        if (ref == 0)
            continue;
        if (bw_anchor_is_leaf(ref))
            bw_anchor_leaf_at(tree, bw_anchor_leaf_of(ref))->parent = 8 * to + slot;
        else
            tree->parents[bw_anchor_node_of(ref)] = 8 * to + slot;
    }
}

void bw_anchor_compact(bw_anchor_context *context)
{
    bw_anchor_tree *tree = context->tree;
    if (tree->leaves.free_count > 64 + tree->leaves.end / 4) {
        uint32_t low = 0, high = tree->leaves.end;
        for (uint32_t used = bw_slab_live(&tree->leaves); high > used;) {
            if (!leaf_used(tree, high - 1)) {
                high--;
                continue;
            }
            while (leaf_used(tree, low))
                low++;
            carry_leaf(context, high - 1, low);
        }
        bw_slab_cut(&tree->leaves, context->allocator, high);
    }
    if (tree->nodes.free_count > 64 + tree->nodes.end / 4) {
        uint32_t low = 0, high = tree->nodes.end;
        for (uint32_t used = bw_slab_live(&tree->nodes); high > used;) {
            if (!node_used(tree, high - 1)) {
                high--;
                continue;
            }
            while (node_used(tree, low))
                low++;
            carry_node(tree, high - 1, low);
        }
        bw_slab_cut(&tree->nodes, context->allocator, high);
    }
}
