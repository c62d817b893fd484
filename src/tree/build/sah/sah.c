/* The quality builder: a binary tree by the surface-area heuristic, collapsed into nodes of eight. The top of
 * a large tree is divided by clusters, what hangs from it are subtrees of their own (tree/build/sah/top.h).
 */
#include "tree/build/sah/sah.h"
#include "tree/build/hilbert.h"
#include "tree/build/sah/top.h"
#include "tree/wide/leaf_corners.h"

enum { SPARE = 16 }; /* one more leaf is allowed for so many */

static bool divide(bw_top *top, uint64_t *keys, uint64_t *scratch, bw_fresh later, uint32_t leaves)
{
    if (keys == NULL)
        return bw_top_whole(top, leaves);
    top->keys = keys;
    return bw_hilbert_order(top->source, keys, scratch, later, top->allocator, top->tasks) &&
           bw_cancel_go_on(top->cancel) && bw_top_divide(top, leaves);
}

/* What a build needs from the first to the last step, in one block. Of a large tree that is to have corners,
 * it is the block of these: they are made when everything else is done, and fresh memory is dear. */
typedef struct workspace {
    void *block;
    size_t size;
    bool corners;
    uint64_t *keys; /* NULL: no order along the curve is needed */
    uint64_t *scratch;
    bw_split_node *nodes;
} workspace;

static inline size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static bool make_workspace(workspace *w, uint32_t count, uint32_t leaves, bw_wide_form form,
                           const bw_allocator *allocator)
{
    const bool coded = count > BW_TOP_LEAST;
    const size_t keys = coded ? lines(count * sizeof *w->keys) : 0;
    /* The order of leaves' primitives is made when the room beside the keys is no longer in use. */
    const size_t scratch = coded ? keys : lines(count * sizeof(uint32_t));
    w->size = keys + scratch + (2 * (size_t)leaves - 1) * sizeof *w->nodes;
    w->corners = coded && form == BW_WIDE_CORNERS && w->size <= leaves * sizeof(bw_wide_corners);
    if (w->corners)
        w->size = leaves * sizeof(bw_wide_corners);
    w->block = bw_allocate(allocator, w->size, 1);
    char *at = w->block;
    w->keys = coded ? w->block : NULL;
    if (w->block != NULL) {
        w->scratch = (uint64_t *)(void *)(at + keys);
        w->nodes = (bw_split_node *)(void *)(at + keys + scratch);
    }
    return w->block != NULL;
}

static bw_result fill(bw_wide *wide, workspace *w, const bw_wide_desc *desc, const bw_box_source *source)
{
    wide->corners = w->block;
    w->block = NULL;
    const bw_result result = bw_wide_fill_corners(wide, source->mesh, desc->tasks, source->simd);
    if (result != BW_OK)
        bw_wide_release(wide);
    return result;
}

bw_result bw_wide_build_sah(const bw_wide_desc *desc, const bw_box_source *source, bw_wide_form form,
                            bw_wide *out)
{
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const uint32_t least = (source->count + BW_WIDTH - 1) / BW_WIDTH, leaves = least + least / SPARE;
    workspace w;
    if (!make_workspace(&w, source->count, leaves, form, &allocator))
        return BW_ERROR_MEMORY;
    uint32_t *order = (uint32_t *)(void *)w.scratch;
    bw_top top = bw_top_of(source, w.nodes, desc->tasks, &allocator);
    top.cancel = desc->cancel;
    const char *end = (const char *)w.block + w.size;
    const bw_fresh rest = bw_fresh_of_all(desc->tasks, w.nodes, (size_t)(end - (const char *)w.nodes));
    const bool built = divide(&top, w.keys, w.scratch, rest, leaves) && bw_top_build(&top, order);
    bw_top_release(&top);
    bw_wide wide;
    bw_result result = bw_cancel_go_on(desc->cancel) ? BW_ERROR_MEMORY : BW_ERROR_STOPPED;
    if (built)
        result = bw_wide_collapse(w.nodes, order, source->count, w.corners ? leaves : 0, desc->tasks,
                                  &allocator, &wide);
    if (result == BW_OK && w.corners)
        result = fill(&wide, &w, desc, source);
    bw_release(&allocator, w.block, w.size, 1);
    if (result == BW_OK)
        *out = wide;
    return result;
}
