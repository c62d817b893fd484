/* Building from many objects at once, top-down: every plane halves its objects by count across the axis along
 * which their centres spread most. Large sets take the quantile of a sample, small ones the true one.
 *
 * First the tree is planned: keys are partitioned, and nodes and leaves listed in the order in which they are met. The plan is cut
 * into parts of some thousand objects that threads make side by side. Then all blocks are taken, in the same order whoever planned them,
 * and filled, again side by side. So the tree is the same for any number of threads, and no step but the first needs memory
 * that could be missing. */
#include "base/tasks.h"
#include "scene/modern/modern.h"
#include "scene/modern/split.h"

#include <math.h>
#include <string.h>

enum { FEW = 256 };
/* Objects that a leaf takes when it must, and objects below a node that are planned for: less, since samples
 * err. */
enum { LEAF_MOST = 24, NODE_MOST = BW_MODERN_CHILDREN * LEAF_MOST, NODE_PLANNED = 168 };
/* Objects of a part of the plan. */
enum { PART_MOST = 4096 };

typedef struct leaf_plan {
    uint32_t first, count; /* keys, from the first of the part on */
    uint32_t parent;       /* 8 * node of the part + slot; BW_MODERN_NO_PARENT: the part is this leaf */
    float cell[6];
} leaf_plan;

typedef struct node_plan {
    uint32_t parent, objects, axes;
    float plane[7];
} node_plan;

/* Some of the tree: in the order in which a recursion meets them. */
typedef struct part {
    bw_centre_key *keys;
    uint32_t count;
    uint32_t parent; /* of its root: 8 * node of the top + slot, or BW_MODERN_NO_PARENT */
    bw_centre_range range;
    float cell[6];
    uint32_t node_before; /* of the top: this part comes right before it */
    node_plan *nodes;
    leaf_plan *leaves;
    uint32_t node_count, node_room, leaf_count, leaf_room;
    uint32_t first_node, first_leaf; /* of builder.node_ids, builder.leaf_ids */
    bw_node_ref root;                /* when it is filled */
    float box[6];
    bool failed;
} part;

typedef struct builder {
    bw_modern_tree *tree;
    const bw_tasks *tasks;
    const bw_box *boxes;
    bw_id_list ids;
    part *parts; /* NULL: what is planned now is one */
    uint32_t part_count, part_room;
    uint32_t *node_ids, *leaf_ids; /* blocks, in the order of the plan */
    uint32_t *top_ids;             /* of the top's nodes: their blocks */
} builder;

/* ---- planning ---- */

/* Room for one more of an array that doubles. */
static bool grow(const bw_allocator *allocator, void **array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return true;
    uint32_t wider = *room == 0 ? 32 : 2 * *room;
    void *block = bw_allocate(allocator, wider, size);
    if (block == NULL)
        return false;
    if (count > 0)
        memcpy(block, *array, count * size);
    bw_release(allocator, *array, *room, size);
    *array = block;
    *room = wider;
    return true;
}

typedef struct planner {
    builder *b;
    part *p;
    bool top; /* it makes parts out of what is small */
} planner;

static void plan(planner *l, bw_centre_key *keys, uint32_t count, const bw_centre_range *r,
                 const float cell[6], uint32_t parent);

static void plan_leaf(planner *l, const bw_centre_key *keys, uint32_t count, const float cell[6],
                      uint32_t parent)
{
    part *p = l->p;
    void *leaves = p->leaves;
    if (!grow(l->b->tree->base.allocator, &leaves, p->leaf_count, &p->leaf_room, sizeof *p->leaves)) {
        p->failed = true;
        return;
    }
    p->leaves = leaves;
    leaf_plan *leaf = &p->leaves[p->leaf_count++];
    leaf->first = (uint32_t)(keys - p->keys);
    leaf->count = count;
    leaf->parent = parent;
    memcpy(leaf->cell, cell, sizeof leaf->cell);
}

/* BW_MODERN_FREE: no memory. */
static uint32_t plan_node(planner *l, uint32_t count, uint32_t parent)
{
    part *p = l->p;
    void *nodes = p->nodes;
    if (!grow(l->b->tree->base.allocator, &nodes, p->node_count, &p->node_room, sizeof *p->nodes)) {
        p->failed = true;
        return BW_MODERN_FREE;
    }
    p->nodes = nodes;
    node_plan *node = &p->nodes[p->node_count];
    *node = (node_plan){.parent = parent, .objects = count};
    for (int k = 0; k < 7; k++)
        node->plane[k] = INFINITY;
    return p->node_count++;
}

static bool plan_part(planner *l, bw_centre_key *keys, uint32_t count, const bw_centre_range *r,
                      const float cell[6], uint32_t parent)
{
    builder *b = l->b;
    void *parts = b->parts;
    if (!grow(b->tree->base.allocator, &parts, b->part_count, &b->part_room, sizeof *b->parts)) {
        l->p->failed = true;
        return false;
    }
    b->parts = parts;
    part *p = &b->parts[b->part_count++];
    *p = (part){.keys = keys, .count = count, .parent = parent, .range = *r, .node_before = l->p->node_count};
    memcpy(p->cell, cell, sizeof p->cell);
    return true;
}

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
static void plan_hashed(planner *l, bw_centre_key *keys, uint32_t count, uint32_t level, const float cell[6],
                        uint32_t parent)
{
    const builder *b = l->b;
    if (count <= BW_MODERN_LEAF_CAPACITY) {
        plan_leaf(l, keys, count, cell, parent);
        return;
    }
    /* Indices that agree in these bits differ in lower ones. */
    while (one_slot(b, keys, count, level))
        level++;
    uint32_t index = plan_node(l, count, parent);
    if (index == BW_MODERN_FREE)
        return;
    const bw_modern_node probe = {.axes = BW_MODERN_HASHED | level};
    l->p->nodes[index].axes = probe.axes;
    memcpy(l->p->nodes[index].plane, keys[0].centre, sizeof keys[0].centre);
    uint32_t begin = 0;
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN && !l->p->failed; slot++) {
        uint32_t end = begin;
        for (uint32_t i = begin; i < count; i++)
            if (bw_modern_route_hashed(&probe, bw_id_index(bw_id_at(&b->ids, keys[i].item))) == slot) {
                bw_centre_key k = keys[i];
                keys[i] = keys[end];
                keys[end++] = k;
            }
        if (end > begin)
            plan_hashed(l, keys + begin, end - begin, level + 1, cell, 8 * index + slot);
        begin = end;
    }
}

/* The range of keys for so many children. That of a leaf is not looked at. */
static bw_centre_range range_below(const bw_centre_key *keys, uint32_t count, uint32_t children)
{
    if (children == 1 && count <= LEAF_MOST)
        return (bw_centre_range){{0}, {0}};
    return bw_centre_range_of(keys, count);
}

/* Spreads the keys over so many children below one position of a node. */
static void spread(planner *l, uint32_t node, uint32_t position, uint32_t children, bw_centre_key *keys,
                   uint32_t count, const bw_centre_range *r, const float cell[6])
{
    int axis = bw_centre_widest(r);
    if (children == 1 || !(r->high[axis] > r->low[axis])) {
        plan(l, keys, count, r, cell, 8 * node + bw_modern_first_slot(position));
        return;
    }
    uint32_t lefts = children / 2;
    float plane = bw_centre_plane(keys, count, axis, (uint32_t)((uint64_t)count * lefts / children), r);
    uint32_t left = bw_centre_partition(keys, count, axis, plane);
    node_plan *n = &l->p->nodes[node];
    n->plane[position - 1] = plane;
    n->axes |= (uint32_t)axis << (2 * (position - 1));
    float side_cell[6];
    memcpy(side_cell, cell, sizeof side_cell);
    side_cell[axis + 3] = side_cell[axis + 3] > -plane ? side_cell[axis + 3] : -plane;
    bw_centre_range side = range_below(keys, left, lefts);
    spread(l, node, 2 * position, lefts, keys, left, &side, side_cell);
    if (l->p->failed)
        return;
    memcpy(side_cell, cell, sizeof side_cell);
    side_cell[axis] = side_cell[axis] > plane ? side_cell[axis] : plane;
    side = range_below(keys + left, count - left, children - lefts);
    spread(l, node, 2 * position + 1, children - lefts, keys + left, count - left, &side, side_cell);
}

/* As few levels as can hold them, and the objects shared evenly among the children. */
static uint32_t children_for(uint32_t count)
{
    if (count <= NODE_MOST) {
        uint32_t children = (count + BW_MODERN_LEAF_FILL - 1) / BW_MODERN_LEAF_FILL;
        return children < BW_MODERN_CHILDREN ? children : BW_MODERN_CHILDREN;
    }
    uint64_t each = NODE_PLANNED;
    while (each * BW_MODERN_CHILDREN < count)
        each *= BW_MODERN_CHILDREN;
    uint32_t children = (uint32_t)((count + each - 1) / each);
    return children < 2 ? 2 : children;
}

static void plan(planner *l, bw_centre_key *keys, uint32_t count, const bw_centre_range *r,
                 const float cell[6], uint32_t parent)
{
    int axis = bw_centre_widest(r);
    const bool same = !(r->high[axis] > r->low[axis]);
    if (l->top && (count <= PART_MOST || same)) {
        plan_part(l, keys, count, r, cell, parent);
        return;
    }
    if (same && count > BW_MODERN_LEAF_CAPACITY) {
        float point[6];
        for (int a = 0; a < 3; a++) {
            point[a] = keys[0].centre[a];
            point[a + 3] = -keys[0].centre[a];
        }
        plan_hashed(l, keys, count, 0, point, parent);
        return;
    }
    if (count <= LEAF_MOST || same) {
        plan_leaf(l, keys, count, cell, parent);
        return;
    }
    uint32_t index = plan_node(l, count, parent);
    if (index != BW_MODERN_FREE)
        spread(l, index, 1, children_for(count), keys, count, r, cell);
}

static void plan_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    builder *b = context;
    for (uint32_t i = begin; i < end; i++) {
        part *p = &b->parts[i];
        planner l = {b, p, false};
        plan(&l, p->keys, p->count, &p->range, p->cell, BW_MODERN_NO_PARENT);
    }
}

/* ---- filling ---- */

static void fill_leaf(const builder *b, const part *p, const leaf_plan *from, uint32_t index)
{
    bw_modern_leaf *leaf = bw_modern_leaf_at(b->tree, index);
    const bw_centre_key *keys = p->keys + from->first;
    bw_modern_start_leaf(leaf);
    v4 low = v4_all(INFINITY), high = low;
    for (uint32_t i = 0; i < from->count; i++) {
        const bw_box *box = &b->boxes[keys[i].item];
        const v4 first = v4_load(box->min), last = v4_load(box->min + 2); /* x y z X, z X Y Z */
        const v4 negated = -V4_SHUFFLE(last, last, 1, 2, 3, 0);
        low = v4_min(first, low);
        high = v4_min(negated, high);
        v4_store_box(leaf->boxes[i], first, negated);
        leaf->ids[i] = bw_id_at(&b->ids, keys[i].item);
    }
    v4_store_box(leaf->box, low, high);
    leaf->count = from->count;
    bw_modern_widen(leaf, from->cell);
}

/* What the leaves after the next will read. */
static void fetch(const builder *b, const part *p, uint32_t leaf)
{
    enum { AHEAD = 3 };
    BW_ONLY_PREFETCHES;
    if (leaf + AHEAD >= p->leaf_count)
        return;
    const leaf_plan *next = &p->leaves[leaf + AHEAD];
    for (uint32_t i = 0; i < next->count; i++) {
        const uint32_t item = p->keys[next->first + i].item;
        const char *from = (const char *)&b->boxes[item];
        __builtin_prefetch(from);
        __builtin_prefetch(from + sizeof *b->boxes - 1);
        if (b->ids.ids != NULL)
            __builtin_prefetch(&b->ids.ids[item]);
    }
}

/* Puts a child where its plan says; of the root of a part it is kept for who has all parts. */
static void attach(builder *b, part *p, uint32_t parent, bw_node_ref ref, const float box[6])
{
    if (parent == BW_MODERN_NO_PARENT) {
        p->root = ref;
        memcpy(p->box, box, sizeof p->box);
    } else {
        bw_modern_attach(b->tree, 8 * b->node_ids[p->first_node + (parent >> 3)] + (parent & 7u), ref, box);
    }
}

static void fill_node(const builder *b, const node_plan *from, uint32_t index)
{
    bw_modern_node *node = bw_modern_node_at(b->tree, index);
    node->axes = from->axes;
    memcpy(node->plane, from->plane, sizeof node->plane);
    b->tree->links[index].credit =
        from->axes & BW_MODERN_HASHED ? BW_MODERN_UNLIMITED : bw_modern_credit(from->objects);
}

static void fill_part(builder *b, part *p)
{
    for (uint32_t i = 0; i < p->node_count; i++)
        bw_modern_start_node(b->tree, b->node_ids[p->first_node + i]);
    for (uint32_t i = 0; i < p->leaf_count; i++) {
        const uint32_t index = b->leaf_ids[p->first_leaf + i];
        fetch(b, p, i);
        fill_leaf(b, p, &p->leaves[i], index);
        attach(b, p, p->leaves[i].parent, bw_modern_ref_leaf(index, p->leaves[i].count),
               bw_modern_leaf_at(b->tree, index)->box);
    }
    for (uint32_t i = p->node_count; i-- > 0;) { /* what is below a node comes after it */
        const uint32_t index = b->node_ids[p->first_node + i];
        float box[6];
        fill_node(b, &p->nodes[i], index);
        bw_modern_node_box(bw_modern_node_at(b->tree, index), box);
        attach(b, p, p->nodes[i].parent, bw_modern_ref_node(index), box);
    }
}

static void fill_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    builder *b = context;
    for (uint32_t i = begin; i < end; i++)
        fill_part(b, &b->parts[i]);
}

/* The nodes above the parts; gives the root. */
static bw_node_ref fill_top(builder *b, const part *top, float box[6])
{
    bw_node_ref root = 0;
    for (uint32_t i = 0; i < b->part_count; i++) {
        const part *p = &b->parts[i];
        if (p->parent == BW_MODERN_NO_PARENT) {
            root = p->root;
            memcpy(box, p->box, sizeof p->box);
        } else {
            bw_modern_attach(b->tree, 8 * b->top_ids[p->parent >> 3] + (p->parent & 7u), p->root, p->box);
        }
    }
    for (uint32_t i = top->node_count; i-- > 0;) {
        const node_plan *from = &top->nodes[i];
        const uint32_t index = b->top_ids[i];
        float own[6];
        fill_node(b, from, index);
        bw_modern_node_box(bw_modern_node_at(b->tree, index), own);
        if (from->parent == BW_MODERN_NO_PARENT) {
            root = bw_modern_ref_node(index);
            memcpy(box, own, sizeof own);
        } else {
            bw_modern_attach(b->tree, 8 * b->top_ids[from->parent >> 3] + (from->parent & 7u),
                             bw_modern_ref_node(index), own);
        }
    }
    return root;
}

/* ---- all of it ---- */

/* Takes blocks for the nodes of the top and the parts between them, in the order in which they are met. Who fills those of a part makes
 * them clear: memory is touched first where it is used. */
static void take_blocks(builder *b, const part *top)
{
    uint32_t nodes = 0, leaves = 0, next = 0;
    for (uint32_t i = 0; i <= top->node_count; i++) {
        for (; next < b->part_count && b->parts[next].node_before == i; next++) {
            part *p = &b->parts[next];
            p->first_node = nodes;
            p->first_leaf = leaves;
            for (uint32_t k = 0; k < p->node_count; k++)
                b->node_ids[nodes++] = bw_slab_take(&b->tree->nodes);
            for (uint32_t k = 0; k < p->leaf_count; k++)
                b->leaf_ids[leaves++] = bw_slab_take(&b->tree->leaves);
        }
        if (i < top->node_count)
            b->top_ids[i] = bw_modern_take_node(b->tree);
    }
}

/* Fills the tree as it is planned; 0: no memory, and nothing has changed. */
static bw_node_ref fill(builder *b, const part *top, float box[6])
{
    const bw_allocator *allocator = b->tree->base.allocator;
    uint32_t nodes = 0, leaves = 0;
    for (uint32_t i = 0; i < b->part_count; i++) {
        if (b->parts[i].failed)
            return 0;
        nodes += b->parts[i].node_count;
        leaves += b->parts[i].leaf_count;
    }
    const uint32_t all = nodes + top->node_count + leaves;
    uint32_t *ids = bw_allocate(allocator, all, sizeof *ids);
    bw_node_ref root = 0;
    if (ids != NULL && bw_modern_reserve(b->tree, nodes + top->node_count, leaves)) {
        b->node_ids = ids;
        b->top_ids = ids + nodes;
        b->leaf_ids = b->top_ids + top->node_count;
        take_blocks(b, top);
        bw_parallel(b->tasks, fill_parts, b, b->part_count, 1);
        root = fill_top(b, top, box);
    }
    bw_release(allocator, ids, all, sizeof *ids);
    return root;
}

static void release_part(const bw_allocator *allocator, const part *p)
{
    bw_release(allocator, p->nodes, p->node_room, sizeof *p->nodes);
    bw_release(allocator, p->leaves, p->leaf_room, sizeof *p->leaves);
}

static bw_node_ref build_subtree(bw_modern_tree *tree, const bw_tasks *tasks, const bw_box *boxes,
                                 bw_id_list ids, uint32_t count, const float cell[6], float box[6])
{
    const bw_allocator *allocator = tree->base.allocator;
    bw_centre_key few[FEW], *keys = few;
    if (count > FEW && (keys = bw_allocate(allocator, count, sizeof *keys)) == NULL)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++)
            keys[i].centre[a] = boxes[i].min[a] + boxes[i].max[a];
        keys[i].item = i;
    }
    builder b = {.tree = tree, .tasks = tasks, .boxes = boxes, .ids = ids};
    part top = {.keys = keys, .count = count};
    planner l = {&b, &top, true};
    bw_centre_range r = bw_centre_range_of(keys, count);
    bw_node_ref root = 0;
    plan(&l, keys, count, &r, cell, BW_MODERN_NO_PARENT);
    if (!top.failed) {
        bw_parallel(tasks, plan_parts, &b, b.part_count, 1);
        root = fill(&b, &top, box);
    }
    for (uint32_t i = 0; i < b.part_count; i++)
        release_part(allocator, &b.parts[i]);
    release_part(allocator, &top);
    bw_release(allocator, b.parts, b.part_room, sizeof *b.parts);
    if (keys != few)
        bw_release(allocator, keys, count, sizeof *keys);
    return root;
}

bw_node_ref bw_modern_build_subtree(bw_modern_tree *tree, const bw_box *boxes, bw_id_list ids, uint32_t count,
                                    const float cell[6], float box[6])
{
    return build_subtree(tree, NULL, boxes, ids, count, cell, box);
}

/* Tells the table where all objects are. */
static void record_leaves(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    enum { AHEAD = 4 }; /* leaves */
    (void)worker;
    const bw_modern_tree *tree = context;
    for (uint32_t index = begin; index < end; index++) {
        if (index + AHEAD < end) {
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
    bw_node_ref ref = build_subtree(tree, base->tasks, boxes, ids, count, cell, box);
    if (ref == 0) {
        bw_modern_clear(base);
        return false;
    }
    bw_modern_attach(tree, BW_MODERN_NO_PARENT, ref, box);
    bw_parallel(base->tasks, record_leaves, tree, tree->leaves.end, 256);
    tree->base.objects = count;
    tree->base.rebuilt++;
    return true;
}
