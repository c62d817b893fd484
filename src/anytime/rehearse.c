/* What a body can expect of estimates is tried when its statistics are made: all settings at once, on poses
 * with itself, beside the exact answers. However unlike all bodies of training it is, it then takes a setting
 * that kept the promise on its own poses, or the exact query. */
#include "anytime/rehearse.h"

#include "anytime/draw.h"

/* Poses near contact are drawn in lines of so many; and what exact queries take is measured at one pose in so
 * many. */
enum { LINE = 4, MEASURED = 3 };
/* Where queries take very long, fewer poses must do: so many steps a pose, on average. */
enum { MOST_STEPS = 256 };

double bw_cost_exact(const bw_rehearsal *r)
{
    return 390.0 + (182.0 * (double)r->nodes + 40.0 * (double)r->primitives) / r->measured;
}

/* The exact answer, and what it took. */
static bw_result ask(const bw_adb *adb, const bw_mesh *mesh, const bw_pose *pose, bw_collide_report *out)
{
    bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .allocator = &adb->allocator};
    bw_sink sink = {.desc = &desc};
    bw_wide_side side = {adb->wide, mesh};
    bw_result result = bw_wide_pair(&side, &side, pose, &(bw_wide_options){.simd = BW_SIMD_AUTO}, &sink);
    *out = sink.report;
    return result;
}

static bw_result try_pose(const bw_adb *adb, const bw_mesh *mesh, const bw_transform *pose,
                          const bw_adb_model *model, const bw_trial_grid *grid, bw_scene *scene,
                          bw_rehearsal *out, uint64_t *steps)
{
    bw_trial trial;
    bw_result result = bw_scene_set(scene, adb, mesh, adb, mesh, pose, model);
    if (result != BW_OK)
        return result;
    result = bw_trial_walk(scene, grid, &trial);
    /* Where the walk proved the answer it is known; but some are asked for what exact queries take. */
    const bool measured = out->tally.poses % MEASURED == 0;
    bw_collide_report exact = {.hits = trial.hit};
    if (result == BW_OK && (measured || !trial.proven))
        result = ask(adb, mesh, &scene->pose, &exact);
    bw_scene_strike(scene);
    if (result != BW_OK)
        return result;
    bw_tally_add(&out->tally, &trial, exact.hits > 0);
    *steps += trial.steps + exact.nodes_visited;
    if (measured) {
        out->measured++;
        out->nodes += exact.nodes_visited;
        out->primitives += exact.primitive_tests;
    }
    return BW_OK;
}

bw_result bw_rehearse(const bw_adb *adb, const bw_mesh *mesh, bw_adb_poses kind, const bw_adb_model *model,
                      const bw_trial_grid *grid, uint32_t poses, bw_scene *scene, bw_rehearsal *out)
{
    const bw_body body = {adb->own != NULL ? adb->own : adb->tree, mesh, NULL};
    bw_draw draw;
    bw_transform line[LINE];
    uint64_t steps = 0;
    bw_result result = BW_OK;
    *out = (bw_rehearsal){0};
    bw_draw_init(&draw, &body, &body, 2);
    for (uint32_t i = 0; i < poses && result == BW_OK && steps < (uint64_t)MOST_STEPS * poses; i++) {
        if (kind == BW_ADB_POSES_SPREAD)
            result = bw_draw_next(&draw, kind, &line[i % LINE]);
        else if (i % LINE == 0)
            result = bw_draw_line(&draw, line, LINE);
        if (result == BW_OK)
            result = try_pose(adb, mesh, &line[i % LINE], model, grid, scene, out, &steps);
    }
    return result;
}

bw_result bw_rehearse_all(bw_adb *adb, const bw_mesh *mesh, uint32_t poses)
{
    bw_scene *scene = bw_allocate(&adb->allocator, 1, sizeof *scene);
    bw_result result = scene != NULL ? BW_OK : BW_ERROR_MEMORY;
    const bw_adb_kind kind = bw_adb_kind_of(&adb->moments, &adb->moments);
    if (scene != NULL)
        bw_scene_init(scene, &adb->allocator);
    for (uint32_t set = 0; set < 2 && result != BW_ERROR_MEMORY; set++) {
        const bw_prospect *prospect = &bw_adb_prospects[set][kind];
        bw_rehearsal r;
        /* Half as many near contact, where twice the errors are likely and each pose takes thrice as long. */
        result = bw_rehearse(adb, mesh, (bw_adb_poses)set, &bw_adb_models[set][kind], &prospect->grid,
                             set == BW_ADB_POSES_CONTACT ? poses / 2 + 1 : poses, scene, &r);
        for (uint32_t w = 0; w < BW_ADB_SETTINGS; w++)
            adb->choice[set][w] = result == BW_OK ? bw_choose(&r.tally, prospect, (double)bw_wanted_errors[w],
                                                              bw_cost_exact(&r))
                                                  : (bw_choice){.exact = true};
    }
    if (scene != NULL)
        bw_scene_release(scene);
    bw_release(&adb->allocator, scene, 1, sizeof *scene);
    adb->tried = result != BW_ERROR_MEMORY;
    return adb->tried ? BW_OK : BW_ERROR_MEMORY;
}
