/* The passes over the tree, from the last node to the first: kinetic/segment/segment.h says what they find. */
#include "kinetic/segment/kernels.h"

#include <string.h>

/* The vertices of a node's leaves, which are read a little later: where they are not in the cache, waiting
 * for them would be most of the work. */
static void fetch(const bw_wide *wide, const bw_segment_node *rows, uint32_t n, bw_frame a, bw_frame b)
{
#if defined(__GNUC__)
    BW_ONLY_PREFETCHES;
    const bw_wide_node *node = &wide->nodes[n];
    for (size_t i = 0; i < sizeof *rows; i += 64)
        __builtin_prefetch((const char *)&rows[n] + i, 1);
    __builtin_prefetch(wide->nodes[n - (n > 2 ? 2 : n)].child);
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t leaf = node->child[lane] & ~BW_WIDE_LEAF;
        if ((node->child[lane] & BW_WIDE_LEAF) == 0)
            continue;
        const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
        for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i += 2) {
            __builtin_prefetch(a.at + list[i] * a.stride);
            if (b.at != a.at)
                __builtin_prefetch(b.at + list[i] * b.stride);
        }
    }
#else
    (void)wide, (void)n, (void)a, (void)b;
#endif
}

enum { AHEAD = 4 }; /* nodes */

void bw_segment_boxes(bw_kinetic *k, bw_frame f, uint32_t row)
{
    const bw_segment_kernels *kernels = bw_segment_kernels_for(k->simd);
    for (uint32_t n = k->tree->wide.node_count; n-- > 0;) {
        if (n >= AHEAD)
            fetch(&k->tree->wide, k->lines.nodes, n - AHEAD, f, f);
        kernels->boxes[k->flight.motion.scalar == BW_F64](k, f, n, row);
    }
}

bw_result bw_segment_compile(bw_kinetic *k, uint32_t segment)
{
    bw_segment *lines = &k->lines;
    const bw_segment_kernels *kernels = bw_segment_kernels_for(k->simd);
    const bool doubles = k->flight.motion.scalar == BW_F64;
    bw_array scratch = bw_array_of(2 * sizeof(float), &k->allocator);
    const bw_motion *m = &k->flight.motion; /* keyframes */
    const size_t stride = bw_motion_stride(m);
    bw_frame start = {m->frames[segment], stride}, end = {m->frames[segment + 1], stride};
    bool good = true;
    lines->raw.count = 0;
    for (uint32_t n = k->tree->wide.node_count; n-- > 0 && good;) {
        uint8_t sides[BW_WIDTH];
        lines->first[n] = (uint32_t)lines->raw.count;
        lines->eventful[n] = 0;
        if (n >= AHEAD)
            fetch(&k->tree->wide, k->lines.nodes, n - AHEAD, start, end);
        if (k->policy.on && !k->policy.range[n / BW_POLICY_RANGE].tight) {
            /* Without events: every extent goes straight from its start to its end. */
            kernels->boxes[doubles](k, end, n, !lines->start);
            memcpy(lines->reach[n].to, lines->reach[n].end, sizeof lines->reach[n].to);
        } else if (kernels->lines[doubles](k, start, end, n, sides) != 0)
            good = bw_segment_find_events(k, segment, n, sides, &scratch) && lines->raw.count < BW_NONE / 2;
    }
    bw_array_release(&scratch);
    return good ? BW_OK : BW_ERROR_MEMORY;
}
