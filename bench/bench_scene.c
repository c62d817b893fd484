/* Many moving objects: building, moving in batches and one at a time, and small box queries, beside Bullet's
 * btDbvt. */
#include "bench_scene_inputs.h"
#include "benches.h"
#include "peers/scene_peers.h"
#include "pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUERIES = 10000, BATCHES = 32 };

static const bw_scene_desc modern = {.nesting = BW_NESTING_MODERN}, automatic = {.nesting = BW_NESTING_AUTO};

typedef struct theirs {
    const scene_input *in;
    const bw_scene_peer *peer;
    void *scene;
} theirs;

static const bw_scene_peer *find_peer(const char *name)
{
    for (size_t i = 0; bw_scene_peers[i] != NULL; i++)
        if (strcmp(bw_scene_peers[i]->name, name) == 0)
            return bw_scene_peers[i];
    return NULL;
}

static theirs *theirs_make(const scene_input *in, const bw_scene_peer *peer)
{
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, peer->create(in->boxes, in->count)};
    bench_require(t->scene != NULL, "a peer could not build its scene");
    return t;
}

static void theirs_free(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->scene);
    free(t);
}

static uint64_t theirs_move(void *self)
{
    const theirs *t = self;
    const scene_moves *m = &t->in->moves;
    for (size_t k = 0; k < (size_t)m->batches * SCENE_BATCH; k++)
        t->peer->move(t->scene, m->objects[k], &m->forward[k]);
    for (size_t k = (size_t)m->batches * SCENE_BATCH; k-- > 0;)
        t->peer->move(t->scene, m->objects[k], &m->backward[k]);
    return BENCH_NO_RESULT;
}

static uint64_t theirs_query(void *self)
{
    const theirs *t = self;
    uint64_t found = 0;
    uint32_t ids[512];
    for (uint32_t i = 0; i < t->in->query_count; i++)
        found += t->peer->query(t->scene, &t->in->queries[i], ids, 512);
    return found;
}

static uint64_t theirs_build(void *self)
{
    const theirs *t = self;
    void *scene = t->peer->create(t->in->boxes, t->in->count);
    t->peer->destroy(scene);
    return BENCH_NO_RESULT;
}

typedef struct builder {
    const scene_input *in;
    const bw_scene_desc *desc;
    bw_id *ids;
} builder;

static uint64_t ours_build(void *self)
{
    const builder *b = self;
    bw_scene *scene;
    bw_result result = bw_scene_create(b->desc, &scene, NULL);
    if (result == BW_OK)
        result = bw_scene_insert_many(scene, b->in->boxes, NULL, b->in->count, b->ids, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bw_scene_destroy(scene);
    return BENCH_NO_RESULT;
}

static void builder_free(void *self)
{
    builder *b = self;
    free(b->ids);
    free(b);
}

static void add_builder(bench_case *c, const char *name, const scene_input *in, const bw_scene_desc *desc)
{
    if (!bench_case_wants(c, name))
        return;
    builder *b = bench_alloc(1, sizeof *b);
    *b = (builder){in, desc, bench_alloc(in->count, sizeof *b->ids)};
    bench_case_add(c, (bench_impl){.name = name, .self = b, .run = ours_build, .destroy = builder_free});
}

static bench_label case_name(const char *what, bws_spread spread, uint32_t n)
{
    bench_label size = bench_size_label(n);
    if (spread == BWS_SPREAD_UNIFORM)
        return bench_format("%s-%s", what, size.text);
    return bench_format("%s-%s-%s", what, bws_spread_names[spread], size.text);
}

typedef uint64_t run_fn(void *self);

static void add_ours(bench_case *c, const char *name, const scene_input *in, const bw_scene_desc *desc,
                     run_fn *run, bool exact)
{
    if (!bench_case_wants(c, name))
        return;
    scene_ours *o = scene_ours_make(in, desc);
    bench_case_add(
        c, (bench_impl){.name = name, .self = o, .run = run, .destroy = scene_ours_free, .exact = exact});
}

static void add_theirs(bench *b, bench_case *c, const scene_input *in, run_fn *run, bool exact)
{
    const bw_scene_peer *peer = find_peer("bullet-dbvt");
    if (!bench_peers(b) || peer == NULL || !bench_case_wants(c, peer->name))
        return;
    bench_case_add(c, (bench_impl){.name = peer->name,
                                   .self = theirs_make(in, peer),
                                   .run = run,
                                   .destroy = theirs_free,
                                   .exact = exact});
}

/* What 100 moves an object do to the time of a query, and to the memory: beside a tree built where they
 * ended. */
static void drift(bench_case *c, const scene_input *in)
{
    scene_ours *moved = scene_ours_make(in, &modern);
    bws_random random = bws_random_seeded(5);
    bws_ball *balls = bench_alloc(in->count, sizeof *balls);
    scene_input after = *in; /* the same queries over other boxes */
    after.boxes = bench_alloc(in->count, sizeof *after.boxes);
    memcpy(balls, in->balls, in->count * sizeof *balls);
    for (int round = 0; round < 100; round++) {
        for (uint32_t i = 0; i < in->count; i++) {
            balls[i] = bws_ball_moved(&balls[i], in->side, &random);
            after.boxes[i] = bws_ball_box(&balls[i]);
        }
        bench_require(bw_scene_move_many(moved->scene, moved->ids, after.boxes, in->count, NULL) == BW_OK,
                      "a move failed");
    }
    bw_scene_stats stats = {0};
    bw_scene_get_stats(moved->scene, &stats);
    scene_ours *fresh = scene_ours_make(&after, &modern);
    fresh->in = in; /* for the queries; after is gone before they end */
    bench_case_add(c, (bench_impl){.name = "boxwood-modern",
                                   .self = moved,
                                   .run = scene_ours_query,
                                   .destroy = scene_ours_free,
                                   .exact = true,
                                   .over = "boxwood-modern-fresh"});
    bench_case_add(c, (bench_impl){.name = "boxwood-modern-fresh",
                                   .self = fresh,
                                   .run = scene_ours_query,
                                   .destroy = scene_ours_free,
                                   .exact = true});
    bench_case_measure(c);
    bench_case_metric(c, "boxwood-modern", "bytes-per-object", (double)stats.bytes / in->count, "B");
    free(balls);
    free(after.boxes);
}

/* Made for the first case that is asked for. */
static const scene_input *input(bench *b, scene_input *in, bws_spread spread, uint32_t n)
{
    if (in->count == 0)
        *in =
            scene_input_make(spread, n, 10, bench_quick(b) ? 200 : QUERIES, 10, bench_quick(b) ? 2 : BATCHES);
    return in;
}

static void measure(bench *b, bws_spread spread, uint32_t n)
{
    scene_input made = {0};
    uint64_t moves = 2ull * (bench_quick(b) ? 2 : BATCHES) * SCENE_BATCH,
             queries = bench_quick(b) ? 200 : QUERIES;
    bench_case *c = bench_case_begin(b, case_name("move", spread, n).text, n, moves);
    if (c != NULL) {
        const scene_input *in = input(b, &made, spread, n);
        add_ours(c, "boxwood-modern", in, &modern, scene_ours_move, false);
        add_ours(c, "boxwood-auto", in, &automatic, scene_ours_move, false);
        add_theirs(b, c, in, theirs_move, false);
        bench_case_measure(c);
        bench_case_end(c);
    }
    c = bench_case_begin(b, case_name("move-one", spread, n).text, n, moves);
    if (c != NULL) {
        const scene_input *in = input(b, &made, spread, n);
        add_ours(c, "boxwood-modern", in, &modern, scene_ours_move_one, false);
        add_theirs(b, c, in, theirs_move, false);
        bench_case_measure(c);
        bench_case_end(c);
    }
    c = bench_case_begin(b, case_name("query", spread, n).text, n, queries);
    if (c != NULL) {
        const scene_input *in = input(b, &made, spread, n);
        add_ours(c, "boxwood-modern", in, &modern, scene_ours_query, true);
        add_ours(c, "boxwood-auto", in, &automatic, scene_ours_query, true);
        add_theirs(b, c, in, theirs_query, true);
        bench_case_measure(c);
        scene_ours *o = scene_ours_make(in, &modern);
        bw_scene_stats stats = {0};
        bw_scene_get_stats(o->scene, &stats);
        bench_case_metric(c, "boxwood-modern", "bytes-per-object", (double)stats.bytes / n, "B");
        scene_ours_free(o);
        bench_case_end(c);
    }
    c = bench_case_begin(b, case_name("build", spread, n).text, n, n);
    if (c != NULL) {
        const scene_input *in = input(b, &made, spread, n);
        bw_pool *pool = bench_pool_create(2);
        const bw_scene_desc two = {.nesting = BW_NESTING_MODERN, .tasks = bw_pool_tasks(pool)};
        add_builder(c, "boxwood-modern", in, &modern);
        add_builder(c, "boxwood-2-threads", in, &two);
        add_builder(c, "boxwood-auto", in, &automatic);
        add_theirs(b, c, in, theirs_build, false);
        bench_case_measure(c);
        bench_case_end(c);
        bw_pool_destroy(pool);
    }
    c = bench_case_begin(b, case_name("query-moved", spread, n).text, n, queries);
    if (c != NULL) {
        drift(c, input(b, &made, spread, n));
        bench_case_end(c);
    }
    scene_input_free(&made);
}

void bench_scene(bench *b)
{
    static const uint32_t defaults[] = {10000, 100000, 1000000};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 3, &count);
    for (size_t i = 0; i < count; i++)
        for (int spread = 0; spread < 3; spread++)
            measure(b, (bws_spread)spread, sizes[i]);
}
