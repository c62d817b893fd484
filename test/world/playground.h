/* A random world of shapes, meshes and kinetic bodies, and beside it a list of the same bodies for brute force. */
#ifndef BW_TEST_WORLD_PLAYGROUND_H
#define BW_TEST_WORLD_PLAYGROUND_H

#include "oracle/random.h"
#include "scenes/scenes.h"

#include <boxwood/world.h>

enum { PLAY_BODIES = 60, PLAY_MESHES = 3, PLAY_HULLS = 3, PLAY_FRAMES = 3 };

typedef struct play_body {
    bw_id id; /* 0: removed */
    bw_world_body body;
    bw_transform pose;
    bw_shape shape;
} play_body;

typedef struct play_key {
    bw_id a, b;
    uint32_t primitive_a, primitive_b, feature;
    uint64_t id;
} play_key;

typedef struct playground {
    bws_random random;
    bw_world *world;
    double separation;
    double size; /* bodies stand in a cube of this half side */
    bws_mesh meshes[PLAY_MESHES];
    bw_mesh views[PLAY_MESHES];
    bw_tree *trees[PLAY_MESHES];
    bw_hull *hulls[PLAY_HULLS];
    float *frames[PLAY_FRAMES];
    double times[PLAY_FRAMES];
    bw_motion motion;
    bw_kinetic *kinetic; /* one of the bodies, or none */
    play_body bodies[PLAY_BODIES];
    struct {
        bw_id a, b;
    } allowed[32];
    uint32_t allowed_count;
    /* what the last step said */
    play_key *keys;
    size_t key_count, key_capacity;
    struct {
        bw_id a, b;
    } meetings[PLAY_BODIES * PLAY_BODIES / 2];
    uint32_t meeting_count;
    uint64_t highest_id;
} playground;

void play_begin(playground *p, uint64_t seed, const bw_world_desc *desc, double size);
void play_end(playground *p);
/* Some bodies come, go, move, change their filters. */
void play_change(playground *p);
/* Where two of three bodies would go next, for an advance of the world; how many. */
uint32_t play_moves(playground *p, bw_id ids[PLAY_BODIES], bw_transform poses[PLAY_BODIES]);
bool play_filtered(const playground *p, const play_body *x, const play_body *y);
/* Whether two bodies are in contact, by queries of the two alone. */
bool play_meet(const playground *p, const play_body *x, const play_body *y);
bw_body play_mesh_body(const playground *p, const play_body *x);
bw_placed_shape play_shape(const play_body *x);
/* Compares what a step said with brute force and with what the one before said. */
void play_compare(playground *p, const bw_world_step_report *report);

#endif
