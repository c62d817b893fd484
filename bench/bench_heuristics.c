/* Section 4 of Shagam's paper: his four nesting heuristics, leafy and not, on his four distributions: the
 * time of a query, of 1000 moves and of splitting the whole tree, the working set and the depth; and beside
 * them nesting chosen per node, and the modern tree. Queries also where objects are about as large as their
 * distance, which the paper has not. */
#include "bench_scene_inputs.h"
#include "benches.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *name;
    bw_scene_desc desc;
} variants[] = {{"boxwood-kd", {.nesting = BW_NESTING_KD}},
                {"boxwood-kd-leafy", {.nesting = BW_NESTING_KD, .leafy = true}},
                {"boxwood-ternary", {.nesting = BW_NESTING_TERNARY}},
                {"boxwood-ternary-leafy", {.nesting = BW_NESTING_TERNARY, .leafy = true}},
                {"boxwood-octree", {.nesting = BW_NESTING_OCTREE}},
                {"boxwood-octree-leafy", {.nesting = BW_NESTING_OCTREE, .leafy = true}},
                {"boxwood-icoseptree", {.nesting = BW_NESTING_ICOSEPTREE}},
                {"boxwood-icoseptree-leafy", {.nesting = BW_NESTING_ICOSEPTREE, .leafy = true}},
                {"boxwood-per-node", {.nesting = BW_NESTING_PER_NODE}},
                {"boxwood-modern", {.nesting = BW_NESTING_MODERN}}};

enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct splitter {
    const scene_input *in;
    const bw_scene_desc *desc;
    bw_scene *scene;
    bw_id *ids;
} splitter;

/* Filled before each run, so that only the split is timed. */
static void fill(void *self, uint32_t run)
{
    splitter *s = self;
    (void)run;
    bw_scene_destroy(s->scene);
    bool ok = bw_scene_create(s->desc, &s->scene, NULL) == BW_OK &&
              bw_scene_insert_many(s->scene, s->in->boxes, NULL, s->in->count, s->ids, NULL) == BW_OK;
    bench_require(ok, "a scene could not be filled");
}

static uint64_t split(void *self)
{
    const splitter *s = self;
    bench_require(bw_scene_prepare(s->scene, NULL, NULL, NULL) == BW_OK, "a scene could not be split");
    return BENCH_NO_RESULT;
}

static void splitter_free(void *self)
{
    splitter *s = self;
    bw_scene_destroy(s->scene);
    free(s->ids);
    free(s);
}

static bench_case *begin(bench *b, const char *what, bws_spread spread, uint32_t n, uint64_t operations)
{
    bench_label size = bench_size_label(n);
    return bench_case_begin(b, bench_format("%s-%s-%s", what, bws_spread_names[spread], size.text).text, n,
                            operations);
}

static void measure_queries(bench *b, const char *what, bws_spread spread, const scene_input *in)
{
    bench_case *c = begin(b, what, spread, in->count, in->query_count);
    if (c != NULL) {
        scene_ours *ours[VARIANTS] = {0};
        for (int v = 0; v < VARIANTS; v++)
            if (bench_case_wants(c, variants[v].name)) {
                ours[v] = scene_ours_make(in, &variants[v].desc);
                bench_case_add(c, (bench_impl){.name = variants[v].name,
                                               .self = ours[v],
                                               .run = scene_ours_query,
                                               .destroy = scene_ours_free,
                                               .exact = true});
            }
        bench_case_measure(c);
        for (int v = 0; v < VARIANTS; v++) {
            if (ours[v] == NULL)
                continue;
            uint64_t tested = 0, found = 0;
            for (uint32_t i = 0; i < in->query_count; i++) {
                const bw_region region = {.kind = BW_REGION_BOX, .box = in->queries[i]};
                bw_scene_report report = {0};
                bench_require(bw_scene_query(ours[v]->scene, &region, NULL, &report, NULL) == BW_OK,
                              "a query failed");
                tested += report.tested_count + report.untested_count;
                found += report.found_count;
            }
            bw_scene_stats stats = {0};
            bw_scene_get_stats(ours[v]->scene, &stats);
            bench_case_metric(c, variants[v].name, "working-set", (double)tested / in->query_count,
                              "objects");
            bench_case_metric(c, variants[v].name, "visible-set", (double)found / in->query_count, "objects");
            bench_case_metric(c, variants[v].name, "depth", stats.depth, "levels");
            bench_case_metric(c, variants[v].name, "bytes-per-object", (double)stats.bytes / in->count, "B");
        }
        bench_case_end(c);
    }
}

static void measure(bench *b, bws_spread spread, uint32_t n)
{
    scene_input apart = scene_input_make(spread, n, 10, 500, 10, 1);
    measure_queries(b, "query-apart", spread, &apart);
    scene_input_free(&apart);
    /* The paper's: a cube of n^(1/3) a side, so that the answers grow with n. */
    scene_input in = scene_input_make(spread, n, 1, n >= 100000 ? 50 : 500, 10, 1);
    measure_queries(b, "query", spread, &in);
    bench_case *c = begin(b, "move-1000", spread, n, 2);
    if (c != NULL) {
        for (int v = 0; v < VARIANTS; v++)
            if (bench_case_wants(c, variants[v].name))
                bench_case_add(c, (bench_impl){.name = variants[v].name,
                                               .self = scene_ours_make(&in, &variants[v].desc),
                                               .run = scene_ours_move,
                                               .destroy = scene_ours_free});
        bench_case_measure(c);
        bench_case_end(c);
    }
    c = begin(b, "split", spread, n, 1);
    if (c != NULL) {
        for (int v = 0; v + 1 < VARIANTS; v++) {
            if (!bench_case_wants(c, variants[v].name))
                continue;
            splitter *s = bench_alloc(1, sizeof *s);
            *s = (splitter){&in, &variants[v].desc, NULL, bench_alloc(n, sizeof *s->ids)};
            bench_case_add(c, (bench_impl){.name = variants[v].name,
                                           .self = s,
                                           .run = split,
                                           .before = fill,
                                           .destroy = splitter_free});
        }
        bench_case_measure(c);
        bench_case_end(c);
    }
    scene_input_free(&in);
}

void bench_heuristics(bench *b)
{
    static const uint32_t defaults[] = {1000, 10000, 100000, 1000000};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 4, &count);
    for (size_t i = 0; i < count; i++)
        for (int spread = 0; spread < BWS_SPREAD_COUNT; spread++)
            measure(b, (bws_spread)spread, sizes[i]);
}
