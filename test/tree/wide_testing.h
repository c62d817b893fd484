/* What the tests of wide trees share. */
#ifndef BW_TEST_WIDE_TESTING_H
#define BW_TEST_WIDE_TESTING_H

#include "scenes/scenes.h"
#include "tree/build/build.h"

/* Makes the box of every primitive, or fails the test. Give back with free(). */
bw_box *wide_test_boxes(const bw_mesh *mesh);
/* Builds over a whole mesh and checks the result; corners or vertex lists as asked for. */
typedef enum wide_test_form { WIDE_TEST_BARE, WIDE_TEST_RIGID, WIDE_TEST_COMPACT } wide_test_form;
void wide_test_build(const bw_wide_desc *desc, const bw_mesh *mesh, wide_test_form form, bw_wide *out);
/* Fails the test, naming why, unless bw_wide_check passes. */
void wide_test_sound(const bw_wide *wide, const bw_mesh *mesh);
/* Fails the test unless all contents have the same bits. */
void wide_test_same(const bw_wide *a, const bw_wide *b);
/* A deep copy, to compare with later. */
bw_wide wide_test_copy(const bw_wide *wide);

#endif
