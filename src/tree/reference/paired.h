/* What k-DOP and OBB trees share: binary trees with one primitive per leaf, nodes in one
 * array, the two children of a node next to each other and after it. Only the volumes differ. */
#ifndef BW_TREE_REFERENCE_PAIRED_H
#define BW_TREE_REFERENCE_PAIRED_H

#include "base/memory.h"

#include <boxwood/tree.h>

/* How to look at a tree of any of them. */
typedef struct bw_paired {
    const void *tree;
    uint32_t count;     /* of nodes: 2 * leaves - 1 */
    uint32_t depth;     /* of the deepest leaf */
    uint64_t depth_sum; /* over the leaves */
    size_t node_bytes;
    /* The left child or, of a leaf, the primitive. *leaf is 1 for a leaf and 0 for an inner node; anything
     * else is a fault that the check finds. */
    uint32_t (*link)(const void *tree, uint32_t node, uint32_t *leaf);
    bw_box (*box)(const void *tree, uint32_t node);  /* axis-aligned */
    double (*area)(const void *tree, uint32_t node); /* of the volume's surface, or a fixed multiple */
} bw_paired;

/* The fault of a node's volume, or NULL. Comes in order of nodes, when the shape has been found right;
 * parents[0] is BW_NONE. */
typedef const char *bw_paired_volume(void *context, uint32_t node, const uint32_t *parents);

/* As bw_tree_check; primitive_count is that of the mesh, of which those in quarantine stand in no leaf. */
const char *bw_paired_check(const bw_paired *paired, const bw_allocator *allocator, uint32_t primitive_count,
                            const uint32_t *quarantine, uint32_t quarantined, bw_paired_volume *volume,
                            void *context);
/* Fills nodes, leaves, depths and cost, and adds the nodes' bytes. */
void bw_paired_stats(const bw_paired *paired, bw_tree_stats *out);
bw_result bw_paired_visit(const bw_paired *paired, const bw_allocator *allocator, bw_tree_visitor *visitor,
                          void *user);

#endif
