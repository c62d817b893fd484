/* What the bench of budgeted queries works on. */
#ifndef BENCH_ANYTIME_INPUTS_H
#define BENCH_ANYTIME_INPUTS_H

#include "runner.h"
#include "scenes/scenes.h"

#include <boxwood/boxwood.h>

typedef struct anytime_object {
    const char *name;
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *tree;
    bw_anytime *anytime;
    bw_tree *binary; /* and what the paper's estimator works on; NULL before anytime_object_paper */
    bw_anytime *paper;
} anytime_object;

/* Unlike objects, none of which the built-in models were trained on. KNOWN: how training goes was chosen with
 * an eye on these. UNSEEN: by no means. */
typedef enum anytime_set {
    ANYTIME_KNOWN,
    ANYTIME_UNSEEN,
    ANYTIME_UNSEEN_LATER,
    ANYTIME_UNSEEN_LAST,
    ANYTIME_SETS
} anytime_set;
/* The name of number i, NULL beyond the last. */
const char *anytime_object_name(anytime_set set, uint32_t i);
/* Number i; false where it is of a file that is not to be had (the scanned mesh: the file named by
 * BOXWOOD_SCAN, or that of Debian's glmark2-data). */
bool anytime_object_make(anytime_set set, uint32_t i, bool quick, anytime_object *out);
/* Adds the statistics of the paper, which take seconds. */
void anytime_object_paper(anytime_object *object);
void anytime_object_free(anytime_object *object);

/* Poses that were not trained on, with the exact answer to each. */
typedef struct anytime_poses {
    bw_transform *poses;
    bool *meet;
    uint32_t count;
    double share; /* of collisions */
} anytime_poses;
anytime_poses anytime_poses_draw(const anytime_object *object, bw_anytime_poses kind, uint32_t count);
void anytime_poses_free(anytime_poses *poses);

/* How a kind of query did. */
typedef struct anytime_score {
    double wrong, false_collisions, missed; /* shares of all poses */
    double steps;                           /* mean */
    double calibration; /* expected calibration error: |share right - mean confidence|, over ten classes of
                           equal counts */
    double proven;
} anytime_score;
anytime_score anytime_score_of(const anytime_object *object, const bw_anytime *adb,
                               const anytime_poses *poses, const bw_anytime_query_desc *desc);

/* The rows of budgets: error after some steps and nanoseconds, beside traversals that are cut off. */
void anytime_budgets(bench_case *c, const anytime_object *object, const anytime_poses *poses,
                     bw_anytime_poses kind);
/* The rows of deadlines: how well they are kept, with and without a wanted error beside, and how well this
 * machine keeps any. */
void anytime_deadlines(bench_case *c, const anytime_object *object, const anytime_poses *poses,
                       bw_anytime_poses kind);
/* The row of refits: what it costs to follow a mesh that deforms. */
void anytime_refit(bench_case *c, anytime_object *object);

#endif
