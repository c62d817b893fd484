/* Small meshes at both ends of a step, and their contacts by asking every pair of features alone. */
#ifndef BW_TEST_SWEPT_MOTIONS_H
#define BW_TEST_SWEPT_MOTIONS_H

#include <boxwood/swept.h>

#include "oracle/random.h"

/* A mesh at both ends of a step, and what stands alone in it. */
typedef struct motion {
    bw_mesh start, end;
    double *positions[2];
    uint32_t *indices;
    uint32_t *edges; /* of no triangle, edge_count of them */
    uint32_t edge_count;
    bool points;       /* vertices that nothing names collide */
    double *thickness; /* of each vertex; NULL: none */
} motion;

/* A sheet of n x n squares, folded and shaken, or loose triangles; on a lattice where everything touches. */
motion motion_make(bws_random *random, uint32_t n, double shake);
/* Adds a rope of so many edges and so many points, near the rest; or takes all triangles away before. */
void motion_add_loose(bws_random *random, motion *m, uint32_t edges, uint32_t points, double shake,
                      bool alone);
/* A thickness up to the largest for each vertex, none for some. */
void motion_add_thickness(bws_random *random, motion *m, double largest);
/* The step goes on from where it ended: by a little, so that the tree is kept, and now and then every vertex
 * jumps to the place of another, for which it is of no use. */
void motion_next(bws_random *random, motion *m, bool jump);
void motion_free(motion *m);

/* Ready, and checked. */
bw_swept *sweep_of(const motion *m, const bw_tasks *tasks);
/* bw_swept_self or bw_swept_pair. */
bw_result ask_steps(const bw_swept *x, const bw_swept *y, const bw_swept_query *query,
                    bw_swept_report *report);

typedef struct list {
    bw_swept_contact *items;
    uint32_t count, capacity;
} list;

/* Every pair of features that does not share a vertex: calls visit with the four vertices, and the meshes of
 * which they are. b is a for a mesh with itself. */
typedef void motion_visit(void *user, bw_ccd_feature feature, uint32_t a, uint32_t b,
                          const motion *const meshes[4], const uint32_t vertices[4]);
void each_pair(const motion *a, const motion *b, motion_visit *visit, void *user);
/* The thicknesses of both sides together. */
double pair_thickness(bw_ccd_feature feature, const motion *const meshes[4], const uint32_t vertices[4]);
/* The contacts, each asked alone with the separation and its thickness, by feature, a and b. */
list every_pair(const motion *a, const motion *b, const bw_ccd_desc *desc);

/* By feature, a and b. */
int by_name(const void *x, const void *y);
void same_contact(const bw_swept_contact *a, const bw_swept_contact *b);
void same_report(const bw_swept_report *a, const bw_swept_report *b);

#endif
