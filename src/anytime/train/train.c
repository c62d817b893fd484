/* From bodies and poses to a model: first the curves of whole bodies and of pairs of nodes, then when to
 * stop and how sure each end is (anytime/train/settings.c). */
#include "anytime/train/train.h"
#include "base/fault.h"
#include "base/sized.h"

#include "tree/kind.h"

#include <math.h>

/* Pairs are looked at along walks of so many steps, on one pose in so many. */
enum { PAIR_STEPS = 64, PAIR_POSES = 4, SIZES = BW_ANYTIME_CLASSES / 4 };

bw_result bw_train_set(trainer *t, uint32_t example, uint32_t pose)
{
    const bw_anytime_example *e = &t->examples[example];
    return bw_trial_setup_place(&t->setup, e->a.anytime, e->a.mesh, e->b.anytime, e->b.mesh, &e->poses[pose],
                                &t->model);
}

/* ---- truth ---- */

static bw_result find_truth(trainer *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const bw_anytime_example *e = &t->examples[i];
        for (uint32_t k = 0; k < e->pose_count; k++) {
            bw_collide_report report = {0};
            bw_result result =
                bw_collide(&(bw_body){e->a.anytime->tree, e->a.mesh, NULL},
                           &(bw_body){e->b.anytime->tree, e->b.mesh, &e->poses[k]}, NULL, &report, NULL);
            if (result != BW_OK)
                return result;
            t->truth[i][k] = report.hit_count > 0;
        }
    }
    return BW_OK;
}

/* ---- pairs of nodes ---- */

typedef struct observer {
    bw_fit *pairs; /* by class */
    const bw_wide_plan *plan;
    bool meet; /* the bodies do: else no pair does */
    bw_result result;
} observer;

static void observe(void *user, const bw_anytime_pair *pair, uint32_t kind, float distance)
{
    observer *o = user;
    bool meet = false;
    if (o->meet && o->result == BW_OK) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ANY};
        bw_hit_sink sink = {.desc = &desc};
        bw_traversal exact;
        bw_traversal_init(&exact, o->plan, &sink);
        bw_wide_item item = {pair->node_a, pair->node_b, 1u << pair->lane_a, 1u << pair->lane_b};
        if (bw_traversal_push(&exact, &item))
            bw_traversal_run(&exact);
        o->result = exact.result;
        meet = sink.report.hit_count > 0;
        bw_traversal_release(&exact);
    }
    bw_fit_add(&o->pairs[kind], (double)(distance * BW_ANYTIME_KNOTS_A_UNIT), meet, 1.0);
}

static bw_result observe_pairs(trainer *t, uint32_t i)
{
    bw_anytime_traversal *walk = &t->setup.walk;
    for (int c = 0; c < BW_ANYTIME_CLASSES; c++)
        t->seen[i].pairs[c] = (bw_fit){.knots = BW_ANYTIME_KNOTS};
    for (uint32_t k = i % PAIR_POSES; k < t->examples[i].pose_count; k += PAIR_POSES) {
        bw_result result = bw_train_set(t, i, k);
        if (result != BW_OK)
            return result;
        bw_wide_plan plan = walk->plan;
        bw_error_bounds_prepare(&plan.frame, plan.kernels, plan.pose, &plan.a->tree->bounds,
                                &plan.b->tree->bounds);
        observer o = {t->seen[i].pairs, &plan, t->truth[i][k], BW_OK};
        bw_anytime_reason status;
        walk->limits.max_steps = PAIR_STEPS;
        walk->on_pair = observe;
        walk->on_pair_user = &o;
        result = bw_anytime_traversal_run(walk, &status);
        bw_trial_setup_clear(&t->setup);
        if (result != BW_OK || o.result != BW_OK)
            return result != BW_OK ? result : o.result;
    }
    return BW_OK;
}

static bw_result observe_wholes(trainer *t, uint32_t i)
{
    const bw_anytime_example *e = &t->examples[i];
    t->seen[i].whole = (bw_fit){.knots = BW_ANYTIME_KNOTS};
    for (uint32_t k = 0; k < e->pose_count; k++) {
        float distance;
        bw_result result = bw_train_set(t, i, k);
        if (result != BW_OK)
            return result;
        bw_trial_setup_clear(&t->setup);
        if (bw_anytime_whole_body_of(&e->a.anytime->moments, &e->b.anytime->moments, &t->setup.map,
                                     &distance))
            bw_fit_add(&t->seen[i].whole, (double)(distance * BW_ANYTIME_KNOTS_A_UNIT), t->truth[i][k], 1.0);
    }
    return BW_OK;
}

/* ---- what several examples showed together ---- */

static void add_fit(bw_fit *sum, const bw_fit *fit, double weight)
{
    for (uint32_t k = 0; k < sum->knots; k++) {
        sum->seen[k] += weight * fit->seen[k];
        sum->hits[k] += weight * fit->hits[k];
    }
}

/* Whether an example is learnt from where another, and those of its group, are not. */
static bool is_learnt(const trainer *t, uint32_t i, uint32_t without, bool others)
{
    return without == BW_NONE || !others || !bw_train_together(t, i, without);
}

static bool has_others(const trainer *t, uint32_t without)
{
    for (uint32_t i = 0; without != BW_NONE && i < t->count; i++)
        if (!bw_train_together(t, i, without))
            return true;
    return false;
}

static void fit_hazards(const trainer *t, const bw_fit *seen, const float *prior, float *out)
{
    double before[BW_ANYTIME_KNOTS], share[BW_ANYTIME_KNOTS];
    for (int k = 0; k < BW_ANYTIME_KNOTS; k++)
        before[k] = bw_anytime_probability_of((double)prior[k]);
    bw_fit_curve(seen, before, t->prior_weight, true, share);
    for (int k = 0; k < BW_ANYTIME_KNOTS; k++)
        out[k] = bw_anytime_hazard_of(share[k]);
}

void bw_train_fit_pairs(trainer *t, uint32_t without)
{
    const bool others = has_others(t, without);
    bw_seen *sum = &t->sum;
    sum->whole = (bw_fit){.knots = BW_ANYTIME_KNOTS};
    for (int c = 0; c < BW_ANYTIME_CLASSES; c++)
        sum->pairs[c] = (bw_fit){.knots = BW_ANYTIME_KNOTS};
    for (uint32_t i = 0; i < t->count; i++) {
        if (!is_learnt(t, i, without, others))
            continue;
        add_fit(&sum->whole, &t->seen[i].whole, 1.0);
        for (int c = 0; c < BW_ANYTIME_CLASSES; c++)
            add_fit(&sum->pairs[c], &t->seen[i].pairs[c], 1.0);
    }
    fit_hazards(t, &sum->whole, t->prior->whole, t->model.whole);
    /* Sizes next to each other are alike: each curve also sees a fifth of what its neighbours saw. */
    for (int c = 0; c < BW_ANYTIME_CLASSES; c++) {
        bw_fit near = sum->pairs[c];
        for (int d = -1; d <= 1; d += 2)
            if (c + d >= 0 && (c + d) / SIZES == c / SIZES)
                add_fit(&near, &sum->pairs[c + d], 0.2);
        fit_hazards(t, &near, t->prior->hazard[c], t->model.hazard[c]);
    }
}

void bw_train_fit_budgets(trainer *t, uint32_t without)
{
    const bool others = has_others(t, without);
    for (uint32_t r = 0; r < BW_TRAIN_BUDGETS; r++) {
        bw_fit sum = {.knots = BW_ANYTIME_LEVELS};
        double prior[BW_ANYTIME_LEVELS], share[BW_ANYTIME_LEVELS];
        for (uint32_t i = 0; i < t->count; i++)
            if (is_learnt(t, i, without, others))
                add_fit(&sum, &t->seen[i].budget[r], 1.0);
        for (int k = 0; k < BW_ANYTIME_LEVELS; k++)
            prior[k] = (double)t->prior->end[BW_END_BUDGET + r][k];
        bw_fit_curve(&sum, prior, 0.1 * t->prior_weight, false, share);
        for (int k = 0; k < BW_ANYTIME_LEVELS; k++)
            t->model.end[BW_END_BUDGET + r][k] = (float)share[k];
    }
}

/* ---- all of it ---- */

static bw_result train(trainer *t)
{
    bw_result result = find_truth(t);
    t->model = *t->prior;
    for (uint32_t i = 0; i < t->count && result == BW_OK; i++)
        result = observe_wholes(t, i);
    /* Twice: which pairs a walk meets depends on the model that leads it. */
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < t->count && result == BW_OK; i++)
            result = observe_pairs(t, i);
        if (result == BW_OK)
            bw_train_fit_pairs(t, BW_NONE);
    }
    return result == BW_OK ? bw_train_ends(t) : result;
}

static void release(trainer *t)
{
    for (uint32_t i = 0; t->truth != NULL && i < t->count; i++)
        bw_release(&t->allocator, t->truth[i], t->examples[i].pose_count, sizeof *t->truth[i]);
    bw_release(&t->allocator, t->truth, t->count, sizeof *t->truth);
    bw_release(&t->allocator, t->seen, t->count, sizeof *t->seen);
    bw_release(&t->allocator, t->tallies, t->count, sizeof *t->tallies);
    bw_trial_setup_release(&t->setup);
}

static bw_result reserve(trainer *t)
{
    bw_trial_setup_init(&t->setup, &t->allocator);
    t->truth = bw_allocate_zero(&t->allocator, t->count, sizeof *t->truth);
    t->seen = bw_allocate_zero(&t->allocator, t->count, sizeof *t->seen);
    t->tallies = bw_allocate_zero(&t->allocator, t->count, sizeof *t->tallies);
    if (t->truth == NULL || t->seen == NULL || t->tallies == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < t->count; i++) {
        t->truth[i] = bw_allocate(&t->allocator, t->examples[i].pose_count, sizeof *t->truth[i]);
        if (t->truth[i] == NULL)
            return BW_ERROR_MEMORY;
    }
    return BW_OK;
}

static bw_result check_example(const bw_anytime_example *e)
{
    if (e->a.anytime == NULL || e->b.anytime == NULL || e->a.mesh == NULL || e->b.mesh == NULL ||
        e->poses == NULL || e->pose_count == 0)
        return BW_ERROR_ARGUMENT;
    if (e->a.anytime->desc.estimator != BW_ESTIMATOR_MOMENTS ||
        e->b.anytime->desc.estimator != BW_ESTIMATOR_MOMENTS)
        return BW_ERROR_UNSUPPORTED;
    if (e->a.anytime->changes != e->a.anytime->tree->changes ||
        e->b.anytime->changes != e->b.anytime->tree->changes)
        return BW_ERROR_MISMATCH;
    if (e->a.anytime->tree->primitives == 0 || e->b.anytime->tree->primitives == 0)
        return BW_ERROR_EMPTY;
    bw_result result = bw_tree_accepts(e->a.anytime->tree, e->a.mesh);
    return result != BW_OK ? result : bw_tree_accepts(e->b.anytime->tree, e->b.mesh);
}

bw_result bw_train(const bw_anytime_example *examples, uint32_t count, const bw_anytime_train_desc *desc,
                   bw_tally *tallies, bw_anytime_model *out)
{
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    trainer *t = bw_allocate_zero(&allocator, 1, sizeof *t);
    if (t == NULL)
        return BW_ERROR_MEMORY;
    t->examples = examples;
    t->count = count;
    t->allocator = allocator;
    t->prior = desc->prior != NULL ? desc->prior
                                   : &bw_anytime_models[BW_ANYTIME_POSES_SPREAD][bw_anytime_kind_of(
                                         &examples[0].a.anytime->moments, &examples[0].b.anytime->moments)];
    t->prior_weight = desc->prior_weight > 0.0 ? desc->prior_weight : 20.0;
    t->mean_share = desc->mean_share > 0.0 ? desc->mean_share : 0.35;
    t->worst_share = desc->worst_share > 0.0 ? desc->worst_share : 1.0;
    bw_result result = reserve(t);
    if (result == BW_OK)
        result = train(t);
    if (result == BW_OK)
        *out = t->model;
    for (uint32_t i = 0; result == BW_OK && tallies != NULL && i < count; i++)
        tallies[i] = t->tallies[i];
    release(t);
    bw_release(&allocator, t, 1, sizeof *t);
    return result;
}

bw_result bw_anytime_train(const bw_anytime_example *examples, uint32_t count,
                           const bw_anytime_train_desc *desc, bw_anytime_model *out, bw_fault *fault)
{
    static const bw_anytime_train_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    if (examples == NULL || count == 0 || out == NULL || !(desc->prior_weight >= 0.0) ||
        !(desc->mean_share >= 0.0) || !(desc->worst_share >= 0.0) ||
        (desc->prior != NULL && !bw_anytime_model_valid(desc->prior)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        result = check_example(&examples[i]);
    return bw_fail(fault, result == BW_OK ? bw_train(examples, count, desc, NULL, out) : result);
}
