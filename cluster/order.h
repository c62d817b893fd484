/* Pairs of parts in an order in which neighbours follow each other, and cut into pieces of about equal work. Shards, MPI and
 * single processes share it: whoever knows boxes, sizes and pairs finds the same order and the same cuts. */
#ifndef CLUSTER_ORDER_H
#define CLUSTER_ORDER_H

#include <boxwood/math.h>

/* Sorts pairs (part a in the high half of each, part b > a in the low) by the leaves of a kd-tree over parts: each pair goes with
 * that of its parts which costs more to read for each of its pairs, so that what is read again beyond a cut is cheap. The halves of
 * every node cost about the same: two, four, eight pieces of the order are boxes. primitives[i]: of part i; NULL: all alike.
 * Returns about what each pair costs, in the order: what it takes to read its parts, shared among their pairs, and something for
 * itself; to be freed. NULL: no memory, and the pairs are in any order. */
uint32_t *cluster_order(const bw_box *boxes, uint32_t box_count, const uint32_t *primitives, uint64_t *pairs,
                        size_t pair_count);

/* Where piece `piece` of `pieces` begins, so that all cost about the same: cuts[0] is 0, cuts[pieces] pair_count. */
void cluster_cut(const uint32_t *costs, size_t pair_count, uint32_t pieces, size_t *cuts);

/* One of several shares of the search for pairs: each pair of boxes that meet belongs to one share, whose finder needs to look only
 * at boxes that it touches. Slabs of space along its longest side, with about the same number of boxes. */
typedef struct cluster_slab {
    int axis;
    double low, scale;
    uint32_t first, end; /* cells of a grid along the axis */
} cluster_slab;

cluster_slab cluster_slab_of(const bw_box *boxes, size_t box_count, uint32_t share, uint32_t shares);
bool cluster_slab_touches(const cluster_slab *slab, const bw_box *box);
/* Of two boxes that meet: whether their pair is of this share. */
bool cluster_slab_owns(const cluster_slab *slab, const bw_box *a, const bw_box *b);

#endif
