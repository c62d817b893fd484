/* A scene and, beside it, a plain list of the same objects: what every answer is compared with. */
#ifndef BW_TEST_WORLD_H
#define BW_TEST_WORLD_H

#include "oracle/random.h"
#include "scene/scene.h"

#include <boxwood/scene.h>

typedef enum world_shape {
    WORLD_UNIFORM,
    WORLD_CLUSTERED,
    WORLD_LISSAJOUS,
    WORLD_SPHERE,
    WORLD_EQUAL,    /* all objects have one box */
    WORLD_ONE_HUGE, /* among tiny ones */
    WORLD_LINE,
    WORLD_PLANE,
    WORLD_FAR,  /* coordinates around 1e6 */
    WORLD_GRID, /* integers: touching everywhere */
    WORLD_SHAPES
} world_shape;

extern const char *const world_shape_names[WORLD_SHAPES];

/* All nestings that are built: modern, auto, the paper's four, leafy and not, and one per
 * node. */
typedef struct world_nesting {
    const char *name;
    bw_nesting nesting;
    bool leafy;
} world_nesting;

#define WORLD_NESTINGS (BW_RESEARCH ? 11 : 2)
extern const world_nesting world_nestings[WORLD_NESTINGS];

typedef struct world_object {
    bw_id id;
    bw_box box;
    uint64_t user;
} world_object;

typedef struct world {
    bws_random *random;
    world_shape shape;
    double side;
    bw_scene *scene;
    world_object *objects;
    uint32_t count, capacity;
} world;

world world_create(bws_random *random, world_shape shape, uint32_t capacity, const bw_scene_desc *desc,
                   bw_simd simd);
void world_destroy(world *w);

bw_box world_new_box(world *w);
/* A little away from a box, by a distance in proportion to its size. */
bw_box world_moved_box(world *w, const bw_box *box);
bw_box world_query_box(world *w);
/* Planes of a random convex region around a random place. */
uint32_t world_planes(world *w, bw_plane planes[6]);

void world_insert(world *w);
void world_insert_many(world *w, uint32_t count);
void world_remove(world *w, uint32_t k);
void world_move(world *w, uint32_t k, const bw_box *box);
void world_move_many(world *w, uint32_t count, bool far);

/* Each fails the test unless scene and list agree. */
void world_check(const world *w);
void world_compare_region(world *w, const bw_region *region);
void world_compare_random_query(world *w);
void world_compare_nearest(world *w);
void world_compare_cast(world *w);
void world_compare_pairs(world *w);

#endif
