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
#ifndef BW_KINETIC_BOXTREE_BOXTREE_H
#define BW_KINETIC_BOXTREE_BOXTREE_H

#include "base/heap.h"

#include <boxwood/kinetic.h>

enum { BW_BOXTREE_LEAF = 3 };

typedef struct bw_boxtree_node {
    uint32_t parent;      /* BW_NONE at the root */
    uint32_t left, right; /* BW_NONE in leaves */
    uint32_t number;      /* of an inner node among them; of a leaf: which it is in the wide tree */
    uint32_t lane; /* of the wide tree whose box this is, the uppermost one; BW_NONE for a node in between */
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

/* The first six planes are the extents of the root; those of an inner node are 6 + number * 2 + (0: the
 * maximum of what is left, 1: the minimum of what is right). */
typedef struct bw_boxtree {
    bw_boxtree_node *nodes;           /* node_count of them */
    uint32_t *inner;                  /* by number: the inner nodes */
    uint32_t *leaf_node;              /* by leaf of the wide tree: its node; BW_NONE: none, a hole */
    uint32_t *top;                    /* by node of the wide tree: the node with its box; BW_NONE: a hole */
    uint32_t *winner;                 /* by plane: the vertex that realises it */
    bw_heap heap;                     /* of planes: when that may end */
    uint32_t root;                    /* BW_NONE: an empty tree */
    uint32_t node_count, inner_count; /* no more than 2 * leaf_room, leaf_room */
    uint32_t leaf_room, top_room;     /* leaves and nodes of the wide tree */
    uint32_t room;                    /* of candidate */
    uint32_t depth;                   /* no node is deeper; path has one more */
    uint32_t *list_of;                /* by plane; BW_NONE where it watches few */
    bw_boxtree_list *lists;           /* list_count of them, and one to spare */
    uint32_t *listed;                 /* listed_room of them, and one to spare */
    double *when; /* for making a list: when_room of them, as long as the longest, and one */
    uint32_t list_count, listed_room, when_room;
    uint32_t *candidate; /* no plane watches more than there is room for */
    bw_box *path;        /* the boxes above */
} bw_boxtree;

static inline uint32_t bw_boxtree_planes(const bw_boxtree *tree)
{
    return tree->inner_count * 2 + 6;
}

/* Over the leaves of k->tree, whose boxes are tight. On failure bw_boxtree_release must still be called. */
bw_result bw_boxtree_create(bw_kinetic *k);
void bw_boxtree_release(bw_kinetic *k);
size_t bw_boxtree_bytes(const bw_kinetic *k);
/* Starts everything again at a time. */
bw_result bw_boxtree_start(bw_kinetic *k, double time, bw_kinetic_report *report);
bw_result bw_boxtree_advance(bw_kinetic *k, double time, bw_kinetic_report *report);
/* The extent that a plane is of. */
uint32_t bw_boxtree_extent(const bw_boxtree *tree, uint32_t plane);
/* What a plane watches, into candidate if that is not NULL; returns how many. */
uint32_t bw_boxtree_candidates(const bw_kinetic *k, uint32_t plane, uint32_t *candidate);
/* The plans of these vertices have changed at k->now; k->reach is there. */
void bw_boxtree_replan(bw_kinetic *k, const uint32_t *vertices, uint32_t count);
/* Writes the implied boxes into the wide tree, for k->now. */
bw_result bw_boxtree_fit(bw_kinetic *k);
const char *bw_boxtree_check(const bw_kinetic *k);

/* ---- between the files of the BoxTree ---- */

/* The next node in an order in which parents come after their children; the first for BW_NONE, and BW_NONE
 * after the root. */
uint32_t bw_boxtree_next_up(const bw_boxtree *tree, uint32_t node);
/* All nodes of a new tree, for which there is room; false where memory runs out. */
bool bw_boxtree_add_nodes(bw_kinetic *k);
/* How many nodes are above the deepest one. */
uint32_t bw_boxtree_depth(const bw_boxtree *tree);
/* The lists of a new tree, and room for the candidates of any plane. */
bw_result bw_boxtree_add_lists(bw_kinetic *k);

#endif
