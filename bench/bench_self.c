/* A mesh against itself: every pair of its triangles that meet beyond what they share.
 * The teapot's spout and handle pass through its wall; the bumpy sphere and the needles meet themselves
 * nowhere, so all of their time goes into telling neighbours from contacts. Embree and FCL leave out pairs
 * that share a vertex, which saves them that; CGAL does not use a tree. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"

#include <stdlib.h>

enum { HIT_CAPACITY = 1 << 20 };

typedef struct ours {
    bw_mesh mesh;
    bw_tree *tree;
    bw_hit *hits;
    bw_pair_cache *cache;
} ours;

static uint64_t run_ours(void *self)
{
    const ours *o = self;
    bw_collide_report report = {0};
    const bw_result result = bw_collide_self(
        &(bw_body){.tree = o->tree, .mesh = &o->mesh},
        &(bw_collide_desc){
            .mode = BW_COLLIDE_ALL, .hits = o->hits, .hit_capacity = HIT_CAPACITY, .cache = o->cache},
        &report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_require(report.status != BW_FULL, "more hits than the bench has room for");
    return report.hit_count;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_tree_destroy(o->tree);
    bw_pair_cache_destroy(o->cache);
    free(o->hits);
    free(o);
}

static void add_ours(bench_case *c, const char *name, const bw_mesh *mesh, bw_tree_desc desc)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){.mesh = *mesh, .hits = bench_alloc(HIT_CAPACITY, sizeof(bw_hit))};
    bw_result result = bw_tree_create(&desc, mesh, &o->tree, NULL);
    if (result == BW_OK)
        result = bw_pair_cache_create(NULL, &o->cache, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_case_add(
        c, (bench_impl){.name = name, .self = o, .run = run_ours, .destroy = destroy_ours, .exact = true});
}

typedef struct theirs {
    const bw_peer *peer;
    void *model;
} theirs;

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    return t->peer->self(t->model);
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model);
    free(t);
}

static void add_theirs(bench_case *c, const bw_peer *peer, const bw_mesh *mesh)
{
    if (peer->self == NULL || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){peer, peer->create(mesh)};
    bench_require(t->model != NULL, "a peer cannot take the mesh");
    peer->build(t->model);
    bench_case_add(c,
                   (bench_impl){.name = peer->name, .self = t, .run = run_theirs, .destroy = destroy_theirs});
}

static void run_case(bench *b, const input_shape *shape, uint32_t size)
{
    const bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("%s-%s", shape->name, label.text).text, size, 1);
    if (c == NULL)
        return;
    bws_mesh mesh = shape->make(size, 1);
    const bw_mesh view = bws_view(&mesh);
    add_ours(c, "boxwood", &view, (bw_tree_desc){0});
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        add_theirs(c, bw_peers[i], &view);
    bench_case_measure(c);
    bench_case_end(c);
    bws_mesh_free(&mesh);
}

void bench_self(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++)
        for (int shape = 0; shape < INPUT_SHAPES; shape++)
            run_case(b, &input_shapes[shape], sizes[i]);
}
