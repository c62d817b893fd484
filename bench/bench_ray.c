/* Rays from all around at a mesh, one after another and in no order: the first contact, and whether there is
 * any. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    bw_ray_hit *hits; /* of many at once */
} ours;

static uint64_t run_ours(void *self)
{
    const ours *o = self;
    const bw_body body = {.tree = o->tree, .mesh = &o->in->view};
    const bw_raycast_desc desc = {.mode = o->in->any ? BW_RAY_ANY : BW_RAY_NEAREST};
    uint64_t hits = 0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        const bw_peer_ray *ray = &o->in->rays[i];
        bw_ray_hit hit;
        const bw_result result = bw_raycast(
            &body, &(bw_ray){.origin = ray->origin, .direction = ray->direction}, &desc, &hit, NULL, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        hits += hit.primitive != BW_NONE;
    }
    return hits;
}

/* All rays in one call; they are written in its form first, as for the peers. */
static uint64_t run_many(void *self)
{
    const ours *o = self;
    const bw_body body = {.tree = o->tree, .mesh = &o->in->view};
    uint64_t hits = 0;
    enum { PART = 1000 };
    bw_ray rays[PART];
    for (uint32_t first = 0; first < o->in->count; first += PART) {
        const uint32_t count = o->in->count - first < PART ? o->in->count - first : PART;
        for (uint32_t i = 0; i < count; i++) {
            const bw_peer_ray *ray = &o->in->rays[first + i];
            rays[i] = (bw_ray){.origin = ray->origin, .direction = ray->direction};
        }
        const bw_raycast_desc desc = {.mode = o->in->any ? BW_RAY_ANY : BW_RAY_NEAREST};
        bw_raycast_report report = {0};
        const bw_result result = bw_raycast_many(&body, rays, count, &desc, o->hits, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        hits += report.hit_count;
    }
    return hits;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_tree_destroy(o->tree);
    free(o->hits);
    free(o);
}

/* How the tree is made. */
enum { PREPARED = 1, MANY = 2, FAST = 4 };

static void add_ours(bench_case *c, const ray_input *in, const char *name, int how)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    o->in = in;
    o->hits = bench_alloc(in->count, sizeof *o->hits);
    const bw_tree_desc desc = {.builder = (how & FAST) != 0 ? BW_BUILDER_FAST : BW_BUILDER_QUALITY};
    bw_result result = bw_tree_create(&desc, &in->view, &o->tree, NULL);
    if (result == BW_OK && (how & PREPARED) != 0)
        result = bw_tree_prepare_rays(o->tree, &in->view, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_case_add(c,
                   (bench_impl){.name = name,
                                .self = o,
                                .run = (how & MANY) != 0 ? run_many : run_ours,
                                .destroy = destroy_ours,
                                .over = (how & MANY) != 0 ? "embree-medium-avx2-many" : "embree-medium-avx2",
                                .exact = true});
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

static uint64_t run_their_many(void *self)
{
    const theirs *t = self;
    return t->peer->rays(t->model, t->in->rays, t->in->count, t->in->any);
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model);
    free(t);
}

static void add_theirs(bench_case *c, const ray_input *in, const bw_peer *peer, bool many)
{
    static char names[16][64]; /* of calls for many; a name outlives its case */
    static uint32_t named;
    const char *name = peer->name;
    const bool able = many ? peer->rays != NULL : in->any ? peer->occluded != NULL : peer->ray != NULL;
    if (!able)
        return;
    if (many) {
        const bench_label label = bench_format("%s-many", peer->name);
        char *kept = names[named++ % 16];
        memcpy(kept, label.text, sizeof label.text);
        name = kept;
    }
    if (!bench_case_wants(c, name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, peer->create(&in->view)};
    bench_require(t->model != NULL, "a peer cannot take the mesh");
    peer->build(t->model);
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = t,
                                   .run = many ? run_their_many : run_theirs,
                                   .destroy = destroy_theirs,
                                   .aside = peer->aside});
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

static void run_case(bench *b, const char *name, const input_shape *shape, uint32_t size, bool any)
{
    const uint32_t count = bench_quick(b) ? 500 : 10000;
    bench_case *c = bench_case_begin(b, name, size, count);
    if (c == NULL)
        return;
    ray_input in = {.mesh = shape->make(size, 1), .rays = make_rays(count), .count = count, .any = any};
    in.view = bws_view(&in.mesh);
    add_ours(c, &in, "boxwood", PREPARED);
    add_ours(c, &in, "boxwood-many", PREPARED | MANY);
    add_ours(c, &in, "boxwood-unprepared", 0);
    add_ours(c, &in, "boxwood-unprepared-many", MANY);
    add_ours(c, &in, "boxwood-fast", FAST | PREPARED);
    add_ours(c, &in, "boxwood-fast-many", FAST | PREPARED | MANY);
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        for (int many = 0; many < 2; many++)
            add_theirs(c, &in, bw_peers[i], many != 0);
    bench_case_measure(c);
    bench_case_end(c);
    bws_mesh_free(&in.mesh);
    free(in.rays);
}

void bench_ray(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (const input_shape *shape = input_shapes; shape != input_shapes + INPUT_SHAPES; shape++)
        for (size_t i = 0; i < count; i++) {
            const bench_label label = bench_size_label(sizes[i]);
            run_case(b, bench_format("nearest-%s-%s", shape->name, label.text).text, shape, sizes[i], false);
            run_case(b, bench_format("any-%s-%s", shape->name, label.text).text, shape, sizes[i], true);
        }
}
