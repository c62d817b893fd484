/* Checks every invariant of a wide tree. */
#include "tree/wide/check.h"

#include "base/bits.h"
#include "base/radix_sort.h"

#include <math.h>

const char bw_wide_check_no_memory[] = "the check ran out of memory";

static const char in_two_slots[] = "a primitive stands in two slots";

typedef struct check {
    const bw_wide *wide;
    uint32_t primitive_count;
    uint8_t *nodes, *leaves;
    uint8_t *primitives; /* met; NULL: looked for later */
} check;

static bool good_bound(float x)
{
    return fabsf(x) <= (float)BW_COORDINATE_MAX && !(x == 0 && signbit(x));
}

static const char *check_lane_box(const bw_wide_node *node, uint32_t lane)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = node->min[axis][lane], high = node->max[axis][lane];
        if (lane >= node->count) {
            if (low != BW_WIDE_EMPTY || high != -BW_WIDE_EMPTY)
                return "the box of an unused lane is not the empty one";
        } else if (!good_bound(low) || !good_bound(high) || low > high) {
            return "a box has a bound that is not finite, out of range, negative zero or out of order";
        }
    }
    return NULL;
}

static const char *check_child(check *c, uint32_t index, uint32_t lane)
{
    const bw_wide *wide = c->wide;
    const bw_wide_node *node = &wide->nodes[index];
    uint32_t child = node->child[lane];
    if (lane >= node->count)
        return child == BW_NONE ? NULL : "an unused lane has a child";
    if (child & BW_WIDE_LEAF) {
        child &= ~BW_WIDE_LEAF;
        if (child >= wide->leaf_count)
            return "a lane names a leaf out of range";
        if (bw_bits_test_and_set(c->leaves, child))
            return "two lanes name one leaf";
        const bw_wide_leaf *leaf = &wide->leaves[child];
        if (leaf->parent != index || leaf->lane != lane)
            return "a leaf does not know its parent";
        return leaf->count >= 1 && leaf->count <= BW_WIDTH ? NULL : "a leaf holds no primitive, or too many";
    }
    if (child <= index || child >= wide->node_count)
        return "a child does not stand after its parent, within the array";
    if (bw_bits_test_and_set(c->nodes, child))
        return "two lanes name one node";
    const bw_wide_node *below = &wide->nodes[child];
    if (below->parent != index || below->parent_lane != lane)
        return "a node does not know its parent";
    if (below->count < 1 || below->count > BW_WIDTH)
        return "a node holds no child, or too many";
    bw_box want = bw_wide_node_box(below), have = bw_wide_lane_box(node, lane);
    for (int axis = 0; axis < 3; axis++)
        if (want.min[axis] != have.min[axis] || want.max[axis] != have.max[axis])
            return "the box of an inner lane is not the union of its child's lanes";
    return NULL;
}

static const char *check_slots(check *c, uint32_t leaf)
{
    const uint32_t *slots = &c->wide->primitives[(size_t)leaf * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        if (i >= c->wide->leaves[leaf].count) {
            if (slots[i] != BW_NONE)
                return "an unused slot of a leaf holds a primitive";
        } else if (slots[i] >= c->primitive_count) {
            return "a leaf holds a primitive out of range";
        } else if (c->primitives != NULL && bw_bits_test_and_set(c->primitives, slots[i])) {
            return in_two_slots;
        }
    }
    return NULL;
}

/* Of a mesh with far more primitives than the tree holds: sorted, since a bit for each would take more memory
 * than the tree, and a saved tree may name any number. Slots are in range. */
static const char *check_repeats(const bw_wide *wide, const bw_allocator *allocator)
{
    const size_t slots = (size_t)wide->leaf_count * BW_WIDTH;
    uint64_t *keys = bw_allocate(allocator, slots, sizeof *keys);
    uint64_t *scratch = bw_allocate(allocator, slots, sizeof *scratch);
    const char *wrong = keys == NULL || scratch == NULL ? bw_wide_check_no_memory : NULL;
    uint32_t count = 0;
    for (size_t i = 0; wrong == NULL && i < slots; i++)
        if (wide->primitives[i] != BW_NONE)
            keys[count++] = wide->primitives[i];
    const uint64_t *sorted =
        wrong == NULL ? bw_radix_sort(keys, scratch, count, 0, 30, allocator, NULL) : NULL;
    if (sorted == NULL)
        wrong = bw_wide_check_no_memory;
    for (uint32_t i = 1; wrong == NULL && i < count; i++)
        if (sorted[i] == sorted[i - 1])
            wrong = in_two_slots;
    bw_release(allocator, scratch, slots, sizeof *scratch);
    bw_release(allocator, keys, slots, sizeof *keys);
    return wrong;
}

static const char *check_hole(const bw_wide *wide, uint32_t leaf)
{
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        if (wide->primitives[(size_t)leaf * BW_WIDTH + i] != BW_NONE)
            return "a leaf that is a hole holds a primitive";
    return wide->leaves[leaf].vertex_count == 0 ? NULL : "a leaf that is a hole has a list of vertices";
}

/* Walks depth-first; the structure is sound. */
static const char *check_preorder(const bw_wide *wide)
{
    uint32_t next_node = 1, next_leaf = 0, index = 0, lane = 0;
    for (;;) {
        const bw_wide_node *node = &wide->nodes[index];
        if (lane == node->count) {
            if (node->end != next_node)
                return "a node does not know where its subtree ends";
            if (node->parent == BW_NONE)
                break;
            lane = node->parent_lane + 1;
            index = node->parent;
        } else if (node->child[lane] & BW_WIDE_LEAF) {
            if ((node->child[lane] & ~BW_WIDE_LEAF) != next_leaf++)
                return "the leaves do not stand in depth-first order";
            lane++;
        } else {
            if (node->child[lane] != next_node++)
                return "the nodes do not stand in depth-first order";
            index = node->child[lane];
            lane = 0;
        }
    }
    bool all = next_node == wide->node_count && next_leaf == wide->leaf_count;
    return all ? NULL : "the depth-first order does not hold every node and leaf";
}

static const char *check_root(const bw_wide *wide)
{
    if (wide->nodes == NULL || wide->leaves == NULL || wide->primitives == NULL)
        return "an array is missing";
    if (wide->node_count > wide->node_capacity || wide->leaf_count > wide->leaf_capacity)
        return "an array is smaller than its contents";
    if (wide->leaf_count >= BW_WIDE_LEAF || wide->node_count >= BW_WIDE_LEAF)
        return "there are more nodes or leaves than references can name";
    const bw_wide_node *root = &wide->nodes[0];
    if (root->parent != BW_NONE || root->count < 1 || root->count > BW_WIDTH)
        return "the first node is not a root";
    return NULL;
}

static const char *check_all(check *c, const bw_mesh *mesh)
{
    const bw_wide *wide = c->wide;
    const char *wrong = check_root(wide);
    for (uint32_t i = 0; i < wide->node_count && wrong == NULL; i++) {
        if (wide->nodes[i].count == 0)
            continue;
        if (wide->nodes[i].count > BW_WIDTH)
            return "a node holds too many children";
        for (uint32_t lane = 0; lane < BW_WIDTH && wrong == NULL; lane++) {
            wrong = check_lane_box(&wide->nodes[i], lane);
            if (wrong == NULL)
                wrong = check_child(c, i, lane);
        }
    }
    if (wrong != NULL)
        return wrong;
    bw_bits_test_and_set(c->nodes, 0);
    for (uint32_t i = 0; i < wide->node_count; i++)
        if (wide->nodes[i].count != 0 && !bw_bits_test_and_set(c->nodes, i))
            return "a node has no parent";
    uint64_t held = 0;
    for (uint32_t i = 0; i < wide->leaf_count && wrong == NULL; i++) {
        if (wide->leaves[i].count == 0) {
            wrong = check_hole(wide, i);
            continue;
        }
        if (!bw_bits_test_and_set(c->leaves, i))
            return "a leaf has no parent";
        held += wide->leaves[i].count;
        wrong = check_slots(c, i);
        if (wrong == NULL)
            wrong = bw_wide_check_leaf(wide, i, mesh);
    }
    if (wrong != NULL)
        return wrong;
    if (held != wide->primitive_count)
        return "the number of primitives in leaves is not the one recorded";
    bw_box box = bw_wide_node_box(&wide->nodes[0]);
    for (int axis = 0; axis < 3; axis++)
        if (box.min[axis] != wide->bounds.min[axis] || box.max[axis] != wide->bounds.max[axis])
            return "the bounds are not the root's";
    if (wide->preorder)
        wrong = check_preorder(wide);
    return wrong != NULL ? wrong : bw_wide_check_maps(wide, mesh);
}

const char *bw_wide_check(const bw_wide *wide, const bw_mesh *mesh, uint32_t primitive_count)
{
    if (wide->node_count == 0)
        return wide->leaf_count == 0 && wide->primitive_count == 0 ? NULL : "an empty tree has leaves";
    const bw_allocator *allocator = &wide->allocator;
    size_t nodes = (size_t)wide->node_count / 8 + 1, leaves = (size_t)wide->leaf_count / 8 + 1;
    const size_t primitives = (size_t)primitive_count / 8 + 1;
    const bool sparse = primitives / (BW_WIDTH * sizeof(uint64_t)) > wide->leaf_count;
    check c = {wide, primitive_count, bw_allocate_zero(allocator, nodes, 1),
               bw_allocate_zero(allocator, leaves, 1),
               sparse ? NULL : bw_allocate_zero(allocator, primitives, 1)};
    const char *wrong = c.nodes == NULL || c.leaves == NULL || (c.primitives == NULL && !sparse)
                            ? bw_wide_check_no_memory
                            : check_all(&c, mesh);
    if (wrong == NULL && sparse)
        wrong = check_repeats(wide, allocator);
    bw_release(allocator, c.nodes, nodes, 1);
    bw_release(allocator, c.leaves, leaves, 1);
    bw_release(allocator, c.primitives, primitives, 1);
    return wrong;
}
