/* What queries remember of two trees that move by known courses: the pairs of triangles that may meet until a
 * time, with the times between which they may (collide/span/candidates.h). While that time is not over a
 * query looks at these pairs only: no traversal, and no box of either tree.
 *
 * Fronts belong to a kinetic tree, which gives them memory and tells how time goes on, while nobody queries.
 * Queries fill and use them, several at once: a lock is held while a front is looked up, never while it is
 * filled or used. A front is worth filling if by what is known of the two trees the frames to come save more
 * than it costs; one that was not used for long enough is not filled again for a while.
 *
 * A front rests on both trees as they are. Its owner forgets it with every edit; the other tree is marked
 * (bw_wide.resting) with the front's address, which every change of that tree takes away. No other front has
 * that address while this one lives, so the mark cannot be mistaken for another's, even where the tree was
 * destroyed and another stands in its place. */
#ifndef BW_COLLIDE_SPAN_PAIR_CACHE_H
#define BW_COLLIDE_SPAN_PAIR_CACHE_H

#include "collide/pair/traverse.h"
#include "collide/span/candidates.h"

enum { BW_FRONTS = 4 }; /* other trees that a tree remembers */

typedef struct bw_front {
    const bw_wide *partner; /* NULL: an empty slot. Only compared: it may be there no more */
    bool second;            /* the owner is the query's second body */
    bool still;             /* the partner stood still */
    bool ready;             /* pairs hold from one time until the other */
    bool building;
    uint32_t users; /* queries that read pairs now */
    double from, until;
    bw_ahead_pair *pairs;
    uint32_t count, capacity;
    uint32_t wanted;      /* pairs to have room for from the next frame on */
    uint64_t frame;       /* the last one in which it was asked for */
    double query;         /* what a traversal was reckoned to cost; 0: not known yet */
    double ahead, answer; /* and what filling it, and a query with it; 0: not known yet */
    uint32_t served;      /* queries since it was filled */
    uint32_t losses;      /* fillings in a row that did not pay */
    uint32_t wait;        /* queries before it is tried again */
} bw_front;

/* All zero: nothing remembered. */
typedef struct bw_fronts {
    _Atomic uint32_t lock;
    uint64_t frame;
    double pace;  /* time from one frame to the next; 0: not known */
    double spent; /* what was reckoned for answers of fronts in this frame, of the owner and of others */
    bw_front slots[BW_FRONTS];
} bw_fronts;

/* ---- for the owner, while nobody queries ---- */

/* A frame begins, `pace` after the last one (0: not known). */
void bw_fronts_next(bw_fronts *fronts, double pace);
/* Gives fronts the room they want; without memory they stay as they are. */
void bw_fronts_reserve(bw_fronts *fronts, const bw_allocator *allocator);
/* The owner's tree has changed. */
void bw_fronts_forget(bw_fronts *fronts);
void bw_fronts_release(bw_fronts *fronts, const bw_allocator *allocator);
size_t bw_fronts_bytes(const bw_fronts *fronts);
/* How many hold for the present. */
uint32_t bw_fronts_ready(const bw_fronts *fronts, double now);

/* ---- for queries ---- */

/* Answers a query of two trees from what is remembered, or fills a front and then does; false where it is to
 * be traversed. */
bool bw_front_answer(const bw_wide_plan *plan, bool asks_witness, bw_simd simd, bw_hit_sink *sink,
                     bw_result *result);
/* After a traversal: remembers what it cost. */
void bw_front_traversed(const bw_wide_plan *plan, const bw_collide_report *report);

#endif
