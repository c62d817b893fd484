/* Bodies for tests of pair caches: they move by plans, are refitted by their owner, edited and given other plans. */
#ifndef BW_TEST_KINETIC_ACTOR_H
#define BW_TEST_KINETIC_ACTOR_H

#include "kinetic/film.h"

/* A body and, beside it, one whose boxes and positions are all computed for every frame; or one that is
 * refitted by its owner. */
typedef struct actor {
    film film;
    bw_mesh mesh;
    bw_kinetic *k, *tight;
    bool *in; /* the tree */
    uint32_t primitives;
    bool replanned;
    bw_tree *still; /* instead of k: an ordinary tree */
    void *positions;
    bw_mesh still_mesh;
    bool posed;
    bw_transform pose;
} actor;

void actor_make(actor *a, const film_desc *d, bw_kinetic_method method, bool still,
                const bw_allocator *allocator, bws_random *r);
void actor_free(actor *a);
/* query: as it is for queries; *truth: the mesh with positions as they are now. */
bw_body actor_body(actor *a, bool query, bw_mesh *truth);
void actor_pose(actor *a, bool flat, bws_random *r);
void actor_advance(actor *a, double t);
void actor_edit(actor *a, bws_random *r);
void actor_shift(actor *a, bws_random *r);
void actor_edit_still(actor *a, bws_random *r);
void actor_replan(actor *a, const film_desc *d, bws_random *r);

#endif
