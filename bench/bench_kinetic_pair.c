/* Two things in motion by keyframes, l frames drawn between two of them: all contacts at every frame (figure
 * 22 of Zachmann and Weller 2006): a dress and the walking body under it, a cloth that falls on a table.
 *
 * refit: all boxes from the positions of the frame, which are there already, then a traversal.
 * refit-sampled: the same, and the positions are computed first, as every other way here must.
 * interpolated-tree: a kinetic tree whose boxes are blended between keyframes, then a traversal.
 * events: the paper's separation list.
 * compiled: spans compiled to pairs of triangles and times; the preparation is timed with the first frame.
 * auto: what bw_separation chooses by itself. */
#include "benches.h"
#include "inputs.h"

#include "incremental/separation.h"
#include "tree/refit_wide.h"

#include <stdlib.h>

typedef struct show {
    bws_film films[2];
    bws_mesh table;
    double table_times[2];
    const void *table_frames[2];
    bw_motion motions[2];
    bw_mesh meshes[2];
    bw_moving moving[2];
    uint32_t frames; /* drawn */
    double end;
} show;

typedef struct actor {
    const show *show;
    bw_separation *separation;
    bw_kinetic *kinetic[2];
    bool ready; /* positions are given, not timed */
    uint32_t step;
    uint64_t events;
} actor;

static double time_of(const show *s, uint32_t step)
{
    double t = s->end * (step + 1) / s->frames;
    return t < s->end ? t : s->end;
}

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

static void before(void *self, uint32_t step)
{
    actor *a = self;
    a->step = step;
    a->events = step == 0 ? 0 : a->events;
    if (a->ready) {
        for (int i = 0; i < 2; i++) {
            bw_mover *m = &a->separation->movers[i];
            m->now = time_of(a->show, step);
            if (!m->still)
                bw_motion_sample(&m->motion, m->now, m->positions);
        }
    } else if (step == 0 && a->separation != NULL) {
        /* The list starts at the beginning; the others must prepare the first span while they are timed. */
        bool events = a->separation->method == BW_SEPARATION_EVENTS;
        require(bw_separation_advance(a->separation, events ? 0 : a->show->end, NULL));
    } else if (step == 0)
        for (int i = 0; i < 2; i++)
            require(bw_kinetic_advance(a->kinetic[i], a->show->end, NULL));
}

static uint64_t run(void *self)
{
    actor *a = self;
    double time = time_of(a->show, a->step);
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
    bw_collide_report report;
    if (a->separation == NULL) {
        bw_body bodies[2];
        for (int i = 0; i < 2; i++) {
            require(bw_kinetic_advance(a->kinetic[i], time, NULL));
            require(bw_kinetic_body(a->kinetic[i], &bodies[i]));
        }
        require(bw_collide(&bodies[0], &bodies[1], &desc, &report));
        return report.hits;
    }
    bw_separation_report step = {0};
    if (a->ready) {
        for (int i = 0; i < 2; i++) {
            bw_mover *m = &a->separation->movers[i];
            if (!m->still)
                require(bw_wide_refit(&m->tree->wide, &m->mesh, &(bw_wide_refit_desc){0}, NULL));
        }
        a->separation->now = time;
    } else
        require(bw_separation_advance(a->separation, time, &step));
    require(bw_separation_collide(a->separation, &desc, &report));
    a->events += step.events;
    return report.hits;
}

static void destroy(void *self)
{
    actor *a = self;
    bw_separation_destroy(a->separation);
    bw_kinetic_destroy(a->kinetic[0]);
    bw_kinetic_destroy(a->kinetic[1]);
    free(a);
}

static actor *add(bench_case *c, const show *s, const char *name, int method, bool ready)
{
    if (!bench_case_wants(c, name))
        return NULL;
    actor *a = bench_alloc(1, sizeof *a);
    *a = (actor){.show = s, .ready = ready};
    if (method >= 0) {
        bw_separation_desc desc = {.method = (bw_separation_method)method};
        require(bw_separation_create(&desc, &s->moving[0], &s->moving[1], &a->separation));
    } else
        for (int i = 0; i < 2; i++) {
            bw_kinetic_desc desc = {.method = BW_KINETIC_INTERPOLATED};
            require(bw_kinetic_create(&desc, &s->meshes[i], &s->motions[i], &a->kinetic[i]));
        }
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .exact = true,
                                   .over = ready ? NULL : "boxwood-refit"});
    return a;
}

static void tell(bench_case *c, const char *name, const actor *a)
{
    if (a == NULL || a->separation == NULL)
        return;
    bw_separation_stats stats;
    bw_separation_get_stats(a->separation, &stats);
    bench_case_metric(c, name, "megabytes", (double)stats.bytes * 1e-6, "MB");
    if (stats.method == BW_SEPARATION_EVENTS) {
        bench_case_metric(c, name, "events-per-frame", (double)a->events / a->show->frames, "");
        bench_case_metric(c, name, "list",
                          (double)(stats.inner_apart + stats.leaves_apart + stats.leaves_meeting), "");
    } else if (a->separation->scheduled)
        bench_case_metric(c, name, "list", (double)stats.leaves_meeting, "");
}

static void make(show *s, bool dress, uint32_t size, uint32_t segments)
{
    bws_film_desc desc = {.triangles = size, .keyframes = segments + 1};
    require((dress ? bws_dress : bws_tablecloth)(&desc, &s->films[0]));
    s->motions[0] = bws_film_motion(&s->films[0]);
    s->meshes[0] = bws_view(&s->films[0].mesh);
    s->end = s->films[0].times[s->films[0].frame_count - 1];
    if (dress) {
        desc.triangles = size / 4;
        require(bws_dress_body(&desc, &s->films[1]));
        s->motions[1] = bws_film_motion(&s->films[1]);
        s->meshes[1] = bws_view(&s->films[1].mesh);
    } else {
        require(bws_table(size / 8, BW_F32, &s->table));
        s->table_times[0] = 0;
        s->table_times[1] = s->end;
        s->table_frames[0] = s->table_frames[1] = s->table.positions;
        s->meshes[1] = bws_view(&s->table);
        s->motions[1] = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                                    .vertex_count = s->table.vertex_count,
                                    .frame_count = 2,
                                    .times = s->table_times,
                                    .frames = s->table_frames};
    }
    for (int i = 0; i < 2; i++)
        s->moving[i] = (bw_moving){&s->meshes[i], &s->motions[i]};
}

static void run_case(bench *b, bool dress, uint32_t size, uint32_t l)
{
    enum { SEGMENTS = 4 };
    bench_label label = bench_size_label(size);
    bench_label name = bench_format("%s-%s-l%u", dress ? "dress" : "tablecloth", label.text, l);
    bench_case *c = bench_case_begin(b, name.text, size, SEGMENTS * l);
    if (c == NULL)
        return;
    bench_case_steps(c, SEGMENTS * l);
    show s = {.frames = SEGMENTS * l};
    make(&s, dress, size, SEGMENTS);
    actor *refit = add(c, &s, "boxwood-refit", BW_SEPARATION_TRAVERSE, true);
    actor *sampled = add(c, &s, "boxwood-refit-sampled", BW_SEPARATION_TRAVERSE, false);
    actor *tree = add(c, &s, "boxwood-interpolated-tree", -1, false);
    actor *events = add(c, &s, "boxwood-events", BW_SEPARATION_EVENTS, false);
    actor *compiled = add(c, &s, "boxwood-compiled", BW_SEPARATION_COMPILED, false);
    actor *chosen = add(c, &s, "boxwood-auto", BW_SEPARATION_AUTO, false);
    bench_case_measure(c);
    tell(c, "boxwood-refit", refit);
    tell(c, "boxwood-refit-sampled", sampled);
    tell(c, "boxwood-interpolated-tree", tree);
    tell(c, "boxwood-events", events);
    tell(c, "boxwood-compiled", compiled);
    tell(c, "boxwood-auto", chosen);
    bench_case_end(c);
    bws_film_free(&s.films[0]);
    bws_film_free(&s.films[1]);
    bws_mesh_free(&s.table);
}

void bench_kinetic_pair(bench *b)
{
    static const uint32_t sizes[] = {20000, 100000}, between[] = {1, 2, 5, 10, 50};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 2, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 5; j++) {
            run_case(b, true, chosen[i], between[j]);
            run_case(b, false, chosen[i], between[j]);
        }
}
