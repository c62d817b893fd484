/* One traversal that tells how a query with any setting of a grid would have ended. */
#include "anytime/train/trial.h"

#include <math.h>

/* Likelihoods, by caution: they rise. */
static const float sures[BW_TRIAL_SURES] = {0.8f,  0.9f,   0.95f,  0.96f,  0.97f,  0.975f, 0.98f,   0.985f,
                                            0.99f, 0.993f, 0.995f, 0.997f, 0.998f, 0.999f, 0.9995f, 0.9998f};
const float bw_trial_prunes[BW_TRIAL_PRUNES] = {0.4f,   0.2f,   0.1f,   0.05f,   0.02f,   0.01f,
                                                0.005f, 0.002f, 0.001f, 0.0005f, 0.0002f, 0.0001f};

void bw_trial_grid_of(const bw_anytime_model *model, bw_trial_grid *out)
{
    for (uint32_t k = 0; k < BW_TRIAL_SURES; k++) {
        const double p = (double)sures[k];
        out->sure[k][0] = bw_anytime_hazard_of(p);
        for (uint32_t stage = 1; stage < BW_ANYTIME_STAGES; stage++)
            out->sure[k][stage] =
                (float)fmin(bw_anytime_end_reaches(model, BW_END_BUDGET + stage - 1, p), 1e9);
    }
}

void bw_trial_setup_init(bw_trial_setup *s, const bw_allocator *allocator)
{
    s->stack = bw_stack_over(s->room, sizeof s->room, sizeof *s->room, allocator);
}

void bw_trial_setup_release(bw_trial_setup *s)
{
    bw_stack_release(&s->stack);
}

bw_result bw_trial_setup_place(bw_trial_setup *s, const bw_anytime *adb_a, const bw_mesh *mesh_a,
                               const bw_anytime *adb_b, const bw_mesh *mesh_b, const bw_transform *pose,
                               const bw_anytime_model *model)
{
    s->a = (bw_anytime_body){adb_a, mesh_a, NULL};
    s->b = (bw_anytime_body){adb_b, mesh_b, pose};
    bw_result result = bw_relative_pose_between(&(bw_body){adb_a->tree, mesh_a, NULL},
                                                &(bw_body){adb_b->tree, mesh_b, pose}, &s->pose);
    if (result != BW_OK)
        return result;
    bw_moment_map_prepare(&s->map, &s->pose, &adb_a->moments, &adb_b->moments);
    bw_anytime_traversal_init(&s->walk, &s->a, &s->b, &s->pose, &s->map, model, s->stack.allocator,
                              BW_SIMD_AUTO, false);
    s->walk.limits = (bw_anytime_limits){
        .count_at = INFINITY, .k_min = 1, .most_weighed = UINT32_MAX, .max_steps = UINT64_MAX};
    s->stack.count = 0;
    bw_anytime_traversal_start(&s->walk, &s->stack);
    return BW_OK;
}

void bw_trial_setup_clear(bw_trial_setup *s)
{
    bw_anytime_traversal_release(&s->walk);
}

/* Watches a walk. */
typedef struct watcher {
    const bw_anytime_traversal *walk;
    const bw_trial_grid *grid;
    bw_trial *trial;
    uint32_t weighed; /* frames, when it last looked */
} watcher;

static void note_evidence(watcher *w)
{
    const bw_anytime_progress *p = &w->walk->progress;
    bw_trial *t = w->trial;
    if (p->weighed == w->weighed) /* a query looks at its evidence when it has weighed pairs */
        return;
    w->weighed = p->weighed;
    for (uint32_t stage = bw_anytime_stage(p->steps);
         t->reached < BW_TRIAL_SURES && p->evidence >= (double)w->grid->sure[t->reached][stage];
         t->reached++) {
        t->sure_steps[t->reached] = p->steps;
        t->sure_evidence[t->reached] = p->evidence;
    }
}

static void note_likeliest(watcher *w, float likeliest)
{
    const bw_anytime_progress *p = &w->walk->progress;
    bw_trial *t = w->trial;
    for (; t->fallen < BW_TRIAL_PRUNES && likeliest < bw_trial_prunes[t->fallen]; t->fallen++) {
        t->prune_steps[t->fallen] = p->steps;
        t->prune_evidence[t->fallen] = p->evidence;
    }
}

/* Asked before every step; ends the walk once it can tell nothing more. */
static bool look_on(void *user)
{
    watcher *w = user;
    const bw_stack *stack = w->walk->stack;
    const bw_anytime_frame *frames = (const bw_anytime_frame *)(const void *)stack->items;
    float likeliest = stack->count > 0 ? 0.0f : INFINITY;
    for (size_t i = 0; i < stack->count; i++)
        likeliest = frames[i].next_value > likeliest ? frames[i].next_value : likeliest;
    note_evidence(w);
    note_likeliest(w, likeliest);
    return w->trial->reached != BW_TRIAL_SURES;
}

bw_result bw_trial_traverse(bw_trial_setup *s, const bw_trial_grid *grid, bw_trial *out)
{
    watcher w = {&s->walk, grid, out, 0};
    bw_anytime_reason status;
    out->reached = out->fallen = 0;
    const double seen =
        (double)bw_anytime_whole_body(&s->a.anytime->moments, &s->b.anytime->moments, &s->map, s->walk.model);
    for (; out->reached < BW_TRIAL_SURES && seen >= (double)grid->sure[out->reached][0]; out->reached++) {
        out->sure_steps[out->reached] = 0;
        out->sure_evidence[out->reached] = seen;
    }
    out->steps = 0;
    out->proven = out->hit = false;
    if (out->reached == BW_TRIAL_SURES)
        return BW_OK;
    s->walk.limits.prune_at = bw_trial_prunes[BW_TRIAL_PRUNES - 1];
    s->walk.limits.max_steps = BW_TRIAL_STEPS;
    s->walk.limits.go_on = look_on;
    s->walk.limits.user = &w;
    bw_result result = bw_anytime_traversal_run(&s->walk, &status);
    if (result != BW_OK)
        return result;
    note_evidence(&w);
    if (status == BW_ANYTIME_PRUNED)
        note_likeliest(&w, 0.0f);
    out->steps = s->walk.progress.steps;
    out->proven = status == BW_ANYTIME_PROVEN;
    out->hit = s->walk.hit.kind != BW_CONTACT_NONE;
    return BW_OK;
}

bw_trial_end bw_trial_end_of(const bw_trial *t, uint32_t sure, uint32_t prune)
{
    if (sure < t->reached && (prune >= t->fallen || t->sure_steps[sure] <= t->prune_steps[prune]))
        return (bw_trial_end){BW_ANYTIME_ENOUGH, t->sure_steps[sure], t->sure_evidence[sure]};
    if (prune < t->fallen)
        return (bw_trial_end){BW_ANYTIME_PRUNED, t->prune_steps[prune], t->prune_evidence[prune]};
    return (bw_trial_end){t->proven ? BW_ANYTIME_PROVEN : BW_ANYTIME_BUDGET, t->steps, 0.0};
}

void bw_tally_add(bw_tally *tally, const bw_trial *trial, bool meet)
{
    tally->poses++;
    for (uint32_t s = 0; s < BW_TRIAL_SURES; s++)
        for (uint32_t p = 0; p < BW_TRIAL_PRUNES; p++) {
            const bw_trial_end end = bw_trial_end_of(trial, s, p);
            tally->mistaken[s][p] += end.status == BW_ANYTIME_ENOUGH && !meet;
            tally->missed[s][p] +=
                (end.status == BW_ANYTIME_PRUNED && meet) || end.status == BW_ANYTIME_BUDGET;
            tally->walked[s][p] += end.steps > 0;
            tally->steps[s][p] += end.steps;
        }
}
