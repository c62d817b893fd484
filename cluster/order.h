/* Pairs of parts in an order in which neighbours follow each other, and cut into pieces of about equal work. Shards, MPI and
 * single processes share it: whoever knows the boxes finds the same order and the same cuts. */
#ifndef CLUSTER_ORDER_H
#define CLUSTER_ORDER_H

#include <boxwood/math.h>

/* Sorts pairs (part a in the high half of each, part b in the low) along a Morton curve through the place where their boxes
 * begin to overlap; those at one place by their value. false: no memory, and nothing has changed. */
bool cluster_order(const bw_box *boxes, uint32_t box_count, uint64_t *pairs, size_t pair_count);

/* About what each pair costs: what it takes to read its parts, shared among their pairs, and something for itself.
 * primitives[i]: of part i; NULL: all the same. NULL: no memory. */
uint32_t *cluster_costs(uint32_t box_count, const uint32_t *primitives, const uint64_t *pairs,
                        size_t pair_count);

/* Where piece `piece` of `pieces` begins, so that all cost about the same: cuts[0] is 0, cuts[pieces] pair_count. */
void cluster_cut(const uint32_t *costs, size_t pair_count, uint32_t pieces, size_t *cuts);

#endif
