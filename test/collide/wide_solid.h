/* A mesh with its wide tree, for tests of the wide queries. */
#ifndef BW_TEST_WIDE_SOLID_H
#define BW_TEST_WIDE_SOLID_H

#include "collide/pair/pair.h"
#include "oracle/brute_force.h"
#include "scenes/scenes.h"

typedef struct wide_solid {
    bws_mesh owned; /* empty where the mesh is the caller's */
    bw_mesh mesh;
    bw_wide tree;
} wide_solid;

/* Builds the tree over all primitives; compact: without copies of the corners. */
void wide_solid_build(wide_solid *solid, const bw_mesh *mesh, bool compact);
wide_solid wide_solid_of_scene(const bws_scene *scene, uint32_t size, bw_scalar scalar, bool compact);
void wide_solid_free(wide_solid *solid);

/* Every hit, in the order in which the query gives them. */
typedef struct wide_answer {
    bw_hit *hits;
    bw_collide_report report;
} wide_answer;

/* relative: NULL for none. b: NULL for a against itself. */
wide_answer wide_answer_of(const wide_solid *a, const wide_solid *b, const bw_transform *relative,
                           bw_box_test test, const bw_wide_options *options);
void wide_answer_free(wide_answer *answer);

/* The same hits in the same order, and the same counts. */
void wide_assert_same(const wide_answer *got, const wide_answer *expected);

/* All levels agree to the last count, and with the truth. */
void wide_assert_truth(const wide_solid *a, const wide_solid *b, const bw_transform *relative);
/* The pose of a query with this relative map. */
bw_relative_pose wide_pose(const bw_transform *relative);

#endif
