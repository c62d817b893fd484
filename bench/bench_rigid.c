/* Two rigid meshes under many relative poses, about half of which collide: the first contact, and all of
 * them. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"
#include "pool.h"

#include <stdlib.h>

enum { HIT_CAPACITY = 1 << 20 };
enum { BUMPY = 0, CAR = 2, NEEDLES = 3 }; /* of input_shapes */

typedef struct pair_input {
    bws_mesh a, b;
    bw_mesh view_a, view_b;
    input_poses poses;
    bw_hit *hits;
    bool all;
} pair_input;

/* ---- ours ---- */

typedef struct ours {
    const pair_input *in;
    bw_tree *a, *b;
    const bw_tasks *tasks;
    bool witness; /* carry the last contact from pose to pose */
} ours;

static bw_tree *build(const bw_mesh *mesh)
{
    bw_tree *tree;
    const bw_result result = bw_tree_create(NULL, mesh, &tree, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return tree;
}

static uint64_t run_ours(void *self)
{
    const ours *o = self;
    const pair_input *in = o->in;
    bw_witness witness = {.valid = false};
    bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .witness = o->witness ? &witness : NULL};
    if (in->all)
        desc = (bw_collide_desc){
            .mode = BW_COLLIDE_ALL, .hits = in->hits, .hit_capacity = HIT_CAPACITY, .tasks = o->tasks};
    const bw_body a = {.tree = o->a, .mesh = &in->view_a};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < in->poses.count; i++) {
        const bw_body b = {.tree = o->b, .mesh = &in->view_b, .pose = &in->poses.poses[i]};
        bw_collide_report report = {0};
        const bw_result result = bw_collide(&a, &b, &desc, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        bench_require(report.status != BW_FULL, "more hits than the bench has room for");
        sum += report.hit_count;
    }
    return sum;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_tree_destroy(o->a);
    bw_tree_destroy(o->b);
    free(o);
}

static void add_ours(bench_case *c, const pair_input *in, const char *name, const bw_tasks *tasks,
                     bool witness)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){in, build(&in->view_a), build(&in->view_b), tasks, witness};
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .destroy = destroy_ours,
                                   .exact = true,
                                   .threads = tasks != NULL ? tasks->worker_count : 1,
                                   .over = tasks != NULL || witness ? "boxwood" : NULL});
}

/* ---- theirs ---- */

typedef struct theirs {
    const pair_input *in;
    const bw_peer *peer;
    void *a, *b;
} theirs;

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    uint64_t (*query)(void *, void *, const bw_transform *) = t->in->all ? t->peer->all : t->peer->any;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->in->poses.count; i++)
        sum += query(t->a, t->b, &t->in->poses.poses[i]);
    return sum;
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    /* The second may keep something about the first. */
    t->peer->destroy(t->b);
    t->peer->destroy(t->a);
    free(t);
}

static void add_theirs(bench_case *c, const pair_input *in, const bw_peer *peer)
{
    if ((in->all ? peer->all : peer->any) == NULL || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, peer->create(&in->view_a), peer->create(&in->view_b)};
    bench_require(t->a != NULL && t->b != NULL, "a peer cannot take the mesh");
    peer->build(t->a);
    peer->build(t->b);
    bench_case_add(c, (bench_impl){.name = peer->name,
                                   .self = t,
                                   .run = run_theirs,
                                   .destroy = destroy_theirs,
                                   .exact = peer->exact});
}

/* ---- cases ---- */

typedef enum kind { SHAPE, COLD, SHUFFLED, UNEQUAL, COHERENT } kind; /* all but the first: bumpy spheres */

static pair_input make_input(kind what, const input_shape *shape, uint32_t size_a, uint32_t size_b,
                             uint32_t pose_count, bool all)
{
    pair_input in = {.all = all};
    in.a = shape->make(size_a, 1);
    in.b = shape->make(size_b, 2);
    if (what == SHUFFLED) {
        input_shuffle(&in.a);
        input_shuffle(&in.b);
    }
    in.view_a = bws_view(&in.a);
    in.view_b = bws_view(&in.b);
    const double size = shape == &input_shapes[CAR] ? 0.6 : 1.0; /* of half the poses in contact */
    in.poses = what == COHERENT ? input_poses_coherent(pose_count)
                                : input_poses_between(pose_count, 1.15 * size, 2.74 * size, 3);
    in.hits = all ? bench_alloc(HIT_CAPACITY, sizeof *in.hits) : NULL;
    return in;
}

static void free_input(pair_input *in)
{
    bws_mesh_free(&in->a);
    bws_mesh_free(&in->b);
    free(in->poses.poses);
    free(in->hits);
}

static void run_case(bench *b, kind what, const input_shape *shape, const char *name, uint32_t size_a,
                     uint32_t size_b, bool all)
{
    /* Fewer where one run of the slower peers would take minutes. More where processors shall not know their
     * ways from the run before: they remember where the branches of 200 first contacts went, and their caches
     * what these read. */
    const bool heavy = all && (size_b >= 500000 || (shape == &input_shapes[NEEDLES] && size_b >= 100000));
    const uint32_t poses = bench_quick(b) ? 20 : what == COLD ? 1000 : heavy ? 40 : 200;
    bench_case *c = bench_case_begin(b, name, size_b, poses);
    if (c == NULL)
        return;
    pair_input in = make_input(what, shape, size_a, size_b, poses, all);
    bw_pool *pool = bench_pool_create(2);
    add_ours(c, &in, "boxwood", NULL, false);
    if (all)
        add_ours(c, &in, "boxwood-2-threads", bw_pool_tasks(pool), false);
    else if (what == COHERENT)
        add_ours(c, &in, "boxwood-witness", NULL, true);
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        add_theirs(c, &in, bw_peers[i]);
    bench_case_measure(c);
    bench_case_end(c);
    bw_pool_destroy(pool);
    free_input(&in);
}

static void run_bench(bench *b, bool all)
{
    const input_shape *bumpy = &input_shapes[BUMPY];
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t size = sizes[i];
        const bench_label label = bench_size_label(size);
        /* What the other shapes and a random order do is seen below a million. */
        const bool small = size < 500000;
        for (int k = 0; k < (small ? INPUT_SHAPES : 1); k++) {
            const input_shape *shape = &input_shapes[k];
            run_case(b, SHAPE, shape, bench_format("%s-%s", shape->name, label.text).text, size, size, all);
        }
        if (!all)
            run_case(b, COLD, bumpy, bench_format("cold-%s", label.text).text, size, size, all);
        if (small)
            run_case(b, SHUFFLED, bumpy, bench_format("shuffled-%s", label.text).text, size, size, all);
        if (small && !all)
            run_case(b, COHERENT, bumpy, bench_format("coherent-%s", label.text).text, size, size, all);
    }
    const uint32_t small = bench_quick(b) ? 200 : 2000, large = bench_quick(b) ? 2000 : 200000;
    run_case(b, UNEQUAL, bumpy,
             bench_format("unequal-%s-%s", bench_size_label(small).text, bench_size_label(large).text).text,
             small, large, all);
}

void bench_rigid_any(bench *b)
{
    run_bench(b, false);
}

void bench_rigid_all(bench *b)
{
    run_bench(b, true);
}
