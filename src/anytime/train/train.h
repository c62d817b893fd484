/* What training works with: see anytime/train/train.c, anytime/train/settings.c. */
#ifndef BW_ANYTIME_TRAIN_TRAIN_H
#define BW_ANYTIME_TRAIN_TRAIN_H

#include "anytime/model/choose.h"
#include "anytime/model/fit.h"

enum { BW_TRAIN_BUDGETS = BW_END_SURE - BW_END_BUDGET };

/* What examples showed: pairs of nodes by class, whole bodies, and budgets that ended. */
typedef struct bw_seen {
    bw_fit pairs[BW_ANYTIME_CLASSES], whole, budget[BW_TRAIN_BUDGETS];
} bw_seen;

typedef struct trainer {
    const bw_anytime_example *examples;
    uint32_t count;
    bw_allocator allocator;
    bool **truth; /* by example and pose: they meet */
    bw_seen *seen, sum;
    bw_tally *tallies;    /* by example, as a model answers that knows none of its group */
    bw_prospect prospect; /* from those */
    bw_choice chosen[BW_ANYTIME_SETTINGS];
    uint32_t chosen_count; /* settings of the model */
    bw_fit ends[BW_ANYTIME_ENDS];
    const bw_anytime_model *prior;
    double prior_weight, mean_share, worst_share;
    bw_anytime_model model;
    bw_trial_setup setup;
} trainer;

/* Examples that are held out together: a model that knows a body flatters itself on it, and on its likes. */
static inline bool bw_train_together(const trainer *t, uint32_t i, uint32_t k)
{
    return i == k || (t->examples[i].group != 0 && t->examples[i].group == t->examples[k].group);
}

/* b at a pose of an example, and a walk led by t->model. */
bw_result bw_train_set(trainer *t, uint32_t example, uint32_t pose);

/* Into t->model, from what all examples showed but those held out together with one (BW_NONE: from all;
 * where there are no others, from all too): hazards of wholes and pairs; ends by budget. */
void bw_train_fit_pairs(trainer *t, uint32_t without);
void bw_train_fit_budgets(trainer *t, uint32_t without);

/* When to stop, and how sure each end is: all but the hazards of t->model. */
bw_result bw_train_ends(trainer *t);

/* bw_anytime_train, which also tells how each example did (count tallies; NULL: does not). */
bw_result bw_train(const bw_anytime_example *examples, uint32_t count, const bw_anytime_train_desc *desc,
                   bw_tally *tallies, bw_anytime_model *out);

#endif
