/* Building a tree over a mesh from nothing, and how good it is. */
#include "benches.h"
#include "inputs.h"
#include "pages.h"
#include "peers/peers.h"
#include "pool.h"
#include "quality.h"

#include <stdlib.h>

/* ---- ours ---- */

typedef struct ours {
    const bw_mesh *mesh;
    bw_tree_desc desc;
    bw_tree *tree;
} ours;

static void throw_away(void *self, uint32_t step)
{
    (void)step;
    ours *o = self;
    bw_tree_destroy(o->tree);
    o->tree = NULL;
}

static uint64_t run_ours(void *self)
{
    ours *o = self;
    const bw_result result = bw_tree_create(&o->desc, o->mesh, &o->tree, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return BENCH_NO_RESULT;
}

static void destroy_ours(void *self)
{
    throw_away(self, 0);
    free(self);
}

static ours *add_ours(bench_case *c, const char *name, const bw_mesh *mesh, bw_tree_desc desc,
                      const char *over)
{
    if (!bench_case_wants(c, name))
        return NULL;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){mesh, desc, NULL};
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .before = throw_away,
                                   .destroy = destroy_ours,
                                   .threads = desc.tasks != NULL ? desc.tasks->worker_count : 1,
                                   .over = over});
    return o;
}

static void print_quality(bench_case *c, const char *name, const ours *o, uint32_t triangles)
{
    if (o == NULL)
        return;
    const bw_peer_sah sah = bench_tree_quality(o->tree);
    bw_tree_stats stats = {0};
    bw_tree_get_stats(o->tree, &stats);
    bench_print_quality(c, name, &sah);
    bench_case_metric(c, name, "memory", (double)stats.bytes / triangles, "B/triangle");
    bench_case_metric(c, name, "time-per-triangle", bench_case_time(c, name) / triangles, "ns");
}

/* ---- theirs ---- */

typedef struct theirs {
    const bw_peer *peer;
    void *model;
} theirs;

static void unbuild_theirs(void *self, uint32_t step)
{
    (void)step;
    const theirs *t = self;
    t->peer->unbuild(t->model);
}

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    t->peer->build(t->model);
    return BENCH_NO_RESULT;
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model);
    free(t);
}

/* NULL where the peer was not asked for. */
static theirs *add_theirs(bench_case *c, const bw_peer *peer, const bw_mesh *mesh)
{
    if (peer->aside || !bench_case_wants(c, peer->name))
        return NULL;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){peer, peer->create(mesh)};
    bench_require(t->model != NULL, "a peer cannot take the mesh");
    bench_case_add(c, (bench_impl){.name = peer->name,
                                   .self = t,
                                   .run = run_theirs,
                                   .before = unbuild_theirs,
                                   .destroy = destroy_theirs});
    return t;
}

static void print_peer(bench_case *c, const theirs *t, uint32_t triangles)
{
    if (t == NULL)
        return;
    bench_case_metric(c, t->peer->name, "time-per-triangle", bench_case_time(c, t->peer->name) / triangles,
                      "ns");
    if (t->peer->sah == NULL)
        return;
    bw_peer_sah sah;
    t->peer->sah(t->model, &sah);
    bench_print_quality(c, t->peer->name, &sah);
}

/* ---- cases ---- */

enum { MAX_PEERS = 24 };

/* Positions that no float holds, as those of most meshes of doubles. */
static double *doubles_of(const bw_mesh *mesh)
{
    double *out = bench_alloc((size_t)mesh->vertex_count, 3 * sizeof *out);
    const float *positions = mesh->positions;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        out[i] = (double)positions[i] * (1 + 0x1p-30);
    return out;
}

static void run_case(bench *b, const char *name, uint32_t size, bool shuffled)
{
    bench_case *c = bench_case_begin(b, name, size, 1);
    if (c == NULL)
        return;
    bws_mesh mesh = input_bumpy(size, 1);
    if (shuffled)
        input_shuffle(&mesh);
    const bw_mesh view = bws_view(&mesh);
    double *positions = doubles_of(&view);
    bw_mesh doubles = view;
    doubles.positions = positions;
    doubles.scalar = BW_F64;
    doubles.stride = 0;
    bw_pool *pool = bench_pool_create(2);

    const bw_tasks *tasks = bw_pool_tasks(pool);
    /* The default asks for large pages, as Embree does; rows named -kept have memory of the tree before. */
    const bw_allocator *small = bench_small_pages(), *kept = bench_kept_pages();
    const struct {
        const char *name, *over;
        const bw_mesh *mesh;
        bw_tree_desc desc;
    } builders[] = {
#if BW_RESEARCH
        {"boxwood-midpoint", NULL, &view, {.builder = BW_BUILDER_MIDPOINT}},
#endif
        {"boxwood-fast", NULL, &view, {.builder = BW_BUILDER_FAST}},
        {"boxwood-fast-f64", "boxwood-fast", &doubles, {.builder = BW_BUILDER_FAST}},
        {"boxwood-fast-small-pages", NULL, &view, {.builder = BW_BUILDER_FAST, .allocator = small}},
        {"boxwood-fast-compact", NULL, &view, {.builder = BW_BUILDER_FAST, .compact = true}},
        {"boxwood-fast-2-threads", "boxwood-fast", &view, {.builder = BW_BUILDER_FAST, .tasks = tasks}},
        {"boxwood-fast-kept", NULL, &view, {.builder = BW_BUILDER_FAST, .allocator = kept}},
        {"boxwood-fast-kept-2-threads",
         "boxwood-fast-kept",
         &view,
         {.builder = BW_BUILDER_FAST, .allocator = kept, .tasks = tasks}},
        {"boxwood-quality", NULL, &view, {.builder = BW_BUILDER_QUALITY}},
        {"boxwood-quality-f64", "boxwood-quality", &doubles, {.builder = BW_BUILDER_QUALITY}},
        {"boxwood-quality-small-pages", NULL, &view, {.builder = BW_BUILDER_QUALITY, .allocator = small}},
        {"boxwood-quality-compact", NULL, &view, {.builder = BW_BUILDER_QUALITY, .compact = true}},
        {"boxwood-quality-2-threads",
         "boxwood-quality",
         &view,
         {.builder = BW_BUILDER_QUALITY, .tasks = tasks}},
        {"boxwood-quality-kept", NULL, &view, {.builder = BW_BUILDER_QUALITY, .allocator = kept}},
        {"boxwood-quality-kept-2-threads",
         "boxwood-quality-kept",
         &view,
         {.builder = BW_BUILDER_QUALITY, .allocator = kept, .tasks = tasks}},
    };
    enum { BUILDERS = sizeof builders / sizeof *builders };
    ours *added[BUILDERS];
    for (size_t i = 0; i < BUILDERS; i++)
        added[i] = add_ours(c, builders[i].name, builders[i].mesh, builders[i].desc, builders[i].over);
    theirs *peers[MAX_PEERS] = {NULL};
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++) {
        bench_require(i < MAX_PEERS, "too many peers");
        peers[i] = add_theirs(c, bw_peers[i], &view);
    }
    bench_case_measure(c);
    for (size_t i = 0; i < BUILDERS; i++)
        print_quality(c, builders[i].name, added[i], mesh.triangle_count);
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        print_peer(c, peers[i], mesh.triangle_count);
    bench_case_end(c);
    bench_kept_pages_release();
    bw_pool_destroy(pool);
    free(positions);
    bws_mesh_free(&mesh);
}

void bench_build(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++) {
        const bench_label label = bench_size_label(sizes[i]);
        run_case(b, bench_format("bumpy-%s", label.text).text, sizes[i], false);
        run_case(b, bench_format("shuffled-%s", label.text).text, sizes[i], true);
    }
}
