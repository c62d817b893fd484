/* Following a mesh and asking for all its contacts, frame by frame: the policy against a refit of everything.
 * Both pay for what a frame needs: positions, boxes and the query. The dress meets the body under it, which
 * walks with it (a kinetic tree of the same method); the cloth meets the table, which stands still.
 *
 * auto: trees that choose how to follow, and bw_collide with a bw_pair_cache, in which it keeps what it found
 * where that pays.
 * auto-pair: bw_separation, which knows that the two will be asked about each other again, and chooses for
 * the pair. interpolated, compiled: trees of these methods, and a traversal in every frame. */
#include "benches.h"
#include "kinetic_stage.h"

#include "kinetic/kinetic.h"

#include <stdlib.h>

typedef struct stage {
    kinetic_stage on;
    bw_tree *table_tree;
} stage;

typedef struct actor {
    const stage *stage;
    bw_kinetic *kinetic[2];
    bw_separation *pair;
    bw_pair_cache *cache; /* auto */
    uint32_t step;
} actor;

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

static void before(void *self, uint32_t step)
{
    actor *a = self;
    a->step = step;
    for (uint32_t i = 0; i < a->stage->on.movers && step == 0; i++)
        require(bw_kinetic_advance(a->kinetic[i], 0, NULL, NULL));
}

static uint64_t run(void *self)
{
    actor *a = self;
    const kinetic_stage *s = &a->stage->on;
    double t = kinetic_stage_time(s, a->step);
    bw_body bodies[2] = {{0}, {.tree = a->stage->table_tree, .mesh = &s->meshes[1]}};
    for (uint32_t i = 0; i < s->movers; i++) {
        require(bw_kinetic_advance(a->kinetic[i], t, NULL, NULL));
        require(bw_kinetic_query_body(a->kinetic[i], &bodies[i], NULL));
    }
    bw_collide_report report = {0};
    require(bw_collide(&bodies[0], &bodies[1], &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .cache = a->cache},
                       &report, NULL));
    return report.hit_count;
}

static void before_pair(void *self, uint32_t step)
{
    actor *a = self;
    a->step = step;
    if (step == 0) /* at the end: the first span is prepared while the clock runs */
        require(bw_separation_advance(a->pair, a->stage->on.end, NULL, NULL));
}

static uint64_t run_pair(void *self)
{
    actor *a = self;
    bw_collide_report report = {0};
    require(bw_separation_advance(a->pair, kinetic_stage_time(&a->stage->on, a->step), NULL, NULL));
    require(bw_separation_collide(a->pair, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &report, NULL));
    return report.hit_count;
}

static void destroy(void *self)
{
    actor *a = self;
    bw_separation_destroy(a->pair);
    bw_kinetic_destroy(a->kinetic[0]);
    bw_kinetic_destroy(a->kinetic[1]);
    bw_pair_cache_destroy(a->cache);
    free(a);
}

static actor *add(bench_case *c, const stage *s, const char *name, bw_kinetic_method method)
{
    if (!bench_case_wants(c, name))
        return NULL;
    actor *a = bench_alloc(1, sizeof *a);
    a->stage = s;
    for (uint32_t i = 0; i < s->on.movers; i++)
        require(bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &s->on.meshes[i], &s->on.motions[i],
                                  &a->kinetic[i], NULL));
    if (method == BW_KINETIC_AUTO)
        require(bw_pair_cache_create(NULL, &a->cache, NULL));
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .exact = true,
                                   .over = method == BW_KINETIC_REFIT ? NULL : "boxwood-refit"});
    return a;
}

static void add_pair(bench_case *c, const stage *s, const char *name)
{
    if (!bench_case_wants(c, name))
        return;
    actor *a = bench_alloc(1, sizeof *a);
    a->stage = s;
    require(bw_separation_create(NULL, &s->on.moving[0], &s->on.moving[1], &a->pair, NULL));
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run_pair,
                                   .before = before_pair,
                                   .destroy = destroy,
                                   .exact = true,
                                   .over = "boxwood-refit"});
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
    stage s = {.table_tree = NULL};
    kinetic_stage_make(&s.on, &(kinetic_stage_desc){.dress = dress,
                                                    .triangles = size,
                                                    .other = dress ? size / 10 : 0,
                                                    .segments = SEGMENTS,
                                                    .between = l});
    if (!dress)
        require(bw_tree_create(NULL, &s.on.meshes[1], &s.table_tree, NULL));
    add(c, &s, "boxwood-refit", BW_KINETIC_REFIT);
    actor *chosen = add(c, &s, "boxwood-auto", BW_KINETIC_AUTO);
    add_pair(c, &s, "boxwood-auto-pair");
    add(c, &s, "boxwood-compiled", BW_KINETIC_COMPILED);
    add(c, &s, "boxwood-interpolated", BW_KINETIC_INTERPOLATED);
    bench_case_measure(c);
    if (chosen != NULL) {
        bw_kinetic_choice choice = {0};
        bw_kinetic_get_choice(chosen->kinetic[0], &choice);
        bench_case_metric(c, "boxwood-auto", "method", choice.method, "");
        bench_case_metric(c, "boxwood-auto", "compiled-share", choice.compiled_share, "");
        bench_case_metric(c, "boxwood-auto", "remembered", choice.remembered > 0, "");
    }
    bench_case_end(c);
    bw_tree_destroy(s.table_tree);
    kinetic_stage_free(&s.on);
}

void bench_kinetic_total(bench *b)
{
    static const uint32_t sizes[] = {20000, 100000, 500000}, between[] = {5, 10, 50};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 3, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 3; j++) {
            run_case(b, true, chosen[i], between[j]);
            run_case(b, false, chosen[i], between[j]);
        }
}
