/* Insertion, one at a time: a full leaf splits at the median of its centres. */
#include "scene/modern/modern.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BATCH = BW_MODERN_LEAF_CAPACITY + 1 };

typedef struct item {
    float box[6];
    bw_id id;
} item;

static void fill(bw_modern_tree *tree, uint32_t leaf, const item *items, uint32_t count)
{
    bw_modern_leaf *l = bw_modern_leaf_at(tree, leaf);
    l->count = l->shrinks = l->changes = 0;
    bw_packed_clear(l->box);
    for (uint32_t i = 0; i < count; i++)
        bw_modern_append(tree, leaf, items[i].box, items[i].id);
}

/* Two children where there was one; a node must be reserved. Returns the node that was added, or
 * BW_MODERN_FREE. The boxes above are brought up to date. */
static uint32_t fork_leaf(bw_modern_tree *tree, uint32_t parent, int axis, float plane, bw_node_ref left,
                          const float left_box[6], bw_node_ref right, const float right_box[6])
{
    uint32_t added = BW_MODERN_FREE, position = 8, home = 0;
    if (parent != BW_MODERN_NO_PARENT) {
        home = parent >> 3;
        position = bw_modern_position(bw_modern_node_at(tree, home), parent & 7u);
    }
    float both[6];
    memcpy(both, left_box, sizeof both);
    bw_packed_grow(both, right_box);
    if (position >= 8) {
        added = home = bw_modern_take_node(tree);
        position = 1;
        /* The slot keeps its old box, so that the change is seen on the way up. */
        float old[6];
        bw_modern_child_box(tree, parent, old);
        bw_modern_attach(tree, parent, bw_modern_ref_node(added), old);
    }
    bw_modern_node *node = bw_modern_node_at(tree, home);
    node->plane[position - 1] = plane;
    node->axes = (node->axes & ~(3u << (2 * (position - 1)))) | (uint32_t)axis << (2 * (position - 1));
    bw_modern_attach(tree, 8 * home + bw_modern_first_slot(2 * position), left, left_box);
    bw_modern_attach(tree, 8 * home + bw_modern_first_slot(2 * position + 1), right, right_box);
    bw_modern_node_box(node, both);
    bw_modern_raise(tree, tree->links[home].parent, both);
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
            float c = bw_modern_axis_centre(items[i].box, a);
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
        values[i] = bw_modern_axis_centre(items[i].box, best);
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
static bool split_hashed(bw_modern_tree *tree, uint32_t leaf, const item *items)
{
    uint32_t parent = bw_modern_leaf_at(tree, leaf)->parent, level = 0;
    if (parent != BW_MODERN_NO_PARENT && (bw_modern_node_at(tree, parent >> 3)->axes & BW_MODERN_HASHED) != 0)
        level = BW_MODERN_HASH_LEVEL(bw_modern_node_at(tree, parent >> 3)->axes) + 1;
    item sorted[BATCH];
    uint32_t starts[BW_MODERN_CHILDREN + 1];
    bw_modern_node probe = {.axes = BW_MODERN_HASHED | level};
    uint32_t used = 0;
    for (;;) {
        uint32_t count = 0;
        used = 0;
        for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
            starts[slot] = count;
            for (uint32_t i = 0; i < BATCH; i++)
                if (bw_modern_route_hashed(&probe, bw_id_index(items[i].id)) == slot)
                    sorted[count++] = items[i];
            used += count > starts[slot];
        }
        starts[BW_MODERN_CHILDREN] = count;
        if (used > 1)
            break;
        probe.axes++; /* one slot takes all: indices that agree in these bits differ in lower ones */
    }
    if (!bw_modern_reserve(tree, 1, used - 1))
        return false;
    uint32_t added = bw_modern_take_node(tree);
    bw_modern_node_at(tree, added)->axes = probe.axes;
    tree->links[added].credit = BW_MODERN_UNLIMITED;
    for (int a = 0; a < 3; a++)
        bw_modern_node_at(tree, added)->plane[a] = bw_modern_axis_centre(items[0].box, a);
    float box[6];
    bw_modern_child_box(tree, parent, box);
    bw_modern_attach(tree, parent, bw_modern_ref_node(added), box);
    bool first = true;
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        uint32_t count = starts[slot + 1] - starts[slot];
        if (count == 0)
            continue;
        uint32_t to = first ? leaf : bw_modern_take_leaf(tree);
        first = false;
        fill(tree, to, sorted + starts[slot], count);
        const bw_modern_leaf *l = bw_modern_leaf_at(tree, to);
        bw_modern_attach(tree, 8 * added + slot, bw_modern_ref_leaf(to, count), l->box);
        bw_modern_refresh_cell(tree, to);
    }
    bw_modern_node_box(bw_modern_node_at(tree, added), box);
    bw_modern_raise(tree, parent, box);
    tree->base.splits++;
    bw_modern_added(tree, added);
    return true;
}

/* A full leaf and one more. False: no memory, nothing changed. */
static bool split(bw_modern_tree *tree, uint32_t leaf, const float box[6], bw_id id)
{
    item items[BATCH];
    const bw_modern_leaf *full = bw_modern_leaf_at(tree, leaf);
    for (uint32_t i = 0; i < BW_MODERN_LEAF_CAPACITY; i++) {
        memcpy(items[i].box, full->boxes[i], sizeof items[i].box);
        items[i].id = full->ids[i];
    }
    memcpy(items[BATCH - 1].box, box, sizeof items[0].box);
    items[BATCH - 1].id = id;
    int axis;
    float plane;
    if (!choose_plane(items, BATCH, &axis, &plane))
        return split_hashed(tree, leaf, items);
    if (!bw_modern_reserve(tree, 1, 1))
        return false;
    item left[BATCH], right[BATCH];
    uint32_t lefts = 0, rights = 0;
    for (uint32_t i = 0; i < BATCH; i++) {
        if (bw_modern_axis_centre(items[i].box, axis) < plane)
            left[lefts++] = items[i];
        else
            right[rights++] = items[i];
    }
    uint32_t other = bw_modern_take_leaf(tree);
    fill(tree, leaf, left, lefts);
    fill(tree, other, right, rights);
    uint32_t added = fork_leaf(tree, bw_modern_leaf_at(tree, leaf)->parent, axis, plane,
                               bw_modern_ref_leaf(leaf, lefts), bw_modern_leaf_at(tree, leaf)->box,
                               bw_modern_ref_leaf(other, rights), bw_modern_leaf_at(tree, other)->box);
    bw_modern_refresh_cell(tree, leaf);
    bw_modern_refresh_cell(tree, other);
    tree->base.splits++;
    if (added != BW_MODERN_FREE)
        bw_modern_added(tree, added);
    return true;
}

/* ---- inserting ---- */

static bool insert_alone(bw_modern_tree *tree, uint32_t parent, const float box[6], bw_id id)
{
    if (!bw_modern_reserve(tree, 0, 1))
        return false;
    uint32_t leaf = bw_modern_take_leaf(tree);
    bw_modern_append(tree, leaf, box, id);
    float nothing[6];
    bw_packed_clear(nothing);
    bw_modern_attach(tree, parent, bw_modern_ref_leaf(leaf, 1), nothing);
    bw_modern_raise(tree, parent, box);
    bw_modern_refresh_cell(tree, leaf);
    return true;
}

/* The object's centre is not that of the coincident objects below the node here: a plane between them. */
static bool insert_beside(bw_modern_tree *tree, uint32_t parent, const float centre[3], const float box[6],
                          bw_id id)
{
    if (!bw_modern_reserve(tree, 1, 1))
        return false;
    uint32_t leaf = bw_modern_take_leaf(tree);
    bw_modern_append(tree, leaf, box, id);
    bw_node_ref theirs = bw_modern_child(tree, parent), ours = bw_modern_ref_leaf(leaf, 1);
    const float *point = bw_modern_node_at(tree, bw_modern_node_of(theirs))->plane;
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = fabsf(centre[a] - point[a]) > fabsf(centre[axis] - point[axis]) ? a : axis;
    bool below = centre[axis] < point[axis];
    float plane = below ? point[axis] : centre[axis];
    float their_box[6];
    bw_modern_child_box(tree, parent, their_box);
    uint32_t added = below ? fork_leaf(tree, parent, axis, plane, ours, box, theirs, their_box)
                           : fork_leaf(tree, parent, axis, plane, theirs, their_box, ours, box);
    bw_modern_refresh_cell(tree, leaf);
    if (added != BW_MODERN_FREE)
        bw_modern_added(tree, added);
    return true;
}

bool bw_modern_insert(bw_scene_tree *base, const float box[6], bw_id id)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    float centre[3];
    bw_modern_centre(box, centre);
    uint32_t parent = BW_MODERN_NO_PARENT;
    bw_node_ref ref = tree->root;
    while (ref != 0 && !bw_modern_is_leaf(ref)) {
        const bw_modern_node *node = bw_modern_node_at(tree, bw_modern_node_of(ref));
        if ((node->axes & BW_MODERN_HASHED) != 0 &&
            (node->plane[0] != centre[0] || node->plane[1] != centre[1] || node->plane[2] != centre[2])) {
            if (!insert_beside(tree, parent, centre, box, id))
                return false;
            tree->base.objects++;
            return true;
        }
        parent = 8 * bw_modern_node_of(ref) + bw_modern_route(node, centre, bw_id_index(id));
        ref = bw_modern_child(tree, parent);
    }
    if (ref == 0) {
        if (!insert_alone(tree, parent, box, id))
            return false;
    } else if (bw_modern_count_of(ref) == BW_MODERN_LEAF_CAPACITY) {
        if (!split(tree, bw_modern_leaf_of(ref), box, id))
            return false;
    } else {
        uint32_t index = bw_modern_leaf_of(ref);
        bw_modern_append(tree, index, box, id);
        bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
        bw_modern_recount(tree, leaf, index);
        bw_modern_raise(tree, parent, leaf->box);
    }
    tree->base.objects++;
    return true;
}
