/* What a search found, by feature, then a, then b: see order.c. */
#ifndef BW_SWEPT_SEARCH_ORDER_H
#define BW_SWEPT_SEARCH_ORDER_H

#include "swept/search/search.h"

typedef struct bw_swept_order {
    const void **at; /* the records, as the parts have them */
    uint64_t *keys, *key_room;
    uint32_t *places, *place_room; /* record i of the order is at[places[i]] */
    uint32_t count;
} bw_swept_order;

/* Of all records of the parts, of which each begins as a bw_swept_candidate. BW_ERROR_SIZE: more than
 * 2^32 - 1; BW_ERROR_MEMORY. bw_swept_order_release in either case, before the search is released. */
bw_result bw_swept_order_make(const bw_swept_search *search, bw_swept_order *out);
void bw_swept_order_release(const bw_swept_search *search, bw_swept_order *order);

static inline const void *bw_swept_order_at(const bw_swept_order *order, uint32_t i)
{
    return order->at[order->places[i]];
}

#endif
