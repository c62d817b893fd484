/* Overlaps: regions that bound one piece of the surface of one body inside the other. */
#ifndef BW_CONTACT_DEPTH_OVERLAPS_H
#define BW_CONTACT_DEPTH_OVERLAPS_H

#include "contact/query.h"

/* What is known of how deep an overlap is, or the bodies are. */
typedef struct bw_depth_bound {
    double lower;  /* no shorter translation separates */
    bw_vec3 exit;  /* from the deepest point found to the surface it has to pass, as b would be moved */
    bw_vec3 point; /* that point, in the world */
} bw_depth_bound;

typedef struct bw_overlaps {
    uint32_t count;
    uint32_t *sets; /* disjoint sets of the regions, the places of a and those of b, in this order */
    uint32_t set_count;
    bool *first; /* of each of these: the first of its piece inside the other body, before regions join any */
    uint32_t *number;       /* of a region that is the root of its set: its overlap */
    bw_depth_bound *bounds; /* of each overlap */
    double *deepest;        /* of each: how deep a point of its triangles is in the other body */
    bw_depth_bound bodies;  /* of both bodies */
    bool hidden;            /* a piece of one body is inside the other without a contact */
    bool single;            /* all there is is one overlap, whose depth is that of the bodies */
} bw_overlaps;

/* The overlap of a vertex that is inside the other body, or BW_NONE where it has no contact. */
uint32_t bw_overlaps_of_vertex(const bw_overlaps *overlaps, const bw_contact_query *query, bool of_a,
                               uint32_t vertex);

/* Whether a vertex inside the other body is the one that stands for its piece there. */
bool bw_overlaps_first_of_piece(const bw_overlaps *overlaps, const bw_contact_query *query, bool of_a,
                                uint32_t vertex);

/* Joins regions, which learn their overlap, and bounds depths from below. The overlaps are to be released in
 * any case. */
bw_result bw_overlaps_find(bw_contact_query *query, bw_overlaps *out);
void bw_overlaps_release(const bw_contact_query *query, bw_overlaps *overlaps);

#endif
