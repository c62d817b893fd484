/* How the number of events grows with the number of vertices (Zachmann and Weller, Theorem 2: about n log n):
 * points that fly anywhere in straight lines for a unit of time, with six extents a box (queue) and two
 * planes a node (boxtree). The time is that of following them from the first event to the last; the last case
 * tells the fits. */
#include "benches.h"
#include "inputs.h"

#include <boxwood/kinetic.h>

#include <math.h>
#include <stdlib.h>

enum { FIRST = 10, LAST = 18, RUNS = LAST - FIRST + 1 };

static const struct {
    const char *name;
    bw_kinetic_method method;
} methods[] = {{"boxwood-queue", BW_KINETIC_QUEUE}, {"boxwood-boxtree", BW_KINETIC_BOXTREE}};

enum { METHODS = 2 };

typedef struct cloud {
    bws_mesh points;
    float *velocities;
    bw_mesh view;
    bw_motion motion;
} cloud;

typedef struct flight {
    const cloud *cloud;
    bw_kinetic_method method;
    bw_kinetic *kinetic;
    bw_kinetic_report report;
} flight;

static cloud make_cloud(uint32_t count)
{
    cloud c = {.velocities = bench_alloc(3 * (size_t)count, sizeof(float))};
    bw_result result = bws_points(&(bws_points_desc){.count = count, .seed = count}, BW_F32, &c.points);
    bench_require(result == BW_OK, bw_result_string(result));
    bws_random r = bws_random_seeded(count);
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        c.velocities[i] = (float)bws_random_double(&r, -1, 1);
    c.view = bws_view(&c.points);
    c.motion = (bw_motion){.kind = BW_MOTION_VELOCITY,
                           .vertex_count = count,
                           .scalar = BW_F32,
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
                                   &f->cloud->motion, &f->kinetic);
    else
        result = bw_kinetic_advance(f->kinetic, 0, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
}

static uint64_t run(void *self)
{
    flight *f = self;
    bw_result result = bw_kinetic_advance(f->kinetic, 1, &f->report);
    bench_require(result == BW_OK, bw_result_string(result));
    return BENCH_NO_RESULT;
}

static void destroy(void *self)
{
    bw_kinetic_destroy(((flight *)self)->kinetic);
    free(self);
}

/* Returns the events of each method; 0 where it was left out. */
static void run_case(bench *b, uint32_t log_n, double events[METHODS])
{
    uint32_t count = 1u << log_n;
    bench_case *c = bench_case_begin(b, bench_format("points-2^%u", log_n).text, count, 1);
    if (c == NULL)
        return;
    cloud points = make_cloud(count);
    flight *flights[METHODS] = {NULL, NULL};
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
        events[m] = (double)report->events;
        bench_case_metric(c, methods[m].name, "events", events[m], "");
        bench_case_metric(c, methods[m].name, "events-per-n-log2-n", events[m] / ((double)count * log_n), "");
        bench_case_metric(c, methods[m].name, "compared-per-event", (double)report->compared / events[m], "");
        bench_case_metric(c, methods[m].name, "time-per-event",
                          bench_case_time(c, methods[m].name) / events[m], "ns");
    }
    bench_case_end(c);
    free(points.velocities);
    bws_mesh_free(&points.points);
}

/* Least squares: events = c n log2 n, and events = n^p times something. */
static void tell_fit(bench_case *c, const char *name, uint32_t first, uint32_t last, const double *events)
{
    double yb = 0, bb = 0, x = 0, y = 0, xx = 0, xy = 0, runs = 0, worst = 0;
    for (uint32_t log_n = first; log_n <= last; log_n++) {
        double bound = exp2(log_n) * log_n, e = events[log_n - FIRST], ln = log(exp2(log_n)), le = log(e);
        yb += e * bound, bb += bound * bound;
        x += ln, y += le, xx += ln * ln, xy += ln * le, runs++;
    }
    for (uint32_t log_n = first; log_n <= last; log_n++)
        worst = fmax(worst, fabs(events[log_n - FIRST] / (yb / bb * exp2(log_n) * log_n) - 1));
    bench_case_metric(c, name, "fit-n-log2-n", yb / bb, "");
    bench_case_metric(c, name, "fit-worst-deviation", 100 * worst, "%");
    bench_case_metric(c, name, "fit-power", (runs * xy - x * y) / (runs * xx - x * x), "");
}

void bench_kinetic_growth(bench *b)
{
    double events[METHODS][RUNS] = {{0}};
    uint32_t last = bench_quick(b) ? FIRST + 2 : LAST;
    for (uint32_t log_n = FIRST; log_n <= last; log_n++) {
        double here[METHODS] = {0, 0};
        run_case(b, log_n, here);
        for (int m = 0; m < METHODS; m++)
            events[m][log_n - FIRST] = here[m];
    }
    bench_case *c = bench_case_begin(b, bench_format("points-fit-2^%u", last).text, 1u << last, 1);
    if (c == NULL)
        return;
    for (int m = 0; m < METHODS; m++) {
        bool whole = true; /* all sizes were asked for */
        for (uint32_t log_n = FIRST; log_n <= last; log_n++)
            whole = whole && events[m][log_n - FIRST] > 0;
        if (whole)
            tell_fit(c, methods[m].name, FIRST, last, events[m]);
    }
    bench_case_end(c);
}
