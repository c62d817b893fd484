/* Objects, moves and queries that the benches of scenes share. */
#ifndef BENCH_SCENE_INPUTS_H
#define BENCH_SCENE_INPUTS_H

#include <boxwood/scene.h>

#include "runner.h"
#include "scenes/balls.h"

enum { SCENE_BATCH = 1000 };

/* Batches of moves of 1000 random objects each, there and back: after both everything is as it was. */
typedef struct scene_moves {
    uint32_t batches;
    uint32_t *objects;          /* SCENE_BATCH a batch */
    bw_box *forward, *backward; /* their boxes after the batch, and before it */
} scene_moves;

typedef struct scene_input {
    uint32_t count;
    double side;
    bws_ball *balls;
    bw_box *boxes;
    bw_box *queries;
    uint32_t query_count;
    scene_moves moves;
} scene_input;

/* side_factor times the cube root of count is the side of the cube. Queries are cubes of that size: anywhere
 * in a uniform crowd, around random objects in others, where most of space is empty. */
scene_input scene_input_make(bws_spread spread, uint32_t count, double side_factor, uint32_t query_count,
                             double query_size, uint32_t batches);
void scene_input_free(scene_input *in);

/* A scene of all objects, prepared. */
typedef struct scene_ours {
    const scene_input *in;
    bw_scene *scene;
    bw_id *ids;   /* by object */
    bw_id *batch; /* ids of the moves, in their order */
} scene_ours;

scene_ours *scene_ours_make(const scene_input *in, const bw_scene_desc *desc);
void scene_ours_free(void *self);
/* All batches there and back, each by bw_scene_move_many. */
uint64_t scene_ours_move(void *self);
/* The same, one object at a time. */
uint64_t scene_ours_move_one(void *self);
/* All queries; returns the objects found. */
uint64_t scene_ours_query(void *self);

#endif
