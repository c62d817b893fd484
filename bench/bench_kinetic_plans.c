/* Two expanding spheres, of whose vertices some reverse their velocity in every frame: the queue takes the
 * new plans and goes on, against a refit of everything. Positions are there for the refit (not timed), and so
 * they are where the policy refits: its ratio there tells which way it chose, not what choosing costs. The
 * rows `-whole` time everything: taking the plans, positions and boxes. */
#include "benches.h"
#include "inputs.h"

#include "kinetic/kinetic.h"
#include "tree/refit_wide.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES = 40 };

static double a_little; /* the queue's time over the refit's with the fewest changes */

typedef struct spheres {
    bws_mesh mesh;
    bw_mesh view;
    float *velocities;
    bw_motion motion;
    uint32_t changes;   /* in each frame */
    uint32_t *vertices; /* FRAMES * changes, none twice */
    bw_plan *plans;     /* made anew for each frame */
} spheres;

typedef struct actor {
    const spheres *in;
    bw_kinetic_method method;
    bw_kinetic *kinetic;
    uint32_t step;
    bool whole; /* all that a frame takes is timed */
    bool refit; /* this frame is refitted: its plans and positions are there, not timed */
} actor;

static double time_of(uint32_t step)
{
    return (step + 1) / 60.0;
}

static void restart(actor *a)
{
    bw_kinetic_destroy(a->kinetic);
    bw_result result =
        bw_kinetic_create(&(bw_kinetic_desc){.method = a->method}, &a->in->view, &a->in->motion, &a->kinetic);
    bench_require(result == BW_OK, bw_result_string(result));
    /* Room for plans is made once, as at the start of a program. */
    bw_plan rest = bw_motion_plan(&a->in->motion, 0, 0);
    result = bw_kinetic_set_plan(a->kinetic, 0, &rest);
    bench_require(result == BW_OK, bw_result_string(result));
}

/* The plans that the vertices of this frame get: back the way they came. */
static void new_plans(actor *a)
{
    double now = bw_kinetic_time(a->kinetic);
    for (uint32_t i = 0; i < a->in->changes; i++) {
        uint32_t v = a->in->vertices[a->step * a->in->changes + i];
        bw_plan plan = bw_motion_plan(&a->in->motion, v, now);
        bw_vec3 p = bw_plan_position(&plan, now), w = plan.c[1];
        a->in->plans[i] = (bw_plan){.origin = now, .c = {p, {-w.x, -w.y, -w.z}}};
    }
}

static void change(actor *a)
{
    bw_result result = bw_kinetic_set_plans(a->kinetic, a->in->vertices + (size_t)a->step * a->in->changes,
                                            a->in->plans, a->in->changes);
    bench_require(result == BW_OK, bw_result_string(result));
}

/* Whether this frame is refitted; the policy is asked by what it does with the first change of each run. */
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
    new_plans(a);
    a->refit = !a->whole && refits(a);
    if (a->refit) {
        change(a);
        bw_result result = bw_kinetic_advance(a->kinetic, time_of(step), NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        bw_flight_sample(&a->kinetic->flight, time_of(step), a->kinetic->positions);
    }
}

static uint64_t run(void *self)
{
    actor *a = self;
    bw_result result;
    if (a->refit)
        result = bw_wide_refit(&a->kinetic->tree->wide, &a->kinetic->mesh, &(bw_wide_refit_desc){0}, NULL);
    else {
        change(a);
        result = bw_kinetic_advance(a->kinetic, time_of(a->step), NULL);
        if (result == BW_OK && refits(a)) { /* whole, or the policy has just changed its mind */
            bw_body body;
            result = bw_kinetic_body(a->kinetic, &body);
        }
    }
    bench_require(result == BW_OK, bw_result_string(result));
    return BENCH_NO_RESULT;
}

static void destroy(void *self)
{
    actor *a = self;
    bw_kinetic_destroy(a->kinetic);
    free(a);
}

static actor *add(bench_case *c, const spheres *in, const char *name, bw_kinetic_method method, bool whole)
{
    if (!bench_case_wants(c, name))
        return NULL;
    actor *a = bench_alloc(1, sizeof *a);
    *a = (actor){.in = in, .method = method, .whole = whole};
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .over = method == BW_KINETIC_REFIT ? NULL
                                           : whole                    ? "boxwood-refit-whole"
                                                                      : "boxwood-refit"});
    return a;
}

static void run_case(bench *b, uint32_t size, double percent)
{
    bench_label label = bench_size_label(size);
    bench_case *c =
        bench_case_begin(b, bench_format("spheres-%s-%g%%", label.text, percent).text, size, FRAMES);
    if (c == NULL)
        return;
    bench_case_steps(c, FRAMES);
    spheres in = {.changes = 0};
    bw_result result = bws_expanding(size, &in.mesh, &in.velocities);
    bench_require(result == BW_OK, bw_result_string(result));
    in.view = bws_view(&in.mesh);
    in.motion = (bw_motion){.kind = BW_MOTION_VELOCITY,
                            .vertex_count = in.mesh.vertex_count,
                            .scalar = BW_F32,
                            .positions = in.mesh.positions,
                            .velocities = in.velocities,
                            .end = 1};
    uint32_t n = in.mesh.vertex_count;
    in.changes = (uint32_t)(percent / 100 * n + 0.999);
    bench_require(in.changes * FRAMES <= n, "more changes than vertices");
    in.plans = bench_alloc(in.changes, sizeof *in.plans);
    in.vertices = bench_alloc(n, sizeof *in.vertices);
    bws_random r = bws_random_seeded(7);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t j = (uint32_t)bws_random_below(&r, v + 1);
        in.vertices[v] = in.vertices[j];
        in.vertices[j] = v;
    }
    add(c, &in, "boxwood-refit", BW_KINETIC_REFIT, false);
    actor *queue = add(c, &in, "boxwood-queue", BW_KINETIC_QUEUE, false);
    actor *chosen = add(c, &in, "boxwood-auto", BW_KINETIC_AUTO, false);
    add(c, &in, "boxwood-refit-whole", BW_KINETIC_REFIT, true);
    add(c, &in, "boxwood-auto-whole", BW_KINETIC_AUTO, true);
    bench_case_measure(c);
    if (queue != NULL) {
        bw_kinetic_stats stats;
        bw_kinetic_get_stats(queue->kinetic, &stats);
        bench_case_metric(c, "boxwood-queue", "events-per-frame", (double)stats.total.events / FRAMES, "");
        bench_case_metric(c, "boxwood-queue", "changes-per-frame", in.changes, "");
        bench_case_metric(c, "boxwood-queue", "bytes-per-triangle",
                          (double)stats.bytes / in.mesh.triangle_count, "B");
    }
    if (chosen != NULL)
        bench_case_metric(c, "boxwood-auto", "method", chosen->kinetic->method, "");
    if (percent == 0.02 && queue != NULL)
        a_little = bench_case_time(c, "boxwood-queue") / bench_case_time(c, "boxwood-refit");
    /* The cost of the queue grows with the changes, by the power between two cases: where it meets the
     * refit's. */
    if (percent == 0.1 && queue != NULL) {
        double more = bench_case_time(c, "boxwood-queue") / bench_case_time(c, "boxwood-refit");
        double slope = log(more / a_little) / log(0.1 / 0.02);
        bench_case_metric(c, "boxwood-queue", "break-even", 0.02 * pow(1 / a_little, 1 / slope), "%");
    }
    bench_case_end(c);
    free(in.plans);
    free(in.vertices);
    free(in.velocities);
    bws_mesh_free(&in.mesh);
}

void bench_kinetic_plans(bench *b)
{
    static const uint32_t sizes[] = {40000};
    static const double percents[] = {0.02, 0.1, 0.3, 1};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 1, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sizeof percents / sizeof *percents; j++)
            run_case(b, chosen[i], percents[j]);
}
