/* Two expanding spheres of whose vertices some turn back in every frame: who, and when, is written down once,
 * and every method follows the same script: the new plans of a frame, and the way to the next. */
#ifndef BENCH_KINETIC_SCRIPT_H
#define BENCH_KINETIC_SCRIPT_H

#include "inputs.h"
#include "runner.h"

typedef struct kinetic_script {
    bws_mesh mesh;
    bw_mesh view;
    float *velocities;
    bw_motion motion;
    uint32_t frames;
    uint32_t *first;    /* by frame, and the end: where its vertices begin in */
    uint32_t *vertices; /* that turn back, none twice, */
    bw_plan *plans;     /* and what they do from then on */
} kinetic_script;

/* Spheres of together about so many triangles, and no changes yet. */
void kinetic_script_make(kinetic_script *script, uint32_t triangles, uint32_t frames);
void kinetic_script_free(kinetic_script *script);
/* A vertex turns back at the beginning of a frame, the one written last or the next. */
void kinetic_script_turn(kinetic_script *script, uint32_t frame, uint32_t vertex);
/* When a frame begins; the end of the last is its number of frames. */
double kinetic_script_time(uint32_t frame);
void kinetic_script_change(const kinetic_script *script, bw_kinetic *kinetic, uint32_t frame);

/* A method that follows the script. Positions are there for a refit, and its plans are set (not timed), for
 * the policy too in frames that it refits: its ratio there tells which way it chose, not what choosing costs.
 * whole: everything that a frame takes is timed, the plans, positions and boxes. */
typedef struct kinetic_follower {
    const kinetic_script *script;
    bw_kinetic_method method;
    bw_kinetic *kinetic;
    uint32_t frame;
    bool whole;
    bool refit; /* this frame is refitted: its plans and positions are there */
    uint64_t events, compared;
} kinetic_follower;

/* NULL where it is not asked for. Ratios are over "boxwood-refit", whole ones over "boxwood-refit-whole". */
kinetic_follower *kinetic_follower_add(bench_case *c, const kinetic_script *script, const char *name,
                                       bw_kinetic_method method, bool whole);

#endif
