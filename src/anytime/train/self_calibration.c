/* What two bodies can expect of estimates is tried: all settings at once, on poses with each other, beside
 * the exact answers. A new body is tried with itself. However unlike all bodies of training they are, they
 * then take a setting that kept the promise on their own poses, or the exact query. */
#include "anytime/train/self_calibration.h"
#include "base/fault.h"

#include "anytime/train/draw.h"

/* Poses near contact are drawn in lines of so many; and what exact queries take is measured at one pose in so
 * many. */
enum { LINE = 4, MEASURED = 3 };
/* Where queries take very long, fewer poses must do: so many steps a pose, on average. */
enum { MOST_STEPS = 256 };

/* About how long an exact query takes, in nanoseconds. */
static double exact_cost(const bw_self_calibration *r)
{
    return 250.0 + (182.0 * (double)r->nodes + 40.0 * (double)r->primitives) / r->measured;
}

/* The exact answer, and what it took. */
static bw_result ask(const bw_trial_setup *setup, bw_collide_report *out)
{
    bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .allocator = setup->stack.allocator};
    bw_hit_sink sink = {.desc = &desc};
    bw_wide_side a = {setup->a.anytime->wide, setup->a.mesh}, b = {setup->b.anytime->wide, setup->b.mesh};
    bw_result result = bw_wide_pair(&a, &b, &setup->pose, &(bw_wide_options){.simd = BW_SIMD_AUTO}, &sink);
    *out = sink.report;
    return result;
}

/* The bodies are placed. */
static bw_result try_pose(bw_trial_setup *setup, const bw_trial_grid *grid, bw_self_calibration *out,
                          uint64_t *steps)
{
    bw_trial trial;
    bw_result result = bw_trial_traverse(setup, grid, &trial);
    if (result != BW_OK)
        return result;
    /* Where the walk proved the answer it is known; but some are asked for what exact queries take. */
    const bool measured = out->tally.poses % MEASURED == 0;
    bw_collide_report exact = {.hit_count = trial.hit};
    if (measured || !trial.proven)
        result = ask(setup, &exact);
    if (result != BW_OK)
        return result;
    bw_tally_add(&out->tally, &trial, exact.hit_count > 0);
    *steps += trial.steps + exact.nodes_visited;
    if (measured) {
        out->measured++;
        out->nodes += exact.nodes_visited;
        out->primitives += exact.primitive_tests;
    }
    return BW_OK;
}

static bw_body body_of(const bw_anytime_body *body)
{
    return (bw_body){body->anytime->own != NULL ? body->anytime->own : body->anytime->tree, body->mesh, NULL};
}

static bw_result calibrate_pair(const bw_anytime_body *a, const bw_anytime_body *b, bw_anytime_poses kind,
                                const bw_anytime_model *model, const bw_trial_grid *grid, uint32_t poses,
                                bw_trial_setup *setup, bw_self_calibration *out)
{
    const bw_body body_a = body_of(a), body_b = body_of(b);
    bw_draw draw;
    bw_transform line[LINE];
    uint64_t steps = 0;
    bw_result result = BW_OK;
    *out = (bw_self_calibration){0};
    bw_draw_init(&draw, &body_a, &body_b, setup->stack.allocator, 2);
    for (uint32_t i = 0; i < poses && result == BW_OK && steps < (uint64_t)MOST_STEPS * poses; i++) {
        if (kind == BW_ANYTIME_POSES_SPREAD)
            result = bw_draw_next(&draw, kind, &line[i % LINE]);
        else if (i % LINE == 0)
            result = bw_draw_line(&draw, line, LINE);
        if (result == BW_OK)
            result =
                bw_trial_setup_place(setup, a->anytime, a->mesh, b->anytime, b->mesh, &line[i % LINE], model);
        if (result == BW_OK) {
            result = try_pose(setup, grid, out, &steps);
            bw_trial_setup_clear(setup);
        }
    }
    return result;
}

bw_result bw_self_calibrate(const bw_anytime_body *a, const bw_anytime_body *b, bw_anytime_poses kind,
                            uint32_t poses, const bw_allocator *allocator,
                            bw_choice choices[BW_ANYTIME_SETTINGS])
{
    const bw_anytime_kind bodies = bw_anytime_kind_of(&a->anytime->moments, &b->anytime->moments);
    const bw_prospect *prospect = &bw_anytime_prospects[kind][bodies];
    bw_self_calibration r;
    bw_trial_setup *setup = bw_allocate(allocator, 1, sizeof *setup);
    if (setup == NULL)
        return BW_ERROR_MEMORY;
    /* Half as many near contact, where twice the errors are likely and each pose takes thrice as long. */
    if (kind == BW_ANYTIME_POSES_CONTACT)
        poses = poses / 2 + 1;
    bw_trial_setup_init(setup, allocator);
    bw_result result =
        calibrate_pair(a, b, kind, &bw_anytime_models[kind][bodies], &prospect->grid, poses, setup, &r);
    for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++)
        choices[w] = result == BW_OK
                         ? bw_choose(&r.tally, prospect, (double)bw_wanted_errors[w], exact_cost(&r))
                         : (bw_choice){.exact = true};
    bw_trial_setup_release(setup);
    bw_release(allocator, setup, 1, sizeof *setup);
    return result == BW_ERROR_MEMORY ? result : BW_OK;
}

static bw_result check(const bw_anytime_body *body)
{
    if (body == NULL || body->anytime == NULL || body->mesh == NULL)
        return BW_ERROR_ARGUMENT;
    if (body->anytime->desc.estimator != BW_ESTIMATOR_MOMENTS)
        return BW_ERROR_UNSUPPORTED;
    if (body->anytime->changes != body->anytime->tree->changes)
        return BW_ERROR_MISMATCH;
    return bw_tree_accepts(body->anytime->tree, body->mesh);
}

bw_result bw_anytime_try(const bw_anytime_body *a, const bw_anytime_body *b, bw_anytime_poses poses,
                         uint32_t tries, const bw_allocator *allocator, bw_anytime_settings *out,
                         bw_fault *fault)
{
    if ((unsigned)poses > BW_ANYTIME_POSES_CONTACT || tries == BW_NONE || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = check(a);
    if (result == BW_OK)
        result = check(b);
    bw_choice choices[BW_ANYTIME_SETTINGS];
    for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++)
        choices[w] = (bw_choice){.exact = true};
    const bw_allocator memory = bw_allocator_or_heap(allocator);
    if (result == BW_OK && a->anytime->moments.count > 0 && b->anytime->moments.count > 0)
        result = bw_self_calibrate(a, b, poses, tries > 0 ? tries : BW_TRIES, &memory, choices);
    if (result != BW_OK)
        return bw_fail(fault, result);
    const bw_anytime_kind bodies = bw_anytime_kind_of(&a->anytime->moments, &b->anytime->moments);
    uint32_t count = 0;
    *out = (bw_anytime_settings){.poses = poses};
    for (uint32_t w = 0; w < BW_ANYTIME_SETTINGS; w++)
        if (!choices[w].exact)
            bw_choice_setting(choices[w], &bw_anytime_prospects[poses][bodies], w, &out->setting[count++]);
    return bw_fail(fault, BW_OK);
}
