/* The kinetic BoxTree of Zachmann and Weller 2006, section 6 (the BoxTree itself: Zachmann 1995): a binary
 * tree whose inner nodes store an axis and two planes across it, the maximum of what is left and the minimum
 * of what is right, each as the vertex that realises it. Boxes are implied: a child's is its parent's, cut by
 * one plane; the root has six extents of its own.
 *
 * It stands over the leaves of the wide tree, and every lane of that is a node here, so that queries walk the
 * wide tree with the implied boxes.
 *
 * Along one axis and one way, say maxima along x, every plane is watched by exactly one other: the next one
 * above of its kind, or the root's extent. What a plane watches is found depth-first: at a node across the
 * same axis its plane stands for one child and the search goes on in the other; at any other node it goes on
 * in both; in a leaf it finds vertices. */
#ifndef BW_KINETIC_BOXTREE_H
#define BW_KINETIC_BOXTREE_H

#include "base/heap.h"

#include <boxwood/kinetic.h>

enum { BW_BOXTREE_LEAF = 3 };

typedef struct bw_boxtree_node {
    uint32_t parent; /* BW_NONE at the root */
    uint32_t right;  /* the right child of an inner node; the left one comes next. BW_NONE in leaves */
    uint32_t number; /* of an inner node among them; of a leaf: which it is in the wide tree */
    uint32_t lane;   /* of the wide tree whose box this is; BW_NONE for a node in between */
    uint32_t depth;
    uint32_t axis; /* or BW_BOXTREE_LEAF */
} bw_boxtree_node;

/* Who may realise a plane that watches many, until a time: all others are certainly not beyond one vertex,
 * the reference, before it, and the list holds that one. So events until then need look only at the list, and
 * dating a plane costs about the square root of what it watches. */
typedef struct bw_boxtree_list {
    uint32_t first, room, count; /* in listed */
    uint32_t reference;
    double horizon; /* -INFINITY: the list is not good for anything */
} bw_boxtree_list;

/* A plane is number * 2 + (0: the maximum of what is left, 1: the minimum of what is right); behind those of
 * all inner nodes come the six extents of the root. */
typedef struct bw_boxtree {
    bw_boxtree_node *nodes; /* depth-first */
    uint32_t *inner;        /* by number: the inner nodes; one to spare */
    uint32_t *leaf_node;    /* by leaf of the wide tree: its node */
    uint32_t *winner;       /* by plane: the vertex that realises it */
    bw_heap heap;           /* of planes: when that may end */
    uint32_t leaves, node_count, inner_count, depth;
    uint32_t leaf_room, room; /* of leaf_node, of candidate */
    uint32_t *list_of;        /* by plane; BW_NONE where it watches few */
    bw_boxtree_list *lists;   /* list_count of them, and one to spare */
    uint32_t *listed;         /* listed_room of them, and one to spare */
    double *when;             /* for making a list: when_room of them, as long as the longest, and one */
    uint32_t list_count, listed_room, when_room;
    uint32_t *stack;     /* for walks: depth + 2 */
    uint32_t *candidate; /* no plane watches more than there is room for */
    bw_box *path;        /* the boxes above: depth + 1 */
} bw_boxtree;

static inline uint32_t bw_boxtree_planes(const bw_boxtree *tree)
{
    return tree->inner_count * 2 + 6;
}

/* Over the leaves of k->tree, whose boxes are tight. On failure bw_boxtree_release must still be called. */
bw_result bw_boxtree_create(bw_kinetic *k);
void bw_boxtree_release(bw_kinetic *k);
size_t bw_boxtree_bytes(const bw_kinetic *k);
/* Everything anew at k->now. */
void bw_boxtree_start(bw_kinetic *k);
void bw_boxtree_advance(bw_kinetic *k, double time, bw_kinetic_report *report);
/* The extent that a plane is of. */
uint32_t bw_boxtree_extent(const bw_boxtree *tree, uint32_t plane);
/* What a plane watches, into candidate if that is not NULL; returns how many. */
uint32_t bw_boxtree_candidates(const bw_kinetic *k, uint32_t plane, uint32_t *candidate);
/* The plans of these vertices have changed at k->now; k->reach is there. */
void bw_boxtree_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count);
/* Writes the implied boxes into the wide tree, for k->now. */
void bw_boxtree_fit(bw_kinetic *k);
const char *bw_boxtree_check(const bw_kinetic *k);

#endif
