/* The top of a large tree by the quality builder, over clusters instead of primitives. The order along the
 * curve (tree/build/hilbert.h) is cut into clusters of up to 128 neighbours, whose boxes a few of them tell;
 * the surface-area heuristic over clusters divides them until no more than BW_TOP_LARGE primitives are
 * together. All of this looks at each primitive's centre once and moves 8 bytes of it, where dividing the
 * primitives themselves would move 32 bytes once for each level. */
#ifndef BW_TREE_BUILD_SAH_TOP_H
#define BW_TREE_BUILD_SAH_TOP_H

#include "base/array.h"
#include "base/cancel.h"
#include "tree/build/sah/partition.h"
#include "tree/build/source.h"

enum {
    BW_TOP_LEAST = 1 << 14, /* trees of fewer primitives are one subtree */
    BW_TOP_LARGE = 1 << 12  /* primitives of one task's subtree: they stay in the cache of its core */
};

/* Laid out like bw_ref, for the same reason. */
typedef struct bw_cluster {
    float low[3];
    uint32_t tagged_begin; /* in the order, + BW_REF_TAG */
    float negative_high[3];
    uint32_t tagged_count;
} bw_cluster;

/* A set of clusters on its way to a subtree. */
typedef struct bw_top_range {
    bw_range clusters;     /* begin, end and buffer are those of the clusters */
    uint32_t first, count; /* its primitives: where they will stand in the tree's order, and how many */
    float inverse_unit;    /* of a subtree: that of its areas, once it is built */
} bw_top_range;

/* A stretch of the order that a task cuts into clusters. */
typedef struct bw_top_part {
    uint32_t begin, end;
    uint32_t first, count; /* its clusters */
} bw_top_part;

typedef struct bw_top {
    const bw_box_source *source;
    const uint64_t *keys; /* the order along the curve */
    bw_split_node *nodes; /* the divided ranges' are written; their boxes and costs are to be joined */
    const bw_tasks *tasks;
    bw_cancel *cancel; /* NULL: nobody wants to be asked */
    const bw_allocator *allocator;
    bw_array parts;          /* bw_top_part */
    uint32_t *ends;          /* bw_top_ends of them: of the clusters of each part, where they end */
    bw_cluster *clusters[2]; /* as many as there are */
    uint32_t cluster_count;
    float inverse_unit;
    bw_array divided; /* bw_top_range, level by level: parents before children */
    bw_array
        subtrees;    /* bw_top_range. More than BW_TOP_LARGE primitives where nothing tells clusters apart */
    bw_array halves; /* of the level that is being divided, two for each range */
    size_t level;    /* where that begins among the divided ones */
} bw_top;

bw_top bw_top_of(const bw_box_source *source, bw_split_node *nodes, const bw_tasks *tasks,
                 const bw_allocator *allocator);

/* One subtree, of all primitives in the order of the source. */
bool bw_top_whole(bw_top *top, uint32_t leaves);
/* Fills in divided and subtrees; leaves is how many the whole may have. The tree stands in `nodes` from 0 on.
 * The same for any tasks. False when memory runs out; bw_top_release in any case. */
bool bw_top_divide(bw_top *top, uint32_t leaves);
void bw_top_release(bw_top *top);

/* A step of bw_top_divide: clusters[0]. False when memory runs out. */
bool bw_top_make_clusters(bw_top *top);

static inline size_t bw_top_ends(const bw_top *top)
{
    return top->source->count / 8 + 1; /* no cluster has fewer than 8 primitives */
}

/* Builds all subtrees, and joins what stands above them. order receives the primitives of leaves. The same
 * for any tasks. False when memory runs out, or the caller has enough. */
bool bw_top_build(bw_top *top, uint32_t *order);

static inline const bw_cluster *bw_top_cluster(const bw_top *top, const bw_top_range *range, uint32_t i)
{
    return &top->clusters[range->clusters.buffer][range->clusters.begin + i];
}

#endif
