/* The event list of the paper, section 4: a certificate for every extent of every box, in a queue by when it
 * ends.
 */
#ifndef BW_KINETIC_QUEUE_QUEUE_H
#define BW_KINETIC_QUEUE_QUEUE_H

#include "kinetic/kinetic.h"

/* On failure bw_queue_release must still be called. */
bw_result bw_queue_create(bw_kinetic *k);
void bw_queue_release(bw_kinetic *k);
size_t bw_queue_bytes(const bw_kinetic *k);
/* Starts everything again at a time. */
bw_result bw_queue_start(bw_kinetic *k, double time, bw_kinetic_report *report);
bw_result bw_queue_advance(bw_kinetic *k, double time, bw_kinetic_report *report);
/* The first entry of the queue only, on the way to a time; false where none comes before it. */
bool bw_queue_step(bw_kinetic *k, double time, bw_kinetic_report *report);
/* The vertices that compete for an extent: in a list of the tree's, or put into room. */
const uint32_t *bw_queue_candidates(const bw_kinetic *k, uint32_t lane, uint32_t extent,
                                    uint32_t room[BW_WIDTH], uint32_t *count);
static inline bw_extent_order bw_queue_order(const bw_kinetic *k, uint32_t extent, const uint32_t *candidate,
                                             uint32_t count)
{
    return (bw_extent_order){
        .flight = &k->flight, .extent = extent, .count = count, .candidate = candidate, .simd = k->simd};
}
/* Gives the extent to the farthest candidate at a time, of equals to the one ahead from then on, and dates
 * its certificate. Whether another vertex has it now. */
bool bw_queue_decide(bw_kinetic *k, uint32_t lane, uint32_t extent, double now);
/* Lets the certificate of an extent end at a time, if not before. */
void bw_queue_not_after(bw_kinetic *k, uint32_t id, double t);
/* A vertex competes for an extent from now on: whether it is ahead; if not, the certificate ends when it may
 * be, if not before. */
bool bw_queue_challenge(bw_kinetic *k, uint32_t id, uint32_t v, double now);
/* The plans of these vertices have changed at k->now. */
void bw_queue_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count);
/* Words of marks for so many extents. */
static inline size_t bw_queue_words(uint32_t extents)
{
    return extents / (BW_EXTENTS * BW_WIDTH * 64) + 1;
}
/* Room for a tree of so many nodes. BW_ERROR_MEMORY, BW_ERROR_SIZE: all as it was. */
bw_result bw_queue_reserve(bw_kinetic *k, uint32_t nodes);
/* One primitive into the tree or out of it. There is room, and all boxes are tight. */
void bw_queue_insert(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive);
void bw_queue_remove(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive);
/* Writes the boxes of one node for k->now, where positions are written when first looked at
 * (kinetic/deferred.h); or of all, anyhow. */
void bw_queue_fit_node(bw_kinetic *k, uint32_t node);
bw_result bw_queue_fit(bw_kinetic *k);
const char *bw_queue_check(const bw_kinetic *k);

#endif
