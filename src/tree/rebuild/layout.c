/* Putting rebuilt subtrees where the old ones were. */
#include "tree/rebuild/rebuild.h"

#include <string.h>

/* What the new tree will hold. */
typedef struct sizes {
    uint64_t nodes, leaves, vertices;
} sizes;

static void add_tree(sizes *s, const bw_wide *tree)
{
    s->nodes += tree->node_count;
    s->leaves += tree->leaf_count;
    s->vertices += tree->vertex_used;
}

/* A depth-first walk of the old tree, without recursion: trees that grew by insertion may be deep. */
typedef struct walk {
    const bw_wide *old;
    uint32_t index, lane; /* in the old tree */
    const bw_wide_graft *graft, *end;
} walk;

/* A graft that stands at this node. Nodes are not met in ascending order once the tree was edited, so it is
 * looked for. */
static const bw_wide_graft *graft_at(const walk *w, uint32_t node)
{
    const bw_wide_graft *low = w->graft, *high = w->end;
    while (low < high) {
        const bw_wide_graft *middle = low + (high - low) / 2;
        if (middle->node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->end && low->node == node ? low : NULL;
}

/* Whether a graft is a single leaf, which needs no node of its own. */
static bool is_leaf(const bw_wide_graft *graft)
{
    return graft->tree.leaf_count == 1;
}

static sizes measure(const walk *start)
{
    walk w = *start;
    sizes s = {1, 0, 0};
    for (;;) {
        const bw_wide_node *node = &w.old->nodes[w.index];
        if (w.lane == node->count) {
            if (node->parent == BW_NONE)
                return s;
            w.index = node->parent;
            w.lane = node->parent_lane + 1;
            continue;
        }
        uint32_t child = node->child[w.lane];
        if (child & BW_WIDE_LEAF) {
            s.leaves++;
            s.vertices += w.old->leaves[child & ~BW_WIDE_LEAF].vertex_count;
            w.lane++;
            continue;
        }
        const bw_wide_graft *graft = graft_at(&w, child);
        if (graft != NULL) {
            add_tree(&s, &graft->tree);
            s.nodes -= is_leaf(graft);
            w.lane++;
        } else {
            s.nodes++;
            w.index = child;
            w.lane = 0;
        }
    }
}

static void append_leaf(bw_wide *to, const bw_wide *from, uint32_t leaf, uint32_t parent, uint32_t lane)
{
    uint32_t at = to->leaf_count++;
    to->leaves[at] = from->leaves[leaf];
    to->leaves[at].parent = parent;
    to->leaves[at].lane = (uint8_t)lane;
    memcpy(to->primitives + (size_t)at * BW_WIDTH, from->primitives + (size_t)leaf * BW_WIDTH,
           BW_WIDTH * sizeof *to->primitives);
    if (to->corners != NULL)
        to->corners[at] = from->corners[leaf];
    if (to->vertex_first != NULL) {
        to->vertex_first[at] = to->vertex_used;
        memcpy(to->vertices + to->vertex_used, from->vertices + from->vertex_first[leaf],
               from->leaves[leaf].vertex_count * sizeof *to->vertices);
        to->vertex_used += from->leaves[leaf].vertex_count;
    }
    to->nodes[parent].child[lane] = BW_WIDE_LEAF | at;
}

/* A graft stands in depth-first order itself: its nodes move by one offset. */
static void append_graft(bw_wide *to, const bw_wide *from, uint32_t parent, uint32_t lane)
{
    if (from->leaf_count == 1) {
        append_leaf(to, from, 0, parent, lane);
        return;
    }
    const uint32_t base = to->node_count;
    to->nodes[parent].child[lane] = base;
    to->node_count += from->node_count;
    for (uint32_t i = 0; i < from->node_count; i++) {
        bw_wide_node *node = &to->nodes[base + i];
        *node = from->nodes[i];
        node->end += base;
        node->parent = i == 0 ? parent : node->parent + base;
        node->parent_lane = i == 0 ? lane : node->parent_lane;
        for (uint32_t k = 0; k < node->count; k++)
            if ((node->child[k] & BW_WIDE_LEAF) == 0)
                node->child[k] += base;
    }
    for (uint32_t leaf = 0; leaf < from->leaf_count; leaf++)
        append_leaf(to, from, leaf, from->leaves[leaf].parent + base, from->leaves[leaf].lane);
}

/* What was mended below is no more to be counted above. */
static void forget_edits(bw_wide *to, uint32_t node, uint32_t edits)
{
    for (; node != BW_NONE; node = to->nodes[node].parent)
        to->nodes[node].edits -= edits < to->nodes[node].edits ? edits : to->nodes[node].edits;
}

static void copy(const walk *start, bw_wide *to)
{
    walk w = *start;
    uint32_t at = 0; /* in the new tree */
    to->nodes[0] = w.old->nodes[0];
    to->node_count = 1;
    for (;;) {
        const bw_wide_node *node = &w.old->nodes[w.index];
        if (w.lane == node->count) {
            to->nodes[at].end = to->node_count;
            if (node->parent == BW_NONE)
                return;
            w.index = node->parent;
            w.lane = node->parent_lane + 1;
            at = to->nodes[at].parent;
            continue;
        }
        uint32_t child = node->child[w.lane];
        if (child & BW_WIDE_LEAF) {
            append_leaf(to, w.old, child & ~BW_WIDE_LEAF, at, w.lane++);
            continue;
        }
        const bw_wide_graft *graft = graft_at(&w, child);
        if (graft != NULL) {
            append_graft(to, &graft->tree, at, w.lane++);
            forget_edits(to, at, w.old->nodes[child].edits);
        } else {
            uint32_t next = to->node_count++;
            to->nodes[next] = w.old->nodes[child];
            to->nodes[next].parent = at;
            to->nodes[at].child[w.lane] = next;
            at = next;
            w.index = child;
            w.lane = 0;
        }
    }
}

/* Empty arrays of the form and size needed. */
static bw_result make_room(const bw_wide *old, const sizes *s, bw_wide *out)
{
    if (s->nodes >= BW_WIDE_LEAF || s->leaves >= BW_WIDE_LEAF || s->vertices > UINT32_MAX)
        return BW_ERROR_MEMORY;
    bw_wide wide;
    bw_result result = bw_wide_reserve(&old->allocator, (uint32_t)s->nodes, (uint32_t)s->leaves, &wide);
    if (result != BW_OK)
        return result;
    bool good = true;
    if (old->corners != NULL) {
        wide.corners = bw_allocate(&wide.allocator, wide.leaf_capacity, sizeof *wide.corners);
        good = wide.corners != NULL;
    }
    if (old->vertex_first != NULL) {
        wide.vertex_capacity = (uint32_t)s->vertices;
        wide.vertex_first = bw_allocate(&wide.allocator, wide.leaf_capacity, sizeof *wide.vertex_first);
        wide.vertices = bw_allocate(&wide.allocator, wide.vertex_capacity, sizeof *wide.vertices);
        good = good && wide.vertex_first != NULL && wide.vertices != NULL;
    }
    if (!good) {
        bw_wide_release(&wide);
        return BW_ERROR_MEMORY;
    }
    wide.node_count = wide.leaf_count = 0;
    *out = wide;
    return BW_OK;
}

bw_result bw_wide_relayout(bw_wide *wide, const bw_wide_graft *grafts, uint32_t graft_count)
{
    if (wide->node_count == 0)
        return BW_OK;
    walk start = {wide, 0, 0, grafts, graft_count == 0 ? grafts : grafts + graft_count};
    sizes s = measure(&start);
    bw_wide fresh;
    bw_result result = make_room(wide, &s, &fresh);
    if (result != BW_OK)
        return result;
    copy(&start, &fresh);
    fresh.bounds = wide->bounds;
    fresh.primitive_count = wide->primitive_count;
    fresh.preorder = true;
    fresh.built_cost = wide->built_cost;
    fresh.excess = wide->excess;
    fresh.edits = wide->edits;
    bw_wide_release(wide);
    *wide = fresh;
    return BW_OK;
}
