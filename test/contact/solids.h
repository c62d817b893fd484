/* Solids for tests of contacts: boxes, rings with a square hole, spheres and capsules, each with its tree. */
#ifndef BW_TEST_CONTACT_SOLIDS_H
#define BW_TEST_CONTACT_SOLIDS_H

#include "scenes/scenes.h"

#include <boxwood/contact.h>

typedef struct solid {
    bws_mesh owned;
    bw_mesh mesh;
    bw_tree *tree;
    bw_body body;
    bw_transform pose;
} solid;

/* Axis-aligned, two triangles per side, outward. */
void solid_box(solid *out, bw_vec3 low, bw_vec3 high);
/* A square of the given half width around the z axis with a square hole, from z = 0 to height. */
void solid_ring(solid *out, double half, double hole, double height);
/* Both halves of a sphere of meridians, at a distance of `length` along z. 0: a sphere. */
void solid_capsule(solid *out, double radius, double length, uint32_t meridians, uint32_t rings);
/* Cubes of a grid of the given side, each there by chance, joined: only faces between inside and outside are
 * left, two triangles each. cells: side^3, x first. */
typedef struct cells {
    uint32_t side;
    bool full[64];
} cells;
void solid_cells(solid *out, const cells *grid);
cells random_cells(bws_random *random, uint32_t side);
/* Of a mesh that the solid then owns. */
void solid_of_mesh(solid *out, const bws_mesh *mesh);
/* With the pose from now on. */
void solid_place(solid *s, const bw_transform *pose);
void solid_free(solid *s);

/* The vertices of the solid in the world; free(). */
bw_vec3 *solid_world(const solid *s);

/* The mapped corners of a triangle of b in the frame of a, as bw_collide documents them. */
void solid_corners_in(const solid *a, const solid *b, uint32_t triangle, bw_vec3 out[3]);
/* By rational oracles alone: no triangle meets another, and no vertex of one is inside the other by the
 * parity of crossings. b is taken with the translation added to its pose. closed_x: x can hold something. */
bool solids_apart(const solid *a, const solid *b, bw_vec3 translation, bool closed_a, bool closed_b);

#endif
