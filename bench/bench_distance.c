/* Distances: of two meshes that stand apart in many poses, and of points to a mesh. What is compared between
 * the implementations is the sum of the distances, in units of 1e-4. Ours are measured on trees as they are
 * built ("-unprepared") and after bw_tree_prepare_distances, which has a case of its own. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"

#include <math.h>
#include <stdlib.h>

typedef struct distance_input {
    bws_mesh a, b; /* b is unused where points are asked for */
    bw_mesh view_a, view_b;
    input_poses poses; /* of b, or, by their translations, the points */
    bool points;
    bw_vec3 *at; /* the points */
} distance_input;

static uint64_t rounded(double sum)
{
    return (uint64_t)llround(1e4 * sum);
}

/* ---- ours ---- */

typedef struct ours {
    const distance_input *in;
    bw_tree *a, *b;
    bw_nearest_hit *nearest; /* of many points at once */
} ours;

static uint64_t run_meshes(void *self)
{
    const ours *o = self;
    const bw_body a = {.tree = o->a, .mesh = &o->in->view_a};
    double sum = 0.0;
    for (uint32_t i = 0; i < o->in->poses.count; i++) {
        const bw_body b = {.tree = o->b, .mesh = &o->in->view_b, .pose = &o->in->poses.poses[i]};
        bw_distance_report report = {0};
        const bw_result result = bw_distance(&a, &b, NULL, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        sum += report.distance;
    }
    return rounded(sum);
}

static uint64_t run_points(void *self)
{
    const ours *o = self;
    const bw_body a = {.tree = o->a, .mesh = &o->in->view_a};
    double sum = 0.0;
    for (uint32_t i = 0; i < o->in->poses.count; i++) {
        bw_nearest_hit nearest;
        const bw_result result = bw_nearest(&a, &o->in->at[i], NULL, &nearest, NULL, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        sum += nearest.distance;
    }
    return rounded(sum);
}

static uint64_t run_many(void *self)
{
    const ours *o = self;
    const bw_body a = {.tree = o->a, .mesh = &o->in->view_a};
    const uint32_t count = o->in->poses.count;
    const bw_result result = bw_nearest_many(&a, o->in->at, count, NULL, o->nearest, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += o->nearest[i].distance;
    return rounded(sum);
}

static void destroy_ours(void *self)
{
    ours *o = self;
    free(o->nearest);
    bw_tree_destroy(o->a);
    bw_tree_destroy(o->b);
    free(o);
}

static bw_tree *build(const bw_mesh *mesh, bool prepared)
{
    bw_tree *tree;
    bw_result result = bw_tree_create(NULL, mesh, &tree, NULL);
    if (result == BW_OK && prepared)
        result = bw_tree_prepare_distances(tree, mesh, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return tree;
}

static void add_ours(bench_case *c, const distance_input *in, const char *name, bool prepared, bool many)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){.in = in,
                .a = build(&in->view_a, prepared),
                .b = in->points ? NULL : build(&in->view_b, prepared),
                .nearest = many ? bench_alloc(in->poses.count, sizeof *o->nearest) : NULL};
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = many         ? run_many
                                          : in->points ? run_points
                                                       : run_meshes,
                                   .destroy = destroy_ours,
                                   .exact = true});
}

/* ---- theirs ---- */

typedef struct theirs {
    const distance_input *in;
    const bw_peer *peer;
    void *a, *b;
} theirs;

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    double sum = 0.0;
    for (uint32_t i = 0; i < t->in->poses.count; i++)
        sum += t->in->points ? t->peer->nearest(t->a, &t->in->at[i])
                             : t->peer->distance(t->a, t->b, &t->in->poses.poses[i]);
    return rounded(sum);
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    if (t->b != NULL)
        t->peer->destroy(t->b);
    t->peer->destroy(t->a);
    free(t);
}

static void *model_of(const bw_peer *peer, const bw_mesh *mesh)
{
    void *model = peer->create(mesh);
    bench_require(model != NULL, "a peer cannot take the mesh");
    peer->build(model);
    return model;
}

static void add_theirs(bench_case *c, const distance_input *in, const bw_peer *peer)
{
    if ((in->points ? peer->nearest == NULL : peer->distance == NULL) || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, model_of(peer, &in->view_a), in->points ? NULL : model_of(peer, &in->view_b)};
    bench_case_add(c,
                   (bench_impl){.name = peer->name, .self = t, .run = run_theirs, .destroy = destroy_theirs});
}

/* ---- cases ---- */

static void run_case(bench *b, const input_shape *shape, uint32_t size, bool points)
{
    const uint32_t count = (points ? 1000u : 100u) / (bench_quick(b) ? 10u : 1u);
    const bench_label label = bench_size_label(size);
    const char *kind = points ? "points" : "meshes";
    bench_case *c =
        bench_case_begin(b, bench_format("%s-%s-%s", kind, shape->name, label.text).text, size, count);
    if (c == NULL)
        return;
    bench_case_result_unit(c, "1e-4");
    distance_input in = {.a = shape->make(size, 1), .points = points};
    /* Shapes reach out to about 1.1: meshes stand apart by up to 1.5, points are inside and outside. */
    in.poses = points ? input_poses_between(count, 0.0, 3.0, 5) : input_poses_between(count, 2.25, 3.5, 5);
    in.at = bench_alloc(count, sizeof *in.at);
    for (uint32_t i = 0; i < count; i++) {
        const bw_transform *pose = &in.poses.poses[i];
        in.at[i] = (bw_vec3){pose->m[0][3], pose->m[1][3], pose->m[2][3]};
    }
    in.view_a = bws_view(&in.a);
    if (!points) {
        in.b = shape->make(size, 2);
        in.view_b = bws_view(&in.b);
    }
    add_ours(c, &in, "boxwood", true, false);
    if (points)
        add_ours(c, &in, "boxwood-many", true, true);
    add_ours(c, &in, "boxwood-unprepared", false, false);
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        add_theirs(c, &in, bw_peers[i]);
    bench_case_measure(c);
    bench_case_end(c);
    bws_mesh_free(&in.a);
    bws_mesh_free(&in.b);
    free(in.poses.poses);
    free(in.at);
}

/* ---- what preparing costs ---- */

typedef struct preparation {
    bw_mesh view;
    bw_tree *tree;
} preparation;

static uint64_t run_prepare(void *self)
{
    const preparation *p = self;
    const bw_result result = bw_tree_prepare_distances(p->tree, &p->view, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return 0;
}

static void destroy_preparation(void *self)
{
    preparation *p = self;
    bw_tree_destroy(p->tree);
    free(p);
}

static void run_preparation(bench *b, const input_shape *shape, uint32_t size)
{
    const bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("prepare-%s-%s", shape->name, label.text).text, size, 1);
    if (c == NULL)
        return;
    bws_mesh mesh = shape->make(size, 1);
    if (bench_case_wants(c, "boxwood")) {
        preparation *p = bench_alloc(1, sizeof *p);
        p->view = bws_view(&mesh);
        p->tree = build(&p->view, false);
        bench_case_add(c, (bench_impl){.name = "boxwood",
                                       .self = p,
                                       .run = run_prepare,
                                       .destroy = destroy_preparation,
                                       .exact = true});
    }
    bench_case_measure(c);
    bench_case_end(c);
    bws_mesh_free(&mesh);
}

void bench_distance(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++)
        for (int shape = 0; shape < INPUT_SHAPES; shape++) {
            if (sizes[i] > 500000 && shape > 0) /* the first alone is long enough */
                continue;
            run_case(b, &input_shapes[shape], sizes[i], false);
            run_case(b, &input_shapes[shape], sizes[i], true);
            run_preparation(b, &input_shapes[shape], sizes[i]);
        }
}
