/* The fast builder: primitives in the order of a Hilbert curve, divided where the curve enters another cube
 * until no more than 64 are together, as in C. Lauterbach et al., "Fast BVH Construction on GPUs",
 * Eurographics 2009; then eight consecutive ones a leaf, so that leaves are full, and the cheapest collapse
 * of what is above. */
#include "base/tasks.h"
#include "geom/box.h"
#include "tree/build_collapse.h"
#include "tree/build_hilbert.h"

#include <string.h>

#if BW_SIMD_X86
#    include <emmintrin.h>
#endif

enum { GRAIN = 256, LEAST = 8 };

typedef struct job {
    const bw_box *boxes;
    const uint32_t *ids;
    const uint64_t *keys;
    bw_split_node *nodes;
    uint32_t node_count, leaf_count;
    uint32_t *groups; /* the nodes that are leaves or groups, in order */
    uint32_t group_count;
    bw_box *leaf_boxes;
    uint32_t *order;
    float inverse_unit;
    bw_simd simd;
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
    uint32_t low = begin + LEAST, high = end - LEAST;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((BW_HILBERT_CODE(keys[middle]) | below >> 1) <= cube)
            low = middle + 1;
        else
            high = middle;
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

static bw_box leaf_box(const job *work, const uint64_t *keys, uint32_t count)
{
    bw_box box;
#if BW_SIMD_X86
    if (work->simd >= BW_SIMD_SSE)
        box = leaf_box_sse(work->boxes, keys, count);
    else
#endif
        box = leaf_box_scalar(work->boxes, keys, count);
    for (int axis = 0; axis < 3; axis++) { /* no -0 */
        box.min[axis] += 0.0f;
        box.max[axis] += 0.0f;
    }
    return box;
}

/* The boxes of groups and of their leaves, and the order of their primitives. */
static void bound_groups(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
    for (uint32_t g = begin; g < end; g++) {
        bw_split_node *group = &work->nodes[work->groups[g]];
        group->box = bw_box_empty();
        for (uint32_t at = 0; at < group->count; at += BW_WIDTH) {
            uint32_t count = group->count - at < BW_WIDTH ? group->count - at : BW_WIDTH;
            bw_box *box = &work->leaf_boxes[group->right + at / BW_WIDTH];
            *box = leaf_box(work, work->keys + group->first + at, count);
            group->box = bw_box_union(&group->box, box);
        }
        for (uint32_t i = group->first; i < group->first + group->count; i++) {
            uint32_t which = BW_HILBERT_INDEX(work->keys[i]);
            work->order[i] = work->ids == NULL ? which : work->ids[which];
        }
    }
}

static bw_result build(job *work, uint32_t count, const bw_wide_desc *desc, const bw_allocator *allocator,
                       bw_wide *out)
{
    divide(work, 0, count);
    bw_parallel(desc->tasks, bound_groups, work, work->group_count, GRAIN);
    bw_box all = bw_box_empty();
    for (uint32_t g = 0; g < work->group_count; g++)
        all = bw_box_union(&all, &work->nodes[work->groups[g]].box);
    work->inverse_unit = bw_box_inverse_unit(&all);
    for (uint32_t i = work->node_count; i-- > 0;) {
        if (work->nodes[i].count == 0)
            bw_split_node_join(work->nodes, i, work->inverse_unit, work->simd);
        else
            bw_split_node_close(&work->nodes[i], work->inverse_unit);
    }
    return bw_wide_collapse(work->nodes, work->order, work->leaf_boxes, allocator, out);
}

bw_result bw_wide_build_fast(const bw_wide_desc *desc, const bw_box *boxes, const uint32_t *ids,
                             uint32_t count, bw_wide *out)
{
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    /* Parts have at least LEAST primitives each, so there are at most so many groups, and with the last leaf
     * of each perhaps not full, at most twice as many leaves as need be. */
    const size_t groups = count / LEAST + 1, nodes = 2 * groups, leaves = 2 * groups;
    job work = {.boxes = boxes, .ids = ids, .simd = bw_simd_level(desc->simd)};
    uint64_t *keys = bw_allocate(&allocator, count, sizeof *keys);
    uint64_t *scratch = bw_allocate(&allocator, count, sizeof *scratch);
    work.groups = bw_allocate(&allocator, groups, sizeof *work.groups);
    work.nodes = bw_allocate(&allocator, nodes, sizeof *work.nodes);
    work.leaf_boxes = bw_allocate(&allocator, leaves, sizeof *work.leaf_boxes);
    bw_result result = BW_ERROR_MEMORY;
    if (keys != NULL && scratch != NULL && work.groups != NULL && work.nodes != NULL &&
        work.leaf_boxes != NULL &&
        bw_hilbert_order(boxes, count, keys, scratch, &allocator, desc->tasks, desc->simd)) {
        work.keys = keys;
        work.order = (uint32_t *)(void *)scratch; /* not in use any more */
        result = build(&work, count, desc, &allocator, out);
    }
    bw_release(&allocator, work.leaf_boxes, leaves, sizeof *work.leaf_boxes);
    bw_release(&allocator, work.nodes, nodes, sizeof *work.nodes);
    bw_release(&allocator, work.groups, groups, sizeof *work.groups);
    bw_release(&allocator, scratch, count, sizeof *scratch);
    bw_release(&allocator, keys, count, sizeof *keys);
    return result;
}
