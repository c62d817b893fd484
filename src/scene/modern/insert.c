/* Insertion, one at a time: a full leaf splits at the median of its centres. */
#include "scene/modern/modern.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BATCH = BW_ANCHOR_LEAF_CAPACITY + 1 };

typedef struct item {
    float box[6];
    bw_id id;
} item;

static void fill(bw_anchor_context *context, uint32_t leaf, const item *items, uint32_t count)
{
    bw_anchor_leaf *l = bw_anchor_leaf_at(context->tree, leaf);
    l->count = l->shrinks = l->wear = 0;
    bw_anchor_box_clear(l->box);
    for (uint32_t i = 0; i < count; i++)
        bw_anchor_append(context, leaf, items[i].box, items[i].id);
}

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
    bw_anchor_raise(tree, tree->links[home].parent, both);
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
                if (bw_anchor_route_hashed(&probe, bw_id_index(items[i].id)) == slot)
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
    tree->links[added].credit = BW_ANCHOR_UNLIMITED;
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
        bw_anchor_refresh_cell(context, to);
    }
    bw_anchor_node_box(bw_anchor_node_at(tree, added), box);
    bw_anchor_raise(tree, parent, box);
    tree->splits++;
    bw_anchor_added(context, added);
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
    bw_anchor_refresh_cell(context, leaf);
    bw_anchor_refresh_cell(context, other);
    tree->splits++;
    if (added != BW_ANCHOR_FREE)
        bw_anchor_added(context, added);
    return true;
}

/* ---- inserting ---- */

static bool insert_alone(bw_anchor_context *context, uint32_t parent, const float box[6], bw_id id)
{
    if (!bw_anchor_reserve(context->tree, context->allocator, 0, 1))
        return false;
    uint32_t leaf = bw_anchor_take_leaf(context->tree);
    bw_anchor_append(context, leaf, box, id);
    float nothing[6];
    bw_anchor_box_clear(nothing);
    bw_anchor_attach(context->tree, parent, bw_anchor_ref_leaf(leaf, 1), nothing);
    bw_anchor_raise(context->tree, parent, box);
    bw_anchor_refresh_cell(context, leaf);
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
    bw_anchor_append(context, leaf, box, id);
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
    bw_anchor_refresh_cell(context, leaf);
    if (added != BW_ANCHOR_FREE)
        bw_anchor_added(context, added);
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
        bw_anchor_append(context, index, box, id);
        bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, index);
        bw_anchor_recount(tree, leaf, index);
        bw_anchor_raise(tree, parent, leaf->box);
    }
    tree->objects++;
    return true;
}
