/* When to stop, for a wanted error, and how sure each end is.
 *
 * Walks without any limit tell how likely a collision is, given the evidence after so many steps. A setting
 * takes two numbers: the likelihood at which a walk stops and says "collision", which the curves turn into
 * evidence by stage, and the hazard below which a pair is left out. All settings of a grid are tried on all
 * poses, each example by a model that has not seen it, and for each wanted error the cheapest is kept that
 * stays below it. How sure ends are is learnt from the same walks. */
#include "anytime/train.h"

#include <math.h>
#include <string.h>

static const float p_sures[] = {0.8f,  0.9f,   0.95f,  0.96f,  0.97f,  0.975f, 0.98f,   0.985f,
                                0.99f, 0.993f, 0.995f, 0.997f, 0.998f, 0.999f, 0.9995f, 0.9998f};
static const float prunes[] = {0.0001f, 0.0002f, 0.0005f, 0.001f, 0.002f, 0.005f,
                               0.01f,   0.02f,   0.05f,   0.1f,   0.2f,   0.4f};
enum {
    P_SURES = sizeof p_sures / sizeof p_sures[0],
    PRUNES = sizeof prunes / sizeof prunes[0],
    TRIALS = P_SURES * PRUNES
};

/* What callers may choose for themselves. */
static const float p_mins[] = {0.5f, 0.8f, 0.9f, 0.95f, 0.99f}, p_prunes[] = {0.001f, 0.01f, 0.05f};
static const uint32_t k_mins[] = {1, 2, 3, 5};
enum {
    P_MINS = sizeof p_mins / sizeof p_mins[0],
    P_PRUNES = sizeof p_prunes / sizeof p_prunes[0],
    K_MINS = sizeof k_mins / sizeof k_mins[0]
};

/* ---- what is known after 1, 2, 4, ... steps of walks that prune nothing ---- */

static bw_result observe_budgets(trainer *t, scene *s, bool (*takes)(const trainer *t, uint32_t example))
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        for (uint32_t k = 0; k < e->pose_count && takes(t, i); k++) {
            bw_adb_status status = BW_ADB_BUDGET;
            bw_result result = bw_train_set_scene(t, s, e, k);
            s->walk.limits.most_weighed = BW_ADB_WEIGHED;
            uint64_t last = (uint64_t)1 << (BW_END_SURE - 1 - BW_END_BUDGET);
            for (uint64_t steps = 1; steps <= last && result == BW_OK && status == BW_ADB_BUDGET;
                 steps += steps < 8 ? 1 : steps / 8) {
                s->walk.limits.max_steps = steps;
                result = bw_adb_walk_run(&s->walk, &status);
                if (result == BW_OK && status == BW_ADB_BUDGET)
                    bw_fit_add(&t->ends[bw_adb_end_budget(steps)],
                               bw_adb_end_place(s->walk.progress.evidence), t->truth[i][k], 1.0);
            }
            if (result != BW_OK)
                return result;
            bw_train_strike_scene(s);
        }
    }
    return BW_OK;
}

static void fit_ends(trainer *t, uint32_t first, uint32_t last)
{
    for (uint32_t r = first; r <= last; r++) {
        double prior[BW_ADB_LEVELS], share[BW_ADB_LEVELS];
        for (int k = 0; k < BW_ADB_LEVELS; k++)
            prior[k] = (double)t->prior->end[r][k];
        bw_fit_curve(&t->ends[r], prior, 0.1 * t->prior_weight, false, share);
        for (int k = 0; k < BW_ADB_LEVELS; k++)
            t->model.end[r][k] = (float)share[k];
    }
}

/* ---- settings ---- */

static bw_adb_setting setting_of(const bw_adb_model *model, uint32_t n)
{
    double p = (double)p_sures[n % P_SURES];
    bw_adb_setting setting = {.prune = prunes[n / P_SURES]};
    setting.sure[0] = bw_adb_hazard_of(p);
    for (uint32_t stage = 1; stage < BW_ADB_STAGES; stage++)
        setting.sure[stage] = (float)fmin(bw_adb_end_reaches(model, BW_END_BUDGET + stage - 1, p), 1e9);
    return setting;
}

/* What limits do over the poses of an example. */
typedef struct trial {
    double wrong, cost; /* means */
} trial;

/* About how long a query takes, in hundreds of nanoseconds: by whether it went beyond the bodies as wholes,
 * and by its steps. */
static double cost_of(bool walked, uint64_t steps)
{
    return walked ? 2.5 + 1.2 * (double)steps : 1.0;
}

static bw_result try_pose(trainer *t, scene *s, const bw_adb_example *e, uint32_t pose, bool truth,
                          const bw_adb_limits *limits, double weight, trial *sum)
{
    bw_adb_status status = BW_ADB_ENOUGH;
    bw_result result = bw_train_set_scene(t, s, e, pose);
    if (result != BW_OK)
        return result;
    double evidence = 0.0;
    uint32_t row = BW_END_SURE;
    bool walked = true;
    if (limits->sure != NULL) {
        evidence = (double)bw_adb_look(&e->a.adb->moments, &e->b.adb->moments, &s->map, &t->model);
        walked = !(evidence >= (double)limits->sure[0]);
    }
    const bw_adb_progress *p = &s->walk.progress;
    if (walked) {
        s->walk.limits = *limits;
        result = bw_adb_walk_run(&s->walk, &status);
        evidence = p->evidence;
        row = status == BW_ADB_PRUNED ? BW_END_PRUNED
              : limits->sure != NULL  ? BW_END_SURE + bw_adb_stage(p->steps)
                                      : bw_adb_end_counted(p->counted);
    }
    if (result == BW_OK) {
        bool collision = status == BW_ADB_ENOUGH || s->walk.hit.kind != BW_CONTACT_NONE;
        sum->wrong += collision != truth ? 1.0 : 0.0;
        sum->cost += cost_of(walked, p->steps);
        if (status != BW_ADB_PROVEN)
            bw_fit_add(&t->ends[row], bw_adb_end_place(evidence), truth, weight);
    }
    bw_train_strike_scene(s);
    return result;
}

static bw_result try_limits(trainer *t, scene *s, uint32_t example, const bw_adb_limits *limits,
                            double weight, trial *out)
{
    const bw_adb_example *e = &t->examples[example];
    bw_result result = BW_OK;
    *out = (trial){0, 0};
    for (uint32_t k = 0; k < e->pose_count && result == BW_OK; k++)
        result = try_pose(t, s, e, k, t->truth[example][k], limits, weight, out);
    out->wrong /= e->pose_count;
    out->cost /= e->pose_count;
    return result;
}

static bw_result try_setting(trainer *t, scene *s, uint32_t example, const bw_adb_setting *setting,
                             double weight, trial *out)
{
    bw_adb_limits limits = {.count_at = INFINITY,
                            .prune_at = setting->prune,
                            .k_min = 1,
                            .sure = setting->sure,
                            .most_weighed = UINT32_MAX,
                            .max_steps = UINT64_MAX};
    return try_limits(t, s, example, &limits, weight, out);
}

/* What a setting does over all examples. */
typedef struct outcome {
    double mean, worst; /* share of wrong answers, and of the example with the most */
    double cost;        /* geometric mean */
} outcome;

/* Settings by wanted error: the cheapest whose errors stay below it on average, and not far above it for any
 * example. Those that no setting reaches are left out. chosen: their numbers. */
static void choose_settings(trainer *t, const outcome *outcomes, uint32_t chosen[BW_ADB_SETTINGS],
                            uint32_t *chosen_count)
{
    static const float wanted[BW_ADB_SETTINGS] = {0.05f,  0.02f,  0.01f,   0.005f,
                                                  0.002f, 0.001f, 0.0005f, 0.0002f};
    double poses = (double)UINT32_MAX; /* of the example with the fewest */
    for (uint32_t i = 0; i < t->count; i++)
        poses = fmin(poses, (double)t->examples[i].pose_count);
    memset(t->model.setting, 0, sizeof t->model.setting);
    for (int w = 0; w < BW_ADB_SETTINGS; w++) {
        uint32_t best = TRIALS;
        double limit = (double)wanted[w];
        /* A count of errors varies by its root. */
        double most = t->worst_share * limit, allowed = most + sqrt(most / poses);
        for (uint32_t n = 0; n < TRIALS; n++)
            if (outcomes[n].mean <= t->mean_share * limit && outcomes[n].worst <= allowed &&
                (best == TRIALS || outcomes[n].cost < outcomes[best].cost))
                best = n;
        if (best == TRIALS)
            continue;
        t->model.setting[*chosen_count] = setting_of(&t->model, best);
        t->model.setting[*chosen_count].error = wanted[w];
        chosen[(*chosen_count)++] = best;
    }
}

static void clear_ends(trainer *t)
{
    for (int r = 0; r < BW_ADB_ENDS; r++)
        t->ends[r] = (bw_fit){.knots = BW_ADB_LEVELS};
}

bw_result bw_train_budgets(trainer *t, scene *s)
{
    clear_ends(t);
    bw_result result = observe_budgets(t, s, bw_train_learns);
    if (result == BW_OK)
        fit_ends(t, BW_END_BUDGET, BW_END_SURE - 1);
    return result;
}

/* Tries a setting on the examples that the fold's model has not seen. */
static bw_result try_held_out(trainer *t, scene *s, uint32_t n, double weight, outcome *sum)
{
    bw_adb_setting setting = setting_of(&t->model, n);
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < t->count && result == BW_OK; i++) {
        trial tried;
        if (!bw_train_tries(t, i))
            continue;
        result = try_setting(t, s, i, &setting, weight, &tried);
        sum->mean += tried.wrong / t->count;
        sum->worst = fmax(sum->worst, tried.wrong);
        sum->cost += log(tried.cost) / t->count;
    }
    return result;
}

/* A little of what callers choose for themselves: pairs that count one by one. */
static bw_result observe_counts(trainer *t, scene *s)
{
    bw_result result = BW_OK;
    trial tried;
    for (uint32_t n = 0; n < P_MINS * P_PRUNES * K_MINS; n++) {
        bw_adb_limits limits = {.count_at = bw_adb_hazard_of((double)p_mins[n % P_MINS]),
                                .prune_at = bw_adb_hazard_of((double)p_prunes[n / P_MINS % P_PRUNES]),
                                .k_min = k_mins[n / P_MINS / P_PRUNES],
                                .most_weighed = UINT32_MAX,
                                .max_steps = UINT64_MAX};
        for (uint32_t i = 0; i < t->count && result == BW_OK; i++)
            if (bw_train_tries(t, i))
                result = try_limits(t, s, i, &limits, 0.01, &tried);
    }
    return result;
}

/* All settings, then those that are chosen again, so that they weigh more in how sure ends are. */
static bw_result train_settings(trainer *t, scene *s, outcome *outcomes, const bw_adb_model *full)
{
    uint32_t chosen[BW_ADB_SETTINGS], chosen_count = 0;
    bw_result result = BW_OK;
    for (t->fold = 0; t->fold < t->folds && result == BW_OK; t->fold++) {
        t->model = t->folded[t->fold];
        result = observe_budgets(t, s, bw_train_tries);
        for (uint32_t n = 0; n < TRIALS && result == BW_OK; n++)
            result = try_held_out(t, s, n, 0.002, &outcomes[n]);
        if (result == BW_OK)
            result = observe_counts(t, s);
    }
    if (result != BW_OK)
        return result;
    t->model = *full;
    fit_ends(t, BW_END_BUDGET, BW_END_SURE - 1);
    choose_settings(t, outcomes, chosen, &chosen_count);
    bw_adb_model done = t->model;
    for (t->fold = 0; t->fold < t->folds; t->fold++) {
        t->model = t->folded[t->fold];
        for (uint32_t k = 0; k < chosen_count && result == BW_OK; k++)
            result = try_held_out(t, s, chosen[k], 1.0, &(outcome){0});
    }
    t->model = done;
    return result;
}

bw_result bw_train_ends(trainer *t, scene *s)
{
    outcome *outcomes = bw_allocate_zero(&t->allocator, TRIALS, sizeof *outcomes);
    bw_adb_model *full = bw_allocate(&t->allocator, 1, sizeof *full);
    bw_result result = outcomes != NULL && full != NULL ? BW_OK : BW_ERROR_MEMORY;
    clear_ends(t);
    if (result == BW_OK) {
        *full = t->model;
        result = train_settings(t, s, outcomes, full);
    }
    if (result == BW_OK) {
        fit_ends(t, BW_END_PRUNED, BW_END_BUDGET - 1);
        fit_ends(t, BW_END_SURE, BW_ADB_ENDS - 1);
    }
    bw_release(&t->allocator, outcomes, TRIALS, sizeof *outcomes);
    bw_release(&t->allocator, full, 1, sizeof *full);
    return result;
}
