/* Which setting a body takes for a wanted error, from how it did with itself. */
#ifndef BW_ANYTIME_MODEL_CHOOSE_H
#define BW_ANYTIME_MODEL_CHOOSE_H

#include "anytime/train/trial.h"

/* What is known of the settings of a built-in model before a body is tried. */
typedef struct bw_prospect {
    bw_trial_grid grid;
    /* Mean shares of wrong answers, of bodies that the model did not know: "collision" said too early, by
     * likelihood, and contacts missed, by hazard. */
    float mistaken[BW_TRIAL_SURES], missed[BW_TRIAL_PRUNES];
} bw_prospect;
extern const bw_prospect bw_anytime_prospects[2][BW_ANYTIME_KIND_LOOSE + 1]; /* by poses and kind */
/* From how bodies did. */
void bw_prospect_of(const bw_anytime_model *model, const bw_tally *tallies, uint32_t count, bw_prospect *out);

/* Wanted errors that settings are chosen for, falling. */
extern const float bw_wanted_errors[BW_ANYTIME_SETTINGS];
/* Which of them a caller's is, the next below it; BW_ANYTIME_SETTINGS: none. */
uint32_t bw_wanted_level(double wanted_error);

/* How likely more than `wanted` of a body's answers are wrong, where so many were of so many poses, and so
 * large a share was expected of bodies like it. */
double bw_doubt(uint32_t wrong, uint32_t poses, double expected, double wanted);
/* About how long a query with a setting takes, in nanoseconds. */
double bw_cost_of(const bw_tally *tally, uint32_t sure, uint32_t prune);

/* The fastest setting that keeps the wanted error; exact where none does that is faster than the exact query,
 * which takes so many nanoseconds. */
bw_choice bw_choose(const bw_tally *tally, const bw_prospect *prospect, double wanted, double exact_cost);
/* Its numbers, for wanted error number w. */
void bw_choice_setting(bw_choice choice, const bw_prospect *prospect, uint32_t w, bw_anytime_setting *out);
/* For two bodies: the more careful of their choices in either respect. */
static inline bw_choice bw_choice_of_both(bw_choice a, bw_choice b)
{
    return (bw_choice){a.exact || b.exact, a.sure > b.sure ? a.sure : b.sure,
                       a.prune > b.prune ? a.prune : b.prune};
}

#endif
