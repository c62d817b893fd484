/* Bodies and poses that floats find hard, for tests of distances. */
#ifndef TEST_COLLIDE_HARD_SOLID_H
#define TEST_COLLIDE_HARD_SOLID_H

#include "scenes/scenes.h"

#include <boxwood/collide.h>

typedef struct hard_solid {
    double *xyz;
    uint32_t *indices;
    bw_mesh mesh;
    bw_tree *tree;
} hard_solid;

/* Shapes that floats find hard: everything on a small lattice (touching, coplanar, folded), triangles that
 * are segments or points, slivers, all in one plane, and any. */
enum { HARD_LATTICE, HARD_DEGENERATE, HARD_SLIVERS, HARD_FLAT, HARD_ANY, HARD_SHAPES };

/* Where everything stands, in which unit. */
typedef struct hard_place {
    double offset, unit;
} hard_place;
enum { HARD_PLACES = 6 };
extern const hard_place hard_places[HARD_PLACES];

/* shape: HARD_SHAPES gives some of each. At random it is prepared for distances. */
hard_solid hard_make(bws_random *random, uint32_t count, int shape, hard_place where, bool compact);
void hard_unmake(hard_solid *s);
/* Rigid, scaled, sheared, or onto a plane; it keeps what it maps near where it was. */
bw_transform hard_pose(bws_random *random, hard_place where);
/* In the world. */
void hard_corners(const bw_body *body, uint32_t primitive, bw_vec3 out[3]);

#endif
