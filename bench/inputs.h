/* What the mesh benches work on: meshes of scenes/ and poses, the same in every run. All floats: the peers
 * take no doubles. The program ends with a message where memory runs out. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include "scenes/scenes.h"
#include <boxwood/boxwood.h>

bws_mesh input_bumpy(uint32_t triangles, uint64_t seed);
bws_mesh input_needles(uint32_t triangles); /* aspect 50:1 */

/* Shapes that ask different things of a tree, all about a unit in radius: a bumpy sphere (even triangles all
 * around), a teapot (turned, with long thin triangles at its axis and parts that cross), a car (an open shell
 * of flat sides) and a sphere of needles. Names are those of bench cases. */
typedef struct input_shape {
    const char *name;
    bws_mesh (*make)(uint32_t triangles, uint64_t seed); /* the seed is of no matter to all but the bumpy */
} input_shape;
enum { INPUT_SHAPES = 4 };
extern const input_shape input_shapes[INPUT_SHAPES];

void input_shuffle(bws_mesh *mesh); /* triangles and vertices in random order */

/* Poses that turn a body at random and put it at a random place on a shell about the origin. */
typedef struct input_poses {
    bw_transform *poses; /* give back with free() */
    uint32_t count;
} input_poses;
input_poses input_poses_between(uint32_t count, double near, double far, uint64_t seed);

/* Poses that follow each other as frames do: the body turns by half a degree a frame while it comes in
 * from 2.3 to 1.4. */
input_poses input_poses_coherent(uint32_t count);

/* Another frame of a mesh that deforms: the same triangles, every vertex moved by up to about 2 % of its
 * distance from the origin, smoothly. */
bws_mesh input_deformed(const bws_mesh *mesh);

#endif
