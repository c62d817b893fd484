/* The public queries for distances, points and rays, at a SIMD level of one's choice: they give the same
 * answers at each, and the same counts but for rays. */
#ifndef BW_COLLIDE_DISTANCE_DISTANCE_H
#define BW_COLLIDE_DISTANCE_DISTANCE_H

#include "base/simd/level.h"
#include "base/stack.h"
#include "collide/distance/traverse.h"
#include "collide/pair/kernels.h"

#include <boxwood/collide.h>

bw_result bw_distance_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_distance_desc *desc,
                         bw_distance_report *report);
bw_result bw_within_at(bw_simd level, const bw_body *a, const bw_body *b, const bw_within_desc *desc,
                       bw_within_report *report);
bw_result bw_nearest_point_at(bw_simd level, const bw_body *body, const bw_vec3 *point, double max_distance,
                              const bw_allocator *allocator, bw_nearest *out);
bw_result bw_nearest_points_at(bw_simd level, const bw_body *body, const bw_points_desc *desc,
                               bw_points_report *report);

/* ---- the traversal from the inside: traverse.c descends through pairs of nodes, group.c through whole
 * groups of them, leaves.c measures pairs of leaves. ---- */

/* Children of a node of each tree, or two leaves. */
typedef struct bw_near_item {
    float bound; /* of the squared distance, in the frame */
    uint32_t a, b;
    uint8_t lanes, rows; /* which children of a, of b; none: a and b are leaves */
} bw_near_item;

enum {
    BW_NEAR_STACK = 256,
    BW_NEAR_NODES = 32,
    BW_NEAR_LEAVES = 16,
    BW_NEAR_COMPARED = 64,
    BW_NEAR_GROUP = 512,
    BW_NEAR_LIST = 768
};

/* Nodes of a group. */
typedef struct bw_near_nodes {
    uint32_t count;
    uint32_t ref[BW_NEAR_GROUP];
} bw_near_nodes;

/* Leaves of a group with their boxes. */
typedef struct bw_near_list {
    uint32_t count;
    uint32_t ref[BW_NEAR_LIST];
    bw_near_boxes boxes[BW_NEAR_LIST / BW_WIDTH]; /* eight after eight */
} bw_near_list;

/* What a tree's nodes and leaves are in the frame, as long as it does not turn. */
typedef struct bw_near_side {
    const bw_metric_side *side;
    bw_near_map map;
    uint64_t node[BW_NEAR_NODES]; /* the frame's number in the upper half; 0: none */
    bw_near_boxes boxes[BW_NEAR_NODES];
    uint64_t leaf[BW_NEAR_LEAVES];
    bw_near_leaf leaves[BW_NEAR_LEAVES];
    /* Of a group: nodes and, in the other list, their children; leaves. */
    bool now;
    bw_near_nodes nodes[2];
    bw_near_list list;
} bw_near_side;

typedef struct bw_near_state {
    bw_near_query *query;
    bw_simd level;
    const bw_near_kernels *kernels;
    bw_near_frame frame;
    uint64_t turn; /* the number of the frame, in the upper half */
    double limit;  /* in the frame */
    float limit2;
    double known2;   /* what limit and limit2 were made from */
    bw_witness last; /* the leaves of the nearest pair so far */
    /* Pairs of leaves that were compared: a above b, both from 1 on; 0: none. The limit of a query for the
     * nearest pair only shrinks, so that comparing them again would find nothing. */
    uint64_t compared[BW_NEAR_COMPARED];
    bw_near_side a, b;
    bw_stack stack;
    uint64_t until_progress;
    bw_near_item room[BW_NEAR_STACK];
} bw_near_state;

/* Maps both sides into the frame, which has turned. */
void bw_near_take_frame(bw_near_state *state);
/* Makes limit and limit2 those of the query. */
void bw_near_take_limit(bw_near_state *state);

const bw_near_boxes *bw_near_boxes_of(const bw_near_state *state, bw_near_side *side, uint32_t node);
/* Valid until another leaf of the side is asked for. */
const bw_near_leaf *bw_near_leaf_of(const bw_near_state *state, bw_near_side *side, uint32_t leaf);
/* The box of a leaf, drawn tight along the axes of the frame. */
void bw_near_shadow_of(const bw_near_state *state, const bw_near_side *side, uint32_t leaf, float low[3],
                       float high[3]);

/* Measures the pairs of triangles of two leaves that may be within the limit. False when the walk ends. The
 * frame may turn. */
bool bw_near_compare(bw_near_state *state, uint32_t leaf_a, uint32_t leaf_b);

/* The pairs of a mask, the farthest first, so that a stack gives the nearest first: the bits of the bound
 * above, the number of the pair below. */
uint32_t bw_near_sort(uint64_t mask, const float *bound, uint64_t out[BW_WIDTH * BW_WIDTH]);

/* Looks for a near pair to start with, at the witness or from the middle of a body. False when the walk ends.
 */
bool bw_near_seed(bw_near_state *state);

/* Takes up all pairs of children of two nodes as a group: *done tells whether it could be. False when the
 * walk ends. */
bool bw_near_group(bw_near_state *state, const bw_near_item *parent, uint64_t mask, bool *done);

/* Asks whether to go on, now and then. */
bool bw_near_still_wanted(bw_near_state *state);

#endif
