/* A step of a world: many bodies move, then all contacts are found, beside the collision worlds of Bullet and ODE. Everybody is
 * given the same poses; setting them is part of the step. The result is the number of pairs of bodies in contact. */
#include "benches.h"
#include "inputs.h"
#include "peers/world_peers.h"
#include "pool.h"

#include <boxwood/world.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20, MODELS = 4 };

/* Bodies on a lattice that is shaken: each swings about its place and turns about an axis of its own. */
typedef struct crowd {
    uint32_t count;
    bw_peer_body *bodies;
    bw_shape *shapes;
    bws_mesh meshes[MODELS];
    bw_mesh views[MODELS];
    bw_tree *trees[MODELS];
    bw_hull *hulls[MODELS];
    bw_mesh surfaces[MODELS]; /* of hulls */
    bw_transform *poses[STEPS];
} crowd;

static bw_shape shape_of(crowd *c, uint32_t i, bool hulls, bws_random *random)
{
    const double size = bws_random_double(random, 0.3, 0.5);
    switch (i % (hulls ? 4 : 3)) {
    case 0:
        return (bw_shape){.kind = BW_SHAPE_BOX, .half = {size, 0.8 * size, 0.6 * size}};
    case 1:
        return (bw_shape){.kind = BW_SHAPE_SPHERE, .radius = size};
    case 2:
        return (bw_shape){.kind = BW_SHAPE_CAPSULE, .radius = 0.5 * size, .half = {0, 0, 0.6 * size}};
    default:
        return (bw_shape){.kind = BW_SHAPE_HULL, .hull = c->hulls[i / 4 % MODELS]};
    }
}

static bw_peer_body peer_body(const crowd *c, uint32_t i)
{
    static const bw_peer_kind kinds[] = {BW_PEER_SPHERE, BW_PEER_CAPSULE, BW_PEER_BOX, BW_PEER_MESH,
                                         BW_PEER_HULL};
    if (c->shapes == NULL)
        return (bw_peer_body){.kind = BW_PEER_MESH, .mesh = &c->views[i % MODELS], .model = i % MODELS};
    const bw_shape *s = &c->shapes[i];
    bw_peer_body body = {.kind = kinds[s->kind], .radius = s->radius, .half = s->half};
    if (s->kind == BW_SHAPE_HULL) {
        body.model = i / 4 % MODELS;
        body.mesh = &c->surfaces[body.model];
    }
    return body;
}

static void make_poses(crowd *c, double spacing, bws_random *random)
{
    const uint32_t side = (uint32_t)ceil(cbrt((double)c->count));
    for (uint32_t s = 0; s < STEPS; s++)
        c->poses[s] = bench_alloc(c->count, sizeof *c->poses[s]);
    for (uint32_t i = 0; i < c->count; i++) {
        const bw_vec3 axis = bws_random_direction(random);
        const double home[3] = {spacing * (i % side), spacing * (i / side % side),
                                spacing * (i / side / side)};
        double swing[3], speed = bws_random_double(random, 0.02, 0.1),
                         phase = bws_random_double(random, 0, 6);
        for (int k = 0; k < 3; k++)
            swing[k] = bws_random_double(random, -0.35, 0.35) * spacing;
        for (uint32_t s = 0; s < STEPS; s++) {
            const double t = phase + speed * s;
            const bw_vec3 at = {home[0] + swing[0] * sin(t), home[1] + swing[1] * sin(1.3 * t),
                                home[2] + swing[2] * cos(t)};
            c->poses[s][i] = bw_transform_compose(at, axis, t, (bw_vec3){1, 1, 1});
        }
    }
}

static void make_models(crowd *c, bool meshes)
{
    bws_random random = bws_random_seeded(3);
    for (uint32_t m = 0; m < MODELS; m++) {
        if (meshes) {
            const bws_sphere_desc desc = {.frequency = 6, .radius = 0.45, .amplitude = 0.2, .seed = m};
            bench_require(bws_bumpy_sphere(&desc, BW_F32, &c->meshes[m]) == BW_OK,
                          "a mesh could not be made");
            c->views[m] = bws_view(&c->meshes[m]);
            bench_require(bw_tree_create(NULL, &c->views[m], &c->trees[m], NULL) == BW_OK,
                          "a tree could not be built");
            continue;
        }
        bw_vec3 points[24];
        for (int i = 0; i < 24; i++) {
            points[i] = bws_random_direction(&random);
            points[i] = (bw_vec3){(float)(0.45 * points[i].x), (float)(0.4 * points[i].y),
                                  (float)(0.35 * points[i].z)};
        }
        bench_require(bw_hull_create(NULL, points, 24, &c->hulls[m], NULL) == BW_OK,
                      "a hull could not be made");
        /* in floats, which the points are, for peers that take no others */
        c->surfaces[m] = bw_hull_mesh(c->hulls[m]);
        float *floats = bench_alloc(3 * c->surfaces[m].vertex_count, sizeof *floats);
        for (uint32_t i = 0; i < 3 * c->surfaces[m].vertex_count; i++)
            floats[i] = (float)((const double *)c->surfaces[m].positions)[i];
        c->surfaces[m].positions = floats;
        c->surfaces[m].scalar = BW_F32;
    }
}

static void crowd_make(crowd *c, uint32_t count, bool meshes, bool hulls)
{
    bws_random random = bws_random_seeded(7);
    *c = (crowd){.count = count};
    make_models(c, meshes);
    c->bodies = bench_alloc(count, sizeof *c->bodies);
    if (!meshes) {
        c->shapes = bench_alloc(count, sizeof *c->shapes);
        for (uint32_t i = 0; i < count; i++)
            c->shapes[i] = shape_of(c, i, hulls, &random);
    }
    for (uint32_t i = 0; i < count; i++)
        c->bodies[i] = peer_body(c, i);
    make_poses(c, 0.85, &random);
}

static void crowd_free(crowd *c)
{
    for (uint32_t m = 0; m < MODELS; m++) {
        bw_tree_destroy(c->trees[m]);
        bws_mesh_free(&c->meshes[m]);
        bw_hull_destroy(c->hulls[m]);
        free((void *)c->surfaces[m].positions);
    }
    for (uint32_t s = 0; s < STEPS; s++)
        free(c->poses[s]);
    free(c->bodies);
    free(c->shapes);
}

typedef struct runner {
    const crowd *crowd;
    bw_world *ours;
    bw_id *ids;
    bw_pool *pool;
    const bw_world_peer *peer;
    void *theirs;
    uint32_t step;
    uint64_t contacts;
} runner;

static void before(void *self, uint32_t step)
{
    ((runner *)self)->step = step;
}

static uint64_t run_ours(void *self)
{
    runner *r = self;
    bw_world_step_report report = {0};
    bench_require(bw_world_move_many(r->ours, r->ids, r->crowd->poses[r->step], r->crowd->count, NULL) ==
                          BW_OK &&
                      bw_world_step(r->ours, NULL, &report, NULL) == BW_OK,
                  "a step failed");
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < report.pair_count; i++)
        pairs += report.pairs[i].event != BW_EVENT_END;
    r->contacts = report.contact_count;
    return pairs;
}

static uint64_t run_theirs(void *self)
{
    runner *r = self;
    r->peer->move(r->theirs, r->crowd->poses[r->step]);
    return r->peer->step(r->theirs);
}

static void destroy(void *self)
{
    runner *r = self;
    bw_world_destroy(r->ours);
    bw_pool_destroy(r->pool);
    if (r->theirs != NULL)
        r->peer->destroy(r->theirs);
    free(r->ids);
    free(r);
}

static runner *ours_make(const crowd *c, uint32_t threads)
{
    runner *r = bench_alloc(1, sizeof *r);
    *r = (runner){.crowd = c, .pool = bench_pool_create(threads)};
    r->ids = bench_alloc(c->count, sizeof *r->ids);
    bw_world_body *bodies = bench_alloc(c->count, sizeof *bodies);
    for (uint32_t i = 0; i < c->count; i++) {
        bodies[i] = (bw_world_body){.pose = &c->poses[0][i]};
        if (c->shapes != NULL) {
            bodies[i].shape = &c->shapes[i];
        } else {
            bodies[i].tree = c->trees[i % MODELS];
            bodies[i].mesh = &c->views[i % MODELS];
        }
    }
    const bw_world_desc desc = {.tasks = threads > 1 ? bw_pool_tasks(r->pool) : NULL};
    bench_require(bw_world_create(&desc, &r->ours, NULL) == BW_OK &&
                      bw_world_insert_many(r->ours, bodies, c->count, r->ids, NULL) == BW_OK,
                  "the world could not be made");
    free(bodies);
    return r;
}

static void measure(bench *b, const char *name, uint32_t count, bool meshes, bool hulls)
{
    bench_case *c = bench_case_begin(b, name, count, STEPS);
    if (c == NULL)
        return;
    bench_case_steps(c, STEPS);
    bench_case_result_unit(c, "pairs");
    crowd all;
    crowd_make(&all, count, meshes, hulls);
    runner *ours = ours_make(&all, 1);
    bench_case_add(c, (bench_impl){.name = "boxwood",
                                   .self = ours,
                                   .run = run_ours,
                                   .before = before,
                                   .destroy = destroy,
                                   .exact = true});
    if (bench_case_wants(c, "boxwood-2-threads"))
        bench_case_add(c, (bench_impl){.name = "boxwood-2-threads",
                                       .self = ours_make(&all, 2),
                                       .run = run_ours,
                                       .before = before,
                                       .destroy = destroy,
                                       .exact = true,
                                       .threads = 2,
                                       .over = "boxwood"});
    for (size_t p = 0; bench_peers(b) && bw_world_peers[p] != NULL; p++) {
        const bw_world_peer *peer = bw_world_peers[p];
        if ((hulls && !peer->hulls) || !bench_case_wants(c, peer->name))
            continue;
        runner *r = bench_alloc(1, sizeof *r);
        *r = (runner){.crowd = &all, .peer = peer, .theirs = peer->create(all.bodies, count)};
        bench_case_add(
            c, (bench_impl){
                   .name = peer->name, .self = r, .run = run_theirs, .before = before, .destroy = destroy});
    }
    bench_case_measure(c);
    bench_case_metric(c, "boxwood", "contacts", (double)ours->contacts, "");
    bench_case_end(c);
    crowd_free(&all);
}

void bench_world_step(bench *b)
{
    const bool quick = bench_quick(b);
    measure(b, quick ? "convex-500" : "convex-10k", quick ? 500 : 10000, false, true);
    measure(b, quick ? "primitives-500" : "primitives-10k", quick ? 500 : 10000, false, false);
    measure(b, quick ? "meshes-50" : "meshes-1k", quick ? 50 : 1000, true, false);
}
