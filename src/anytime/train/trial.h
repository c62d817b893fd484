/* Many settings tried by one walk.
 *
 * A setting is a likelihood at which a query says "collision", which the model's curves turn into evidence by
 * stage, and a hazard below which a pair is left out. A walk takes the likeliest of all pairs next, so that
 * one which leaves out more pairs is the beginning of one which leaves out fewer: it ends where the likeliest
 * pair falls below its limit, or where the evidence reaches its bound. One walk with the lowest limit,
 * watched step by step, therefore tells what every setting of a grid would have answered, and when. */
#ifndef BW_ANYTIME_TRAIN_TRIAL_H
#define BW_ANYTIME_TRAIN_TRIAL_H

#include "anytime/query/query.h"

enum { BW_TRIAL_SURES = 16, BW_TRIAL_PRUNES = 12, BW_TRIALS = BW_TRIAL_SURES * BW_TRIAL_PRUNES };
/* A walk is left after so many steps; what is not decided then counts as wrong. */
enum { BW_TRIAL_STEPS = 4096 };

/* Hazards, by caution: they fall. */
extern const float bw_trial_prunes[BW_TRIAL_PRUNES];

/* What the evidence must reach, for each likelihood, by stage. */
typedef struct bw_trial_grid {
    float sure[BW_TRIAL_SURES][BW_ANYTIME_STAGES];
} bw_trial_grid;
void bw_trial_grid_of(const bw_anytime_model *model, bw_trial_grid *out);

/* Two bodies at a pose, with all that a walk needs; one after the other may use the same set-up. */
typedef struct bw_trial_setup {
    bw_anytime_body a, b;
    bw_relative_pose pose;
    bw_moment_map map;
    bw_stack stack;
    bw_anytime_frame room[BW_ANYTIME_STACK];
    bw_anytime_traversal walk;
} bw_trial_setup;
/* Once, and once at the end. */
void bw_trial_setup_init(bw_trial_setup *setup, const bw_allocator *allocator);
void bw_trial_setup_release(bw_trial_setup *setup);
/* b at a pose relative to a, with a walk that has no limits. */
bw_result bw_trial_setup_place(bw_trial_setup *setup, const bw_anytime *adb_a, const bw_mesh *mesh_a,
                               const bw_anytime *adb_b, const bw_mesh *mesh_b, const bw_transform *pose,
                               const bw_anytime_model *model);
void bw_trial_setup_clear(bw_trial_setup *setup);

/* What one walk told. */
typedef struct bw_trial {
    uint32_t reached; /* of the likelihoods, from the first on */
    uint32_t fallen;  /* of the hazards, from the first on: nothing likelier was left */
    uint64_t sure_steps[BW_TRIAL_SURES], prune_steps[BW_TRIAL_PRUNES], steps;
    double sure_evidence[BW_TRIAL_SURES], prune_evidence[BW_TRIAL_PRUNES];
    bool proven, hit; /* the walk went on until its answer was proven; that they meet */
} bw_trial;
/* Walks through a set-up whose bodies were just placed. */
bw_result bw_trial_traverse(bw_trial_setup *setup, const bw_trial_grid *grid, bw_trial *out);

/* How a query with a setting of the grid would have ended. */
typedef struct bw_trial_end {
    bw_anytime_reason status; /* ENOUGH, PRUNED, PROVEN, or BUDGET: not decided */
    uint64_t steps;           /* 0: the bodies as wholes told enough */
    double evidence;
} bw_trial_end;
bw_trial_end bw_trial_end_of(const bw_trial *trial, uint32_t sure, uint32_t prune);

/* How all settings did over some poses, by likelihood and hazard: [sure][prune]. */
typedef struct bw_tally {
    uint32_t poses;
    uint32_t mistaken[BW_TRIAL_SURES][BW_TRIAL_PRUNES]; /* "collision", and they do not meet */
    uint32_t missed[BW_TRIAL_SURES][BW_TRIAL_PRUNES];   /* "free", and they meet; or not decided */
    uint32_t walked[BW_TRIAL_SURES][BW_TRIAL_PRUNES];   /* queries that went beyond the bodies as wholes */
    uint64_t steps[BW_TRIAL_SURES][BW_TRIAL_PRUNES];
} bw_tally;
void bw_tally_add(bw_tally *tally, const bw_trial *trial, bool meet);

#endif
