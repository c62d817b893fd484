/* Keeping the tree good while objects wander. A leaf keeps objects that leave its cell by little, counts of
 * objects drift apart, splits give narrow nodes, and planes that suited a crowd do not suit what it becomes.
 * No single change is worth mending, so they are counted: every node has a credit in proportion to a power of
 * its size; leaves that have seen a few changes an object, and splits, are charged to all nodes above; a
 * subtree whose credit is used up is rebuilt. Small subtrees come often, which mends leaves; larger ones
 * more and more rarely, which mends planes. So the work is a constant per move and level.
 *
 * Single insertions in an evil order could still grow long branches: the scapegoat rule of Galperin and
 * Rivest bounds those. */
#include "scene/modern/modern.h"

/* Charges that a node of up to eight leaves takes, and a split. Eight times as many leaves take GROWTH times
 * the charges a leaf. */
enum { FIRST = 12, SPLIT = 6, GROWTH = 3, OBJECTS = 208 };
/* Moves do not rebuild subtrees of more objects than this, since it would take milliseconds; their credit
 * lies above LARGE_CREDIT, and bw_scene_prepare sees to them. */
enum { LARGE = 16384 };
#define LARGE_CREDIT (1 << 30)

int32_t bw_modern_credit(uint32_t objects)
{
    if (objects <= OBJECTS)
        return FIRST;
    double credit = (double)FIRST * objects / OBJECTS;
    for (double full = OBJECTS; full < objects; full *= 8)
        credit *= GROWTH;
    if (objects <= LARGE)
        return (int32_t)credit;
    return LARGE_CREDIT + (credit < LARGE_CREDIT - 1 ? (int32_t)credit : LARGE_CREDIT - 1);
}

uint32_t bw_modern_charge(bw_modern_tree *tree, uint32_t parent, int32_t amount)
{
    uint32_t due = BW_MODERN_FREE;
    for (; parent != BW_MODERN_NO_PARENT; parent = tree->links[parent >> 3].parent) {
        int32_t *credit = &tree->links[parent >> 3].credit;
        int32_t least = *credit >= LARGE_CREDIT ? LARGE_CREDIT : 0;
        if (*credit == least)
            continue;
        *credit = *credit - least > amount ? *credit - amount : least;
        due = *credit == 0 ? parent >> 3 : due;
    }
    return due;
}

static void rebuild_topmost(bw_modern_tree *tree, uint32_t node)
{
    uint32_t topmost = node;
    for (uint32_t up = node;; up = tree->links[up].parent >> 3) {
        topmost = tree->links[up].credit == 0 ? up : topmost;
        if (tree->links[up].parent == BW_MODERN_NO_PARENT)
            break;
    }
    bw_modern_rebuild_below(tree, tree->links[topmost].parent);
}

void bw_modern_rebuild_due(bw_modern_tree *tree, uint32_t *nodes, uint32_t count)
{
    bw_modern_sort(nodes, count);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] < tree->nodes.end && tree->links[nodes[i]].parent != BW_MODERN_FREE_NODE &&
            tree->links[nodes[i]].credit == 0)
            rebuild_topmost(tree, nodes[i]);
}

/* ---- branches that grew too long ---- */

static uint32_t leaves_below(const bw_modern_tree *tree, bw_node_ref ref)
{
    if (ref == 0 || bw_modern_is_leaf(ref))
        return ref != 0;
    uint32_t sum = 0;
    for (int slot = 0; slot < BW_MODERN_CHILDREN; slot++)
        sum += leaves_below(tree, bw_modern_node_at(tree, bw_modern_node_of(ref))->child[slot]);
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

/* Where a node lies too deep, some ancestor has too few leaves for the height above it: rebuild that. */
static void shorten(bw_modern_tree *tree, uint32_t node)
{
    uint32_t depth = 1;
    for (uint32_t up = tree->links[node].parent; up != BW_MODERN_NO_PARENT; up = tree->links[up >> 3].parent)
        depth++;
    if (depth <= height_limit(bw_slab_live(&tree->leaves)) + 2)
        return;
    uint32_t height = 1, parent = tree->links[node].parent;
    for (; parent != BW_MODERN_NO_PARENT; parent = tree->links[parent >> 3].parent, height++) {
        uint32_t above = tree->links[parent >> 3].parent;
        if (height + 1 > height_limit(leaves_below(tree, bw_modern_child(tree, above)))) {
            bw_modern_rebuild_below(tree, above);
            return;
        }
    }
}

void bw_modern_added(bw_modern_tree *tree, uint32_t node)
{
    uint32_t due = bw_modern_charge(tree, tree->links[node].parent, SPLIT);
    if (due != BW_MODERN_FREE)
        rebuild_topmost(tree, due);
    else
        shorten(tree, node);
}

/* ---- large subtrees ---- */

static void rebuild_large(bw_modern_tree *tree, uint32_t parent)
{
    bw_node_ref ref = bw_modern_child(tree, parent);
    if (ref == 0 || bw_modern_is_leaf(ref) || tree->links[bw_modern_node_of(ref)].credit < LARGE_CREDIT)
        return;
    uint32_t node = bw_modern_node_of(ref);
    if (tree->links[node].credit == LARGE_CREDIT) {
        bw_modern_rebuild_below(tree, parent);
        return;
    }
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++)
        rebuild_large(tree, 8 * node + slot);
}

void bw_modern_rebuild_large(bw_modern_tree *tree)
{
    rebuild_large(tree, BW_MODERN_NO_PARENT);
}
