/* How the number of events grows with the number of vertices (Zachmann and Weller, Theorem 2: about n log n
 * at most), with six extents a box (queue) and two planes a node (boxtree). Two motions in straight lines for
 * a unit of time: points that fly anywhere, and tangents, whose x are tangents of a parabola, so that each is
 * the farthest one of every box above it in its turn, the worst that lines can do. The time is that of
 * following them from the first event to the last; the last case of each tells the fits of the updates
 * (extents and planes handed on) with n and with n log2 n, each with its worst deviation, and as a power of
 * n. */
#include "benches.h"
#include "inputs.h"

#include <boxwood/kinetic.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 10, LAST = 18, RUNS = LAST - FIRST + 1 };

static const struct {
    const char *name;
    bw_kinetic_method method;
} methods[] = {{"boxwood-queue", BW_KINETIC_QUEUE}, {"boxwood-boxtree", BW_KINETIC_BOXTREE}};

enum { METHODS = 1 + BW_RESEARCH };

typedef struct cloud {
    bws_mesh points;
    double *velocities;
    bw_mesh view;
    bw_motion motion;
} cloud;

typedef struct flight {
    const cloud *cloud;
    bw_kinetic_method method;
    bw_kinetic *kinetic;
    bw_kinetic_report report;
} flight;

static void make_tangents(cloud *c, uint32_t count)
{
    double *at = c->points.positions;
    for (uint32_t v = 0; v < count; v++) {
        double t = (double)v / count;
        at[3 * (size_t)v] = -0.5 * t * t;
        at[3 * (size_t)v + 1] = at[3 * (size_t)v + 2] = t;
        c->velocities[3 * (size_t)v] = t;
    }
}

static cloud make_cloud(uint32_t count, bool tangents)
{
    cloud c = {.velocities = bench_alloc(3 * (size_t)count, sizeof(double))};
    bw_result result = bws_points(&(bws_points_desc){.count = count, .seed = count}, BW_F64, &c.points);
    bench_require(result == BW_OK, bw_result_string(result));
    bws_random r = bws_random_seeded(count);
    for (size_t i = 0; i < 3 * (size_t)count && !tangents; i++)
        c.velocities[i] = bws_random_double(&r, -1, 1);
    if (tangents)
        make_tangents(&c, count);
    c.view = bws_view(&c.points);
    c.motion = (bw_motion){.kind = BW_MOTION_VELOCITY,
                           .vertex_count = count,
                           .scalar = BW_F64,
                           .positions = c.points.positions,
                           .velocities = c.velocities,
                           .end = 1};
    return c;
}

static void before(void *self, uint32_t step)
{
    (void)step;
    flight *f = self;
    bw_result result = BW_OK;
    if (f->kinetic == NULL)
        result = bw_kinetic_create(&(bw_kinetic_desc){.method = f->method}, &f->cloud->view,
                                   &f->cloud->motion, &f->kinetic, NULL);
    else
        result = bw_kinetic_advance(f->kinetic, 0, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
}

static uint64_t run(void *self)
{
    flight *f = self;
    bw_result result = bw_kinetic_advance(f->kinetic, 1, &f->report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return BENCH_NO_RESULT;
}

static void destroy(void *self)
{
    bw_kinetic_destroy(((flight *)self)->kinetic);
    free(self);
}

/* Returns the updates of each method; 0 where it was left out. */
static void run_case(bench *b, const char *name, uint32_t log_n, double updates[METHODS])
{
    uint32_t count = 1u << log_n;
    bench_case *c = bench_case_begin(b, bench_format("%s-2^%u", name, log_n).text, count, 1);
    if (c == NULL)
        return;
    cloud points = make_cloud(count, strcmp(name, "tangents") == 0);
    flight *flights[METHODS] = {NULL};
    for (int m = 0; m < METHODS; m++) {
        if (!bench_case_wants(c, methods[m].name))
            continue;
        flights[m] = bench_alloc(1, sizeof *flights[m]);
        *flights[m] = (flight){.cloud = &points, .method = methods[m].method};
        bench_case_add(c, (bench_impl){.name = methods[m].name,
                                       .self = flights[m],
                                       .run = run,
                                       .before = before,
                                       .destroy = destroy});
    }
    bench_case_measure(c);
    for (int m = 0; m < METHODS; m++) {
        if (flights[m] == NULL)
            continue;
        const bw_kinetic_report *report = &flights[m]->report;
        double events = (double)report->events;
        updates[m] = (double)report->updates;
        bench_case_metric(c, methods[m].name, "events", events, "");
        bench_case_metric(c, methods[m].name, "updates", updates[m], "");
        bench_case_metric(c, methods[m].name, "updates-per-n", updates[m] / count, "");
        bench_case_metric(c, methods[m].name, "updates-per-n-log2-n", updates[m] / ((double)count * log_n),
                          "");
        bench_case_metric(c, methods[m].name, "compared-per-event", (double)report->compared / events, "");
        bench_case_metric(c, methods[m].name, "time-per-event", bench_case_time(c, methods[m].name) / events,
                          "ns");
    }
    bench_case_end(c);
    free(points.velocities);
    bws_mesh_free(&points.points);
}

/* Least squares of the relative errors: updates = c n or c n log2 n; the worst of these errors. */
static double fit(uint32_t first, uint32_t last, const double *updates, bool with_log, double *worst)
{
    double sum = 0, squares = 0;
    for (uint32_t log_n = first; log_n <= last; log_n++) {
        double part = exp2(log_n) * (with_log ? log_n : 1) / updates[log_n - FIRST];
        sum += part;
        squares += part * part;
    }
    double c = sum / squares;
    *worst = 0;
    for (uint32_t log_n = first; log_n <= last; log_n++)
        *worst = fmax(*worst, fabs(updates[log_n - FIRST] / (c * exp2(log_n) * (with_log ? log_n : 1)) - 1));
    return c;
}

static void tell_fit(bench_case *c, const char *name, uint32_t first, uint32_t last, const double *updates)
{
    double x = 0, y = 0, xx = 0, xy = 0, runs = 0, worst;
    for (uint32_t log_n = first; log_n <= last; log_n++) {
        double ln = log(exp2(log_n)), lu = log(updates[log_n - FIRST]);
        x += ln, y += lu, xx += ln * ln, xy += ln * lu, runs++;
    }
    bench_case_metric(c, name, "fit-n", fit(first, last, updates, false, &worst), "");
    bench_case_metric(c, name, "fit-n-worst-deviation", 100 * worst, "%");
    bench_case_metric(c, name, "fit-n-log2-n", fit(first, last, updates, true, &worst), "");
    bench_case_metric(c, name, "fit-n-log2-n-worst-deviation", 100 * worst, "%");
    bench_case_metric(c, name, "fit-power", (runs * xy - x * y) / (runs * xx - x * x), "");
}

static void run_cases(bench *b, const char *name, uint32_t last)
{
    double updates[METHODS][RUNS] = {{0}};
    for (uint32_t log_n = FIRST; log_n <= last; log_n++) {
        double here[METHODS] = {0};
        run_case(b, name, log_n, here);
        for (int m = 0; m < METHODS; m++)
            updates[m][log_n - FIRST] = here[m];
    }
    bench_case *c = bench_case_begin(b, bench_format("%s-fit-2^%u", name, last).text, 1u << last, 1);
    if (c == NULL)
        return;
    for (int m = 0; m < METHODS; m++) {
        bool whole = true; /* all sizes were asked for */
        for (uint32_t log_n = FIRST; log_n <= last; log_n++)
            whole = whole && updates[m][log_n - FIRST] > 0;
        if (whole)
            tell_fit(c, methods[m].name, FIRST, last, updates[m]);
    }
    bench_case_end(c);
}

void bench_kinetic_growth(bench *b)
{
    uint32_t last = bench_quick(b) ? FIRST + 2 : LAST;
    run_cases(b, "points", last);
    run_cases(b, "tangents", last);
}
