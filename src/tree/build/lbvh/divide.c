/* Where the fast builder divides the order of the curve: one thread down to parts of a few thousand, then
 * each part on its own. */
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build/hilbert.h"
#include "tree/build/lbvh/lbvh.h"
#include "tree/wide/leaf_vertices.h"

enum {
    PART = 4096,
    LEAST = BW_LBVH_LEAST,
    FILLED = 4 * BW_GROUP /* ranges up to this are divided at whole leaves, where these are to be full */
};

/* The nearest place that leaves nothing but full leaves before it. */
static uint32_t whole_leaves(uint32_t middle, uint32_t begin, uint32_t end)
{
    uint32_t before = (middle - begin + BW_WIDTH / 2) / BW_WIDTH * BW_WIDTH;
    return begin + (before > end - begin - LEAST ? before - BW_WIDTH : before);
}

uint32_t bw_lbvh_divide_at(const uint64_t *keys, uint32_t begin, uint32_t end, bool fill)
{
    const uint64_t differ = BW_HILBERT_CODE(keys[begin]) ^ BW_HILBERT_CODE(keys[end - 1]);
    if (differ == 0)
        return begin + ((end - begin) / 2 + BW_WIDTH - 1) / BW_WIDTH * BW_WIDTH;
    uint64_t below = differ; /* all bits up to the highest one that differs */
    for (unsigned shift = 1; shift < 32; shift *= 2)
        below |= below >> shift;
    const uint64_t cube = BW_HILBERT_CODE(keys[begin]) | below >> 1;
    uint32_t low = begin + LEAST;
    for (uint32_t length = end - LEAST - low; length > 0;) { /* no branch that nobody can predict */
        const uint32_t half = (length + 1) / 2;
        const bool before = (BW_HILBERT_CODE(keys[low + half - 1]) | below >> 1) <= cube;
        low = before ? low + half : low;
        length = before ? length - half : half - 1;
    }
    return fill && end - begin <= FILLED ? whole_leaves(low, begin, end) : low;
}

/* Depth-first; at most 30 levels of cubes and 27 of halves deep. */
static void divide(const bw_lbvh_job *work, bw_lbvh_part *part, uint32_t begin, uint32_t end)
{
    const bool group = end - begin <= BW_GROUP;
    work->shape[BW_LBVH_SHAPE(part->begin) + part->node_count++] = group ? (uint8_t)(end - begin) : 0;
    if (group) {
        part->leaf_count += (end - begin + BW_WIDTH - 1) / BW_WIDTH;
        return;
    }
    const uint32_t middle = bw_lbvh_divide_at(work->keys, begin, end, work->fill);
    divide(work, part, begin, middle);
    divide(work, part, middle, end);
}

void bw_lbvh_divide_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const bw_lbvh_job *work = context;
    for (uint32_t i = begin; i < end; i++) {
        bw_lbvh_part *part = bw_lbvh_part_at(work, i);
        if (part->end == 0)
            continue;
        for (uint32_t k = part->begin; k < part->end; k += 8) /* searches will wait for most of these lines */
            BW_PREFETCH(&work->keys[k]);
        divide(work, part, part->begin, part->end);
    }
}

/* Names the parts. False when memory runs out. */
bool bw_lbvh_divide_top(bw_lbvh_job *work, uint32_t begin, uint32_t end)
{
    bw_lbvh_part *part = bw_array_push(&work->parts);
    if (part == NULL)
        return false;
    if (end - begin <= PART) {
        *part = (bw_lbvh_part){.begin = begin, .end = end};
        return true;
    }
    *part = (bw_lbvh_part){.node_count = 1, .box = bw_box_empty()};
    const uint32_t middle = bw_lbvh_divide_at(work->keys, begin, end, work->fill);
    return bw_lbvh_divide_top(work, begin, middle) && bw_lbvh_divide_top(work, middle, end);
}

uint32_t bw_lbvh_number_parts(bw_lbvh_job *work)
{
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < work->parts.count; i++) {
        bw_lbvh_part *part = bw_lbvh_part_at(work, i);
        part->node = work->node_count;
        part->leaf = leaves;
        work->node_count += part->node_count;
        leaves += part->leaf_count;
    }
    return leaves;
}

/* How many of so many indices are not met before. */
static uint32_t count_different(const uint32_t *indices, uint32_t count)
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool met = false;
        for (uint32_t k = 0; k < i; k++)
            met |= indices[k] == indices[i];
        different += !met;
    }
    return different;
}

bool bw_lbvh_shares_little(const bw_lbvh_job *work)
{
    enum { SAMPLES = 64 };
    const bw_mesh *mesh = work->source->mesh;
    const uint32_t leaves = work->source->count / BW_WIDTH;
    if (mesh == NULL || mesh->indices == NULL || leaves == 0)
        return false;
    const uint32_t samples = leaves < SAMPLES ? leaves : SAMPLES;
    uint32_t listed = 0;
    for (uint32_t s = 0; s < samples; s++) {
        const uint32_t leaf = (uint32_t)((uint64_t)leaves * s / samples);
        uint32_t indices[BW_WIDE_LIST];
        for (uint32_t i = 0; i < BW_WIDE_LIST; i++) {
            const uint32_t element = BW_HILBERT_INDEX(work->keys[leaf * BW_WIDTH + i / 3]);
            indices[i] = bw_mesh_view_index(mesh, bw_source_primitive(work->source, element), i % 3);
        }
        listed += count_different(indices, BW_WIDE_LIST);
    }
    return listed > 19 * samples;
}
