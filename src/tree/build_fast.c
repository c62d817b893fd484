/* The fast builder: primitives in the order of a Hilbert curve, divided where the curve enters another cube
 * until no more than 64 are together, as in C. Lauterbach et al., "Fast BVH Construction on GPUs",
 * Eurographics 2009; then eight consecutive ones a leaf, so that leaves are full, and the cheapest collapse
 * of what is above. */
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build_collapse.h"
#include "tree/build_hilbert.h"
#include "tree/wide_fill.h"

#if BW_SIMD_X86
#    include <emmintrin.h>
#endif

enum { GRAIN = 256, RANGES = 16, LEAST = 8 };

typedef struct job {
    const bw_box_source *source;
    const uint64_t *keys;
    bw_split_node *nodes;
    uint32_t node_count, leaf_count;
    uint32_t *groups; /* the nodes that are leaves or groups, in order */
    uint32_t group_count;
    bw_wide wide;
    bw_box *leaf_boxes;
} job;

/* Where a range divides: at the first key of the cube that the curve enters last, but not so near an end that
 * a part is less than a leaf; where all lie in one cell, at the middle of the leaves. */
static uint32_t divide_at(const uint64_t *keys, uint32_t begin, uint32_t end)
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
    return low;
}

/* Depth-first; at most 30 levels of cubes and 27 of halves deep. */
static void divide(job *work, uint32_t begin, uint32_t end)
{
    const uint32_t index = work->node_count++;
    bw_split_node *node = &work->nodes[index];
    if (end - begin <= BW_GROUP) {
        node->first = begin;
        node->count = end - begin;
        node->right = work->leaf_count;
        work->leaf_count += (end - begin + BW_WIDTH - 1) / BW_WIDTH;
        work->groups[work->group_count++] = index;
        return;
    }
    const uint32_t middle = divide_at(work->keys, begin, end);
    node->count = 0;
    divide(work, begin, middle);
    node->right = work->node_count;
    divide(work, middle, end);
}

static bw_box leaf_box_scalar(const bw_box *boxes, const uint64_t *keys, uint32_t count)
{
    bw_box box = boxes[BW_HILBERT_INDEX(keys[0])];
    for (uint32_t i = 1; i < count; i++)
        box = bw_box_union(&boxes[BW_HILBERT_INDEX(keys[i])], &box);
    return box;
}

#if BW_SIMD_X86
__attribute__((target("sse2"))) static bw_box leaf_box_sse(const bw_box *boxes, const uint64_t *keys,
                                                           uint32_t count)
{
    /* Lanes 0..2 of the first half of a box are its min, lanes 1..3 of the second its max. */
    const float *at = boxes[BW_HILBERT_INDEX(keys[0])].min;
    __m128 low = _mm_loadu_ps(at), high = _mm_loadu_ps(at + 2);
    for (uint32_t i = 1; i < count; i++) {
        at = boxes[BW_HILBERT_INDEX(keys[i])].min;
        low = _mm_min_ps(_mm_loadu_ps(at), low);
        high = _mm_max_ps(_mm_loadu_ps(at + 2), high);
    }
    float l[4], h[4];
    _mm_storeu_ps(l, low);
    _mm_storeu_ps(h, high);
    return (bw_box){{l[0], l[1], l[2]}, {h[1], h[2], h[3]}};
}
#endif

/* From the array of boxes. */
static bw_box leaf_box(const bw_box_source *source, const uint64_t *keys, uint32_t count)
{
    bw_box box;
#if BW_SIMD_X86
    if (source->simd >= BW_SIMD_SSE)
        box = leaf_box_sse(source->boxes, keys, count);
    else
#endif
        box = leaf_box_scalar(source->boxes, keys, count);
    for (int axis = 0; axis < 3; axis++) { /* no -0 */
        box.min[axis] += 0.0f;
        box.max[axis] += 0.0f;
    }
    return box;
}

/* The curve visits triangles in an order of its own: what lies ahead on it is fetched early, first the
 * indices, then the positions that they name. */
enum { AHEAD = 6 * BW_WIDTH, NEAR_AHEAD = 3 * BW_WIDTH };

static void fetch_ahead(const job *work, uint32_t at)
{
    const bw_box_source *source = work->source;
    const bw_mesh *mesh = source->mesh;
    if (mesh == NULL || mesh->indices == NULL || at + AHEAD + BW_WIDTH > source->count)
        return;
    const size_t stride = bw_view_stride(mesh);
    for (uint32_t i = at; i < at + BW_WIDTH; i++) {
        uint32_t near = bw_source_primitive(source, BW_HILBERT_INDEX(work->keys[i + NEAR_AHEAD]));
        uint32_t far = bw_source_primitive(source, BW_HILBERT_INDEX(work->keys[i + AHEAD]));
        BW_PREFETCH(mesh->indices + 3 * (size_t)far);
        for (uint32_t corner = 0; corner < 3; corner++)
            BW_PREFETCH((const char *)mesh->positions + mesh->indices[3 * (size_t)near + corner] * stride);
    }
}

/* Fills the slots of a leaf, and its corners where the tree has them; returns its box. */
static bw_box make_leaf(job *work, uint32_t leaf, uint32_t first, uint32_t count)
{
    bw_wide *wide = &work->wide;
    uint32_t *slots = &wide->primitives[(size_t)leaf * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        slots[i] =
            i < count ? bw_source_primitive(work->source, BW_HILBERT_INDEX(work->keys[first + i])) : BW_NONE;
    wide->leaves[leaf] = (bw_wide_leaf){.count = (uint8_t)count};
    if (work->source->boxes != NULL)
        return leaf_box(work->source, work->keys + first, count);
    if (wide->corners != NULL)
        return bw_wide_fit_corners(wide, leaf, work->source->mesh, work->source->simd);
    bw_box boxes[BW_WIDTH], all;
    bw_wide_boxes(work->source->mesh, slots, count, boxes, NULL, work->source->simd);
    all = boxes[0];
    for (uint32_t i = 1; i < count; i++)
        all = bw_box_union(&all, &boxes[i]);
    return all;
}

/* The leaves of groups, their boxes and those of the groups. */
static void make_leaves(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    job *work = context;
    for (uint32_t g = begin; g < end; g++) {
        bw_split_node *group = &work->nodes[work->groups[g]];
        group->box = bw_box_empty();
        for (uint32_t at = 0; at < group->count; at += BW_WIDTH) {
            const uint32_t leaf = group->right + at / BW_WIDTH;
            fetch_ahead(work, group->first + at);
            bw_box box = make_leaf(work, leaf, group->first + at,
                                   group->count - at < BW_WIDTH ? group->count - at : BW_WIDTH);
            work->leaf_boxes[leaf] = box;
            group->box = bw_box_union(&group->box, &box);
        }
    }
}

/* The binary tree over groups, in which the cheapest collapse is found from below. */
static void join_groups(job *work)
{
    bw_box all = bw_box_empty();
    for (uint32_t g = 0; g < work->group_count; g++)
        all = bw_box_union(&all, &work->nodes[work->groups[g]].box);
    const float inverse_unit = bw_box_inverse_unit(&all);
    for (uint32_t i = work->node_count; i-- > 0;) {
        if (work->nodes[i].count == 0)
            bw_split_node_join(work->nodes, i, inverse_unit, work->source->simd);
        else
            bw_split_node_close(&work->nodes[i], inverse_unit);
    }
}

static bw_result build(job *work, const bw_wide_desc *desc, bw_wide_form form, const bw_allocator *allocator)
{
    bw_wide *wide = &work->wide;
    divide(work, 0, work->source->count);
    bw_result result = bw_wide_reserve_leaves(allocator, work->leaf_count, wide);
    if (result != BW_OK)
        return result;
    if (form == BW_WIDE_CORNERS)
        wide->corners = bw_allocate(allocator, wide->leaf_capacity, sizeof *wide->corners);
    work->leaf_boxes = bw_allocate(allocator, work->leaf_count, sizeof *work->leaf_boxes);
    if (work->leaf_boxes == NULL || (form == BW_WIDE_CORNERS && wide->corners == NULL)) {
        result = BW_ERROR_MEMORY;
    } else {
        /* In few large ranges: threads that first touch the same large page both clear it. */
        const uint32_t grain = work->group_count / RANGES;
        bw_parallel(desc->tasks, make_leaves, work, work->group_count, grain > GRAIN ? grain : GRAIN);
        join_groups(work);
        result = bw_wide_collapse_groups(work->nodes, work->leaf_boxes, wide);
    }
    bw_release(allocator, work->leaf_boxes, work->leaf_count, sizeof *work->leaf_boxes);
    if (result != BW_OK)
        bw_wide_release(wide);
    return result;
}

bw_result bw_wide_build_fast(const bw_wide_desc *desc, const bw_box_source *source, bw_wide_form form,
                             bw_wide *out)
{
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const uint32_t count = source->count;
    /* Parts have at least LEAST primitives each, so there are at most so many groups. */
    const size_t groups = count / LEAST + 1, nodes = 2 * groups;
    job work = {.source = source};
    uint64_t *keys = bw_allocate(&allocator, count, sizeof *keys);
    uint64_t *scratch = bw_allocate(&allocator, count, sizeof *scratch);
    work.nodes = bw_allocate(&allocator, nodes, sizeof *work.nodes);
    bw_result result = BW_ERROR_MEMORY;
    if (keys != NULL && scratch != NULL && work.nodes != NULL &&
        bw_hilbert_order(source, keys, scratch, &allocator, desc->tasks)) {
        work.keys = keys;
        work.groups = (uint32_t *)(void *)scratch; /* not in use any more, and groups are fewer than keys */
        result = build(&work, desc, form, &allocator);
    }
    bw_release(&allocator, work.nodes, nodes, sizeof *work.nodes);
    bw_release(&allocator, scratch, count, sizeof *scratch);
    bw_release(&allocator, keys, count, sizeof *keys);
    if (result == BW_OK)
        *out = work.wide;
    return result;
}
