/* Random shapes in poses that are hard to decide, and what oracles want to know of them. */
#ifndef BW_TEST_SHAPE_SHAPES_H
#define BW_TEST_SHAPE_SHAPES_H

#include "oracle/convex_oracle.h"
#include "scenes/random.h"

#include <boxwood/shape.h>

typedef struct test_shape {
    bw_shape shape;
    bw_transform pose;
    bw_hull *hull;
    bw_placed_shape placed;
} test_shape;

/* Ways to make a pair. */
typedef enum test_family {
    TEST_RANDOM,     /* any sizes, turns and places */
    TEST_LATTICE,    /* sizes and places of a lattice, turns by right angles: touching exactly */
    TEST_ALIGNED,    /* the same turn for both: parallel faces and edges */
    TEST_NEARLY,     /* of the lattice, a few last bits off */
    TEST_SCALES,     /* one far larger than the other, or both tiny or huge */
    TEST_NEEDLES,    /* flat, or thousands of times longer than wide */
    TEST_COINCIDENT, /* in the same place, or one inside the other */
    TEST_TANGENT,    /* radii and places of Pythagoras: tangent exactly */
    TEST_CLOSED_IN,  /* moved along their distance until rounding ends it */
    TEST_FAMILIES
} test_family;

/* kind: a bw_shape_kind. */
void test_shapes_make(bws_random *random, test_family family, int kind_a, int kind_b, test_shape out[2]);
void test_shapes_free(test_shape pair[2]);
bw_oracle_convex test_shape_oracle(const test_shape *s);
/* The largest coordinate of both. */
double test_shapes_size(const bw_oracle_convex *a, const bw_oracle_convex *b);

#endif
