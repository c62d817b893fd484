/* EVENTS: the separation list of Zachmann and Weller 2006, section 7, over two kinetic trees with eight
 * children a node.
 *
 * The test tree has the pairs of boxes that a traversal may look at: below a pair stand the pairs of the
 * children of both (of one, where the other is a leaf). Kept are the pairs that overlap and, below them,
 * those that are apart: the list is what has nothing below it. Every kept pair has one certificate: apart,
 * the axis that will keep it so the longest; overlapping, the first of the six that fails. When an
 * overlapping pair comes apart, all below it go at once, so that a father is processed once, not four times
 * (or 64).
 *
 * Boxes of the kinetic trees tell when an extent changes hands or plans; only pairs of the boxes concerned,
 * and of those only the ones whose certificate rests on that extent, are dated again. */
#ifndef BW_TIMELINE_SEPARATION_EVENTS_H
#define BW_TIMELINE_SEPARATION_EVENTS_H

#include "base/array.h"
#include "base/heap.h"
#include "collide/hit_sink.h"
#include "kinetic/kinetic.h"

#include <boxwood/timeline.h>

typedef struct bw_list_pair {
    uint32_t box[2];         /* lanes, as in kinetic.h */
    uint32_t parent;         /* BW_NONE at the root */
    uint32_t child, sibling; /* the first below, the next beside; BW_NONE: none. Free pairs: sibling links */
    uint32_t next[2], before[2]; /* pairs with the same box of that side */
    bool meeting, leaves, fixed; /* fixed: a box with itself */
    uint8_t witness;             /* apart: the inequality that keeps it so, axis * 2 + side */
    uint32_t place;              /* of leaves that overlap: where in bw_list.meeting */
} bw_list_pair;

typedef struct bw_list {
    bw_kinetic *trees[2]; /* self: the same twice */
    const bw_allocator *allocator;
    bw_array pairs;     /* bw_list_pair */
    uint32_t free;      /* the first unused, BW_NONE: none */
    bw_heap heap;       /* of pairs */
    uint32_t *first[2]; /* by side and box: the first pair that it takes part in */
    bw_array todo;      /* uint32_t: pairs to be classified */
    bw_array meeting;   /* uint32_t: pairs of leaves that overlap */
    double target;      /* where the present step leads */
    bw_separation_report step;
    bool valid; /* false: made again when needed */
    struct bw_ear {
        struct bw_list *list;
        uint32_t side;
    } ears[2];
} bw_list;

/* The kinetic trees must be of BW_KINETIC_QUEUE; the list owns them from then on, on failure too. *list must
 * stay where it is. */
bw_result bw_list_create(const bw_allocator *allocator, bw_kinetic *a, bw_kinetic *b, bw_list *list);
void bw_list_release(bw_list *list);
size_t bw_list_bytes(const bw_list *list);
/* Makes the list for the present time of the trees. BW_ERROR_MEMORY: it is then not valid. */
bw_result bw_list_start(bw_list *list);
/* BW_ERROR_MEMORY: the trees are at the time, the list is not valid. */
bw_result bw_list_advance(bw_list *list, double time, bw_separation_report *report);
bw_result bw_list_set_plans(bw_list *list, uint32_t side, const uint32_t *vertices, const bw_plan *plans,
                            uint32_t count, bw_separation_report *report);
bw_result bw_list_collide(bw_list *list, bw_hit_sink *sink);
/* In the order of a traversal; the boxes of the trees must be fitted. */
void bw_list_visit(const bw_list *list, bw_separation_visitor *visitor, void *user);
const char *bw_list_check(bw_list *list);

/* ---- certificates (timeline/separation/events_date.c) ---- */

typedef enum bw_list_status { BW_LIST_OPEN, BW_LIST_APART, BW_LIST_MEETING } bw_list_status;

/* How the boxes of a pair stand to each other at a time: certain beyond all roundings, or open. *until: until
 * when that holds (not beyond), or when it may be settled; after the time. *witness for APART. */
bw_list_status bw_list_classify(const bw_list *list, const bw_list_pair *pair, double now, double *until,
                                uint8_t *witness);
/* The same for one of the six inequalities of a pair that overlaps: until when it surely does. */
double bw_list_hold(const bw_list *list, const bw_list_pair *pair, uint32_t inequality, double now);
/* Whether the float boxes overlap at a time, to which the trees are advanced. */
bool bw_list_overlap(const bw_list *list, const bw_list_pair *pair, double now);
/* The inequality that an extent (axis * 2 + 1 for a maximum) of a box of a side takes part in. */
static inline uint32_t bw_list_inequality(uint32_t side, uint32_t extent)
{
    return extent / 2 * 2 + ((extent & 1) == 1 ? side : 1 - side);
}

static inline bw_list_pair *bw_list_at(const bw_list *list, uint32_t id)
{
    return bw_array_at(&list->pairs, id);
}

#endif
