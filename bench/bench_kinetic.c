/* Keeping a tree fitted to a mesh that moves by keyframes: l frames are drawn between two of them. The
 * spheres also fly by velocities, without keyframes, by the methods that can follow them.
 *
 * refit: every box from the positions of the frame, which are there already (sampling them is not timed).
 * queue, boxtree, compiled, interpolated: going to the time of the frame, after which every box is known as
 * the vertex or line that realises it; the preparation of each segment is timed with its first frame.
 * auto: the same as whatever the policy has chosen; where that is a refit, with the positions it needs.
 * ...-boxes: the same, and all boxes written out, as ordinary queries need them. */
#include "benches.h"
#include "inputs.h"

#include "kinetic/queue/queue.h"
#include "tree/refit/refit.h"

#include <math.h>
#include <stdlib.h>

typedef struct show {
    bws_film film;
    bw_motion motion;
    bw_mesh mesh;
    uint32_t frames; /* drawn */
    double end;
} show;

typedef struct actor {
    const show *show;
    bw_kinetic *kinetic;
    bool boxes; /* write them out */
    uint32_t step;
    uint64_t updates, events, compared;
} actor;

static double time_of(const show *s, uint32_t step)
{
    double t = s->end * (step + 1) / s->frames;
    return t < s->end ? t : s->end;
}

static bool has_queue(const bw_kinetic *k)
{
    return k->method == BW_KINETIC_QUEUE || k->method == BW_KINETIC_BOXTREE;
}

static void before(void *self, uint32_t step)
{
    actor *a = self;
    a->step = step;
    bw_kinetic *k = a->kinetic;
    bw_result result = BW_OK;
    if (k->method == BW_KINETIC_REFIT && !k->policy.on) {
        k->now = time_of(a->show, step);
        k->positions_fresh = k->boxes_fresh = false;
        bw_flight_sample(&k->flight, k->now, k->positions);
    } else if (step == 0)
        /* The queue starts at the beginning; the others must prepare the first segment while they are
         * timed. */
        result = bw_kinetic_advance(k, has_queue(k) ? 0 : a->show->end, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
}

static uint64_t run(void *self)
{
    actor *a = self;
    bw_kinetic *k = a->kinetic;
    bw_result result;
    if (k->method == BW_KINETIC_REFIT && !k->policy.on) {
        result = bw_wide_refit(&k->tree->wide, &k->mesh, &(bw_wide_refit_desc){0}, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        return BENCH_NO_RESULT;
    }
    bw_kinetic_report report = {0};
    result = bw_kinetic_advance(k, time_of(a->show, a->step), &report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    a->updates = (a->step == 0 ? 0 : a->updates) + report.updates;
    a->events = (a->step == 0 ? 0 : a->events) + report.events;
    a->compared = (a->step == 0 ? 0 : a->compared) + report.compared;
    if (k->method == BW_KINETIC_REFIT) { /* the policy's choice: without this nothing would be fitted */
        bw_body body;
        result = bw_kinetic_body(k, &body, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
    } else if (a->boxes && k->method == BW_KINETIC_QUEUE)
        bw_queue_fit(k);
    else if (a->boxes)
        bw_segment_fit(k);
    return BENCH_NO_RESULT;
}

static void destroy(void *self)
{
    actor *a = self;
    bw_kinetic_destroy(a->kinetic);
    free(a);
}

static actor *add(bench_case *c, const show *s, const char *name, bw_kinetic_method method, bool boxes)
{
    if (!bench_case_wants(c, name) || (method == BW_KINETIC_BOXTREE && !BW_RESEARCH))
        return NULL;
    actor *a = bench_alloc(1, sizeof *a);
    *a = (actor){.show = s, .boxes = boxes};
    bw_result result =
        bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &s->mesh, &s->motion, &a->kinetic, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .over = method == BW_KINETIC_REFIT ? NULL : "boxwood-refit"});
    return a;
}

static void tell(bench_case *c, const show *s, const char *name, const actor *a)
{
    if (a == NULL)
        return;
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(a->kinetic, &stats);
    double triangles = s->mesh.triangle_count;
    bench_case_metric(c, name, "bytes-per-triangle", (double)stats.bytes / triangles, "B");
    bench_case_metric(c, name, "time-per-triangle", bench_case_time(c, name) / triangles, "ns");
    if (stats.method == BW_KINETIC_REFIT) /* every extent of every box */
        bench_case_metric(c, name, "updates-per-1000-triangles",
                          1000.0 * BW_EXTENTS * stats.boxes / triangles, "");
    if (has_queue(a->kinetic)) {
        bench_case_metric(c, name, "events-per-1000-triangles",
                          1000 * (double)a->events / s->frames / triangles, "");
        bench_case_metric(c, name, "compared-per-event", (double)a->compared / (double)a->events, "");
    }
    if (has_queue(a->kinetic) || a->kinetic->method == BW_KINETIC_COMPILED)
        bench_case_metric(c, name, "updates-per-1000-triangles",
                          1000 * (double)a->updates / s->frames / triangles, "");
}

/* The cost of a segment's preparation, over that of a refit. */
static void tell_preparation(bench_case *c, const char *name, const actor *a)
{
    if (a == NULL)
        return;
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        bw_kinetic_report report = {0};
        a->kinetic->lines.segment = BW_NONE;
        double start = bench_now();
        bw_result result = bw_segment_advance(a->kinetic, 0, &report);
        best = fmin(best, bench_now() - start);
        bench_require(result == BW_OK, bw_result_string(result));
    }
    bench_case_metric(c, name, "segment-over-refit", best * 1e9 / bench_case_time(c, "boxwood-refit"), "x");
}

/* What looser boxes cost: the areas of all boxes, and the time to find all self-contacts, over those with
 * tight boxes, at the last frame. */
static void tell_looseness(bench_case *c, const char *name, const actor *a, const actor *tight)
{
    if (a == NULL || tight == NULL)
        return;
    bw_kinetic *pair[2] = {a->kinetic, tight->kinetic};
    double cost[2], best[2] = {INFINITY, INFINITY};
    for (int i = 0; i < 2; i++) {
        bw_body body;
        bw_tree_stats stats = {0};
        bw_result result = bw_kinetic_advance(pair[i], a->show->end, NULL, NULL);
        if (result == BW_OK)
            result = bw_kinetic_body(pair[i], &body, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        bw_tree_get_stats(body.tree, &stats);
        cost[i] = stats.sah_cost;
        for (int repeat = 0; repeat < 5; repeat++) {
            bw_collide_report report = {0};
            double start = bench_now();
            result = bw_collide_self(&body, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &report, NULL);
            best[i] = fmin(best[i], bench_now() - start);
            bench_require(result == BW_OK, bw_result_string(result));
        }
    }
    bench_case_metric(c, name, "areas-over-tight", cost[0] / cost[1], "x");
    bench_case_metric(c, name, "self-query", best[0] * 1e9, "ns");
    bench_case_metric(c, name, "self-query-over-tight", best[0] / best[1], "x");
}

static void run_case(bench *b, const char *scene, uint32_t size, uint32_t l,
                     bw_result (*make)(const bws_film_desc *, bws_film *))
{
    enum { SEGMENTS = 4 };
    bench_label label = bench_size_label(size);
    bench_label name = bench_format("%s-%s-l%u", scene, label.text, l);
    bench_case *c = bench_case_begin(b, name.text, size, SEGMENTS * l);
    if (c == NULL)
        return;
    bench_case_steps(c, SEGMENTS * l);
    show s = {.frames = SEGMENTS * l};
    bw_result result = make(&(bws_film_desc){.triangles = size, .keyframes = SEGMENTS + 1}, &s.film);
    bench_require(result == BW_OK, bw_result_string(result));
    s.motion = bws_film_motion(&s.film);
    s.mesh = bws_view(&s.film.mesh);
    s.end = s.film.times[s.film.frame_count - 1];
    actor *refit = add(c, &s, "boxwood-refit", BW_KINETIC_REFIT, true);
    actor *queue = add(c, &s, "boxwood-queue", BW_KINETIC_QUEUE, false);
    actor *boxtree = add(c, &s, "boxwood-boxtree", BW_KINETIC_BOXTREE, false);
    actor *compiled = add(c, &s, "boxwood-compiled", BW_KINETIC_COMPILED, false);
    actor *compiled_boxes = add(c, &s, "boxwood-compiled-boxes", BW_KINETIC_COMPILED, true);
    actor *interpolated = add(c, &s, "boxwood-interpolated", BW_KINETIC_INTERPOLATED, false);
    actor *automatic = add(c, &s, "boxwood-auto", BW_KINETIC_AUTO, false);
    actor *interpolated_boxes = add(c, &s, "boxwood-interpolated-boxes", BW_KINETIC_INTERPOLATED, true);
    bench_case_measure(c);
    tell(c, &s, "boxwood-refit", refit);
    tell(c, &s, "boxwood-queue", queue);
    tell(c, &s, "boxwood-boxtree", boxtree);
    tell(c, &s, "boxwood-compiled", compiled);
    tell(c, &s, "boxwood-compiled-boxes", compiled_boxes);
    tell(c, &s, "boxwood-interpolated", interpolated);
    tell(c, &s, "boxwood-interpolated-boxes", interpolated_boxes);
    tell(c, &s, "boxwood-auto", automatic);
    tell_preparation(c, "boxwood-compiled", compiled);
    tell_preparation(c, "boxwood-interpolated", interpolated);
    tell_looseness(c, "boxwood-boxtree", boxtree, refit);
    bench_case_end(c);
    bws_film_free(&s.film);
}

/* The spheres until they meet, in straight lines from beginning to end. */
static void run_free_case(bench *b, uint32_t size)
{
    enum { FRAMES = 40 };
    bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("spheres-velocity-%s", label.text).text, size, FRAMES);
    if (c == NULL)
        return;
    bench_case_steps(c, FRAMES);
    show s = {.frames = FRAMES, .end = 0.4};
    float *velocities;
    bw_result result = bws_expanding(size, &s.film.mesh, &velocities);
    bench_require(result == BW_OK, bw_result_string(result));
    s.mesh = bws_view(&s.film.mesh);
    s.motion = (bw_motion){.kind = BW_MOTION_VELOCITY,
                           .vertex_count = s.mesh.vertex_count,
                           .scalar = BW_F32,
                           .positions = s.mesh.positions,
                           .velocities = velocities,
                           .end = s.end};
    actor *refit = add(c, &s, "boxwood-refit", BW_KINETIC_REFIT, true);
    actor *queue = add(c, &s, "boxwood-queue", BW_KINETIC_QUEUE, false);
    actor *boxtree = add(c, &s, "boxwood-boxtree", BW_KINETIC_BOXTREE, false);
    actor *automatic = add(c, &s, "boxwood-auto", BW_KINETIC_AUTO, false);
    bench_case_measure(c);
    tell(c, &s, "boxwood-refit", refit);
    tell(c, &s, "boxwood-queue", queue);
    tell(c, &s, "boxwood-boxtree", boxtree);
    tell(c, &s, "boxwood-auto", automatic);
    bench_case_end(c);
    free(velocities);
    bws_film_free(&s.film);
}

void bench_kinetic_update(bench *b)
{
    static const uint32_t sizes[] = {20000, 100000, 500000}, between[] = {5, 10, 50};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 3, &count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 3; j++) {
            run_case(b, "dress", chosen[i], between[j], bws_dress);
            run_case(b, "tablecloth", chosen[i], between[j], bws_tablecloth);
            run_case(b, "spheres", chosen[i], between[j], bws_expanding_film);
        }
        run_free_case(b, chosen[i]);
    }
}
