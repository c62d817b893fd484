/* A BoxTree whose primitives come and go. Most edits change one leaf, and those who watch it decide again.
 * Where lanes of the wide tree come, go or move, the few nodes that divide them are made again; whatever
 * hangs below stays as it is. */
#include "kinetic/kinetic.h"
#include "kinetic/removal.h"

#include <string.h>

static void free_node(bw_boxtree *tree, uint32_t node)
{
    bw_boxtree_node *n = &tree->nodes[node];
    if (n->axis == BW_BOXTREE_LEAF)
        tree->leaf_node[n->number] = BW_NONE;
    else {
        for (uint32_t plane = 6 + n->number * 2; plane < 8 + n->number * 2; plane++) {
            if (bw_heap_has(&tree->heap, plane))
                bw_heap_remove(&tree->heap, plane);
            tree->winner[plane] = BW_NONE;
        }
        tree->inner[n->number] = tree->free_numbers;
        tree->free_numbers = n->number;
        tree->inner_count--;
    }
    n->parent = tree->free_nodes;
    tree->free_nodes = node;
}

/* Frees the nodes that divide the lanes of a wide node, and what has become a hole there; all else below
 * stands alone then. As deep as that wide node's lanes divide, and those of holes below it. */
static void dissolve(bw_kinetic *k, uint32_t node, uint32_t wide_node)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const bw_boxtree_node n = tree->nodes[node];
    bool gone = n.axis == BW_BOXTREE_LEAF ? wide->leaves[n.number].count == 0
                                          : n.wide == wide_node || wide->nodes[n.wide].count == 0;
    if (!gone) {
        tree->nodes[node].parent = BW_NONE;
        return;
    }
    free_node(tree, node);
    if (n.axis != BW_BOXTREE_LEAF) {
        dissolve(k, n.left, wide_node);
        dissolve(k, n.right, wide_node);
    }
}

/* The uppermost lane that has the box of a wide node; BW_NONE for the root. */
static uint32_t lane_of(const bw_wide *wide, uint32_t node)
{
    uint32_t lane = BW_NONE;
    for (uint32_t parent; (parent = wide->nodes[node].parent) != BW_NONE; node = parent) {
        lane = parent * BW_WIDTH + wide->nodes[node].parent_lane;
        if (wide->nodes[parent].count != 1)
            break;
    }
    return lane;
}

/* The top of a wide node that had one before or is the root, made again. */
static uint32_t divide_anew(bw_kinetic *k, uint32_t wide_node)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[wide_node];
    uint32_t child = node->child[0];
    if (node->count == 1) { /* whatever stands there has both boxes */
        uint32_t top = child & BW_WIDE_LEAF ? tree->leaf_node[child & ~BW_WIDE_LEAF] : tree->top[child];
        if (top != BW_NONE)
            return top;
    }
    uint32_t top = bw_boxtree_new_node(tree);
    bw_box box = bw_wide_node_box(node);
    bw_boxtree_divide(k, wide_node, top, &box, NULL);
    for (uint32_t lane = 0; lane < node->count; lane++) { /* a node of the wide tree that is new as well */
        child = node->child[lane];
        if ((child & BW_WIDE_LEAF) != 0 || tree->nodes[tree->top[child]].number != BW_NONE)
            continue;
        box = bw_wide_lane_box(node, lane);
        bw_boxtree_divide(k, child, tree->top[child], &box, NULL);
    }
    return top;
}

/* Searches for those who realise new planes, from below. */
static void search_new(bw_kinetic *k, uint32_t node)
{
    const bw_boxtree_node *n = &k->boxtree.nodes[node];
    if (n->axis == BW_BOXTREE_LEAF || k->boxtree.winner[6 + n->number * 2] != BW_NONE)
        return;
    search_new(k, n->left);
    search_new(k, n->right);
    bw_boxtree_search(k, 6 + n->number * 2);
    bw_boxtree_search(k, 7 + n->number * 2);
}

/* The lanes of a wide node are not what they were; returns its top. */
static uint32_t remake(bw_kinetic *k, uint32_t wide_node)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    uint32_t old = tree->root == BW_NONE ? BW_NONE : tree->top[wide_node], parent = BW_NONE;
    bool left = false;
    if (old != BW_NONE) {
        parent = tree->nodes[old].parent;
        left = parent != BW_NONE && tree->nodes[parent].left == old;
        dissolve(k, old, wide_node);
    }
    uint32_t top = divide_anew(k, wide_node), lane = lane_of(wide, wide_node);
    if (lane == BW_NONE && wide->nodes[wide_node].count == 1)
        lane = wide_node * BW_WIDTH;
    tree->nodes[top].parent = parent;
    tree->nodes[top].lane = lane;
    *(parent == BW_NONE ? &tree->root : left ? &tree->nodes[parent].left : &tree->nodes[parent].right) = top;
    tree->top[wide_node] = top;
    for (uint32_t up = wide->nodes[wide_node].parent; up != BW_NONE && wide->nodes[up].count == 1;
         up = wide->nodes[up].parent)
        tree->top[up] = top;
    search_new(k, top);
    return top;
}

void bw_boxtree_insert(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t nodes = wide->node_count, leaves = wide->leaf_count;
    bw_wide_insert_one(editor, primitive);
    uint32_t leaf = wide->slot_of[primitive] / BW_WIDTH, at;
    if (wide->node_count > nodes && nodes > 0) /* one more, which took lanes from its parent */
        at = remake(k, wide->nodes[nodes].parent);
    else if (wide->leaf_count > leaves)
        at = remake(k, wide->leaves[leaf].parent);
    else
        at = k->boxtree.leaf_node[leaf];
    bw_boxtree_settle(k, at, NULL, 0);
}

static void make_empty(bw_boxtree *tree)
{
    bw_heap_clear(&tree->heap);
    memset(tree->winner, 0xff, bw_boxtree_planes(tree) * sizeof *tree->winner); /* BW_NONE */
    memset(tree->leaf_node, 0xff, tree->leaf_room * sizeof *tree->leaf_node);
    memset(tree->top, 0xff, tree->top_room * sizeof *tree->top);
    tree->root = tree->free_nodes = tree->free_numbers = BW_NONE;
    tree->inner_count = tree->node_used = tree->number_used = 0;
}

/* Which of a leaf's former vertices are not in it any more; returns how many. */
static uint32_t vanished(const bw_wide *wide, uint32_t leaf, const uint32_t *before, uint32_t count,
                         uint32_t *out)
{
    const uint32_t *vertex = wide->vertices + wide->vertex_first[leaf];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool there = false;
        for (uint32_t j = 0; j < wide->leaves[leaf].vertex_count; j++)
            there = there || vertex[j] == before[i];
        out[found] = before[i];
        found += !there;
    }
    return found;
}

/* Everything again, where an edit reaches too far; there is room. */
static void start_anew(bw_kinetic *k)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    make_empty(tree);
    tree->root = tree->top[0] = bw_boxtree_new_node(tree);
    for (uint32_t w = 0; w < wide->node_count; w++) { /* children come after their parent */
        if (wide->nodes[w].count == 0 || tree->nodes[tree->top[w]].number != BW_NONE)
            continue;
        bw_box box = bw_wide_node_box(&wide->nodes[w]);
        bw_boxtree_divide(k, w, tree->top[w], &box, NULL);
    }
    bw_boxtree_start(k);
}

void bw_boxtree_remove(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    bw_boxtree *tree = &k->boxtree;
    const bw_wide *wide = &k->tree->wide;
    const uint32_t leaf = wide->slot_of[primitive] / BW_WIDTH;
    uint32_t before[3 * BW_WIDTH], gone[3 * BW_WIDTH], count = wide->leaves[leaf].vertex_count;
    memcpy(before, wide->vertices + wide->vertex_first[leaf], count * sizeof *before);
    bw_removal removal;
    bw_remove_primitive(editor, primitive, &removal);
    if (wide->node_count == 0) {
        make_empty(tree);
        return;
    }
    count = vanished(wide, leaf, before, count, gone);
    if (wide->leaves[leaf].count > 0)
        bw_boxtree_settle(k, tree->leaf_node[leaf], gone, count);
    else if (!removal.local)
        start_anew(k);
    else
        bw_boxtree_settle(k, remake(k, removal.path[removal.emptied]), gone, count);
}
