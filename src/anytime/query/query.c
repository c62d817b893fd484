/* bw_anytime_query: what is asked is checked, the limits are made ready, and the end becomes an answer. */
#include "anytime/paper/query.h"
#include "anytime/model/choose.h"
#include "anytime/query/cache.h"
#include "anytime/query/contact_regions.h"
#include "base/fault.h"
#include "base/sized.h"

#include <math.h>

static bool is_share(double p)
{
    return p >= 0.0 && p <= 1.0;
}

static bool are_settings(const bw_anytime_settings *s, const bw_anytime_query_desc *d)
{
    bool fine = s->poses == d->poses && d->model == NULL;
    for (int i = 0; i < BW_ANYTIME_SETTINGS; i++) {
        fine &= is_share((double)s->setting[i].error) && s->setting[i].prune >= 0.0f;
        for (int k = 0; k < BW_ANYTIME_STAGES; k++)
            fine &= s->setting[i].sure[k] >= 0.0f;
    }
    return fine;
}

static bool is_desc(const bw_anytime_query_desc *d)
{
    return (unsigned)d->poses <= BW_ANYTIME_POSES_CONTACT && is_share(d->wanted_error) &&
           is_share(d->p_min) && is_share(d->p_prune) && (d->regions != NULL || d->region_capacity == 0) &&
           (d->cache != NULL || (!d->resume && !d->coherent)) &&
           (d->model == NULL || bw_anytime_model_valid(d->model)) &&
           (d->settings == NULL || are_settings(d->settings, d));
}

static bool is_body(const bw_anytime_body *body)
{
    return body != NULL && body->anytime != NULL && body->mesh != NULL;
}

static bw_result check_bodies(const bw_anytime_body *a, const bw_anytime_body *b)
{
    if (a->anytime->changes != a->anytime->tree->changes || b->anytime->changes != b->anytime->tree->changes)
        return BW_ERROR_MISMATCH;
    bw_result result = bw_tree_accepts(a->anytime->tree, a->mesh);
    if (result == BW_OK)
        result = bw_tree_accepts(b->anytime->tree, b->mesh);
    if (result == BW_OK && a->anytime->desc.estimator != b->anytime->desc.estimator)
        result = BW_ERROR_UNSUPPORTED;
    return result;
}

/* setting: for the wanted error; NULL where there is none. */
static void make_limits(const bw_anytime_query_desc *desc, const bw_anytime_setting *setting,
                        const bw_deadline *watch, bw_anytime_limits *out)
{
    /* Until an answer is proven or a budget ends. */
    out->k_min = desc->k_min == 0 ? 1 : desc->k_min;
    out->count_at = INFINITY;
    out->prune_at = 0.0f;
    out->sure = NULL;
    out->most_weighed = BW_ANYTIME_WEIGHED;
    if (desc->wanted_error > 0.0) {
        /* No setting that promises so few errors: nothing but a proof does. */
        if (setting != NULL) {
            out->prune_at = setting->prune;
            out->sure = setting->sure;
            out->most_weighed = UINT32_MAX;
        }
    } else if (desc->p_min > 0.0 || desc->p_prune > 0.0) {
        out->count_at = desc->p_min > 0.0 ? bw_anytime_hazard_of(desc->p_min) : INFINITY;
        out->prune_at = bw_anytime_hazard_of(desc->p_prune);
        if (out->prune_at > out->count_at) /* what counts is not pruned */
            out->prune_at = out->count_at;
        out->most_weighed = UINT32_MAX;
    }
    out->max_steps = desc->limit_steps ? desc->max_steps : UINT64_MAX;
    out->go_on = desc->go_on;
    out->user = desc->user;
    out->watch = *watch;
}

/* The pairs that decided the last query, first. *done where they decide this one too. */
static bw_result ask_last(bw_anytime_traversal *w, const bw_anytime_cache *state, bw_anytime_reason *status,
                          bool *done)
{
    bw_result result = BW_OK;
    *done = false;
    if (state->touched && state->leaves.a < w->wide.a->leaf_count &&
        state->leaves.b < w->wide.b->leaf_count) {
        /* Leaves are compared exactly only where their boxes meet: that is what the kernels are proven for.
         */
        const bw_wide_leaf *a = &w->wide.a->leaves[state->leaves.a], *b = &w->wide.b->leaves[state->leaves.b];
        bw_anytime_pair pair = {a->parent, b->parent, a->lane, b->lane, 0.0f};
        bool meet = false, whole;
        if (a->count > 0 && b->count > 0 && bw_anytime_traversal_hazard(w, &pair) > 0.0f)
            result = bw_anytime_traversal_leaves(w, state->leaves.a, state->leaves.b, &meet, &whole);
        *status = BW_ANYTIME_PROVEN;
        *done = meet;
    }
    /* Half of the steps at most: an answer must come from a walk if not from these. */
    for (uint32_t i = 0;
         result == BW_OK && !*done && i < state->progress.remembered &&
         w->progress.steps < w->limits.max_steps / 2 && !bw_deadline_over(&w->limits.watch, BW_STEP_PLAIN);
         i++) {
        bw_anytime_pair pair = state->progress.pair[i];
        pair.hazard = bw_anytime_traversal_hazard(w, &pair);
        if (!(pair.hazard >= w->limits.count_at))
            continue;
        w->progress.pair[w->progress.remembered++] = pair;
        w->progress.evidence += (double)pair.hazard;
        *status = BW_ANYTIME_ENOUGH;
        *done = ++w->progress.counted >= w->limits.k_min;
    }
    if (!*done) { /* the walk meets them again */
        w->progress.counted = w->progress.remembered = 0;
        w->progress.evidence = 0.0;
    }
    return result;
}

/* Keeps what the next query may want. */
static void remember(bw_anytime_cache *s, const bw_anytime_traversal *w, const bw_anytime_body *a,
                     const bw_anytime_body *b, const bw_relative_pose *pose, bw_anytime_reason status)
{
    s->a = a->anytime;
    s->b = b->anytime;
    s->changes_a = a->anytime->changes;
    s->changes_b = b->anytime->changes;
    s->pose = *pose;
    s->progress = w->progress;
    s->report = w->sink.report;
    s->resumable = status == BW_ANYTIME_BUDGET || status == BW_ANYTIME_STOPPED;
    s->touched = w->hit.kind != BW_CONTACT_NONE;
    s->leaves = w->wide.last;
}

static bw_result run(bw_anytime_traversal *w, const bw_anytime_body *a, const bw_anytime_body *b,
                     const bw_anytime_query_desc *desc, bw_stack *stack, bw_anytime_reason *status)
{
    bool done = false;
    bw_anytime_cache *state = desc->cache;
    if (state != NULL && desc->resume) {
        bw_anytime_traversal_start(w, stack);
        w->progress = state->progress;
        w->sink.report = state->report;
        if (desc->limit_steps) /* so many more */
            w->limits.max_steps = desc->max_steps > UINT64_MAX - w->progress.steps
                                      ? UINT64_MAX
                                      : w->progress.steps + desc->max_steps;
        return bw_anytime_traversal_run(w, status);
    }
    if (state != NULL && desc->coherent && state->a == a->anytime && state->b == b->anytime &&
        state->changes_a == a->anytime->changes && state->changes_b == b->anytime->changes) {
        bw_result result = ask_last(w, state, status, &done);
        if (result != BW_OK || done)
            return result;
    }
    stack->count = 0;
    bw_anytime_traversal_start(w, stack);
    return bw_anytime_traversal_run(w, status);
}

static double likelier(double p)
{
    return p < 0.5 ? 1.0 - p : p;
}

/* How it ended, as an answer. */
static void conclude(const bw_anytime_traversal *w, bw_anytime_reason status, bw_anytime_answer *out)
{
    const bw_anytime_progress *p = &w->progress;
    double evidence = p->evidence > 0.0 ? p->evidence : 0.0, likely;
    out->reason = status;
    out->proven = status == BW_ANYTIME_PROVEN;
    out->collision = w->hit.kind != BW_CONTACT_NONE;
    out->confidence = 1.0;
    if (status == BW_ANYTIME_ENOUGH) {
        uint32_t row = w->limits.sure != NULL ? BW_END_SURE + bw_anytime_stage(p->steps)
                                              : bw_anytime_end_counted(p->counted);
        likely = bw_anytime_end(w->model, row, evidence);
        out->collision = true;
        out->confidence = likely > 0.5 ? likely : 0.5;
    } else if (status == BW_ANYTIME_PRUNED) {
        likely = bw_anytime_end(w->model, BW_END_PRUNED, evidence);
        out->confidence = likely < 0.5 ? 1.0 - likely : 0.5;
    } else if (status != BW_ANYTIME_PROVEN) {
        likely = !p->started ? 0.5 : bw_anytime_end(w->model, bw_anytime_end_budget(p->steps), evidence);
        out->collision = likely > 0.5;
        out->confidence = likelier(likely);
    }
    out->steps = p->steps;
    out->pairs = p->pairs;
    out->box_tests = w->sink.report.box_tests;
    out->primitive_tests = w->sink.report.primitive_tests;
    out->counted = p->counted;
    out->pruned = p->pruned;
}

/* Whether the bodies as wholes are looked at first. Those who ask for places want to know more, and a query
 * that goes on has looked. */
static bool looks_first(const bw_anytime_query_desc *d)
{
    return d->region_capacity == 0 && !d->resume && !(d->limit_steps && d->max_steps == 0) &&
           !(d->limit_time && d->max_nanoseconds == 0);
}

static bool look(const bw_anytime_body *a, const bw_anytime_body *b, const bw_moment_map *map,
                 const bw_anytime_model *model, const bw_anytime_query_desc *desc, float sure,
                 bw_anytime_answer *out)
{
    float hazard = bw_anytime_whole_body(&a->anytime->moments, &b->anytime->moments, map, model);
    if (!(hazard >= sure))
        return false;
    double likely = bw_anytime_end(model, BW_END_SURE, (double)hazard);
    *out = (bw_anytime_answer){.collision = true,
                               .reason = BW_ANYTIME_ENOUGH,
                               .confidence = likely > 0.5 ? likely : 0.5,
                               .pairs = 1};
    if (desc->cache != NULL) {
        desc->cache->resumable = desc->cache->touched = false;
        desc->cache->progress.remembered = 0;
    }
    return true;
}

static const bw_anytime_model *model_of(const bw_anytime_body *a, const bw_anytime_body *b,
                                        const bw_anytime_query_desc *desc)
{
    return desc->model != NULL ? desc->model
                               : &bw_anytime_models[desc->poses][bw_anytime_kind_of(&a->anytime->moments,
                                                                                    &b->anytime->moments)];
}

static bw_result estimate_moments(const bw_anytime_body *a, const bw_anytime_body *b,
                                  const bw_anytime_query_desc *desc, const bw_anytime_model *model,
                                  const bw_anytime_setting *setting, const bw_relative_pose *pose,
                                  const bw_deadline *watch, bw_anytime_answer *out)
{
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_anytime_traversal w;
    make_limits(desc, setting, watch, &w.limits);
    bw_moment_map map;
    bw_moment_map_prepare(&map, pose, &a->anytime->moments, &b->anytime->moments);
    if (w.limits.sure != NULL && looks_first(desc) && look(a, b, &map, model, desc, w.limits.sure[0], out))
        return BW_OK;
    bw_anytime_traversal_init(&w, a, b, pose, &map, model, &allocator, BW_SIMD_AUTO,
                              w.limits.prune_at == 0.0f);
    bw_anytime_frame room[BW_ANYTIME_STACK];
    bw_stack own = bw_stack_over(room, sizeof room, sizeof *room, &allocator);
    bw_stack *stack = desc->cache != NULL ? &desc->cache->stack : &own;
    bw_anytime_reason status = BW_ANYTIME_PROVEN;
    bw_result result = run(&w, a, b, desc, stack, &status);
    if (result == BW_OK) {
        conclude(&w, status, out);
        out->region_count = bw_anytime_contact_regions(&w, a->pose, desc->regions, desc->region_capacity);
        if (desc->cache != NULL)
            remember(desc->cache, &w, a, b, pose, status);
    } else if (desc->cache != NULL) {
        desc->cache->resumable = desc->cache->touched = false;
        desc->cache->progress.remembered = 0;
    }
    bw_anytime_traversal_release(&w);
    bw_stack_release(&own);
    return result;
}

/* The paper's query takes no state and no model. */
static bw_result query_paper(const bw_anytime_body *a, const bw_anytime_body *b,
                             const bw_anytime_query_desc *desc, const bw_relative_pose *pose,
                             const bw_deadline *watch, bw_anytime_answer *out)
{
    bw_anytime_limits limits;
    if (desc->cache != NULL || desc->model != NULL || desc->settings != NULL || desc->wanted_error > 0.0)
        return BW_ERROR_UNSUPPORTED;
    make_limits(desc, NULL, watch, &limits);
    return BW_RESEARCH ? bw_paper_query(a, b, pose, &limits, desc->p_min > 0.0 ? desc->p_min : 0.5, desc, out)
                       : BW_ERROR_NOT_BUILT;
}

/* Without a limit there is nothing to estimate, and where no setting promises what is wanted nothing but a
 * proof does: the exact query, with its own order and counts. */
static bool is_unlimited(const bw_anytime_query_desc *d, const bw_anytime_setting *setting)
{
    return (d->wanted_error > 0.0 ? setting == NULL : d->p_min == 0.0 && d->p_prune == 0.0) &&
           !d->limit_steps && !d->limit_time && d->go_on == NULL && d->cache == NULL;
}

static bw_result query_exactly(const bw_anytime_body *a, const bw_anytime_body *b,
                               const bw_anytime_query_desc *desc, const bw_relative_pose *pose,
                               bw_anytime_answer *out)
{
    bw_hit hit = {BW_NONE, BW_NONE, BW_CONTACT_NONE};
    bw_collide_desc exact = {
        .mode = BW_COLLIDE_ANY, .hits = &hit, .hit_capacity = 1, .allocator = desc->allocator};
    bw_hit_sink sink = {.desc = &exact};
    bw_wide_options options = {.simd = BW_SIMD_AUTO};
    bw_result result = bw_wide_pair(&(bw_wide_side){a->anytime->wide, a->mesh},
                                    &(bw_wide_side){b->anytime->wide, b->mesh}, pose, &options, &sink);
    if (result != BW_OK)
        return result;
    out->collision = sink.report.hit_count > 0;
    out->steps = sink.report.nodes_visited;
    out->box_tests = sink.report.box_tests;
    out->primitive_tests = sink.report.primitive_tests;
    if (out->collision && desc->region_capacity > 0) {
        bw_anytime_contact_region_proven(a->mesh, b->mesh, pose, &hit, a->pose, desc->regions);
        out->region_count = 1;
    }
    return BW_OK;
}

/* Bodies were tried with themselves. What errors they make with others is less sure: then the settings are
 * those for a fifth of the error. */
static const double share_for_others = 0.2;

/* The setting for the wanted error: the caller's, that which the bodies chose when they were tried, into
 * *room, or the model's. NULL: none promises it. */
static const bw_anytime_setting *setting_of(const bw_anytime_body *a, const bw_anytime_body *b,
                                            const bw_anytime_query_desc *desc, const bw_anytime_model *model,
                                            bw_anytime_setting *room)
{
    double wanted = desc->wanted_error;
    if (!(wanted > 0.0))
        return NULL;
    if (desc->settings != NULL || desc->model != NULL)
        return bw_anytime_setting_for(desc->settings != NULL ? desc->settings->setting : model->setting,
                                      wanted);
    if (a->anytime != b->anytime)
        wanted *= share_for_others;
    if (!a->anytime->tried || !b->anytime->tried)
        return bw_anytime_setting_for(model->setting, wanted);
    const uint32_t level = bw_wanted_level(wanted);
    if (level == BW_ANYTIME_SETTINGS)
        return NULL;
    const bw_choice choice =
        bw_choice_of_both(a->anytime->choice[desc->poses][level], b->anytime->choice[desc->poses][level]);
    if (choice.exact)
        return NULL;
    bw_choice_setting(choice, &bw_anytime_prospects[desc->poses][model - bw_anytime_models[desc->poses]],
                      level, room);
    return room;
}

static bw_result query_moments(const bw_anytime_body *a, const bw_anytime_body *b,
                               const bw_anytime_query_desc *desc, const bw_relative_pose *pose,
                               const bw_deadline *watch, bw_anytime_answer *out)
{
    const bw_anytime_model *model = model_of(a, b, desc);
    bw_anytime_setting room;
    const bw_anytime_setting *setting = setting_of(a, b, desc, model, &room);
    return is_unlimited(desc, setting) ? query_exactly(a, b, desc, pose, out)
                                       : estimate_moments(a, b, desc, model, setting, pose, watch, out);
}

static bool is_empty(const bw_anytime_body *body)
{
    return body->anytime->tree->primitives == 0;
}

bw_result bw_anytime_query(const bw_anytime_body *a, const bw_anytime_body *b,
                           const bw_anytime_query_desc *desc, bw_anytime_answer *answer, bw_fault *fault)
{
    static const bw_anytime_query_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, answer) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, answer));
    if (!is_body(a) || !is_body(b) || answer == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_deadline watch;
    bw_deadline_start(&watch, desc);
    if (!is_desc(desc))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = check_bodies(a, b);
    bw_relative_pose pose;
    if (result == BW_OK)
        result = bw_relative_pose_between(&(bw_body){a->anytime->tree, a->mesh, a->pose},
                                          &(bw_body){b->anytime->tree, b->mesh, b->pose}, &pose);
    if (result == BW_OK && desc->resume &&
        (!desc->cache->resumable || !bw_anytime_cache_fits(desc->cache, a->anytime, b->anytime, &pose)))
        result = BW_ERROR_MISMATCH;
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_anytime_answer out = {.proven = true, .confidence = 1.0, .reason = BW_ANYTIME_PROVEN};
    if (!is_empty(a) && !is_empty(b))
        result = a->anytime->desc.estimator == BW_ESTIMATOR_PAPER
                     ? query_paper(a, b, desc, &pose, &watch, &out)
                     : query_moments(a, b, desc, &pose, &watch, &out);
    out.status = out.reason == BW_ANYTIME_BUDGET    ? BW_LIMIT
                 : out.reason == BW_ANYTIME_STOPPED ? BW_STOPPED
                                                    : BW_DONE;
    if (result == BW_OK)
        bw_report_set(answer, out);
    return bw_fail(fault, result);
}
