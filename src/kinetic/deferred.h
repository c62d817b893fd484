/* Boxes and positions at the present time, written where a query looks (tree/wide/deferred.h). */
#ifndef BW_KINETIC_DEFERRED_H
#define BW_KINETIC_DEFERRED_H

#include "tree/wide/deferred.h"

struct bw_kinetic;

/* All zero: nothing yet. */
typedef struct bw_deferred {
    struct bw_wide_deferred wide;
    uint32_t node_room, block_room; /* numbers there is memory for */
    /* Frames for which all positions are written at once, since queries looked at most of them when last
     * asked: block by block that costs more. */
    uint32_t eager;
    bool whole; /* somebody else wanted all positions of the frame: it tells nothing about queries */
} bw_deferred;

/* Makes the tree lazy for k->now: everything is to be written again that the flags of k do not call fresh,
 * which they do after it. False, and nothing changed, when memory runs out. */
bool bw_deferred_begin(struct bw_kinetic *k);
/* Writes all boxes and positions. */
void bw_deferred_all(struct bw_kinetic *k);
/* What the tree shows is out of date from now on: nobody may look before the next begin. */
void bw_deferred_end(struct bw_kinetic *k);
void bw_deferred_release(struct bw_kinetic *k);
size_t bw_deferred_bytes(const struct bw_kinetic *k);

#endif
