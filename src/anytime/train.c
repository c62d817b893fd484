/* From bodies and poses to a model: first the curves of pairs of nodes, then settings for wanted errors, then
 * how sure each end is. */
#include "anytime/fit.h"
#include "anytime/walk.h"

#include "tree/kind.h"

#include <math.h>
#include <string.h>

/* Pairs are looked at along walks of so many steps, on one pose in so many. */
enum { PAIR_STEPS = 64, PAIR_POSES = 4, SIZES = BW_ADB_CLASSES / 4 };

typedef struct trainer {
    const bw_adb_example *examples;
    uint32_t count;
    bw_allocator allocator;
    bool **truth; /* by example and pose: they meet */
    bw_fit pairs[BW_ADB_CLASSES];
    bw_fit ends[BW_ADB_ENDS];
    const bw_adb_model *prior;
    double prior_weight;
    bool both; /* boxes are compared along the axes of both bodies */
    bw_adb_model model;
} trainer;

/* ---- one walk ---- */

typedef struct scene {
    bw_adb_body a, b;
    bw_pose pose;
    bw_stack stack;
    bw_adb_frame room[BW_ADB_STACK];
    bw_adb_walk walk;
} scene;

static bw_result set_scene(trainer *t, scene *s, const bw_adb_example *e, uint32_t pose,
                           const bw_adb_model *model)
{
    s->a = (bw_adb_body){e->a.adb, e->a.mesh, NULL};
    s->b = (bw_adb_body){e->b.adb, e->b.mesh, &e->poses[pose]};
    bw_result result = bw_pose_between(&(bw_body){s->a.adb->tree, s->a.mesh, NULL},
                                       &(bw_body){s->b.adb->tree, s->b.mesh, s->b.pose}, &s->pose);
    if (result != BW_OK)
        return result;
    s->stack = bw_stack_over(s->room, sizeof s->room, sizeof *s->room, &t->allocator);
    bw_adb_walk_init(&s->walk, &s->a, &s->b, &s->pose, model, &t->allocator, BW_SIMD_AUTO, t->both);
    s->walk.limits = (bw_adb_limits){
        .count_at = INFINITY, .k_min = 1, .most_weighed = UINT32_MAX, .max_steps = UINT64_MAX};
    bw_adb_walk_start(&s->walk, &s->stack);
    return BW_OK;
}

static void strike_scene(scene *s)
{
    bw_adb_walk_release(&s->walk);
    bw_stack_release(&s->stack);
}

/* ---- truth ---- */

static bw_result find_truth(trainer *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        for (uint32_t k = 0; k < e->pose_count; k++) {
            bw_collide_report report;
            bw_result result = bw_collide(&(bw_body){e->a.adb->tree, e->a.mesh, NULL},
                                          &(bw_body){e->b.adb->tree, e->b.mesh, &e->poses[k]}, NULL, &report);
            if (result != BW_OK)
                return result;
            t->truth[i][k] = report.hits > 0;
        }
    }
    return BW_OK;
}

/* ---- pairs of nodes ---- */

typedef struct observer {
    trainer *t;
    const bw_wide_plan *plan;
    bool meet; /* the bodies do: else no pair does */
    bw_result result;
} observer;

static void observe(void *user, const bw_adb_pair *pair, uint32_t kind, float distance)
{
    observer *o = user;
    bool meet = false;
    if (o->meet && o->result == BW_OK) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY};
        bw_sink sink = {.desc = &desc};
        bw_wide_walk exact;
        bw_wide_walk_init(&exact, o->plan, &sink);
        bw_wide_item item = {pair->node_a, pair->node_b, 1u << pair->lane_a, 1u << pair->lane_b};
        if (bw_wide_walk_push(&exact, &item))
            bw_wide_walk_run(&exact);
        o->result = exact.result;
        meet = sink.report.hits > 0;
        bw_wide_walk_release(&exact);
    }
    bw_fit_add(&o->t->pairs[kind], (double)(distance * BW_ADB_KNOTS_A_UNIT), meet, 1.0);
}

static bw_result observe_pairs(trainer *t, scene *s)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        for (uint32_t k = i % PAIR_POSES; k < e->pose_count; k += PAIR_POSES) {
            bw_result result = set_scene(t, s, e, k, &t->model);
            if (result != BW_OK)
                return result;
            bw_wide_plan plan = s->walk.plan;
            bw_wide_frame_prepare(&plan.frame, plan.pose, &plan.a->tree->bounds, &plan.b->tree->bounds);
            observer o = {t, &plan, t->truth[i][k], BW_OK};
            bw_adb_status status;
            s->walk.limits.max_steps = PAIR_STEPS;
            s->walk.on_pair = observe;
            s->walk.on_pair_user = &o;
            result = bw_adb_walk_run(&s->walk, &status);
            strike_scene(s);
            if (result != BW_OK || o.result != BW_OK)
                return result != BW_OK ? result : o.result;
        }
    }
    return BW_OK;
}

/* Sizes next to each other are alike: each curve also sees a fifth of what its neighbours saw. */
static void fit_pairs(trainer *t)
{
    for (int s = 0; s < BW_ADB_CLASSES; s++) {
        bw_fit sum = t->pairs[s];
        double prior[BW_ADB_KNOTS], share[BW_ADB_KNOTS];
        for (int d = -1; d <= 1; d += 2) {
            if (s + d < 0 || (s + d) / SIZES != s / SIZES)
                continue;
            for (uint32_t k = 0; k < BW_ADB_KNOTS; k++) {
                sum.seen[k] += 0.2 * t->pairs[s + d].seen[k];
                sum.hits[k] += 0.2 * t->pairs[s + d].hits[k];
            }
        }
        for (int k = 0; k < BW_ADB_KNOTS; k++)
            prior[k] = bw_adb_probability_of((double)t->prior->hazard[s][k]);
        bw_fit_curve(&sum, prior, t->prior_weight, true, share);
        for (int k = 0; k < BW_ADB_KNOTS; k++)
            t->model.hazard[s][k] = bw_adb_hazard_of(share[k]);
    }
}

static bw_result train_pairs(trainer *t, scene *s)
{
    /* Twice: which pairs a walk meets depends on the model that leads it. */
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < BW_ADB_CLASSES; k++)
            t->pairs[k] = (bw_fit){.knots = BW_ADB_KNOTS};
        bw_result result = observe_pairs(t, s);
        if (result != BW_OK)
            return result;
        fit_pairs(t);
    }
    return BW_OK;
}

/* ---- ends ---- */

static const float p_mins[] = {0.3f,  0.4f,  0.5f,  0.6f,  0.7f,  0.8f,   0.85f, 0.9f,
                               0.93f, 0.95f, 0.97f, 0.98f, 0.99f, 0.995f, 0.999f};
static const float p_prunes[] = {0.001f, 0.003f, 0.006f, 0.01f, 0.02f, 0.03f, 0.05f, 0.1f};
static const uint32_t k_mins[] = {1, 2, 3, 5, 8, 12, 16};
enum {
    P_MINS = sizeof p_mins / sizeof p_mins[0],
    P_PRUNES = sizeof p_prunes / sizeof p_prunes[0],
    K_MINS = sizeof k_mins / sizeof k_mins[0],
    SETTINGS = P_MINS * P_PRUNES * K_MINS
};

static bw_adb_setting setting_number(uint32_t n)
{
    return (bw_adb_setting){.p_min = p_mins[n % P_MINS],
                            .p_prune = p_prunes[n / P_MINS % P_PRUNES],
                            .k_min = k_mins[n / P_MINS / P_PRUNES]};
}

/* What a setting does over the poses of an example. */
typedef struct trial {
    double wrong, steps; /* means */
} trial;

static bw_result try_setting(trainer *t, scene *s, uint32_t example, const bw_adb_setting *setting,
                             double weight, trial *out)
{
    const bw_adb_example *e = &t->examples[example];
    float count_at = bw_adb_hazard_of((double)setting->p_min),
          prune_at = bw_adb_hazard_of((double)setting->p_prune);
    *out = (trial){0, 0};
    for (uint32_t k = 0; k < e->pose_count; k++) {
        bw_adb_status status;
        bw_result result = set_scene(t, s, e, k, &t->model);
        s->walk.limits.count_at = count_at;
        s->walk.limits.prune_at = prune_at;
        s->walk.limits.k_min = setting->k_min;
        if (result == BW_OK)
            result = bw_adb_walk_run(&s->walk, &status);
        if (result != BW_OK)
            return result;
        const bw_adb_progress *p = &s->walk.progress;
        bool truth = t->truth[example][k];
        bool collision = status == BW_ADB_ENOUGH || s->walk.hit.kind != BW_CONTACT_NONE;
        out->wrong += collision != truth;
        out->steps += (double)p->steps;
        if (status != BW_ADB_PROVEN) {
            uint32_t row = status == BW_ADB_ENOUGH ? bw_adb_end_counted(p->counted) : BW_END_PRUNED;
            bw_fit_add(&t->ends[row], bw_adb_end_place(p->evidence), truth, weight);
        }
        strike_scene(s);
    }
    out->wrong /= e->pose_count;
    out->steps /= e->pose_count;
    return BW_OK;
}

/* What a setting does over all examples. */
typedef struct outcome {
    double mean, worst; /* share of wrong answers, and of the example with the most */
    double cost;        /* geometric mean of the steps, with what a query costs at least */
} outcome;

/* The mean over the examples; of four or more, without the worst: one odd body does not slow down all. */
static double typical_error(const outcome *o, uint32_t count)
{
    return count < 4 ? o->mean : (o->mean * count - o->worst) / (count - 1);
}

/* Settings by wanted error: the cheapest whose errors stay well below it for most examples, and are not too
 * far above it for any. Those that no setting reaches are left out. */
static void choose_settings(trainer *t, const outcome *outcomes)
{
    static const float wanted[BW_ADB_SETTINGS] = {0.05f,  0.02f,  0.01f,   0.005f,
                                                  0.002f, 0.001f, 0.0005f, 0.0002f};
    uint32_t chosen = 0;
    memset(t->model.setting, 0, sizeof t->model.setting);
    for (int w = 0; w < BW_ADB_SETTINGS; w++) {
        uint32_t best = SETTINGS;
        double limit = (double)wanted[w];
        for (uint32_t n = 0; n < SETTINGS; n++)
            if (typical_error(&outcomes[n], t->count) <= 0.35 * limit && outcomes[n].worst <= 6.0 * limit &&
                (best == SETTINGS || outcomes[n].cost < outcomes[best].cost))
                best = n;
        if (best == SETTINGS)
            continue;
        t->model.setting[chosen] = setting_number(best);
        t->model.setting[chosen++].error = wanted[w];
    }
}

static bw_result train_settings(trainer *t, scene *s)
{
    outcome *outcomes = bw_allocate_zero(&t->allocator, SETTINGS, sizeof *outcomes);
    bw_result result = outcomes != NULL ? BW_OK : BW_ERROR_MEMORY;
    trial tried;
    for (uint32_t n = 0; n < SETTINGS && result == BW_OK; n++) {
        bw_adb_setting setting = setting_number(n);
        for (uint32_t i = 0; i < t->count && result == BW_OK; i++) {
            /* A little of every setting, for callers who choose their own. */
            result = try_setting(t, s, i, &setting, 0.0005, &tried);
            outcomes[n].mean += tried.wrong / t->count;
            outcomes[n].worst = fmax(outcomes[n].worst, tried.wrong);
            outcomes[n].cost += log(tried.steps + 2.0) / t->count;
        }
    }
    if (result == BW_OK)
        choose_settings(t, outcomes);
    bw_release(&t->allocator, outcomes, SETTINGS, sizeof *outcomes);
    for (int n = 0; n < BW_ADB_SETTINGS && result == BW_OK; n++)
        for (uint32_t i = 0; i < t->count && result == BW_OK && t->model.setting[n].error > 0.0f; i++)
            result = try_setting(t, s, i, &t->model.setting[n], 1.0, &tried);
    return result;
}

/* What is known after 1, 2, 4, ... steps of walks that count and prune nothing. */
static bw_result train_budgets(trainer *t, scene *s)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_adb_example *e = &t->examples[i];
        for (uint32_t k = 0; k < e->pose_count; k++) {
            bw_adb_status status = BW_ADB_BUDGET;
            bw_result result = set_scene(t, s, e, k, &t->model);
            s->walk.limits.most_weighed = BW_ADB_WEIGHED;
            uint64_t last = (uint64_t)1 << (BW_ADB_ENDS - 1 - BW_END_BUDGET);
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
            strike_scene(s);
        }
    }
    return BW_OK;
}

static bw_result train_ends(trainer *t, scene *s)
{
    for (int r = 0; r < BW_ADB_ENDS; r++)
        t->ends[r] = (bw_fit){.knots = BW_ADB_LEVELS};
    bw_result result = train_settings(t, s);
    if (result == BW_OK)
        result = train_budgets(t, s);
    for (int r = 0; r < BW_ADB_ENDS && result == BW_OK; r++) {
        double prior[BW_ADB_LEVELS], share[BW_ADB_LEVELS];
        for (int k = 0; k < BW_ADB_LEVELS; k++)
            prior[k] = (double)t->prior->end[r][k];
        bw_fit_curve(&t->ends[r], prior, 0.1 * t->prior_weight, false, share);
        for (int k = 0; k < BW_ADB_LEVELS; k++)
            t->model.end[r][k] = (float)share[k];
    }
    return result;
}

/* ---- all of it ---- */

static void release_truth(trainer *t)
{
    for (uint32_t i = 0; t->truth != NULL && i < t->count; i++)
        bw_release(&t->allocator, t->truth[i], t->examples[i].pose_count, sizeof *t->truth[i]);
    bw_release(&t->allocator, t->truth, t->count, sizeof *t->truth);
}

static bw_result reserve_truth(trainer *t)
{
    t->truth = bw_allocate_zero(&t->allocator, t->count, sizeof *t->truth);
    if (t->truth == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < t->count; i++) {
        t->truth[i] = bw_allocate(&t->allocator, t->examples[i].pose_count, sizeof *t->truth[i]);
        if (t->truth[i] == NULL)
            return BW_ERROR_MEMORY;
    }
    return BW_OK;
}

static bw_result check_example(const bw_adb_example *e)
{
    if (e->a.adb == NULL || e->b.adb == NULL || e->a.mesh == NULL || e->b.mesh == NULL || e->poses == NULL ||
        e->pose_count == 0)
        return BW_ERROR_ARGUMENT;
    if (e->a.adb->desc.estimator != BW_ESTIMATOR_MOMENTS || e->b.adb->desc.estimator != BW_ESTIMATOR_MOMENTS)
        return BW_ERROR_UNSUPPORTED;
    if (e->a.adb->changes != e->a.adb->tree->changes || e->b.adb->changes != e->b.adb->tree->changes)
        return BW_ERROR_MISMATCH;
    if (e->a.adb->tree->primitives == 0 || e->b.adb->tree->primitives == 0)
        return BW_ERROR_EMPTY;
    bw_result result = bw_tree_accepts(e->a.adb->tree, e->a.mesh);
    return result != BW_OK ? result : bw_tree_accepts(e->b.adb->tree, e->b.mesh);
}

bw_result bw_adb_train(const bw_adb_example *examples, uint32_t count, const bw_adb_train_desc *desc,
                       bw_adb_model *out)
{
    static const bw_adb_train_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (examples == NULL || count == 0 || out == NULL || !(desc->prior_weight >= 0.0) ||
        (desc->prior != NULL && !bw_adb_model_valid(desc->prior)))
        return BW_ERROR_ARGUMENT;
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        result = check_example(&examples[i]);
    if (result != BW_OK)
        return result;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    trainer *t = bw_allocate_zero(&allocator, 1, sizeof *t);
    scene *s = bw_allocate(&allocator, 1, sizeof *s);
    if (t != NULL && s != NULL) {
        t->examples = examples;
        t->count = count;
        t->allocator = allocator;
        t->prior = desc->prior != NULL ? desc->prior : bw_adb_model_builtin(BW_ADB_POSES_SPREAD);
        t->prior_weight = desc->prior_weight > 0.0 ? desc->prior_weight : 20.0;
        t->model = *t->prior;
        t->both = false;
        result = reserve_truth(t);
        if (result == BW_OK)
            result = find_truth(t);
        if (result == BW_OK)
            result = train_pairs(t, s);
        if (result == BW_OK)
            result = train_ends(t, s);
        if (result == BW_OK)
            *out = t->model;
        release_truth(t);
    } else {
        result = BW_ERROR_MEMORY;
    }
    bw_release(&allocator, t, 1, sizeof *t);
    bw_release(&allocator, s, 1, sizeof *s);
    return result;
}
