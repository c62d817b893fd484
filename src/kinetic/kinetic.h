/* What a kinetic tree is made of: an ordinary compact wide tree, which the methods keep fitted, the flight of
 * its vertices, and what each method needs.
 *
 * A lane is a child of a node, and has a box: lane i of node n is number n * BW_WIDTH + i. The last number is
 * the root's own box. The extents of a box are numbered axis * 2 + (0 for the minimum, 1 for the maximum). */
#ifndef BW_KINETIC_KINETIC_H
#define BW_KINETIC_KINETIC_H

#include "base/heap.h"
#include "collide/front.h"
#include "kinetic/auto.h"
#include "kinetic/boxtree.h"
#include "kinetic/contest.h"
#include "kinetic/lazy.h"
#include "kinetic/lines.h"
#include "kinetic/reach.h"
#include "motion/flight.h"
#include "tree/dynamic_edit.h"
#include "tree/tree.h"

#include <boxwood/kinetic.h>

enum { BW_EXTENTS = 6 };

/* Section 4 of the paper: for every extent the vertex that realises it, and when that may end. */
typedef struct bw_queue {
    uint32_t *winner; /* BW_EXTENTS a lane; BW_NONE where there is none */
    uint32_t room;    /* extents that all of these have room for */
    bw_heap heap;     /* of lane * BW_EXTENTS + extent */
    /* While plans change (all zero otherwise): by lane a bit for every extent that is to be decided anew, and
     * a bit for every node that has such lanes. */
    uint8_t *touched;
    uint64_t *marks;
    /* Told every extent that follows another curve from now on: another vertex has it, or its vertex has
     * another plan. NULL: nobody is. */
    void (*changed)(void *user, uint32_t lane, uint32_t extent, double now);
    void *changed_user;
} bw_queue;

struct bw_kinetic {
    bw_allocator allocator;
    bw_kinetic_method method;
    bw_mesh mesh;            /* the caller's indices, our positions */
    void *positions;         /* of all vertices, tight, of the motion's scalar */
    uint32_t positions_room; /* vertices */
    bw_tree *tree;
    bw_flight flight;
    double now;
    bool boxes_fresh, positions_fresh; /* hold for now */
    bw_kinetic_report total;
    uint64_t compared; /* candidates looked at: see bw_kinetic_report */
    bw_reach reach;    /* made by the first change of a plan */
    bw_simd simd;      /* a level, not AUTO */
    bw_queue queue;
    bw_boxtree boxtree;
    bw_lines lines;
    bw_lazy lazy;
    bw_auto policy;
    double pace;      /* the last step forward in time; 0: none yet */
    bw_fronts fronts; /* AUTO: what queries remember */
};

static inline uint32_t bw_kinetic_root(const bw_kinetic *k)
{
    return k->tree->wide.node_count * BW_WIDTH;
}

/* What the lane refers to. */
static inline uint32_t bw_kinetic_child(const bw_kinetic *k, uint32_t lane)
{
    return lane == bw_kinetic_root(k) ? 0 : k->tree->wide.nodes[lane / BW_WIDTH].child[lane % BW_WIDTH];
}

/* The lane above; not for the root's. */
static inline uint32_t bw_kinetic_parent(const bw_kinetic *k, uint32_t lane)
{
    const bw_wide_node *node = &k->tree->wide.nodes[lane / BW_WIDTH];
    return node->parent == BW_NONE ? bw_kinetic_root(k) : node->parent * BW_WIDTH + node->parent_lane;
}

/* How far out a vertex stands at an extent. */
static inline double bw_kinetic_reach_out(const bw_kinetic *k, uint32_t v, uint32_t extent, double t)
{
    return bw_flight_out(&k->flight, v, extent, t);
}

static inline bool bw_kinetic_has_lines(const bw_kinetic *k)
{
    return k->method == BW_KINETIC_COMPILED || k->method == BW_KINETIC_INTERPOLATED;
}

/* What k->method needs, for k->now; and back again. On failure it must still be dropped. */
bw_result bw_kinetic_make_method(bw_kinetic *k);
void bw_kinetic_drop_method(bw_kinetic *k);
/* Writes all boxes and positions for k->now, for those who read them without asking (kinetic/lazy.h). */
bw_result bw_kinetic_fit(bw_kinetic *k);

/* After every change of primitives or positions: what was found out about the tree holds no more. */
static inline void bw_kinetic_changed(bw_kinetic *k)
{
    k->tree->closed = BW_CLOSED_UNKNOWN;
    k->tree->changes++;
}

/* ---- the queue ---- */

/* On failure bw_queue_release must still be called. */
bw_result bw_queue_create(bw_kinetic *k);
void bw_queue_release(bw_kinetic *k);
size_t bw_queue_bytes(const bw_kinetic *k);
/* Everything anew at k->now. */
void bw_queue_start(bw_kinetic *k);
void bw_queue_advance(bw_kinetic *k, double time, bw_kinetic_report *report);
/* The first entry of the queue only, on the way to a time; false where none comes before it. */
bool bw_queue_step(bw_kinetic *k, double time, bw_kinetic_report *report);
/* The vertices that compete for an extent: in a list of the tree's, or put into room. */
const uint32_t *bw_queue_candidates(const bw_kinetic *k, uint32_t lane, uint32_t extent,
                                    uint32_t room[BW_WIDTH], uint32_t *count);
static inline bw_contest bw_queue_contest(const bw_kinetic *k, uint32_t extent, const uint32_t *candidate,
                                          uint32_t count)
{
    return (bw_contest){
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
/* Forgets all winners and certificates. */
void bw_queue_clear(bw_kinetic *k);
/* One primitive into the tree or out of it. There is room, and all boxes are tight. */
void bw_queue_insert(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive);
void bw_queue_remove(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive);
/* Writes the boxes of one node for k->now, where positions are written when first looked at (kinetic/lazy.h);
 * or of all, anyhow. */
void bw_queue_fit_node(bw_kinetic *k, uint32_t node);
void bw_queue_fit(bw_kinetic *k);
const char *bw_queue_check(const bw_kinetic *k);

#endif
