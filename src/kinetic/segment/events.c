/* The events of an extent: the upper envelope of the lines below it. */
#include "kinetic/kinetic.h"

#include "collide/pair/kernels.h"
#include "geom/box.h"

typedef struct line {
    float from, to;
} line;

/* The lines of a leaf's vertices that end above the present one, outward as everywhere; returns how many. The
 * scalar is a constant, so that the loop does not ask for it. */
static inline __attribute__((always_inline)) size_t gather_vertices(const bw_kinetic *k, bw_scalar scalar,
                                                                    uint32_t segment, uint32_t leaf,
                                                                    uint32_t extent, float above, line *to)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_motion *m = &k->flight.motion;
    const size_t stride = bw_motion_stride(m);
    const bw_frame start = {m->frames[segment], stride}, end = {m->frames[segment + 1], stride};
    const uint32_t *vertex = wide->vertices + wide->vertex_first[leaf];
    const double sign = extent < BW_SEGMENT_COUNT / 2 ? -1 : 1;
    const int axis = (int)(extent / BW_WIDTH % 3);
    size_t count = 0;
    for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i++) {
        const double a = sign * bw_frame_coordinate(start, scalar, vertex[i], axis);
        const double b = sign * bw_frame_coordinate(end, scalar, vertex[i], axis);
        to[count] = scalar == BW_F64 ? (line){bw_float_up(a), bw_float_up(b)} : (line){(float)a, (float)b};
        count += to[count].to > above;
    }
    return count;
}

/* The lines below a lane for one extent that end above the present one: the others are never met again, since
 * the value at the end grows from event to event. Most extents have one or two. */
static bool gather(const bw_kinetic *k, uint32_t segment, uint32_t child, uint32_t extent, float above,
                   bw_array *out)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_segment *lines = &k->lines;
    uint32_t row = extent / BW_WIDTH * BW_WIDTH;
    bool is_leaf = (child & BW_WIDE_LEAF) != 0;
    uint32_t leaf = child & ~BW_WIDE_LEAF;
    size_t most = is_leaf ? wide->leaves[leaf].vertex_count
                          : wide->nodes[child].count + (lines->first[child - 1] - lines->first[child]);
    out->count = 0;
    line *to = bw_array_extend(out, most);
    if (to == NULL)
        return false;
    size_t count = 0;
    if (is_leaf) {
        out->count = k->flight.motion.scalar == BW_F64
                         ? gather_vertices(k, BW_F64, segment, leaf, extent, above, to)
                         : gather_vertices(k, BW_F32, segment, leaf, extent, above, to);
        return true;
    }
    const bw_segment_node *below = &lines->nodes[child];
    for (uint32_t i = 0; i < wide->nodes[child].count; i++) {
        to[count] = (line){below->at[lines->start][row + i], below->at[!lines->start][row + i]};
        count += to[count].to > above;
    }
    if ((lines->eventful[child] >> row & 0xFF) != 0)
        for (size_t i = lines->first[child]; i < lines->first[child - 1]; i++) {
            const bw_segment_event *e = bw_array_at(&lines->raw, i);
            to[count] = (line){e->from, e->to};
            count += e->id % BW_SEGMENT_COUNT - row < BW_WIDTH && e->to > above;
        }
    out->count = count;
    return true;
}

/* The line that crosses the present one first, of equals the one that ends highest; the present one itself
 * where none does. */
typedef struct crossing {
    double s;
    line line;
} crossing;

static inline bool before(const crossing *a, const crossing *b)
{
    if (a->s != b->s)
        return a->s < b->s;
    return a->line.to > b->line.to || (a->line.to == b->line.to && a->line.from > b->line.from);
}

static crossing next_line(line present, const line *lines, size_t count)
{
    crossing best = {2, present};
    for (size_t i = 0; i < count; i++) {
        if (!(lines[i].to > present.to))
            continue;
        double behind = (double)present.from - (double)lines[i].from;
        behind = behind > 0 ? behind : 0;
        crossing c = {behind / (behind + ((double)lines[i].to - (double)present.to)), lines[i]};
        if (before(&c, &best))
            best = c;
    }
    return best;
}

/* From the winner at the start up to the line that wins at the end: the value at the end grows with each, so
 * it ends. */
static bool envelope(bw_kinetic *k, uint32_t id, line present, const line *lines, size_t count)
{
    double s = 0;
    for (;;) {
        crossing next = next_line(present, lines, count);
        if (!(next.line.to > present.to))
            return true;
        s = next.s > s ? next.s : s;
        present = next.line;
        bw_segment_event *e = bw_array_push(&k->lines.raw);
        if (e == NULL)
            return false;
        *e = (bw_segment_event){(uint64_t)(s * BW_SEGMENT_TIMES), id, present.from, present.to};
        if (count == 1)
            return true;
    }
}

bool bw_segment_find_events(bw_kinetic *k, uint32_t segment, uint32_t n, const uint8_t sides[],
                            bw_array *scratch)
{
    const bw_wide_node *node = &k->tree->wide.nodes[n];
    const bw_segment_node *rows = &k->lines.nodes[n];
    const uint32_t start = k->lines.start;
    for (uint32_t lane = 0; lane < node->count; lane++)
        for (uint32_t left = sides[lane]; left != 0; left &= left - 1) {
            uint32_t extent = bw_segment_extent(bw_wide_lowest(left), lane);
            line present = {rows->at[start][extent], rows->at[!start][extent]};
            if (!gather(k, segment, node->child[lane], extent, present.to, scratch) ||
                !envelope(k, n * BW_SEGMENT_COUNT + extent, present, bw_array_at(scratch, 0), scratch->count))
                return false;
            k->lines.eventful[n] |= (uint64_t)1 << extent;
        }
    return true;
}
