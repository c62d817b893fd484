/* Boxes and positions at the present time, written for the nodes that a query visits. */
#include "kinetic/kind.h"

static void write_block(void *user, uint32_t block)
{
    bw_kinetic *k = user;
    uint32_t first = block * BW_DEFERRED_BLOCK, left = k->mesh.vertex_count - first;
    bw_flight_sample_range(&k->flight, k->now, first, left < BW_DEFERRED_BLOCK ? left : BW_DEFERRED_BLOCK,
                           k->positions);
}

static void write_node(void *user, uint32_t node)
{
    bw_kinetic *k = user;
    bw_kind_of(k)->fit_node(k, node);
}

/* The boxes of a node at the end of the segment, of blended lines: extents stand upward there. */
static void end_boxes(void *user, uint32_t node, bw_eight_boxes *out)
{
    const bw_kinetic *k = user;
    const float *end = k->lines.nodes[node].at[!k->lines.start];
    float *low = out->min[0], *high = out->max[0];
    for (int i = 0; i < 3 * BW_WIDTH; i++) {
        low[i] = 0.0f - end[i];
        high[i] = end[i + 3 * BW_WIDTH] + 0.0f;
    }
}

/* Where blended boxes and all vertices go until the next keyframe. */
static bw_wide_course course_of(bw_kinetic *k)
{
    bw_wide_course course = {.known = false};
    if (k->method != BW_KINETIC_INTERPOLATED)
        return course;
    bw_frame end = bw_segment_frame(k, true);
    course.known = true;
    course.now = k->now;
    course.until = k->lines.to;
    course.end = k->mesh;
    course.end.positions = end.at;
    course.end.stride = (uint32_t)end.stride;
    course.bend = k->lines.bend;
    course.stored = k->flight.motion.kind == BW_MOTION_KEYFRAMES;
    course.end_boxes = end_boxes;
    course.edition = k->edition;
    return course;
}

/* Room for so many numbers, none of which says that anything is written. */
static bool reserve(const bw_allocator *allocator, _Atomic uint32_t **numbers, uint32_t *room, uint32_t count)
{
    if (*room >= count)
        return true;
    _Atomic uint32_t *more = bw_allocate_zero(allocator, count, sizeof *more);
    if (more == NULL)
        return false;
    bw_release(allocator, *numbers, *room, sizeof **numbers);
    *numbers = more;
    *room = count;
    return true;
}

enum { EAGER_FRAMES = 15 }; /* before the blocks are counted again */

/* Whether to write all positions now, by the blocks that were written for the frame before. */
static bool wants_all(bw_deferred *lazy)
{
    const struct bw_wide_deferred *w = &lazy->wide;
    if (w->blocks_now == 0) /* there was none */
        return false;
    if (lazy->eager > 0) {
        lazy->eager--;
        return true;
    }
    if (w->all_blocks || lazy->whole) /* which tells nothing about what queries look at */
        return false;
    if (bw_wide_deferred_written(w->blocks, w->block_count, w->blocks_now) > w->block_count / 2)
        lazy->eager = EAGER_FRAMES;
    return lazy->eager > 0;
}

static void write_all(bw_kinetic *k)
{
    struct bw_wide_deferred *w = &k->lazy.wide;
    bw_flight_sample(&k->flight, k->now, k->positions);
    for (uint32_t i = 0; i < w->block_count; i++)
        atomic_store_explicit(&w->blocks[i], w->blocks_now, memory_order_relaxed);
    w->all_blocks = true;
}

bool bw_deferred_begin(bw_kinetic *k)
{
    bw_deferred *lazy = &k->lazy;
    struct bw_wide_deferred *w = &lazy->wide;
    uint32_t nodes = k->tree->wide.node_count;
    uint32_t blocks =
        k->mesh.vertex_count / BW_DEFERRED_BLOCK + (k->mesh.vertex_count % BW_DEFERRED_BLOCK != 0);
    if (!reserve(&k->allocator, &w->nodes, &lazy->node_room, nodes) ||
        !reserve(&k->allocator, &w->blocks, &lazy->block_room, blocks))
        return false;
    bool shown = k->tree->wide.lazy != NULL; /* what was written for this time still holds */
    w->node_count = nodes;
    w->block_count = blocks;
    if (!shown || !k->boxes_fresh)
        bw_wide_deferred_forget(w->nodes, lazy->node_room, &w->nodes_now);
    if (!shown || !k->positions_fresh) {
        const void *keyframe = bw_kinetic_keyframe(k);
        bool all = keyframe == NULL && wants_all(lazy);
        bw_wide_deferred_forget(w->blocks, lazy->block_room, &w->blocks_now);
        bw_kinetic_show(k, keyframe);
        lazy->whole = false;
        w->all_blocks = keyframe != NULL;
        if (all)
            write_all(k);
    }
    w->write_node = write_node;
    w->write_block = write_block;
    w->user = k;
    w->course = course_of(k);
    k->boxes_fresh = k->positions_fresh = true;
    k->tree->wide.lazy = w;
    bw_wide_need_node(&k->tree->wide, 0);
    k->tree->wide.bounds = bw_wide_node_box(&k->tree->wide.nodes[0]);
    return true;
}

void bw_deferred_all(bw_kinetic *k)
{
    k->lazy.whole = true;
    bw_wide_complete(&k->tree->wide);
}

void bw_deferred_end(bw_kinetic *k)
{
    k->tree->wide.lazy = NULL;
}

void bw_deferred_release(bw_kinetic *k)
{
    bw_deferred *lazy = &k->lazy;
    bw_release(&k->allocator, lazy->wide.nodes, lazy->node_room, sizeof *lazy->wide.nodes);
    bw_release(&k->allocator, lazy->wide.blocks, lazy->block_room, sizeof *lazy->wide.blocks);
}

size_t bw_deferred_bytes(const bw_kinetic *k)
{
    return ((size_t)k->lazy.node_room + k->lazy.block_room) * sizeof(uint32_t);
}
