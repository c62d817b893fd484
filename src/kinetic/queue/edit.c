/* Keeping the queue right while single primitives enter and leave the tree. An edit changes one leaf, or the
 * lanes of one or two nodes: those are decided again, and what is above them as far as it changes. Where an
 * edit reaches farther, which is rare, everything is. */
#include "tree/edit/edit.h"
#include "kinetic/kinetic.h"
#include "kinetic/queue/queue.h"

#include <math.h>

bw_result bw_queue_reserve(bw_kinetic *k, uint32_t nodes)
{
    bw_queue *queue = &k->queue;
    uint64_t extents = ((uint64_t)nodes * BW_WIDTH + 1) * BW_EXTENTS;
    if (extents <= queue->room)
        return BW_OK;
    uint64_t room = queue->room + (uint64_t)queue->room / 2;
    room = room < extents || room >= BW_NONE ? extents : room;
    if (room >= BW_NONE)
        return BW_ERROR_SIZE;
    if (!bw_heap_reserve(&queue->heap, (uint32_t)room))
        return BW_ERROR_MEMORY;
    uint32_t *winner = bw_allocate(&k->allocator, (size_t)room, sizeof *winner);
    size_t lanes = (size_t)room / BW_EXTENTS, words = bw_queue_words((uint32_t)room);
    uint8_t *touched = bw_allocate_zero(&k->allocator, lanes, sizeof *touched);
    uint64_t *marks = bw_allocate_zero(&k->allocator, words, sizeof *marks);
    if (winner == NULL || touched == NULL || marks == NULL) {
        bw_release(&k->allocator, winner, (size_t)room, sizeof *winner);
        bw_release(&k->allocator, touched, lanes, sizeof *touched);
        bw_release(&k->allocator, marks, words, sizeof *marks);
        return BW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < room; i++)
        winner[i] = i < queue->room ? queue->winner[i] : BW_NONE;
    bw_release(&k->allocator, queue->winner, queue->room, sizeof *winner);
    bw_release(&k->allocator, queue->touched, queue->room / BW_EXTENTS, sizeof *touched);
    bw_release(&k->allocator, queue->marks, bw_queue_words(queue->room), sizeof *marks);
    queue->touched = touched;
    queue->marks = marks;
    queue->winner = winner;
    queue->room = (uint32_t)room;
    return BW_OK;
}

static void clear_lane(bw_kinetic *k, uint32_t lane)
{
    for (uint32_t id = lane * BW_EXTENTS; id < (lane + 1) * BW_EXTENTS; id++) {
        if (bw_heap_has(&k->queue.heap, id))
            bw_heap_remove(&k->queue.heap, id);
        k->queue.winner[id] = BW_NONE;
    }
}

/* What compares this lane is out of date, and so on while the extent changes hands. */
static void settle_above(bw_kinetic *k, uint32_t lane, uint32_t extent)
{
    while (lane != bw_kinetic_root(k)) {
        lane = bw_kinetic_parent(k, lane);
        if (!bw_queue_decide(k, lane, extent, k->now))
            return;
    }
}

/* A leaf has other vertices than before. */
static void settle_leaf(bw_kinetic *k, uint32_t leaf)
{
    const bw_wide_leaf *l = &k->tree->wide.leaves[leaf];
    uint32_t lane = l->parent * BW_WIDTH + l->lane;
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++)
        if (bw_queue_decide(k, lane, extent, k->now))
            settle_above(k, lane, extent);
}

/* A node has other lanes than before. */
static void settle_node(bw_kinetic *k, uint32_t node)
{
    uint32_t first = node * BW_WIDTH, count = k->tree->wide.nodes[node].count;
    for (uint32_t lane = first; lane < first + BW_WIDTH; lane++) {
        for (uint32_t extent = 0; extent < BW_EXTENTS && lane < first + count; extent++)
            bw_queue_decide(k, lane, extent, k->now);
        if (lane >= first + count)
            clear_lane(k, lane);
    }
    for (uint32_t extent = 0; extent < BW_EXTENTS && count > 0; extent++)
        settle_above(k, first, extent);
}

/* The root's own box is numbered behind all lanes: it makes way for new ones. */
static void move_root(bw_kinetic *k, uint32_t from, uint32_t to)
{
    bw_heap *heap = &k->queue.heap;
    for (uint32_t extent = 0; extent < BW_EXTENTS; extent++) {
        uint32_t id = from * BW_EXTENTS + extent, moved = to * BW_EXTENTS + extent;
        k->queue.winner[moved] = k->queue.winner[id];
        if (bw_heap_has(heap, id))
            bw_heap_insert(heap, moved, bw_heap_key(heap, id));
    }
    clear_lane(k, from);
}

void bw_queue_insert(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t nodes = wide->node_count, leaves = wide->leaf_count;
    bw_wide_insert_one(editor, primitive);
    uint32_t leaf = wide->slot_of[primitive] / BW_WIDTH;
    if (nodes == 0)
        bw_queue_start(k, k->now, NULL);
    else if (wide->node_count > nodes) { /* one more, which took lanes from its parent */
        move_root(k, nodes * BW_WIDTH, bw_kinetic_root(k));
        settle_node(k, nodes);
        settle_node(k, wide->nodes[nodes].parent);
    } else if (wide->leaf_count > leaves)
        settle_node(k, wide->leaves[leaf].parent);
    else
        settle_leaf(k, leaf);
}

/* What the removal of a primitive touched in the wide tree. */
typedef struct removal {
    bool local;       /* false: more than one leaf and nodes above it changed, or they are too many to list */
    uint32_t leaf;    /* where the primitive was; without primitives if it is gone */
    uint32_t emptied; /* nodes above it that are gone: emptied, or their only child moved up */
    uint32_t path[64]; /* those, from below, and then the node whose lanes changed */
} removal;

static void remove_primitive(const bw_wide_editor *editor, uint32_t primitive, removal *out)
{
    enum { DEEPEST = sizeof out->path / sizeof out->path[0] };
    const bw_wide *wide = editor->wide;
    uint32_t length = 0;
    *out = (removal){.leaf = wide->slot_of[primitive] / BW_WIDTH};
    for (uint32_t node = wide->leaves[out->leaf].parent; node != BW_NONE && length < DEEPEST;
         node = wide->nodes[node].parent)
        out->path[length++] = node;
    uint32_t lanes = wide->nodes[0].count, last = wide->nodes[0].child[lanes - 1];
    bool whole = out->path[length - 1] == 0;
    bw_wide_remove_one(editor, primitive);
    /* The root may take the place of its only child, whose lanes are then its own. */
    bool lowered = wide->node_count == 0 ||
                   (lanes <= 2 && (wide->nodes[0].count != lanes || wide->nodes[0].child[lanes - 1] != last));
    out->local = whole && !lowered;
    if (out->local && wide->leaves[out->leaf].count == 0)
        while (wide->nodes[out->path[out->emptied]].count == 0)
            out->emptied++;
}

void bw_queue_remove(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    removal gone;
    remove_primitive(editor, primitive, &gone);
    if (!gone.local)
        bw_queue_start(k, k->now, NULL);
    else if (k->tree->wide.leaves[gone.leaf].count > 0)
        settle_leaf(k, gone.leaf);
    else
        for (uint32_t i = 0; i <= gone.emptied; i++)
            settle_node(k, gone.path[i]);
}
