/* The queries of modern trees that all of the time goes into, one table per level of base/simd/f32x8.h: the same
 * bits at each, for there are only comparisons, minima, sums and products in one order. */
#ifndef BW_SCENE_MODERN_KERNELS_H
#define BW_SCENE_MODERN_KERNELS_H

#include "base/stack.h"
#include "scene/modern/modern.h"

/* A subtree that later subtrees are compared with. */
typedef struct bw_modern_candidate {
    bw_node_ref ref;
    float box[6];
} bw_modern_candidate;

/* A subtree with its candidates: a part of a walk for threads. */
typedef struct bw_modern_part {
    bw_modern_candidate top;
    uint32_t begin, count; /* of its candidates */
} bw_modern_part;

/* A walk over all pairs. */
typedef struct bw_modern_joiner {
    const bw_modern_tree *tree;
    bw_stack candidates; /* of bw_modern_candidate */
    bw_pair_sink *sink;
    bw_stack *pairs;       /* of a part; NULL: straight to the sink */
    bw_stack *parts, *own; /* where the walk only cuts the tree: the parts, and their candidates */
    uint64_t tested;
    bool failed;
} bw_modern_joiner;

typedef struct bw_modern_kernels {
    uint32_t (*boxes_meet)(const float (*boxes)[6], uint32_t count, const float query[8]);
    bw_result (*find_box)(const bw_modern_tree *tree, const float query[8], bw_object_sink *sink);
    bw_result (*cull)(const bw_modern_tree *tree, const bw_region_test *test, bw_view_cache *cache,
                      bw_object_sink *sink);
    /* Everything below ref against itself and the candidates from begin on, which meet its box and come after it;
     * where it cuts the tree, down to so many levels. False: no memory. */
    bool (*join)(bw_modern_joiner *j, bw_node_ref ref, const float box[6], size_t begin, int levels);
} bw_modern_kernels;

extern const bw_modern_kernels bw_modern_kernels_128, bw_modern_kernels_avx2;
const bw_modern_kernels *bw_modern_kernels_for(bw_simd level);

#endif
