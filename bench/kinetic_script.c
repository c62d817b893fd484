#include "kinetic_script.h"

#include "kinetic/kinetic.h"
#include "tree/refit/refit.h"

#include <stdlib.h>

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

void kinetic_script_make(kinetic_script *s, uint32_t triangles, uint32_t frames)
{
    *s = (kinetic_script){.frames = frames};
    require(bws_expanding(triangles, &s->mesh, &s->velocities));
    s->view = bws_view(&s->mesh);
    s->motion = (bw_motion){.kind = BW_MOTION_VELOCITY,
                            .vertex_count = s->mesh.vertex_count,
                            .scalar = BW_F32,
                            .positions = s->mesh.positions,
                            .velocities = s->velocities,
                            .end = 1};
    s->first = bench_alloc((size_t)frames + 1, sizeof *s->first);
    s->vertices = bench_alloc(s->mesh.vertex_count, sizeof *s->vertices);
    s->plans = bench_alloc(s->mesh.vertex_count, sizeof *s->plans);
}

void kinetic_script_free(kinetic_script *s)
{
    free(s->first);
    free(s->vertices);
    free(s->plans);
    free(s->velocities);
    bws_mesh_free(&s->mesh);
}

double kinetic_script_time(uint32_t frame)
{
    return frame / 60.0;
}

void kinetic_script_turn(kinetic_script *s, uint32_t frame, uint32_t vertex)
{
    uint32_t at = s->first[s->frames]++;
    for (uint32_t i = frame + 1; i < s->frames; i++)
        s->first[i] = at + 1;
    double now = kinetic_script_time(frame);
    bw_plan plan = bw_motion_plan(&s->motion, vertex, now);
    bw_vec3 p = bw_plan_position(&plan, now), w = plan.c[1];
    s->vertices[at] = vertex;
    s->plans[at] = (bw_plan){.origin = now, .c = {p, {-w.x, -w.y, -w.z}}};
}

void kinetic_script_change(const kinetic_script *s, bw_kinetic *k, uint32_t frame)
{
    uint32_t first = s->first[frame];
    require(
        bw_kinetic_set_plans(k, s->vertices + first, s->plans + first, s->first[frame + 1] - first, NULL));
}

/* ---- following it ---- */

static void restart(kinetic_follower *f)
{
    const kinetic_script *s = f->script;
    bw_kinetic_destroy(f->kinetic);
    require(
        bw_kinetic_create(&(bw_kinetic_desc){.method = f->method}, &s->view, &s->motion, &f->kinetic, NULL));
    /* Room for plans is made once, as at the start of a program. */
    bw_plan same = bw_motion_plan(&s->motion, 0, 0);
    require(bw_kinetic_set_plan(f->kinetic, 0, &same, NULL));
    f->events = f->compared = 0;
}

/* Whether this frame is refitted; the policy is asked by what it did with the changes before. */
static bool refits(const kinetic_follower *f)
{
    return f->kinetic->method == BW_KINETIC_REFIT;
}

static void before(void *self, uint32_t step)
{
    kinetic_follower *f = self;
    if (step == 0)
        restart(f);
    f->frame = step;
    f->refit = !f->whole && refits(f);
    if (!f->refit)
        return;
    double t = kinetic_script_time(step + 1);
    kinetic_script_change(f->script, f->kinetic, step);
    require(bw_kinetic_advance(f->kinetic, t, NULL, NULL));
    bw_flight_sample(&f->kinetic->flight, t, f->kinetic->positions);
}

static uint64_t run(void *self)
{
    kinetic_follower *f = self;
    bw_kinetic *k = f->kinetic;
    if (f->refit) {
        require(bw_wide_refit(&k->tree->wide, &k->mesh, &(bw_wide_refit_desc){0}, NULL));
        return BENCH_NO_RESULT;
    }
    bw_kinetic_report report = {0};
    kinetic_script_change(f->script, k, f->frame);
    require(bw_kinetic_advance(k, kinetic_script_time(f->frame + 1), &report, NULL));
    f->events += report.events;
    f->compared += report.compared;
    if (refits(f)) { /* whole, or the policy has just changed its mind */
        bw_body body;
        require(bw_kinetic_body(k, &body, NULL));
    }
    return BENCH_NO_RESULT;
}

static void destroy(void *self)
{
    kinetic_follower *f = self;
    bw_kinetic_destroy(f->kinetic);
    free(f);
}

kinetic_follower *kinetic_follower_add(bench_case *c, const kinetic_script *script, const char *name,
                                       bw_kinetic_method method, bool whole)
{
    if (!bench_case_wants(c, name) || (method == BW_KINETIC_BOXTREE && !BW_RESEARCH))
        return NULL;
    kinetic_follower *f = bench_alloc(1, sizeof *f);
    *f = (kinetic_follower){.script = script, .method = method, .whole = whole};
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = f,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .over = method == BW_KINETIC_REFIT ? NULL
                                           : whole                    ? "boxwood-refit-whole"
                                                                      : "boxwood-refit"});
    return f;
}
