/* Whether a translation of b takes it apart from a: the whole bodies, or one overlap of theirs. */
#ifndef BW_CONTACT_DEPTH_SEPARATION_H
#define BW_CONTACT_DEPTH_SEPARATION_H

#include "contact/query.h"

/* A part of a body: some of its triangles, with a tree of their own; or all of it. */
typedef struct bw_part {
    const bw_tree *tree;
    const bw_mesh *mesh;
    const uint32_t *vertices; /* of each connected piece at least one, to be found outside the other body */
    uint32_t vertex_count;
    const bw_vec3 *points; /* its vertices in the world */
    uint32_t point_count;
} bw_part;

typedef struct bw_separation {
    bw_contact_query *query;
    bw_part a, b;               /* what is to be apart from each other */
    bw_part inside_a, inside_b; /* what is to be apart from the other body, and outside; without tree: its
                                   vertices only, for the rest is known from a and b */
    bw_part whole_a, whole_b;   /* the bodies */
    uint32_t trials;            /* left */
    bw_witness witness[3];
} bw_separation;

/* *apart: with b moved by the translation no two of these meet, and none is inside, exactly. A translation that cannot be, for it leaves the range of coordinates, is not. Ends
 * with *apart false where trials are used up or the caller has had enough. */
bw_result bw_separation_try(bw_separation *separation, bw_vec3 translation, bool *apart);

/* How far b has to be moved along a unit direction for its hull to be beyond a's. */
double bw_separation_reach(const bw_separation *separation, bw_vec3 direction);

#endif
