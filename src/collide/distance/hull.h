/* What is left of one side of a group: a box around all of it and boxes around parts of it, which are runs of what is
 * listed, and so close together. What is beyond the limit from the box around all is dropped by that alone; along a bent
 * surface that box is wide, and each of the parts is beyond the limit from much that it is not.
 *
 * Boxes of nodes and of leaves that are new come by their place among the nodes, those of leaves from levels above by their
 * place in the list. */
#ifndef BW_COLLIDE_DISTANCE_HULL_H
#define BW_COLLIDE_DISTANCE_HULL_H

#include "collide/distance/kernels.h"

enum { BW_HULL_RUNS = 16, BW_HULL_PARTS = 2 * BW_HULL_RUNS };

typedef struct bw_distance_hull {
    bw_distance_box all;
    uint32_t eights; /* of parts; none where there is one part only */
    bw_distance_boxes eight[BW_HULL_PARTS / BW_WIDTH];
    bw_distance_box part[BW_HULL_PARTS]; /* while boxes are added: those of nodes, and those of the list */
} bw_distance_hull;

static const bw_distance_box bw_distance_nothing = {{INFINITY, INFINITY, INFINITY, INFINITY},
                                                    {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

static inline void bw_distance_box_add(bw_distance_box *box, bw_distance_box more)
{
    box->low = v4_min(more.low, box->low);
    box->high = v4_max(more.high, box->high);
}

/* The part of child `child` of node `node` of so many. */
static inline uint32_t bw_distance_part_of_node(uint32_t node, uint32_t child, uint32_t of)
{
    return (BW_WIDTH * node + child) * BW_HULL_RUNS / (BW_WIDTH * of);
}

/* That of an entry of a list of so many. */
static inline uint32_t bw_distance_part_of_list(uint32_t at, uint32_t of)
{
    return BW_HULL_RUNS + at * BW_HULL_RUNS / of;
}

static inline void bw_distance_hull_clear(bw_distance_hull *hull)
{
    for (uint32_t i = 0; i < BW_HULL_PARTS; i++)
        hull->part[i] = bw_distance_nothing;
}

static inline void bw_distance_hull_add(bw_distance_hull *hull, uint32_t part, bw_distance_box box)
{
    bw_distance_box_add(&hull->part[part], box);
}

/* After the last box: the box around all, and the parts that are not empty in the order of the kernels. */
static inline void bw_distance_hull_close(bw_distance_hull *hull)
{
    uint32_t count = 0;
    hull->all = bw_distance_nothing;
    for (uint32_t i = 0; i < BW_HULL_PARTS; i++) {
        const bw_distance_box box = hull->part[i];
        if (box.low[0] > box.high[0])
            continue;
        bw_distance_box_add(&hull->all, box);
        bw_distance_boxes_set(&hull->eight[count / BW_WIDTH], count % BW_WIDTH, box);
        count++;
    }
    count = count > 1 ? count : 0;
    for (; count % BW_WIDTH != 0; count++)
        bw_distance_boxes_set(&hull->eight[count / BW_WIDTH], count % BW_WIDTH, bw_distance_nothing);
    hull->eights = count / BW_WIDTH;
}

#endif
