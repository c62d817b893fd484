/* Lines of a tree whose primitives come and go: which lanes have none until the next segment
 * (kinetic/segment/segment.h). */
#include "geom/box.h"
#include "kinetic/kinetic.h"
#include "kinetic/removal.h"

static void mark(bw_kinetic *k, uint32_t node, uint32_t lanes)
{
    bw_segment *lines = &k->lines;
    lines->stale_nodes += lines->stale[node] == 0 && lanes != 0;
    lines->stale[node] |= (uint8_t)lanes;
}

static void mark_above(bw_kinetic *k, uint32_t node)
{
    const bw_wide *wide = &k->tree->wide;
    for (uint32_t above; (above = wide->nodes[node].parent) != BW_NONE; node = above)
        mark(k, above, 1u << wide->nodes[node].parent_lane);
}

/* A leaf has other vertices than before. */
static void mark_leaf(bw_kinetic *k, uint32_t leaf)
{
    const bw_wide_leaf *l = &k->tree->wide.leaves[leaf];
    mark(k, l->parent, 1u << l->lane);
    mark_above(k, l->parent);
}

/* A node has other lanes than before. */
static void mark_node(bw_kinetic *k, uint32_t node)
{
    mark(k, node, 0xFF);
    mark_above(k, node);
}

/* Rows of a new node, which nobody reads as numbers that mean something. */
static void clear_rows(bw_kinetic *k, uint32_t node)
{
    k->lines.nodes[node] = (bw_segment_node){0};
    if (k->lines.eventful != NULL)
        k->lines.eventful[node] = 0;
}

void bw_segment_insert(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t nodes = wide->node_count, leaves = wide->leaf_count;
    bw_wide_insert_one(editor, primitive);
    uint32_t leaf = wide->slot_of[primitive] / BW_WIDTH;
    for (uint32_t node = nodes; node < wide->node_count; node++)
        clear_rows(k, node);
    if (nodes == 0)
        k->lines.segment = BW_NONE;
    if (k->lines.segment == BW_NONE)
        return;
    if (wide->node_count > nodes) { /* one more, which took lanes from its parent */
        mark_node(k, nodes);
        mark_node(k, wide->nodes[nodes].parent);
    } else if (wide->leaf_count > leaves)
        mark_node(k, wide->leaves[leaf].parent);
    else
        mark_leaf(k, leaf);
}

void bw_segment_remove(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    bw_removal gone;
    bw_remove_primitive(editor, primitive, &gone);
    if (!gone.local)
        k->lines.segment = BW_NONE;
    if (k->lines.segment == BW_NONE)
        return;
    if (k->tree->wide.leaves[gone.leaf].count > 0)
        mark_leaf(k, gone.leaf);
    else
        mark_node(k, gone.path[gone.emptied]);
}

void bw_segment_settle(bw_kinetic *k)
{
    enum { MOST = 16 }; /* of so many nodes one may have such lanes */
    if (k->lines.segment != BW_NONE && k->lines.stale_nodes <= 8 + k->tree->wide.node_count / MOST)
        return;
    uint64_t again = 0; /* updates that were counted before */
    k->lines.segment = BW_NONE;
    (void)bw_segment_advance(k, k->now, &again, &k->total.segments);
}

/* One extent at the end of the segment, from right below. */
static float end_below(const bw_kinetic *k, uint32_t child, uint32_t row, uint32_t extent)
{
    const bw_wide *wide = &k->tree->wide;
    float best = -BW_WIDE_EMPTY;
    if ((child & BW_WIDE_LEAF) == 0) {
        for (uint32_t i = 0; i < wide->nodes[child].count; i++) {
            float x = k->lines.nodes[child].at[row][extent / BW_WIDTH * BW_WIDTH + i];
            best = x > best ? x : best;
        }
        return best;
    }
    uint32_t leaf = child & ~BW_WIDE_LEAF;
    bw_frame end = bw_segment_frame(k, true);
    for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i++) {
        uint32_t v = wide->vertices[wide->vertex_first[leaf] + i];
        double x = bw_frame_coordinate(end, k->mesh.scalar, v, (int)(extent / BW_WIDTH % 3));
        float up = bw_float_up(extent < BW_SEGMENT_COUNT / 2 ? -x : x);
        best = up > best ? up : best;
    }
    return best;
}

void bw_segment_end_stale(bw_kinetic *k)
{
    const bw_wide *wide = &k->tree->wide;
    bw_segment *lines = &k->lines;
    if (lines->stale_nodes == 0)
        return;
    const uint32_t row = !lines->start;
    for (uint32_t n = wide->node_count; n-- > 0;) { /* children come after their parent */
        float *at = lines->nodes[n].at[row];
        for (uint32_t extent = 0; lines->stale[n] != 0 && extent < BW_SEGMENT_COUNT; extent++)
            if ((lines->stale[n] >> extent % BW_WIDTH & 1) != 0)
                at[extent] = extent % BW_WIDTH < wide->nodes[n].count
                                 ? end_below(k, wide->nodes[n].child[extent % BW_WIDTH], row, extent)
                                 : -BW_WIDE_EMPTY;
    }
    for (uint32_t side = 0; side < BW_SIDES; side++) /* the size of all */
        for (uint32_t lane = 0; lane < BW_WIDTH && side % 4 != 3; lane++) {
            float x = lines->nodes[0].at[row][bw_segment_extent(side, lane)], *end = lines->reach[0].end;
            end[side] = lane == 0 || x > end[side] ? x : end[side];
        }
}
