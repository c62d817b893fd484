/* What the steps of the fast builder share: the order along the curve, cut into parts that tasks take. */
#ifndef BW_TREE_BUILD_LBVH_LBVH_H
#define BW_TREE_BUILD_LBVH_LBVH_H

#include "base/array.h"
#include "tree/build/collapse.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

#include <stdatomic.h>

/* A stretch of the order that one task divides, fills leaves with and joins; or, between them, a division
 * that stands above several. */
typedef struct bw_lbvh_part {
    uint32_t begin, end; /* in the order; a division: both 0 */
    uint32_t node_count, leaf_count;
    uint32_t node, leaf; /* where its nodes begin, the root first, and its leaves */
    bw_box box;
    double group_area; /* half the surfaces of its groups */
} bw_lbvh_part;

typedef struct bw_lbvh_job {
    const bw_box_source *source;
    const uint64_t *keys;
    bool fill;      /* memory is short: leaves and nodes are to be full, at some cost in area */
    bw_array parts; /* bw_lbvh_part, in the order of a depth-first walk */
    /* The nodes of a part, depth-first, from BW_LBVH_SHAPE(part->begin) on: how many primitives a group has,
     * 0 for a division. */
    uint8_t *shape;
    bw_split_node *nodes; /* no more than there are */
    uint32_t node_count;
    bw_wide wide;
    bw_box *leaf_boxes;
    /* Of the compact form: the lists of vertices, see bw_wide_pack_vertices. A part has room for two a
     * primitive; soups need more, and then all lists are made later. */
    uint32_t *rows, *vertex_first;
    bw_vertex_block *blocks;
    atomic_bool overflow;
} bw_lbvh_job;

/* Primitives that a group has at least, unless it is the only one: n make at most n / BW_LBVH_LEAST groups,
 * and one division less. */
enum { BW_LBVH_LEAST = 8 };
#define BW_LBVH_SHAPE(begin) (2 * (size_t)((begin) / BW_LBVH_LEAST))

static inline bw_lbvh_part *bw_lbvh_part_at(const bw_lbvh_job *work, uint32_t i)
{
    return bw_array_at(&work->parts, i);
}

/* Where a range of more than 2 * BW_LBVH_LEAST divides: at the first key of the cube that the curve enters
 * last, but not so near an end that a part is less than BW_LBVH_LEAST; where all lie in one cell, at the
 * middle of the leaves. fill: small ranges at whole leaves only. */
uint32_t bw_lbvh_divide_at(const uint64_t *keys, uint32_t begin, uint32_t end, bool fill);

/* Whether leaves share so few vertices that lists of them need most of what the compact form may take: 24
 * bytes per triangle. Samples of the order tell. */
bool bw_lbvh_shares_little(const bw_lbvh_job *work);

/* Names the parts. False when memory runs out. */
bool bw_lbvh_divide_top(bw_lbvh_job *work, uint32_t begin, uint32_t end);
/* Finds the shape of the parts begin .. end - 1, and how many nodes and leaves they have. A bw_task_fn over a
 * bw_lbvh_job. */
void bw_lbvh_divide_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker);
/* Tells all parts where their nodes and leaves stand; returns the number of leaves. */
uint32_t bw_lbvh_number_parts(bw_lbvh_job *work);

/* Makes the nodes and leaves of the parts begin .. end - 1, and the boxes of leaves and groups; with corners
 * or lists of vertices where the tree has them. A bw_task_fn over a bw_lbvh_job. */
void bw_lbvh_make_leaves(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* The builder. Makes corners, or lists of vertices, on the way where the form has them. */
bw_result bw_wide_build_lbvh(const bw_wide_desc *desc, const bw_box_source *source, bw_wide_form form,
                             bw_wide *out);

#endif
