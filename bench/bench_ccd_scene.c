/* Whole steps of a simulator: every contact of vertices with faces and of edges with edges of a mesh that
 * moves, from positions alone. "step" makes everything from nothing, edges and tree, and finds all contacts;
 * "next" goes on from the step before, as a simulator does, "kept" with candidates kept over steps; "query"
 * finds the contacts of a step made ready before; "broad" stops at the pairs whose swept boxes meet, "list"
 * lists them, "earliest" finds the earliest contact alone, "safe" a safe step, "near" which features are near
 * at time 0. A number is the separation within which features are in contact; without one they touch.
 * Scenes: four waving sheets that pass through each other, to and fro, so that no step is that for which the
 * tree was built; the same in one long step ("fast"); where BOXWOOD_DATA names the public data, its two
 * scenes, of one step each, which has none before it. */
#include "benches.h"
#include "inputs.h"
#include "pool.h"
#include "scenes/ccd_data.h"

#include <boxwood/swept.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 22, STEPS = 8 };

/* Positions that follow each other; the steps go from the first to the last and back again. */
typedef struct film {
    bw_mesh frames[STEPS + 1];
    uint32_t steps;
    bool back;
} film;

/* What is measured of a step. */
typedef enum work { WHOLE, NEXT, QUERY, SAFE, NEAR } work;

typedef struct row {
    const char *name;
    work work;
    bw_swept_mode mode;
    uint32_t threads;
    double separation;
    const char *over; /* a ratio row over this one */
    bool kept;        /* candidates are kept over steps */
    bool listed;      /* and listed */
} row;

static const row rows[] = {
    {"boxwood-step", WHOLE, BW_SWEPT_ALL, 1, 0, NULL, false, false},
    {"boxwood-broad", WHOLE, BW_SWEPT_CANDIDATES, 1, 0, NULL, false, false},
    {"boxwood-step-2-threads", WHOLE, BW_SWEPT_ALL, 2, 0, "boxwood-step", false, false},
    {"boxwood-broad-2-threads", WHOLE, BW_SWEPT_CANDIDATES, 2, 0, NULL, false, false},
    {"boxwood-step-1e-3", WHOLE, BW_SWEPT_ALL, 1, 1e-3, "boxwood-step", false, false},
    {"boxwood-next", NEXT, BW_SWEPT_ALL, 1, 0, NULL, false, false},
    {"boxwood-next-broad", NEXT, BW_SWEPT_CANDIDATES, 1, 0, NULL, false, false},
    {"boxwood-next-2-threads", NEXT, BW_SWEPT_ALL, 2, 0, "boxwood-next", false, false},
    {"boxwood-next-1e-3", NEXT, BW_SWEPT_ALL, 1, 1e-3, "boxwood-next", false, false},
    {"boxwood-next-2e-3", NEXT, BW_SWEPT_ALL, 1, 2e-3, "boxwood-next", false, false},
    {"boxwood-next-kept", NEXT, BW_SWEPT_ALL, 1, 0, "boxwood-next", true, false},
    {"boxwood-next-kept-2e-3", NEXT, BW_SWEPT_ALL, 1, 2e-3, "boxwood-next-2e-3", true, false},
    {"boxwood-query", QUERY, BW_SWEPT_ALL, 1, 0, NULL, false, false},
    {"boxwood-query-broad", QUERY, BW_SWEPT_CANDIDATES, 1, 0, NULL, false, false},
    {"boxwood-query-list", QUERY, BW_SWEPT_CANDIDATES, 1, 0, NULL, false, true},
    {"boxwood-query-1e-4", QUERY, BW_SWEPT_ALL, 1, 1e-4, "boxwood-query", false, false},
    {"boxwood-query-1e-3", QUERY, BW_SWEPT_ALL, 1, 1e-3, "boxwood-query", false, false},
    {"boxwood-query-1e-6", QUERY, BW_SWEPT_ALL, 1, 1e-6, "boxwood-query", false, false},
    {"boxwood-query-2e-3", QUERY, BW_SWEPT_ALL, 1, 2e-3, "boxwood-query", false, false},
    {"boxwood-earliest", QUERY, BW_SWEPT_EARLIEST, 1, 0, "boxwood-query", false, false},
    {"boxwood-earliest-1e-3", QUERY, BW_SWEPT_EARLIEST, 1, 1e-3, "boxwood-query-1e-3", false, false},
    {"boxwood-safe", SAFE, BW_SWEPT_EARLIEST, 1, 0, "boxwood-query", false, false},
    {"boxwood-safe-1e-3", SAFE, BW_SWEPT_EARLIEST, 1, 1e-3, "boxwood-query-1e-3", false, false},
    {"boxwood-near-1e-3", NEAR, BW_SWEPT_COUNT, 1, 1e-3, NULL, false, false},
};

typedef struct ours {
    const film *film;
    const row *row;
    bw_swept_cache *cache;
    bw_swept_candidate *candidates; /* room for them, where they are listed */
    bw_swept *swept; /* that goes on, or is asked again and again; NULL: each step is made from nothing */
    bw_swept_contact *contacts; /* the room for them, which all share */
    bool exact;                 /* the contacts of all rows that say so are the same */
    bw_pool *pool;
    bw_swept_report report; /* of the last step of the film */
} ours;

/* A safe step, or what is near at its begin. */
static uint64_t run_other(ours *o)
{
    bw_result result;
    if (o->row->work == SAFE) {
        const bw_swept_couple couple = {o->swept, NULL};
        bw_swept_safe_report safe = {0};
        result = bw_swept_safe_step(&couple, 1, &(bw_swept_safe_desc){.separation = o->row->separation},
                                    &safe, NULL);
        o->report.candidate_count = safe.candidate_count;
        o->report.tested = safe.tested;
        o->report.contact_count = safe.couple != BW_NONE;
    } else {
        bw_swept_near_report near = {0};
        result = bw_swept_near(o->swept, NULL, &(bw_swept_near_query){.distance = o->row->separation}, &near,
                               NULL);
        o->report.candidate_count = near.candidate_count;
        o->report.contact_count = near.pair_count;
    }
    bench_require(result == BW_OK, bw_result_string(result));
    return o->report.contact_count;
}

static uint64_t run_step(ours *o, const bw_mesh *start, const bw_mesh *end)
{
    if (o->row->work == SAFE || o->row->work == NEAR)
        return run_other(o);
    const bw_tasks *tasks = o->pool != NULL ? bw_pool_tasks(o->pool) : NULL;
    bw_swept *now = o->swept;
    bw_result result = BW_OK;
    if (o->row->work == NEXT)
        result = bw_swept_update(now, start, end, tasks, NULL);
    else if (o->row->work == WHOLE)
        result = bw_swept_create(&(bw_swept_desc){.tasks = tasks}, start, end, &now, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bw_swept_query query = {.mode = o->row->mode,
                            .separation = o->row->separation,
                            .contacts = o->contacts,
                            .contact_capacity = CAPACITY,
                            .candidates = o->candidates,
                            .candidate_capacity = o->candidates != NULL ? CAPACITY : 0,
                            .cache = o->cache,
                            .tasks = tasks};
    result = bw_swept_self(now, &query, &o->report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_require(o->report.status == BW_DONE, "more contacts than the bench has room for");
    if (o->row->work == WHOLE)
        bw_swept_destroy(now);
    return o->report.contact_count;
}

static uint64_t run_ours(void *self)
{
    ours *o = self;
    const film *f = o->film;
    uint64_t contacts = 0;
    for (uint32_t i = 0; i < f->steps; i++)
        contacts += run_step(o, &f->frames[i], &f->frames[i + 1]);
    for (uint32_t i = f->back ? f->steps : 0; i-- > 0;)
        contacts += run_step(o, &f->frames[i + 1], &f->frames[i]);
    return o->exact ? contacts : BENCH_NO_RESULT;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_swept_destroy(o->swept);
    bw_swept_cache_destroy(o->cache);
    free(o->candidates);
    if (o->pool != NULL)
        bw_pool_destroy(o->pool);
    free(o);
}

static ours *add(bench_case *c, const row *what, const film *f, bw_swept_contact *contacts)
{
    if (!bench_case_wants(c, what->name))
        return NULL;
    ours *o = bench_alloc(1, sizeof *o);
    /* A query asks one step again and again. */
    bool exact = what->mode != BW_SWEPT_CANDIDATES && what->separation == 0 && what->work < QUERY;
    *o = (ours){.film = f, .row = what, .contacts = contacts, .exact = exact};
    if (what->threads > 1)
        o->pool = bench_pool_create(what->threads);
    if (what->listed)
        o->candidates = bench_alloc(CAPACITY, sizeof *o->candidates);
    if (what->kept)
        bench_require(bw_swept_cache_create(NULL, &o->cache, NULL) == BW_OK, "a cache cannot be made");
    if (what->work != WHOLE) {
        bw_result result = bw_swept_create(NULL, &f->frames[0], &f->frames[1], &o->swept, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
    }
    bench_case_add(c, (bench_impl){.name = what->name,
                                   .self = o,
                                   .run = run_ours,
                                   .destroy = destroy_ours,
                                   .exact = exact,
                                   .threads = what->threads,
                                   .aside = what->mode == BW_SWEPT_CANDIDATES,
                                   .over = what->over});
    return o;
}

static void run_case(bench *b, const char *name, const film *f)
{
    bench_case *c = bench_case_begin(b, name, f->frames[0].triangle_count, f->steps * (f->back ? 2 : 1));
    if (c == NULL)
        return;
    enum { ROWS = sizeof rows / sizeof *rows };
    const ours *added[ROWS] = {NULL};
    bw_swept_contact *contacts = bench_alloc(CAPACITY, sizeof *contacts);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].work != NEXT || f->back)
            added[i] = add(c, &rows[i], f, contacts);
    bench_case_measure(c);
    if (added[0] != NULL && added[1] != NULL)
        bench_case_metric(c, "boxwood-step", "narrow",
                          bench_case_time(c, "boxwood-step") - bench_case_time(c, "boxwood-broad"), "ns");
    for (int i = 0; i < ROWS; i++) {
        if (added[i] == NULL || rows[i].mode == BW_SWEPT_CANDIDATES || rows[i].threads > 1 ||
            rows[i].work == NEXT)
            continue;
        const bw_swept_report *r = &added[i]->report;
        bench_case_metric(c, rows[i].name, "candidates", (double)r->candidate_count, "pairs");
        bench_case_metric(c, rows[i].name, "tested", (double)r->tested, "pairs");
        bench_case_metric(c, rows[i].name, "contacts", (double)r->contact_count, "pairs");
        bench_case_metric(c, rows[i].name, "close", (double)r->close_count, "pairs");
    }
    bench_case_end(c);
    free(contacts);
}

/* Four sheets above each other, of together about so many triangles, each waving in its own phase. */
static void make_sheets(uint32_t triangles, double time, bws_mesh *out)
{
    uint32_t side = 1;
    while (2 * (side + 1) * (side + 1) * 4 <= triangles)
        side++;
    bws_mesh all = {0};
    for (int layer = 0; layer < 4; layer++) {
        bws_sheet_desc desc = {.columns = side,
                               .rows = side,
                               .amplitude = 0.02,
                               .waves = 2 + layer,
                               .phase = 0.2 * layer,
                               .origin = {0.001 * layer, 0.0007 * layer, 0.036 * layer}};
        bws_mesh sheet, joined;
        bench_require(bws_sheet(&desc, time, BW_F64, &sheet) == BW_OK, "a sheet cannot be made");
        if (layer == 0) {
            all = sheet;
            continue;
        }
        bench_require(bws_mesh_join(&all, &sheet, &joined) == BW_OK, "the sheets cannot be joined");
        bws_mesh_free(&all);
        bws_mesh_free(&sheet);
        all = joined;
    }
    *out = all;
}

void bench_ccd_scene(bench *b)
{
    static const uint32_t defaults[] = {20000, 150000};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 2, &count);
    for (size_t i = 0; i < count; i++) {
        bws_mesh frames[STEPS + 1];
        film f = {.steps = STEPS, .back = true};
        for (uint32_t k = 0; k <= STEPS; k++) {
            make_sheets(sizes[i], 0.01 * k, &frames[k]);
            f.frames[k] = bws_view(&frames[k]);
        }
        run_case(b, bench_format("sheets-%s", bench_size_label(sizes[i]).text).text, &f);
        bws_mesh far;
        make_sheets(sizes[i], 0.3, &far);
        run_case(b, bench_format("sheets-fast-%s", bench_size_label(sizes[i]).text).text,
                 &(film){.frames = {f.frames[0], bws_view(&far)}, .steps = 1});
        bws_mesh_free(&far);
        for (uint32_t k = 0; k <= STEPS; k++)
            bws_mesh_free(&frames[k]);
    }
    if (bws_ccd_data() == NULL || bench_quick(b))
        return;
    static const char *const names[] = {"cloth-funnel", "rod-twist"};
    for (int i = 0; i < 2; i++) {
        bws_ccd_scene scene;
        const char *why = NULL;
        bench_require(bws_ccd_read_scene(names[i], &scene, &why), why);
        run_case(b, names[i], &(film){.frames = {scene.start, scene.end}, .steps = 1});
        bws_ccd_scene_release(&scene);
    }
}
