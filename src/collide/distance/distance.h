/* The public queries for distances, points and rays, at a SIMD level of one's choice: they give the same
 * answers at each, and the same counts but for rays. */
#ifndef BW_COLLIDE_DISTANCE_DISTANCE_H
#define BW_COLLIDE_DISTANCE_DISTANCE_H

#include "base/simd/level.h"
#include "base/stack.h"
#include "collide/distance/traverse.h"
#include "collide/pair/kernels.h"

#include <boxwood/nearest.h>

bw_result bw_distance_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_distance_desc *desc,
                         bw_distance_report *report);
bw_result bw_within_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_within_desc *desc,
                       bw_within_report *report);
bw_result bw_nearest_at(bw_simd level, const bw_body *body, const bw_vec3 *point, const bw_nearest_desc *desc,
                        bw_nearest_hit *hit, bw_nearest_report *report);
/* *bad: the point at fault, or BW_NONE. */
bw_result bw_nearest_many_at(bw_simd level, const bw_body *body, const bw_vec3 *points, uint32_t count,
                             const bw_nearest_desc *desc, bw_nearest_hit *hits, bw_nearest_report *report,
                             uint32_t *bad);

/* ---- the traversal from the inside: traverse.c descends through pairs of nodes, group.c through whole
 * groups of them, leaves.c measures pairs of leaves. ---- */

/* Children of a node of each tree, or two leaves. */
typedef struct bw_distance_item {
    float bound; /* of the squared distance, in the frame */
    uint32_t a, b;
    uint8_t lanes, rows; /* which children of a, of b; none: a and b are leaves */
} bw_distance_item;

enum {
    BW_DISTANCE_STACK = 256,
    BW_DISTANCE_NODES = 32,
    BW_DISTANCE_LEAVES = 16,
    BW_DISTANCE_COMPARED = 64,
    BW_DISTANCE_GROUP = 512,
    BW_DISTANCE_LIST = 768
};

/* Nodes of a group. */
typedef struct bw_distance_nodes {
    uint32_t count;
    uint32_t ref[BW_DISTANCE_GROUP];
} bw_distance_nodes;

/* Leaves of a group with their boxes. */
typedef struct bw_distance_list {
    uint32_t count;
    uint32_t ref[BW_DISTANCE_LIST];
    union { /* one by one while leaves are dropped, eight after eight once they are compared */
        float box[BW_DISTANCE_LIST][6]; /* low, high */
        bw_distance_boxes boxes[BW_DISTANCE_LIST / BW_WIDTH];
    };
} bw_distance_list;

/* What a tree's nodes and leaves are in the frame, as long as it does not turn. */
typedef struct bw_distance_side {
    const bw_metric_side *side;
    bw_distance_map map;
    uint64_t node[BW_DISTANCE_NODES]; /* the frame's number in the upper half; 0: none */
    bw_distance_boxes boxes[BW_DISTANCE_NODES];
    uint64_t leaf[BW_DISTANCE_LEAVES];
    bw_distance_leaf leaves[BW_DISTANCE_LEAVES];
    /* Of a group: nodes and, in the other list, their children; leaves. */
    bool now;
    bw_distance_nodes nodes[2];
    bw_distance_list list;
} bw_distance_side;

typedef struct bw_distance_state {
    bw_distance_query *query;
    bw_simd level;
    const bw_distance_kernels *kernels;
    bw_distance_frame frame;
    uint64_t turn; /* the number of the frame, in the upper half */
    double limit;  /* in the frame */
    float limit2;
    double known2;   /* what limit and limit2 were made from */
    bw_witness last; /* the leaves of the nearest pair so far */
    /* Pairs of leaves that were compared: a above b, both from 1 on; 0: none. The limit of a query for the
     * nearest pair only shrinks, so that comparing them again would find nothing. */
    uint64_t compared[BW_DISTANCE_COMPARED];
    bw_distance_side a, b;
    bw_stack stack;
    uint64_t until_progress;
    bw_distance_item room[BW_DISTANCE_STACK];
} bw_distance_state;

/* Maps both sides into the frame, which has turned. */
void bw_distance_take_frame(bw_distance_state *state);
/* Makes limit and limit2 those of the query. */
void bw_distance_take_limit(bw_distance_state *state);

const bw_distance_boxes *bw_distance_boxes_of(const bw_distance_state *state, bw_distance_side *side,
                                              uint32_t node);
/* Valid until another leaf of the side is asked for. */
const bw_distance_leaf *bw_distance_leaf_of(const bw_distance_state *state, bw_distance_side *side,
                                            uint32_t leaf);
/* The box of a leaf, drawn tight along the axes of the frame. */
bw_distance_box bw_distance_shadow_of(const bw_distance_state *state, const bw_distance_side *side,
                                      uint32_t leaf);

/* Measures the pairs of triangles of two leaves that may be within the limit. False when the walk ends. The
 * frame may turn. */
bool bw_distance_compare(bw_distance_state *state, uint32_t leaf_a, uint32_t leaf_b);

/* The pairs of a mask, the farthest first, so that a stack gives the nearest first: the bits of the bound
 * above, the number of the pair below. */
uint32_t bw_distance_sort(uint64_t mask, const float *bound, uint64_t out[BW_WIDTH * BW_WIDTH]);

/* Looks for a near pair to start with, at the witness or from the middle of a body. False when the walk ends.
 */
bool bw_distance_seed(bw_distance_state *state);

/* Takes up all pairs of children of two nodes as a group: *done tells whether it could be. False when the
 * walk ends. */
bool bw_distance_group(bw_distance_state *state, const bw_distance_item *parent, uint64_t mask, bool *done);

/* Asks whether to go on, now and then. */
bool bw_distance_may_continue(bw_distance_state *state);

#endif
