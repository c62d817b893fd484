/* When to stop, for a wanted error, and how sure each end is.
 *
 * Walks without any limit tell how likely a collision is, given the evidence after so many steps. All
 * settings of the grid (anytime/train/trial.h) are tried on all poses, each example by a model that knows
 * none of its group, and for each wanted error the cheapest is kept that stays below it. How sure ends are is
 * learnt from the same walks. */
#include "anytime/train/train.h"

#include "anytime/model/choose.h"

#include <math.h>
#include <string.h>

/* What callers may choose for themselves, tried on one pose in so many. */
static const float p_mins[] = {0.5f, 0.8f, 0.9f, 0.95f, 0.99f}, p_prunes[] = {0.001f, 0.01f, 0.05f};
static const uint32_t k_mins[] = {1, 2, 3, 5};
enum {
    P_MINS = sizeof p_mins / sizeof p_mins[0],
    P_PRUNES = sizeof p_prunes / sizeof p_prunes[0],
    K_MINS = sizeof k_mins / sizeof k_mins[0],
    COUNT_POSES = 8
};

/* ---- what is known after 1, 2, 4, ... steps of walks that prune nothing ---- */

static bw_result observe_budgets(trainer *t, uint32_t i)
{
    bw_anytime_traversal *walk = &t->setup.walk;
    for (uint32_t r = 0; r < BW_TRAIN_BUDGETS; r++)
        t->seen[i].budget[r] = (bw_fit){.knots = BW_ANYTIME_LEVELS};
    for (uint32_t k = 0; k < t->examples[i].pose_count; k++) {
        bw_anytime_reason status = BW_ANYTIME_BUDGET;
        bw_result result = bw_train_set(t, i, k);
        if (result != BW_OK)
            return result;
        walk->limits.most_weighed = BW_ANYTIME_WEIGHED;
        const uint64_t last = (uint64_t)1 << (BW_TRAIN_BUDGETS - 1);
        for (uint64_t steps = 1; steps <= last && result == BW_OK && status == BW_ANYTIME_BUDGET;
             steps += steps < 8 ? 1 : steps / 8) {
            walk->limits.max_steps = steps;
            result = bw_anytime_traversal_run(walk, &status);
            if (result == BW_OK && status == BW_ANYTIME_BUDGET)
                bw_fit_add(&t->seen[i].budget[bw_anytime_end_budget(steps) - BW_END_BUDGET],
                           bw_anytime_end_place(walk->progress.evidence), t->truth[i][k], 1.0);
        }
        bw_trial_setup_clear(&t->setup);
        if (result != BW_OK)
            return result;
    }
    return BW_OK;
}

/* ---- what settings do ---- */

static void add_end(trainer *t, const bw_trial_end *end, bool meet, double weight)
{
    if (end->status == BW_ANYTIME_PRUNED || end->status == BW_ANYTIME_ENOUGH)
        bw_fit_add(&t->ends[end->status == BW_ANYTIME_PRUNED ? BW_END_PRUNED
                                                             : BW_END_SURE + bw_anytime_stage(end->steps)],
                   bw_anytime_end_place(end->evidence), meet, weight);
}

/* All settings, a little of each; then those that this example takes, so that they weigh more. */
static bw_result try_example(trainer *t, uint32_t i, const bw_choice *chosen, uint32_t chosen_count)
{
    bw_trial_grid grid;
    bw_trial_grid_of(&t->model, &grid);
    for (uint32_t k = 0; k < t->examples[i].pose_count; k++) {
        bw_trial trial;
        const bool meet = t->truth[i][k];
        bw_result result = bw_train_set(t, i, k);
        if (result != BW_OK)
            return result;
        result = bw_trial_traverse(&t->setup, &grid, &trial);
        bw_trial_setup_clear(&t->setup);
        if (result != BW_OK)
            return result;
        if (chosen_count == 0)
            bw_tally_add(&t->tallies[i], &trial, meet);
        for (uint32_t s = 0; chosen_count == 0 && s < BW_TRIAL_SURES; s++)
            for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++) {
                const bw_trial_end end = bw_trial_end_of(&trial, s, p);
                add_end(t, &end, meet, 0.002);
            }
        for (uint32_t c = 0; c < chosen_count; c++) {
            const bw_trial_end end = bw_trial_end_of(&trial, chosen[c].sure, chosen[c].prune);
            add_end(t, &end, meet, 1.0);
        }
    }
    return BW_OK;
}

/* A little of what callers choose for themselves: pairs that count one by one. */
static bw_result observe_counts(trainer *t, uint32_t i)
{
    bw_anytime_traversal *walk = &t->setup.walk;
    for (uint32_t k = i % COUNT_POSES; k < t->examples[i].pose_count; k += COUNT_POSES)
        for (uint32_t n = 0; n < P_MINS * P_PRUNES * K_MINS; n++) {
            bw_anytime_reason status;
            bw_result result = bw_train_set(t, i, k);
            if (result != BW_OK)
                return result;
            walk->limits.count_at = bw_anytime_hazard_of((double)p_mins[n % P_MINS]);
            walk->limits.prune_at = bw_anytime_hazard_of((double)p_prunes[n / P_MINS % P_PRUNES]);
            walk->limits.k_min = k_mins[n / P_MINS / P_PRUNES];
            result = bw_anytime_traversal_run(walk, &status);
            bw_trial_setup_clear(&t->setup);
            if (result != BW_OK)
                return result;
            if (status != BW_ANYTIME_PROVEN)
                bw_fit_add(
                    &t->ends[status == BW_ANYTIME_PRUNED ? BW_END_PRUNED
                                                         : bw_anytime_end_counted(walk->progress.counted)],
                    bw_anytime_end_place(walk->progress.evidence), t->truth[i][k], 0.01 * COUNT_POSES);
        }
    return BW_OK;
}

/* ---- all of it ---- */

static bw_result budgets_of(trainer *t, uint32_t i)
{
    return observe_budgets(t, i);
}

static bw_result trials_of(trainer *t, uint32_t i)
{
    bw_result result = try_example(t, i, NULL, 0);
    return result == BW_OK ? observe_counts(t, i) : result;
}

/* Those that this example would take, had it been tried alone, and those of the model. */
static bw_result choices_of(trainer *t, uint32_t i)
{
    bw_choice chosen[2 * BW_ANYTIME_SETTINGS];
    uint32_t count = t->chosen_count;
    memcpy(chosen, t->chosen, count * sizeof *chosen);
    for (int w = 0; w < BW_ANYTIME_SETTINGS; w++) {
        const bw_choice own =
            bw_choose(&t->tallies[i], &t->prospect, (double)bw_wanted_errors[w], (double)INFINITY);
        if (!own.exact)
            chosen[count++] = own;
    }
    return count == 0 ? BW_OK : try_example(t, i, chosen, count);
}

/* Does something with every example, by a model that knows none of its group. */
static bw_result by_groups(trainer *t, bool with_budgets, bw_result (*act)(trainer *t, uint32_t example))
{
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < t->count; i++) {
        bool done = false;
        for (uint32_t k = 0; k < i && !done; k++)
            done = bw_train_together(t, i, k);
        if (done)
            continue;
        bw_train_fit_pairs(t, i);
        if (with_budgets)
            bw_train_fit_budgets(t, i);
        for (uint32_t k = i; k < t->count && result == BW_OK; k++)
            if (bw_train_together(t, i, k))
                result = act(t, k);
    }
    return result;
}

static void fit_ends(trainer *t, uint32_t first, uint32_t last)
{
    for (uint32_t r = first; r <= last; r++) {
        double prior[BW_ANYTIME_LEVELS], share[BW_ANYTIME_LEVELS];
        for (int k = 0; k < BW_ANYTIME_LEVELS; k++)
            prior[k] = (double)t->prior->end[r][k];
        bw_fit_curve(&t->ends[r], prior, 0.1 * t->prior_weight, false, share);
        for (int k = 0; k < BW_ANYTIME_LEVELS; k++)
            t->model.end[r][k] = (float)share[k];
    }
}

/* Settings by wanted error: the cheapest whose errors stay below it on average, and not far above it for any
 * example. Those that no setting reaches are left out. */
static void choose_settings(trainer *t)
{
    const float *const wanted = bw_wanted_errors;
    bw_trial_grid grid;
    bw_trial_grid_of(&t->model, &grid);
    memset(t->model.setting, 0, sizeof t->model.setting);
    for (int w = 0; w < BW_ANYTIME_SETTINGS; w++) {
        double least = INFINITY, limit = (double)wanted[w], most = t->worst_share * limit;
        bw_anytime_setting best = {0};
        for (uint32_t n = 0; n < BW_TRIALS; n++) {
            uint32_t s = n / BW_TRIAL_PRUNES, p = n % BW_TRIAL_PRUNES;
            double mean = 0.0, cost = 0.0;
            bool kept = true;
            for (uint32_t i = 0; i < t->count; i++) {
                const bw_tally *tally = &t->tallies[i];
                double wrong = (double)(tally->mistaken[s][p] + tally->missed[s][p]) / tally->poses;
                kept &= wrong <= most + sqrt(most / tally->poses); /* a count of errors varies by its root */
                mean += wrong / t->count;
                cost += log(bw_cost_of(tally, s, p)) / t->count;
            }
            if (!kept || mean > t->mean_share * limit || cost >= least)
                continue;
            least = cost;
            best.error = wanted[w];
            best.prune = bw_trial_prunes[p];
            memcpy(best.sure, grid.sure[s], sizeof best.sure);
            t->chosen[t->chosen_count] = (bw_choice){false, (uint8_t)s, (uint8_t)p};
        }
        if (best.error > 0.0f)
            t->model.setting[t->chosen_count++] = best;
    }
}

bw_result bw_train_ends(trainer *t)
{
    for (int r = 0; r < BW_ANYTIME_ENDS; r++)
        t->ends[r] = (bw_fit){.knots = BW_ANYTIME_LEVELS};
    bw_result result = by_groups(t, false, budgets_of);
    if (result == BW_OK)
        result = by_groups(t, true, trials_of);
    if (result != BW_OK)
        return result;
    bw_train_fit_pairs(t, BW_NONE);
    bw_train_fit_budgets(t, BW_NONE);
    choose_settings(t);
    bw_prospect_of(&t->model, t->tallies, t->count, &t->prospect);
    bw_anytime_model done = t->model;
    result = by_groups(t, true, choices_of);
    t->model = done;
    fit_ends(t, BW_END_PRUNED, BW_END_BUDGET - 1);
    fit_ends(t, BW_END_SURE, BW_ANYTIME_ENDS - 1);
    return result;
}
