/* The fast builder: primitives in the order of a Hilbert curve, eight consecutive ones a leaf, eight
 * consecutive leaves a node, and so on, so that all leaves and nodes but the last of each level are full and
 * every place is known in advance. I. Kamel, C. Faloutsos, "On Packing R-trees", CIKM 1993. */
#include "base/tasks.h"
#include "tree/build.h"
#include "tree/build_hilbert.h"

#if BW_SIMD_X86
#    include <emmintrin.h>
#endif

enum { MAX_LEVELS = 11, GRAIN = 64 };

/* Level 1 holds leaves, level `levels` is the root. A full subtree of level k has full[k] nodes. */
typedef struct shape {
    uint32_t leaf_count, levels;
    uint32_t full[MAX_LEVELS + 1];
    uint32_t width[MAX_LEVELS + 1]; /* nodes of each level */
} shape;

static shape shape_of(uint32_t count)
{
    shape s = {.leaf_count = (count + BW_WIDTH - 1) / BW_WIDTH};
    uint32_t width = s.leaf_count;
    do {
        s.levels++;
        s.full[s.levels] = 1 + BW_WIDTH * s.full[s.levels - 1];
        width = (width + BW_WIDTH - 1) / BW_WIDTH;
        s.width[s.levels] = width;
    } while (width > 1);
    return s;
}

/* Where the n-th node of a level stands in depth-first order: all subtrees before its path are full. */
static uint32_t node_index(const shape *s, uint32_t level, uint32_t n)
{
    uint32_t index = 0;
    for (uint32_t k = s->levels; k > level; k--) {
        uint32_t digit = n >> 3 * (k - 1 - level) & (BW_WIDTH - 1);
        index += 1 + digit * s->full[k - 1];
    }
    return index;
}

typedef struct job {
    shape shape;
    const bw_box *boxes;
    const uint32_t *ids;
    const uint64_t *keys;
    uint32_t count;
    bw_wide *wide;
    bw_simd simd;
} job;

/* Everything but boxes. */
static void link_node(const job *work, uint32_t level, uint32_t n)
{
    const shape *s = &work->shape;
    uint32_t index = node_index(s, level, n);
    bw_wide_node *node = &work->wide->nodes[index];
    uint32_t below = level == 1 ? s->leaf_count : s->width[level - 1];
    uint32_t first = n * BW_WIDTH;
    bool root = level == s->levels;
    bw_wide_init_node(node, below - first < BW_WIDTH ? below - first : BW_WIDTH,
                      root ? BW_NONE : node_index(s, level + 1, n / BW_WIDTH), root ? 0 : n % BW_WIDTH);
    node->end = n + 1 == s->width[level] ? work->wide->node_count : index + s->full[level];
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        if (lane >= node->count)
            bw_wide_clear_lane(node, lane);
        else
            node->child[lane] =
                level == 1 ? BW_WIDE_LEAF | (first + lane) : index + 1 + lane * s->full[level - 1];
    }
}

static bw_box leaf_box_scalar(const bw_box *boxes, const uint64_t *keys, uint32_t count)
{
    bw_box box = boxes[BW_HILBERT_INDEX(keys[0])];
    for (uint32_t i = 1; i < count; i++) {
        const bw_box *other = &boxes[BW_HILBERT_INDEX(keys[i])];
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = other->min[axis] < box.min[axis] ? other->min[axis] : box.min[axis];
            box.max[axis] = other->max[axis] > box.max[axis] ? other->max[axis] : box.max[axis];
        }
    }
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

/* The nodes begin..end-1 of the lowest level, with their leaves. */
static void fill_lowest(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
    bw_wide *wide = work->wide;
    for (uint32_t n = begin; n < end; n++) {
        link_node(work, 1, n);
        uint32_t index = node_index(&work->shape, 1, n);
        bw_wide_node *node = &wide->nodes[index];
        for (uint32_t lane = 0; lane < node->count; lane++) {
            uint32_t leaf = n * BW_WIDTH + lane, first = leaf * BW_WIDTH;
            uint32_t count = work->count - first < BW_WIDTH ? work->count - first : BW_WIDTH;
            wide->leaves[leaf] = (bw_wide_leaf){index, (uint8_t)lane, (uint8_t)count, 0};
            uint32_t *slots = &wide->primitives[first];
            for (uint32_t i = 0; i < BW_WIDTH; i++) {
                uint32_t which = i < count ? BW_HILBERT_INDEX(work->keys[first + i]) : 0;
                slots[i] = i >= count ? BW_NONE : work->ids == NULL ? which : work->ids[which];
            }
            bw_box box = leaf_box(work, work->keys + first, count);
            bw_wide_set_lane(node, lane, &box);
        }
    }
}

bw_result bw_wide_build_fast(const bw_wide_desc *desc, const bw_box *boxes, const uint32_t *ids,
                             uint32_t count, bw_wide *out)
{
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    job work = {.shape = shape_of(count),
                .boxes = boxes,
                .ids = ids,
                .count = count,
                .simd = bw_simd_level(desc->simd)};
    uint32_t node_count = 0;
    for (uint32_t level = 1; level <= work.shape.levels; level++)
        node_count += work.shape.width[level];
    bw_wide wide;
    bw_result result = bw_wide_reserve(&allocator, node_count, work.shape.leaf_count, &wide);
    if (result != BW_OK)
        return result;
    uint64_t *keys = bw_allocate(&allocator, count, sizeof *keys);
    uint64_t *scratch = bw_allocate(&allocator, count, sizeof *scratch);
    if (keys == NULL || scratch == NULL ||
        !bw_hilbert_order(boxes, count, keys, scratch, &allocator, desc->tasks, desc->simd)) {
        bw_wide_release(&wide);
        result = BW_ERROR_MEMORY;
    } else {
        work.wide = &wide;
        work.keys = keys;
        bw_parallel(desc->tasks, fill_lowest, &work, work.shape.width[1], GRAIN);
        for (uint32_t level = 2; level <= work.shape.levels; level++)
            for (uint32_t n = 0; n < work.shape.width[level]; n++)
                link_node(&work, level, n);
        wide.primitive_count = count;
        wide.preorder = true;
        bw_wide_pull(&wide, desc->tasks, desc->simd);
        *out = wide;
    }
    bw_release(&allocator, scratch, count, sizeof *scratch);
    bw_release(&allocator, keys, count, sizeof *keys);
    return result;
}
