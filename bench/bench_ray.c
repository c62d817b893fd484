/* Rays from all around at a mesh, one after another and in no order: the first contact, and whether there is
 * any. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"

#include <math.h>
#include <stdlib.h>

typedef struct ray_input {
    bws_mesh mesh;
    bw_mesh view;
    bw_peer_ray *rays;
    uint32_t count;
    bool any;
} ray_input;

/* ---- ours ---- */

typedef struct ours {
    const ray_input *in;
    bw_tree *tree;
} ours;

static uint64_t run_ours(void *self)
{
    const ours *o = self;
    const bw_body body = {.tree = o->tree, .mesh = &o->in->view};
    uint64_t hits = 0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        const bw_peer_ray *ray = &o->in->rays[i];
        const bw_vec3 p = ray->origin, d = ray->direction;
        const bw_ray_desc desc = {.origin = p,
                                  .through = {p.x + d.x, p.y + d.y, p.z + d.z},
                                  .mode = o->in->any ? BW_RAY_ANY : BW_RAY_NEAREST};
        bw_ray_report report;
        const bw_result result = bw_ray_cast(&body, &desc, &report);
        bench_require(result == BW_OK, bw_result_string(result));
        hits += report.hits;
    }
    return hits;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_tree_destroy(o->tree);
    free(o);
}

static void add_ours(bench_case *c, const ray_input *in)
{
    if (!bench_case_wants(c, "boxwood"))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    o->in = in;
    const bw_result result = bw_tree_create(NULL, &in->view, NULL, &o->tree);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_case_add(
        c,
        (bench_impl){.name = "boxwood", .self = o, .run = run_ours, .destroy = destroy_ours, .exact = true});
}

/* ---- theirs ---- */

typedef struct theirs {
    const ray_input *in;
    const bw_peer *peer;
    void *model;
} theirs;

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < t->in->count; i++) {
        if (t->in->any)
            hits += t->peer->occluded(t->model, &t->in->rays[i]);
        else if (t->peer->ray(t->model, &t->in->rays[i]) < (double)INFINITY)
            hits++;
    }
    return hits;
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model);
    free(t);
}

static void add_theirs(bench_case *c, const ray_input *in, const bw_peer *peer)
{
    if ((in->any ? peer->occluded == NULL : peer->ray == NULL) || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, peer->create(&in->view)};
    bench_require(t->model != NULL, "a peer cannot take the mesh");
    peer->build(t->model);
    bench_case_add(c,
                   (bench_impl){.name = peer->name, .self = t, .run = run_theirs, .destroy = destroy_theirs});
}

/* ---- cases ---- */

static bw_peer_ray *make_rays(uint32_t count)
{
    bw_peer_ray *rays = bench_alloc(count, sizeof *rays);
    bws_random random = bws_random_seeded(7);
    for (uint32_t i = 0; i < count; i++) {
        const bw_vec3 from = bws_random_direction(&random), to = bws_random_direction(&random);
        const double far = 3.0, near = bws_random_double(&random, 0.0, 1.3);
        const bw_vec3 origin = {far * from.x, far * from.y, far * from.z};
        const bw_vec3 d = {near * to.x - origin.x, near * to.y - origin.y, near * to.z - origin.z};
        const double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        rays[i] = (bw_peer_ray){origin, {d.x / length, d.y / length, d.z / length}};
    }
    return rays;
}

static void run_case(bench *b, const char *name, uint32_t size, bool any)
{
    const uint32_t count = bench_quick(b) ? 500 : 10000;
    bench_case *c = bench_case_begin(b, name, size, count);
    if (c == NULL)
        return;
    ray_input in = {.mesh = input_bumpy(size, 1), .rays = make_rays(count), .count = count, .any = any};
    in.view = bws_view(&in.mesh);
    add_ours(c, &in);
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        add_theirs(c, &in, bw_peers[i]);
    bench_case_measure(c);
    bench_case_end(c);
    bws_mesh_free(&in.mesh);
    free(in.rays);
}

void bench_ray(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++) {
        const bench_label label = bench_size_label(sizes[i]);
        run_case(b, bench_format("nearest-%s", label.text).text, sizes[i], false);
        run_case(b, bench_format("any-%s", label.text).text, sizes[i], true);
    }
}
