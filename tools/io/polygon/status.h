/* What a vertical line meets inside the polygon: intervals between a lower and an upper edge, from below. A
 * treap (Seidel and Aragon, "Randomized search trees", 1996) with links to the neighbours; its priorities are
 * a hash of the number of the interval, so that every run is the same. */
#ifndef TOOL_IO_POLYGON_STATUS_H
#define TOOL_IO_POLYGON_STATUS_H

#include <boxwood/mesh.h>

typedef struct interval {
    uint32_t lower, upper;           /* edges, named by the corner they begin at */
    uint32_t front, back, rightmost; /* its chain: see sweep.c */
    uint32_t child[2], above;        /* in the tree */
    uint32_t neighbour[2];           /* below and above it on the line */
} interval;

typedef struct status {
    interval *all; /* room for as many as there will ever be */
    uint32_t count, root;
    uint32_t lowest;
} status;

/* A new interval just above another; BW_NONE: the lowest of all. */
uint32_t status_insert(status *status, uint32_t below);
void status_remove(status *status, uint32_t it);

#endif
