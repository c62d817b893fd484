/* What training works with: see train.c, train_settings.c. */
#ifndef BW_ANYTIME_TRAIN_H
#define BW_ANYTIME_TRAIN_H

#include "anytime/fit.h"
#include "anytime/walk.h"

typedef struct trainer {
    const bw_adb_example *examples;
    uint32_t count;
    bw_allocator allocator;
    bool **truth; /* by example and pose: they meet */
    bw_fit pairs[BW_ADB_CLASSES], whole;
    bw_fit ends[BW_ADB_ENDS];
    const bw_adb_model *prior;
    double prior_weight, mean_share, worst_share;
    bw_adb_model model;
} trainer;

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

/* When to stop, and how sure each end is: model.setting and model.end, once the hazards are known. */
bw_result bw_train_ends(trainer *t, scene *s);

#endif
