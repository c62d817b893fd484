/* Whole steps of a simulator: every contact of vertices with faces and of edges with edges of a mesh that
 * moves, from positions alone. "step" makes everything from nothing, edges and tree, and finds all contacts;
 * "next" goes on from the step before, as a simulator does; "broad" stops at the pairs whose swept boxes
 * meet. Scenes: four waving sheets that pass through each other, to and fro, so that no step is that for
 * which the tree was built; where BOXWOOD_DATA names the public data, its two scenes, of one step each, which
 * has none before it. */
#include "benches.h"
#include "inputs.h"
#include "pool.h"
#include "scenes/ccd_data.h"

#include <boxwood/swept.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 20, STEPS = 8 };

/* Positions that follow each other; the steps go from the first to the last and back again. */
typedef struct film {
    bw_mesh frames[STEPS + 1];
    uint32_t steps;
    bool back;
} film;

typedef struct ours {
    const film *film;
    bw_swept *swept; /* that goes on; NULL: each step is made from nothing */
    bw_swept_mode mode;
    bw_swept_contact *contacts;
    bench_pool *pool;
    bw_swept_report report; /* of the last step of the film */
} ours;

static uint64_t run_step(ours *o, const bw_mesh *start, const bw_mesh *end)
{
    const bw_tasks *tasks = o->pool != NULL ? bench_pool_tasks(o->pool) : NULL;
    bw_swept *now = o->swept;
    bw_result result = now != NULL
                           ? bw_swept_update(now, start, end, tasks, NULL)
                           : bw_swept_create(&(bw_swept_desc){.tasks = tasks}, start, end, NULL, &now);
    bench_require(result == BW_OK, bw_result_string(result));
    bw_swept_query query = {.mode = o->mode, .contacts = o->contacts, .capacity = CAPACITY, .tasks = tasks};
    result = bw_swept_self(now, &query, &o->report);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_require(o->report.status == BW_COLLIDE_COMPLETE, "more contacts than the bench has room for");
    if (o->swept == NULL)
        bw_swept_destroy(now);
    return o->report.contacts;
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
    return o->mode == BW_SWEPT_CANDIDATES ? BENCH_NO_RESULT : contacts;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_swept_destroy(o->swept);
    free(o->contacts);
    if (o->pool != NULL)
        bench_pool_destroy(o->pool);
    free(o);
}

static ours *add(bench_case *c, const char *name, const film *f, bool next, bw_swept_mode mode,
                 uint32_t threads)
{
    if (!bench_case_wants(c, name))
        return NULL;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){.film = f, .mode = mode, .contacts = bench_alloc(CAPACITY, sizeof *o->contacts)};
    if (threads > 1)
        o->pool = bench_pool_create(threads);
    if (next) {
        bw_result result = bw_swept_create(NULL, &f->frames[0], &f->frames[1], NULL, &o->swept);
        bench_require(result == BW_OK, bw_result_string(result));
    }
    const char *over = next ? "boxwood-next" : "boxwood-step";
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .destroy = destroy_ours,
                                   .exact = mode != BW_SWEPT_CANDIDATES,
                                   .threads = threads,
                                   .aside = mode == BW_SWEPT_CANDIDATES,
                                   .over = threads > 1 && mode == BW_SWEPT_ALL ? over : NULL});
    return o;
}

static void run_case(bench *b, const char *name, const film *f)
{
    bench_case *c = bench_case_begin(b, name, f->frames[0].triangle_count, f->steps * (f->back ? 2 : 1));
    if (c == NULL)
        return;
    const ours *step = add(c, "boxwood-step", f, false, BW_SWEPT_ALL, 1);
    add(c, "boxwood-broad", f, false, BW_SWEPT_CANDIDATES, 1);
    add(c, "boxwood-step-2-threads", f, false, BW_SWEPT_ALL, 2);
    add(c, "boxwood-broad-2-threads", f, false, BW_SWEPT_CANDIDATES, 2);
    if (f->back) {
        add(c, "boxwood-next", f, true, BW_SWEPT_ALL, 1);
        add(c, "boxwood-next-broad", f, true, BW_SWEPT_CANDIDATES, 1);
        add(c, "boxwood-next-2-threads", f, true, BW_SWEPT_ALL, 2);
    }
    bench_case_measure(c);
    double whole = bench_case_time(c, "boxwood-step"), broad = bench_case_time(c, "boxwood-broad");
    bench_case_metric(c, "boxwood-step", "narrow", whole - broad, "ns");
    if (step != NULL) {
        bench_case_metric(c, "boxwood-step", "vertex-face-candidates",
                          (double)step->report.vertex_face_candidates, "pairs");
        bench_case_metric(c, "boxwood-step", "edge-edge-candidates",
                          (double)step->report.edge_edge_candidates, "pairs");
        bench_case_metric(c, "boxwood-step", "tested", (double)step->report.tested, "pairs");
        bench_case_metric(c, "boxwood-step", "exact", (double)step->report.exact, "pairs");
    }
    bench_case_end(c);
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
