/* Whole steps of a simulator: every contact of vertices with faces and of edges with edges of a mesh that
 * moves, from positions alone. "step" makes the swept tree anew and finds all contacts; "broad" stops at the
 * pairs whose swept boxes meet. Scenes: four waving sheets that pass through each other; where BOXWOOD_DATA
 * names the public data, its two scenes. */
#include "benches.h"
#include "inputs.h"
#include "pool.h"
#include "scenes/ccd_data.h"

#include <boxwood/swept.h>
#include <stdlib.h>
#include <string.h>

typedef struct ours {
    bw_mesh start, end;
    bw_swept *swept;
    bw_swept_mode mode;
    bw_swept_contact *contacts;
    bench_pool *pool;
    bw_swept_report report;
} ours;

enum { CAPACITY = 1 << 20 };

static uint64_t run_ours(void *self)
{
    ours *o = self;
    const bw_tasks *tasks = o->pool != NULL ? bench_pool_tasks(o->pool) : NULL;
    bw_result result = bw_swept_update(o->swept, &o->start, &o->end, tasks, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bw_swept_query query = {.mode = o->mode, .contacts = o->contacts, .capacity = CAPACITY, .tasks = tasks};
    result = bw_swept_self(o->swept, &query, &o->report);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_require(o->report.status == BW_COLLIDE_COMPLETE, "more contacts than the bench has room for");
    return o->mode == BW_SWEPT_CANDIDATES ? BENCH_NO_RESULT : o->report.contacts;
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

static ours *add(bench_case *c, const char *name, const bw_mesh *start, const bw_mesh *end,
                 bw_swept_mode mode, uint32_t threads)
{
    if (!bench_case_wants(c, name))
        return NULL;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){
        .start = *start, .end = *end, .mode = mode, .contacts = bench_alloc(CAPACITY, sizeof *o->contacts)};
    if (threads > 1)
        o->pool = bench_pool_create(threads);
    bw_result result = bw_swept_create(NULL, start, end, NULL, &o->swept);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .destroy = destroy_ours,
                                   .exact = mode != BW_SWEPT_CANDIDATES,
                                   .threads = threads,
                                   .aside = mode == BW_SWEPT_CANDIDATES,
                                   .over = threads > 1 && mode == BW_SWEPT_ALL ? "boxwood-step" : NULL});
    return o;
}

static void run_case(bench *b, const char *name, const bw_mesh *start, const bw_mesh *end)
{
    bench_case *c = bench_case_begin(b, name, start->triangle_count, 1);
    if (c == NULL)
        return;
    const ours *step = add(c, "boxwood-step", start, end, BW_SWEPT_ALL, 1);
    add(c, "boxwood-broad", start, end, BW_SWEPT_CANDIDATES, 1);
    add(c, "boxwood-step-2-threads", start, end, BW_SWEPT_ALL, 2);
    add(c, "boxwood-broad-2-threads", start, end, BW_SWEPT_CANDIDATES, 2);
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
        bws_mesh start, end;
        make_sheets(sizes[i], 0, &start);
        make_sheets(sizes[i], 0.01, &end);
        const bw_mesh from = bws_view(&start), to = bws_view(&end);
        run_case(b, bench_format("sheets-%s", bench_size_label(sizes[i]).text).text, &from, &to);
        bws_mesh_free(&start);
        bws_mesh_free(&end);
    }
    if (bws_ccd_data() == NULL || bench_quick(b))
        return;
    static const char *const names[] = {"cloth-funnel", "rod-twist"};
    for (int i = 0; i < 2; i++) {
        bws_ccd_scene scene;
        const char *why = NULL;
        bench_require(bws_ccd_read_scene(names[i], &scene, &why), why);
        run_case(b, names[i], &scene.start, &scene.end);
        bws_ccd_scene_release(&scene);
    }
}
