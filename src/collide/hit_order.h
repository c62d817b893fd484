/* Hits of bodies in motion come in ascending order of a, then b, however they were found: by a traversal, by
 * several threads, or from a cache, whose own order has nothing to do with the traversal's. */
#ifndef BW_COLLIDE_HIT_ORDER_H
#define BW_COLLIDE_HIT_ORDER_H

#include "base/array.h"
#include "collide/hit_sink.h"
#include "collide/relative_pose.h"

typedef struct bw_hit_order {
    bw_collide_desc desc; /* of the query, with its hits collected here */
    bw_allocator allocator;
    bw_array hits; /* bw_hit */
    bool failed;   /* memory ran out */
} bw_hit_order;

/* Whether anybody sees the order. */
static inline bool bw_hit_order_matters(const bw_collide_desc *desc)
{
    return desc->mode == BW_COLLIDE_ALL && (desc->hits != NULL || desc->on_hit != NULL);
}

/* From now on hits of the sink, whose descriptor the order matters for, are collected. */
void bw_hit_order_begin(bw_hit_order *order, bw_hit_sink *sink);
/* Gives them to whom they are for, sorted. result: of the query. The memory is given back in any case. */
bw_result bw_hit_order_end(bw_hit_order *order, const bw_collide_desc *desc, bw_hit_sink *sink,
                           bw_result result);

/* Two bodies, or, with the same pointer twice, one with itself. */
typedef struct bw_cache_query {
    const bw_body *a, *b;
    const bw_relative_pose *pose; /* of b; NULL: none */
} bw_cache_query;

/* A query by traversal: all hits to the sink. */
typedef bw_result bw_traverse_fn(const bw_cache_query *query, bw_hit_sink *sink);
/* Answers a query by traversal; hits of bodies in motion come in ascending order. */
bw_result bw_traverse_in_order(const bw_cache_query *query, bw_traverse_fn *traverse, bw_hit_sink *sink);

#endif
