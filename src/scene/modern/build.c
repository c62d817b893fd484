/* Building from many objects at once, top-down: every plane halves its objects by count across the axis along
 * which their centres spread most. Large sets take the quantile of a sample, small ones the true one. */
#include "scene/modern/modern.h"
#include "scene/modern/split.h"

#include <math.h>
#include <string.h>

enum { FEW = 256 };
/* Objects that a leaf takes when it must, and objects below a node that are planned for: less, since samples
 * err. */
enum { LEAF_MOST = 24, NODE_MOST = BW_MODERN_CHILDREN * LEAF_MOST, NODE_PLANNED = 168 };

typedef struct builder {
    bw_modern_tree *tree;
    const bw_box *boxes;
    bw_id_list ids;
    bw_centre_key *keys;
    bool failed;
} builder;

static bw_node_ref build_leaf(builder *b, const bw_centre_key *keys, uint32_t count, const float cell[6],
                              float box[6])
{
    if (!bw_modern_reserve(b->tree, 0, 1)) {
        b->failed = true;
        return 0;
    }
    uint32_t index = bw_modern_take_leaf(b->tree);
    bw_modern_leaf *leaf = bw_modern_leaf_at(b->tree, index);
    v4 low = v4_all(INFINITY), high = low;
    for (uint32_t i = 0; i < count; i++) {
        const bw_box *from = &b->boxes[keys[i].item];
        const v4 first = v4_load(from->min), last = v4_load(from->min + 2); /* x y z X, z X Y Z */
        const v4 negated = -V4_SHUFFLE(last, last, 1, 2, 3, 0);
        low = v4_min(first, low);
        high = v4_min(negated, high);
        v4_store_box(leaf->boxes[i], first, negated);
        leaf->ids[i] = bw_id_at(&b->ids, keys[i].item);
    }
    v4_store_box(leaf->box, low, high);
    leaf->count = count;
    bw_modern_widen(leaf, cell);
    memcpy(box, leaf->box, sizeof leaf->box);
    return bw_modern_ref_leaf(index, count);
}

static uint32_t new_node(builder *b)
{
    if (bw_modern_reserve(b->tree, 1, 0))
        return bw_modern_take_node(b->tree);
    b->failed = true;
    return BW_MODERN_FREE;
}

static bw_node_ref build(builder *b, bw_centre_key *keys, uint32_t count, const bw_centre_range *r,
                         const float cell[6], float box[6]);

static bool one_slot(const builder *b, const bw_centre_key *keys, uint32_t count, uint32_t level)
{
    const bw_modern_node probe = {.axes = BW_MODERN_HASHED | level};
    uint32_t slot = bw_modern_route_hashed(&probe, bw_id_index(bw_id_at(&b->ids, keys[0].item))), same = 1;
    while (same < count &&
           bw_modern_route_hashed(&probe, bw_id_index(bw_id_at(&b->ids, keys[same].item))) == slot)
        same++;
    return same == count;
}

/* Coincident objects that no leaf holds. */
static bw_node_ref build_hashed(builder *b, bw_centre_key *keys, uint32_t count, uint32_t level,
                                const float cell[6], float box[6])
{
    if (count <= BW_MODERN_LEAF_CAPACITY)
        return build_leaf(b, keys, count, cell, box);
    /* Indices that agree in these bits differ in lower ones. */
    while (one_slot(b, keys, count, level))
        level++;
    uint32_t index = new_node(b);
    if (index == BW_MODERN_FREE)
        return 0;
    bw_modern_node *node = bw_modern_node_at(b->tree, index);
    node->axes = BW_MODERN_HASHED | level;
    memcpy(node->plane, keys[0].centre, sizeof keys[0].centre);
    bw_modern_node probe = *node;
    uint32_t begin = 0;
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        uint32_t end = begin;
        for (uint32_t i = begin; i < count; i++)
            if (bw_modern_route_hashed(&probe, bw_id_index(bw_id_at(&b->ids, keys[i].item))) == slot) {
                bw_centre_key k = keys[i];
                keys[i] = keys[end];
                keys[end++] = k;
            }
        if (end > begin) {
            float child_box[6];
            bw_node_ref child = build_hashed(b, keys + begin, end - begin, level + 1, cell, child_box);
            if (b->failed)
                break;
            bw_modern_attach(b->tree, 8 * index + slot, child, child_box);
        }
        begin = end;
    }
    if (b->failed) {
        bw_modern_give_below(b->tree, bw_modern_ref_node(index));
        return 0;
    }
    b->tree->links[index].credit = BW_MODERN_UNLIMITED;
    bw_modern_node_box(bw_modern_node_at(b->tree, index), box);
    return bw_modern_ref_node(index);
}

/* The range of keys for so many children. That of a leaf is not looked at. */
static bw_centre_range range_below(const bw_centre_key *keys, uint32_t count, uint32_t children)
{
    if (children == 1 && count <= LEAF_MOST)
        return (bw_centre_range){{0}, {0}};
    return bw_centre_range_of(keys, count);
}

/* Spreads the keys over so many children below one position of a node. */
static void spread(builder *b, uint32_t node, uint32_t position, uint32_t children, bw_centre_key *keys,
                   uint32_t count, const bw_centre_range *r, const float cell[6])
{
    int axis = bw_centre_widest(r);
    if (children == 1 || !(r->high[axis] > r->low[axis])) {
        float box[6];
        bw_node_ref child = build(b, keys, count, r, cell, box);
        if (!b->failed)
            bw_modern_attach(b->tree, 8 * node + bw_modern_first_slot(position), child, box);
        return;
    }
    uint32_t lefts = children / 2;
    float plane = bw_centre_plane(keys, count, axis, (uint32_t)((uint64_t)count * lefts / children), r);
    uint32_t left = bw_centre_partition(keys, count, axis, plane);
    bw_modern_node *n = bw_modern_node_at(b->tree, node);
    n->plane[position - 1] = plane;
    n->axes |= (uint32_t)axis << (2 * (position - 1));
    float part[6];
    memcpy(part, cell, sizeof part);
    part[axis + 3] = part[axis + 3] > -plane ? part[axis + 3] : -plane;
    bw_centre_range side = range_below(keys, left, lefts);
    spread(b, node, 2 * position, lefts, keys, left, &side, part);
    if (b->failed)
        return;
    memcpy(part, cell, sizeof part);
    part[axis] = part[axis] > plane ? part[axis] : plane;
    side = range_below(keys + left, count - left, children - lefts);
    spread(b, node, 2 * position + 1, children - lefts, keys + left, count - left, &side, part);
}

static bw_node_ref build(builder *b, bw_centre_key *keys, uint32_t count, const bw_centre_range *r,
                         const float cell[6], float box[6])
{
    int axis = bw_centre_widest(r);
    if (!(r->high[axis] > r->low[axis]) && count > BW_MODERN_LEAF_CAPACITY) {
        float point[6];
        for (int a = 0; a < 3; a++) {
            point[a] = keys[0].centre[a];
            point[a + 3] = -keys[0].centre[a];
        }
        return build_hashed(b, keys, count, 0, point, box);
    }
    if (count <= LEAF_MOST || !(r->high[axis] > r->low[axis]))
        return build_leaf(b, keys, count, cell, box);
    /* As few levels as can hold them, and the objects shared evenly among the children. */
    uint32_t children;
    if (count <= NODE_MOST) {
        for (uint32_t i = 0; i < count; i++) { /* while planes are chosen */
            const char *from = (const char *)&b->boxes[keys[i].item];
            __builtin_prefetch(from);
            __builtin_prefetch(from + sizeof *b->boxes - 1);
            if (b->ids.ids != NULL)
                __builtin_prefetch(&b->ids.ids[keys[i].item]);
        }
        children = (count + BW_MODERN_LEAF_FILL - 1) / BW_MODERN_LEAF_FILL;
        children = children < BW_MODERN_CHILDREN ? children : BW_MODERN_CHILDREN;
    } else {
        uint64_t each = NODE_PLANNED;
        while (each * BW_MODERN_CHILDREN < count)
            each *= BW_MODERN_CHILDREN;
        children = (uint32_t)((count + each - 1) / each);
        children = children < 2 ? 2 : children;
    }
    uint32_t index = new_node(b);
    if (index == BW_MODERN_FREE)
        return 0;
    spread(b, index, 1, children, keys, count, r, cell);
    if (b->failed) {
        bw_modern_give_below(b->tree, bw_modern_ref_node(index));
        return 0;
    }
    b->tree->links[index].credit = bw_modern_credit(count);
    bw_modern_node_box(bw_modern_node_at(b->tree, index), box);
    return bw_modern_ref_node(index);
}

bw_node_ref bw_modern_build_subtree(bw_modern_tree *tree, const bw_box *boxes, bw_id_list ids, uint32_t count,
                                    const float cell[6], float box[6])
{
    bw_centre_key few[FEW];
    builder b = {tree, boxes, ids, few, false};
    if (count > FEW && (b.keys = bw_allocate(tree->base.allocator, count, sizeof *b.keys)) == NULL)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++)
            b.keys[i].centre[a] = boxes[i].min[a] + boxes[i].max[a];
        b.keys[i].item = i;
    }
    bw_centre_range r = bw_centre_range_of(b.keys, count);
    bw_node_ref ref = build(&b, b.keys, count, &r, cell, box);
    if (b.keys != few)
        bw_release(tree->base.allocator, b.keys, count, sizeof *b.keys);
    return b.failed ? 0 : ref;
}

/* Tells the table where all objects are. */
static void record_all(const bw_modern_tree *tree)
{
    enum { AHEAD = 4 }; /* leaves */
    for (uint32_t index = 0; index < tree->leaves.end; index++) {
        if (index + AHEAD < tree->leaves.end) {
            const bw_modern_leaf *next = bw_modern_leaf_at(tree, index + AHEAD);
            __builtin_prefetch(&next->count);
            for (uint32_t i = 0; i < BW_MODERN_LEAF_FILL; i += 8)
                __builtin_prefetch(&next->ids[i]);
        }
        if (bw_modern_leaf_at(tree, index)->count != BW_MODERN_FREE)
            bw_modern_record_leaf(tree, index);
    }
}

bool bw_modern_build(bw_scene_tree *base, const bw_box *boxes, bw_id_list ids, uint32_t count)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    float cell[6], box[6];
    for (int i = 0; i < 6; i++)
        cell[i] = -INFINITY;
    bw_node_ref ref = bw_modern_build_subtree(tree, boxes, ids, count, cell, box);
    if (ref == 0) {
        bw_modern_clear(base);
        return false;
    }
    bw_modern_attach(tree, BW_MODERN_NO_PARENT, ref, box);
    record_all(tree);
    tree->base.objects = count;
    tree->base.rebuilt++;
    return true;
}
