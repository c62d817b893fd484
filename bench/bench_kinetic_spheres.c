/* The scene of flight-plan updates in Zachmann and Weller, section 9: two spheres expand until they meet, and
 * the vertices of triangles that touch go back the way they came. Who turns back, and when, is found once, by
 * a tree that is refitted and all its contacts; then every method follows the same script: the new plans of a
 * frame, and the way to the next. Positions are there for the refit, and its plans are set (not timed). */
#include "benches.h"
#include "inputs.h"

#include "kinetic/kinetic.h"
#include "tree/refit_wide.h"

#include <stdlib.h>

enum { FRAMES = 60 };

typedef struct spheres {
    bws_mesh mesh;
    bw_mesh view;
    float *velocities;
    bw_motion motion;
    uint32_t *vertices; /* that turn back, in order of time */
    bw_plan *plans;     /* and what they do from then on */
    uint32_t first[FRAMES + 1];
} spheres;

typedef struct actor {
    const spheres *in;
    bw_kinetic_method method;
    bw_kinetic *kinetic;
    uint32_t step;
    bool refit; /* this frame is refitted */
    uint64_t events, updates, compared;
} actor;

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

static double time_of(uint32_t step)
{
    return (step + 1) / 60.0;
}

static void change(bw_kinetic *k, const spheres *in, uint32_t step)
{
    uint32_t first = in->first[step];
    require(bw_kinetic_set_plans(k, in->vertices + first, in->plans + first, in->first[step + 1] - first));
}

/* ---- the script ---- */

typedef struct contacts {
    spheres *in;
    bool *turned;
    double now;
    uint32_t count;
} contacts;

static bool turn_back(void *user, const bw_hit *hit)
{
    contacts *c = user;
    const uint32_t triangle[2] = {hit->a, hit->b};
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t v = c->in->view.indices[3 * (size_t)triangle[i / 3] + i % 3];
        if (c->turned[v])
            continue;
        c->turned[v] = true;
        bw_plan plan = bw_motion_plan(&c->in->motion, v, c->now);
        bw_vec3 p = bw_plan_position(&plan, c->now), w = plan.c[1];
        c->in->vertices[c->count] = v;
        c->in->plans[c->count++] = (bw_plan){.origin = c->now, .c = {p, {-w.x, -w.y, -w.z}}};
    }
    return true;
}

static void write_script(spheres *in)
{
    bw_kinetic *k;
    contacts c = {.in = in, .turned = bench_alloc(in->view.vertex_count, sizeof(bool))};
    in->vertices = bench_alloc(in->view.vertex_count, sizeof *in->vertices);
    in->plans = bench_alloc(in->view.vertex_count, sizeof *in->plans);
    require(bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_REFIT}, &in->view, &in->motion, &k));
    for (uint32_t step = 0; step < FRAMES; step++) {
        bw_body body;
        bw_collide_report report;
        c.now = bw_kinetic_time(k);
        in->first[step] = c.count;
        require(bw_kinetic_query_body(k, &body));
        require(bw_collide_self(
            &body, &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .on_hit = turn_back, .user = &c}, &report));
        in->first[step + 1] = c.count;
        change(k, in, step);
        require(bw_kinetic_advance(k, time_of(step), NULL));
    }
    bw_kinetic_destroy(k);
    free(c.turned);
}

/* ---- following it ---- */

static void restart(actor *a)
{
    bw_kinetic_destroy(a->kinetic);
    require(bw_kinetic_create(&(bw_kinetic_desc){.method = a->method}, &a->in->view, &a->in->motion,
                              &a->kinetic));
    bw_plan same = bw_motion_plan(&a->in->motion, 0, 0); /* room for plans is made once, not in a frame */
    require(bw_kinetic_set_plan(a->kinetic, 0, &same));
    a->events = a->updates = a->compared = 0;
}

static bool refits(const actor *a)
{
    return a->kinetic->method == BW_KINETIC_REFIT;
}

static void before(void *self, uint32_t step)
{
    actor *a = self;
    if (step == 0)
        restart(a);
    a->step = step;
    a->refit = refits(a);
    if (!a->refit)
        return;
    change(a->kinetic, a->in, step);
    require(bw_kinetic_advance(a->kinetic, time_of(step), NULL));
    bw_flight_sample(&a->kinetic->flight, time_of(step), a->kinetic->positions);
}

static uint64_t run(void *self)
{
    actor *a = self;
    bw_kinetic *k = a->kinetic;
    if (a->refit) {
        require(bw_wide_refit(&k->tree->wide, &k->mesh, &(bw_wide_refit_desc){0}, NULL));
        return BENCH_NO_RESULT;
    }
    bw_kinetic_report report;
    change(k, a->in, a->step);
    require(bw_kinetic_advance(k, time_of(a->step), &report));
    a->events += report.events;
    a->updates += report.updates;
    a->compared += report.compared;
    if (refits(a)) { /* the policy has just changed its mind */
        bw_body body;
        require(bw_kinetic_body(k, &body));
    }
    return BENCH_NO_RESULT;
}

static void destroy(void *self)
{
    actor *a = self;
    bw_kinetic_destroy(a->kinetic);
    free(a);
}

static actor *add(bench_case *c, const spheres *in, const char *name, bw_kinetic_method method)
{
    if (!bench_case_wants(c, name))
        return NULL;
    actor *a = bench_alloc(1, sizeof *a);
    *a = (actor){.in = in, .method = method};
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .over = method == BW_KINETIC_REFIT ? NULL : "boxwood-refit"});
    return a;
}

static void tell(bench_case *c, const char *name, const actor *a)
{
    if (a == NULL)
        return;
    double triangles = a->in->view.triangle_count;
    bw_kinetic_stats stats;
    bw_kinetic_get_stats(a->kinetic, &stats);
    bench_case_metric(c, name, "bytes-per-triangle", (double)stats.bytes / triangles, "B");
    bench_case_metric(c, name, "events-per-1000-triangles", 1000 * (double)a->events / FRAMES / triangles,
                      "");
    bench_case_metric(c, name, "compared-per-frame", (double)a->compared / FRAMES, "");
}

static void run_case(bench *b, uint32_t size)
{
    bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("spheres-%s", label.text).text, size, FRAMES);
    if (c == NULL)
        return;
    bench_case_steps(c, FRAMES);
    spheres in = {.first = {0}};
    require(bws_expanding(size, &in.mesh, &in.velocities));
    in.view = bws_view(&in.mesh);
    in.motion = (bw_motion){.kind = BW_MOTION_VELOCITY,
                            .vertex_count = in.mesh.vertex_count,
                            .scalar = BW_F32,
                            .positions = in.mesh.positions,
                            .velocities = in.velocities,
                            .end = 1};
    write_script(&in);
    add(c, &in, "boxwood-refit", BW_KINETIC_REFIT);
    actor *queue = add(c, &in, "boxwood-queue", BW_KINETIC_QUEUE);
    actor *boxtree = add(c, &in, "boxwood-boxtree", BW_KINETIC_BOXTREE);
    actor *chosen = add(c, &in, "boxwood-auto", BW_KINETIC_AUTO);
    bench_case_measure(c);
    tell(c, "boxwood-queue", queue);
    tell(c, "boxwood-boxtree", boxtree);
    if (queue != NULL)
        bench_case_metric(c, "boxwood-queue", "changes-per-frame", (double)in.first[FRAMES] / FRAMES, "");
    if (chosen != NULL)
        bench_case_metric(c, "boxwood-auto", "method", chosen->kinetic->method, "");
    bench_case_end(c);
    free(in.vertices);
    free(in.plans);
    free(in.velocities);
    bws_mesh_free(&in.mesh);
}

void bench_kinetic_spheres(bench *b)
{
    static const uint32_t sizes[] = {2000, 10000, 40000};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 3, &count);
    for (size_t i = 0; i < count; i++)
        run_case(b, chosen[i]);
}
