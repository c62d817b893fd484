/* The boxes that the planes of a BoxTree imply, and the proof that they are the right planes (Theorem 5). */
#include "geom/box.h"
#include "kinetic/kinetic.h"

static float bound(const bw_kinetic *k, uint32_t plane, uint32_t extent)
{
    uint32_t v = k->boxtree.winner[plane];
    size_t i = 3 * (size_t)v + extent / 2;
    double x = !k->positions_fresh        ? bw_flight_at(&k->flight, v, (int)(extent / 2), k->now)
               : k->mesh.scalar == BW_F64 ? ((const double *)k->positions)[i]
                                          : (double)((const float *)k->positions)[i];
    return (extent % 2 == 0 ? bw_float_down(x) : bw_float_up(x)) + 0.0f; /* no -0 */
}

/* The box of a lane, and of those below that have the same one: wide nodes of one lane. */
static void write_lane(bw_wide *wide, uint32_t lane, const bw_box *box)
{
    for (;;) {
        bw_wide_set_lane(&wide->nodes[lane / BW_WIDTH], lane % BW_WIDTH, box);
        uint32_t child = wide->nodes[lane / BW_WIDTH].child[lane % BW_WIDTH];
        if ((child & BW_WIDE_LEAF) != 0 || wide->nodes[child].count != 1)
            return;
        lane = child * BW_WIDTH;
    }
}

/* The box of a node from its parent's, which is the last one written a level above. */
static bw_box box_of(const bw_kinetic *k, uint32_t node, uint32_t depth)
{
    const bw_boxtree *tree = &k->boxtree;
    const bw_boxtree_node *parent = &tree->nodes[tree->nodes[node].parent];
    bool left = parent->left == node;
    bw_box box = tree->path[depth - 1];
    float x = bound(k, 6 + parent->number * 2 + !left, parent->axis * 2 + left);
    *(left ? &box.max[parent->axis] : &box.min[parent->axis]) = x;
    return box;
}

bw_result bw_boxtree_fit(bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    bw_wide *wide = &k->tree->wide;
    uint32_t node = tree->root, depth = 0;
    if (node == BW_NONE)
        return BW_OK;
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++) {
        float x = bound(k, extent, extent);
        *(extent % 2 == 0 ? &wide->bounds.min[extent / 2] : &wide->bounds.max[extent / 2]) = x;
    }
    for (;;) { /* down to the left, and from each leaf up to where a right child waits */
        const bw_boxtree_node *n = &tree->nodes[node];
        tree->path[depth] = depth == 0 ? wide->bounds : box_of(k, node, depth);
        if (n->lane != BW_NONE)
            write_lane(wide, n->lane, &tree->path[depth]);
        if (n->axis != BW_BOXTREE_LEAF) {
            node = n->left;
            depth++;
            continue;
        }
        while (tree->nodes[node].parent != BW_NONE && tree->nodes[tree->nodes[node].parent].right == node) {
            node = tree->nodes[node].parent;
            depth--;
        }
        if (tree->nodes[node].parent == BW_NONE)
            return BW_OK;
        node = tree->nodes[tree->nodes[node].parent].right;
    }
}

static const char *check_plane(const bw_kinetic *k, uint32_t plane)
{
    const bw_boxtree *tree = &k->boxtree;
    uint32_t extent = bw_boxtree_extent(tree, plane), winner = tree->winner[plane];
    uint32_t count = bw_boxtree_candidates(k, plane, tree->candidate);
    bool among = false;
    for (uint32_t i = 0; i < count; i++)
        among = among || tree->candidate[i] == winner;
    /* A list may keep one that a plane below has given up: it is below this one all the same. */
    for (uint32_t i = 0; tree->list_of[plane] != BW_NONE && i < tree->lists[tree->list_of[plane]].count; i++)
        among = among || tree->listed[tree->lists[tree->list_of[plane]].first + i] == winner;
    if (!among)
        return "a plane is realised by a vertex that is not below it";
    bool pending = bw_heap_has(&tree->heap, plane);
    double key = pending ? bw_heap_key(&tree->heap, plane) : k->flight.end;
    if (pending && !(key > k->now && key <= k->flight.end))
        return "an entry of the queue is not in the future";
    double later = k->now + 0.5 * (key - k->now);
    for (uint32_t i = 0; i < count; i++) {
        if (bw_flight_out(&k->flight, tree->candidate[i], extent, k->now) >
            bw_flight_out(&k->flight, winner, extent, k->now))
            return "a vertex is beyond its plane";
        if (later < key && bw_flight_out(&k->flight, tree->candidate[i], extent, later) >
                               bw_flight_out(&k->flight, winner, extent, later))
            return "a vertex will pass its plane before the queue knows";
    }
    return NULL;
}

static uint32_t depth_of(const bw_boxtree *tree, uint32_t node)
{
    uint32_t depth = 0;
    for (; tree->nodes[node].parent != BW_NONE; depth++)
        node = tree->nodes[node].parent;
    return depth;
}

/* Every lane of the wide tree is the lane of the node that has its box, or below that in a row of single
 * lanes. */
static const char *check_lanes(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    for (uint32_t w = 0; w < wide->node_count; w++)
        for (uint32_t lane = 0; lane < wide->nodes[w].count; lane++) {
            uint32_t child = wide->nodes[w].child[lane];
            uint32_t node = child & BW_WIDE_LEAF ? tree->leaf_node[child & ~BW_WIDE_LEAF] : tree->top[child];
            uint32_t expected = w * BW_WIDTH + lane;
            for (uint32_t up = w; wide->nodes[up].count == 1 && wide->nodes[up].parent != BW_NONE;
                 up = wide->nodes[up].parent)
                expected = wide->nodes[up].parent * BW_WIDTH + wide->nodes[up].parent_lane;
            if (node == BW_NONE || tree->nodes[node].lane != expected)
                return "a lane is not that of its node";
        }
    return NULL;
}

/* Every node is its parent's child, every leaf of the wide tree stands where it is said to. */
static const char *check_shape(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    uint32_t leaves = 0, inner = 0, held = 0;
    for (uint32_t i = 0; i < k->tree->wide.leaf_count; i++)
        held += k->tree->wide.leaves[i].count > 0;
    for (uint32_t i = BW_NONE; (i = bw_boxtree_next_up(tree, i)) != BW_NONE;) {
        const bw_boxtree_node *n = &tree->nodes[i];
        bool is_leaf = n->axis == BW_BOXTREE_LEAF;
        leaves += is_leaf;
        inner += !is_leaf;
        if (inner >= tree->leaf_room || depth_of(tree, i) > tree->depth)
            return "the tree is deeper or larger than it may be";
        if (!is_leaf && (tree->nodes[n->left].parent != i || tree->nodes[n->right].parent != i))
            return "a node is not the parent of its child";
        if (is_leaf ? tree->leaf_node[n->number] != i : tree->inner[n->number] != i)
            return "a number leads to another node";
    }
    if (leaves != held || inner + 1 != leaves || inner != tree->inner_count)
        return "nodes and leaves do not make a binary tree";
    return check_lanes(k);
}

const char *bw_boxtree_check(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    if (tree->root == BW_NONE)
        return tree->heap.count == 0 ? NULL : "an empty tree waits for events";
    const char *fault = bw_heap_check(&tree->heap);
    fault = fault == NULL ? check_shape(k) : fault;
    for (uint32_t plane = 0; plane < 6 && fault == NULL; plane++)
        fault = check_plane(k, plane);
    for (uint32_t i = BW_NONE; fault == NULL && (i = bw_boxtree_next_up(tree, i)) != BW_NONE;)
        for (uint32_t side = 0; side < 2 && tree->nodes[i].axis != BW_BOXTREE_LEAF && fault == NULL; side++)
            fault = check_plane(k, 6 + tree->nodes[i].number * 2 + side);
    return fault;
}
