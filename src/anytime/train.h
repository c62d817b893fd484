/* What training works with: see train.c, train_settings.c. */
#ifndef BW_ANYTIME_TRAIN_H
#define BW_ANYTIME_TRAIN_H

#include "anytime/fit.h"
#include "anytime/walk.h"

enum { BW_TRAIN_FOLDS = 4 };

typedef struct trainer {
    const bw_adb_example *examples;
    uint32_t count;
    bw_allocator allocator;
    bool **truth; /* by example and pose: they meet */
    /* Examples are held out by turns: what is learnt from the others is tried on them, since a model that
     * knows a body flatters itself. 1: none is, where there is one example only. */
    uint32_t folds, fold; /* fold == folds: all are learnt from */
    bw_fit pairs[BW_ADB_CLASSES], whole;
    bw_fit ends[BW_ADB_ENDS];
    const bw_adb_model *prior;
    double prior_weight, mean_share, worst_share;
    bw_adb_model model;
    bw_adb_model folded[BW_TRAIN_FOLDS]; /* hazards, and ends by budget, without the examples of a fold */
} trainer;

/* Whether an example is learnt from, or tried, in this fold. */
static inline bool bw_train_tries(const trainer *t, uint32_t example)
{
    return t->folds == 1 || example % t->folds == t->fold;
}
static inline bool bw_train_learns(const trainer *t, uint32_t example)
{
    return t->folds == 1 || !bw_train_tries(t, example);
}

/* One walk. */
typedef struct scene {
    bw_adb_body a, b;
    bw_pose pose;
    bw_moment_map map;
    bw_stack stack;
    bw_adb_frame room[BW_ADB_STACK];
    bw_adb_walk walk;
} scene;

/* Bodies and pose of an example, with a walk that has no limits. */
bw_result bw_train_set_scene(trainer *t, scene *s, const bw_adb_example *e, uint32_t pose);
void bw_train_strike_scene(scene *s);

/* Ends by budget of t->model, from the examples that are learnt from. */
bw_result bw_train_budgets(trainer *t, scene *s);
/* When to stop, and how sure each end is: model.setting and model.end, once all hazards are known. */
bw_result bw_train_ends(trainer *t, scene *s);

#endif
