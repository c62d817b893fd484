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

void bw_boxtree_fit(bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    bw_wide *wide = &k->tree->wide;
    if (tree->leaves == 0)
        return;
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++) {
        float x = bound(k, tree->inner_count * 2 + extent, extent);
        *(extent % 2 == 0 ? &wide->bounds.min[extent / 2] : &wide->bounds.max[extent / 2]) = x;
    }
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const bw_boxtree_node *n = &tree->nodes[i];
        bw_box *box = &tree->path[n->depth];
        if (n->parent == BW_NONE)
            *box = wide->bounds;
        else { /* the parent's is the last one written a level above */
            const bw_boxtree_node *parent = &tree->nodes[n->parent];
            bool left = i == n->parent + 1;
            uint32_t extent = parent->axis * 2 + left;
            float x = bound(k, parent->number * 2 + !left, extent);
            *box = tree->path[n->depth - 1];
            *(left ? &box->max[parent->axis] : &box->min[parent->axis]) = x;
        }
        if (n->lane != BW_NONE)
            write_lane(wide, n->lane, box);
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

/* Every node is its parent's child, every leaf of the wide tree stands where it is said to. */
static const char *check_shape(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    if (tree->node_count != 2 * tree->leaves - 1 || tree->inner_count != tree->leaves - 1)
        return "nodes and leaves do not make a binary tree";
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const bw_boxtree_node *n = &tree->nodes[i];
        if ((n->parent == BW_NONE) != (i == 0) ||
            (i > 0 && n->parent + 1 != i && tree->nodes[n->parent].right != i))
            return "a node is not a child of its parent";
        if (n->axis == BW_BOXTREE_LEAF ? tree->leaf_node[n->number] != i : tree->inner[n->number] != i)
            return "a number leads to another node";
    }
    return NULL;
}

const char *bw_boxtree_check(const bw_kinetic *k)
{
    const bw_boxtree *tree = &k->boxtree;
    if (tree->leaves == 0)
        return tree->heap.count == 0 ? NULL : "an empty tree waits for events";
    const char *fault = bw_heap_check(&tree->heap);
    fault = fault == NULL ? check_shape(k) : fault;
    for (uint32_t plane = 0; plane < bw_boxtree_planes(tree) && fault == NULL; plane++)
        fault = check_plane(k, plane);
    return fault;
}
