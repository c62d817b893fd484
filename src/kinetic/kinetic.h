/* What a kinetic tree is made of: an ordinary compact wide tree, which the methods keep fitted, the flight of
 * its vertices, and what each method needs.
 *
 * A lane is a child of a node, and has a box: lane i of node n is number n * BW_WIDTH + i. The last number is
 * the root's own box. The extents of a box are numbered axis * 2 + (0 for the minimum, 1 for the maximum). */
#ifndef BW_KINETIC_KINETIC_H
#define BW_KINETIC_KINETIC_H

#include "base/heap.h"
#include "kinetic/boxtree/boxtree.h"
#include "kinetic/deferred.h"
#include "kinetic/extent_order.h"
#include "kinetic/policy.h"
#include "kinetic/reach.h"
#include "kinetic/segment/segment.h"
#include "motion/flight.h"
#include "tree/edit/edit.h"
#include "tree/tree.h"

#include <boxwood/kinetic.h>

enum { BW_EXTENTS = 6 };

/* Section 4 of the paper: for every extent the vertex that realises it, and when that may end. */
typedef struct bw_queue {
    uint32_t *winner; /* BW_EXTENTS a lane; BW_NONE where there is none */
    uint32_t room;    /* extents that all of these have room for */
    bw_heap heap;     /* of lane * BW_EXTENTS + extent */
    /* While plans change (all zero otherwise): by lane a bit for every extent that is to be decided again,
     * and a bit for every node that has such lanes. */
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
    bw_mesh mesh;    /* the caller's indices, and the positions of now */
    void *positions; /* of all vertices, tight, of the motion's scalar; the mesh may show a keyframe's */
    uint32_t positions_room; /* vertices */
    bw_tree *tree;
    bw_flight flight;
    double now;
    bool boxes_fresh, positions_fresh; /* hold for now */
    bw_pieces pieces;                  /* of the motion */
    bool paired;           /* AUTO: of two that are asked about each other: no queue, and no events */
    uint32_t least_pieces; /* of velocities and plans */
    bw_kinetic_report total;
    uint64_t compared;      /* candidates looked at: see bw_kinetic_report */
    bw_vertex_leaves reach; /* made by the first change of a plan */
    bw_simd simd;           /* a level, not AUTO */
    bw_queue queue;
    bw_boxtree boxtree;
    bw_segment lines;
    bw_deferred lazy;
    bw_policy policy;
    bool missing;     /* what the method needs, since the tree was edited: the next use makes it */
    uint64_t edition; /* another one after every change of plans or primitives */
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

/* For the rest of the library. */
typedef struct bw_kinetic_use {
    bool paired;           /* see bw_kinetic */
    uint32_t least_pieces; /* 0: the default */
} bw_kinetic_use;
bw_result bw_kinetic_create_for(const bw_kinetic_use *use, const bw_kinetic_desc *desc, const bw_mesh *mesh,
                                const bw_motion *motion, bw_kinetic **out, bw_fault *fault);

/* The keyframe that stands at the present time, whose positions are those of the motion (but for the sign of
 * zeros); NULL where there is none. */
const void *bw_kinetic_keyframe(const bw_kinetic *k);
/* Makes the mesh show positions that the tree owns. */
void bw_kinetic_own_positions(bw_kinetic *k);
/* Shows a keyframe's positions, or those that the tree owns, which are then to be written. */
static inline void bw_kinetic_show(bw_kinetic *k, const void *keyframe)
{
    k->mesh.positions = keyframe != NULL ? keyframe : k->positions;
    k->mesh.stride = keyframe != NULL ? k->flight.motion.stride : 0;
}

/* What k->method needs, for a time; and back again. On failure it must still be dropped. */
bw_result bw_kinetic_make_method(bw_kinetic *k, double time, bw_kinetic_report *report);
void bw_kinetic_drop_method(bw_kinetic *k);
/* Writes all boxes and positions for k->now, for those who read them without asking (kinetic/deferred.h). */
bw_result bw_kinetic_fit(bw_kinetic *k);

/* After every change of primitives or positions: what was found out about the tree holds no more. */
static inline void bw_kinetic_changed(bw_kinetic *k)
{
    k->tree->changes++;
}

#endif
