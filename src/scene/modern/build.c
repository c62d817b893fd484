/* Building from many objects at once, top-down: every plane halves its objects by count across the axis along
 * which their centres spread most. Large sets take the quantile of a sample, small ones the true one. */
#include "scene/modern/modern.h"

#include <math.h>
#include <string.h>

enum { SAMPLE = 1024, SAMPLED_ABOVE = 2048, FEW = 256 };
/* Objects that a leaf takes when it must, and objects below a node that are planned for: less, since samples
 * err. */
enum { LEAF_MOST = 24, NODE_MOST = BW_MODERN_CHILDREN * LEAF_MOST, NODE_PLANNED = 168 };

typedef struct key {
    float centre[3]; /* doubled */
    uint32_t item;
} key;

typedef struct builder {
    bw_modern_tree *tree;
    const bw_box *boxes;
    const bw_id *ids;
    key *keys;
    bool failed;
} builder;

typedef struct range {
    float low[3], high[3];
} range;

static range range_of(const key *keys, uint32_t count)
{
    range r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) {
            float c = keys[i].centre[a];
            r.low[a] = c < r.low[a] ? c : r.low[a];
            r.high[a] = c > r.high[a] ? c : r.high[a];
        }
    return r;
}

static int widest(const range *r)
{
    int best = 0;
    for (int a = 1; a < 3; a++)
        best = r->high[a] - r->low[a] > r->high[best] - r->low[best] ? a : best;
    return best;
}

/* The k-th smallest (Hoare); permutes the values. */
static float select_kth(float *values, uint32_t count, uint32_t k)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        float a = values[low], b = values[(low + high) / 2], c = values[high];
        float pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        uint32_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            float swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k];
}

/* A plane with about `wanted` of the keys below it and some on both sides. low < high on this axis. */
static float choose_plane(const key *keys, uint32_t count, int axis, uint32_t wanted, const range *r)
{
    float values[SAMPLED_ABOVE];
    float plane;
    if (count > SAMPLED_ABOVE) {
        uint64_t at = 0, step = ((uint64_t)count << 16) / SAMPLE;
        for (uint32_t i = 0; i < SAMPLE; i++, at += step)
            values[i] = keys[at >> 16].centre[axis];
        plane = select_kth(values, SAMPLE, (uint32_t)((uint64_t)SAMPLE * wanted / count));
    } else {
        for (uint32_t i = 0; i < count; i++)
            values[i] = keys[i].centre[axis];
        plane = select_kth(values, count, wanted);
    }
    if (plane > r->low[axis])
        return plane;
    /* At least half lie at the very bottom: the next value separates them. */
    plane = r->high[axis];
    for (uint32_t i = 0; i < count; i++) {
        float c = keys[i].centre[axis];
        plane = c > r->low[axis] && c < plane ? c : plane;
    }
    return plane;
}

static uint32_t partition(key *keys, uint32_t count, int axis, float plane)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        key k = keys[i];
        keys[i] = keys[left];
        keys[left] = k;
        left += k.centre[axis] < plane;
    }
    return left;
}

static bw_node_ref build_leaf(builder *b, const key *keys, uint32_t count, const float cell[6], float box[6])
{
    if (!bw_modern_reserve(b->tree, 0, 1)) {
        b->failed = true;
        return 0;
    }
    uint32_t index = bw_modern_take_leaf(b->tree);
    bw_modern_leaf *leaf = bw_modern_leaf_at(b->tree, index);
    for (uint32_t i = 0; i < count; i++) {
        __builtin_prefetch(&b->boxes[keys[i].item]);
        __builtin_prefetch(&b->ids[keys[i].item]);
    }
    for (uint32_t i = 0; i < count; i++) {
        bw_packed_of(&b->boxes[keys[i].item], leaf->boxes[i]);
        leaf->ids[i] = b->ids[keys[i].item];
        bw_packed_grow(leaf->box, leaf->boxes[i]);
    }
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

static bw_node_ref build(builder *b, key *keys, uint32_t count, const range *r, const float cell[6],
                         float box[6]);

static bool one_slot(const builder *b, const key *keys, uint32_t count, uint32_t level)
{
    const bw_modern_node probe = {.axes = BW_MODERN_HASHED | level};
    uint32_t slot = bw_modern_route_hashed(&probe, bw_id_index(b->ids[keys[0].item])), same = 1;
    while (same < count && bw_modern_route_hashed(&probe, bw_id_index(b->ids[keys[same].item])) == slot)
        same++;
    return same == count;
}

/* Coincident objects that no leaf holds. */
static bw_node_ref build_hashed(builder *b, key *keys, uint32_t count, uint32_t level, const float cell[6],
                                float box[6])
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
            if (bw_modern_route_hashed(&probe, bw_id_index(b->ids[keys[i].item])) == slot) {
                key k = keys[i];
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

/* Spreads the keys over so many children below one position of a node. */
static void spread(builder *b, uint32_t node, uint32_t position, uint32_t children, key *keys, uint32_t count,
                   const range *r, const float cell[6])
{
    int axis = widest(r);
    if (children == 1 || !(r->high[axis] > r->low[axis])) {
        float box[6];
        bw_node_ref child = build(b, keys, count, r, cell, box);
        if (!b->failed)
            bw_modern_attach(b->tree, 8 * node + bw_modern_first_slot(position), child, box);
        return;
    }
    uint32_t lefts = children / 2;
    float plane = choose_plane(keys, count, axis, (uint32_t)((uint64_t)count * lefts / children), r);
    uint32_t left = partition(keys, count, axis, plane);
    bw_modern_node *n = bw_modern_node_at(b->tree, node);
    n->plane[position - 1] = plane;
    n->axes |= (uint32_t)axis << (2 * (position - 1));
    float part[6];
    memcpy(part, cell, sizeof part);
    part[axis + 3] = part[axis + 3] > -plane ? part[axis + 3] : -plane;
    range side = range_of(keys, left);
    spread(b, node, 2 * position, lefts, keys, left, &side, part);
    if (b->failed)
        return;
    memcpy(part, cell, sizeof part);
    part[axis] = part[axis] > plane ? part[axis] : plane;
    side = range_of(keys + left, count - left);
    spread(b, node, 2 * position + 1, children - lefts, keys + left, count - left, &side, part);
}

static bw_node_ref build(builder *b, key *keys, uint32_t count, const range *r, const float cell[6],
                         float box[6])
{
    int axis = widest(r);
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

bw_node_ref bw_modern_build_subtree(bw_modern_tree *tree, const bw_box *boxes, const bw_id *ids,
                                    uint32_t count, const float cell[6], float box[6])
{
    key few[FEW];
    builder b = {tree, boxes, ids, few, false};
    if (count > FEW && (b.keys = bw_allocate(tree->base.allocator, count, sizeof *b.keys)) == NULL)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        float packed[6];
        bw_packed_of(&boxes[i], packed);
        bw_modern_centre(packed, b.keys[i].centre);
        b.keys[i].item = i;
    }
    range r = range_of(b.keys, count);
    bw_node_ref ref = build(&b, b.keys, count, &r, cell, box);
    if (b.keys != few)
        bw_release(tree->base.allocator, b.keys, count, sizeof *b.keys);
    return b.failed ? 0 : ref;
}

/* Tells the table where the objects of a subtree are now. */
static void record_below(const bw_modern_tree *tree, bw_node_ref ref)
{
    if (ref == 0)
        return;
    if (!bw_modern_is_leaf(ref)) {
        const bw_modern_node *node = bw_modern_node_at(tree, bw_modern_node_of(ref));
        for (int slot = 0; slot < BW_MODERN_CHILDREN; slot++)
            record_below(tree, node->child[slot]);
        return;
    }
    bw_modern_record_leaf(tree, bw_modern_leaf_of(ref));
}

bool bw_modern_build(bw_scene_tree *base, const bw_box *boxes, const bw_id *ids, uint32_t count)
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
    record_below(tree, ref);
    tree->base.objects = count;
    tree->base.rebuilt++;
    return true;
}
