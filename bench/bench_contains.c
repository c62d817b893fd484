/* Points inside and outside of meshes. Of closed ones: one by one, many in one call, and the same with the
 * nearest point (signed), all with a cache that knows the mesh to be closed; what is compared is how many are
 * inside. Of a mesh with holes: beside the sum of the solid angles of all triangles. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct contains_input {
    bws_mesh mesh;
    bw_mesh view;
    bw_vec3 *points;
    uint32_t count;
} contains_input;

typedef struct ours {
    const contains_input *in;
    bw_tree *tree;
    bw_pair_cache *cache;
    bw_location *locations;
    bw_signed_hit *hits;
} ours;

static uint64_t run_single(void *self)
{
    const ours *o = self;
    const bw_body body = {o->tree, &o->in->view, NULL};
    const bw_contains_desc desc = {.cache = o->cache};
    uint64_t inside = 0;
    for (uint32_t i = 0; i < o->in->count; i++) {
        bw_location at;
        const bw_result result = bw_contains(&body, &o->in->points[i], &desc, &at, NULL, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        inside += at.side == BW_SIDE_INSIDE;
    }
    return inside;
}

static uint64_t run_many(void *self)
{
    const ours *o = self;
    const bw_body body = {o->tree, &o->in->view, NULL};
    const bw_contains_desc desc = {.cache = o->cache};
    bw_contains_report report = {0};
    const bw_result result =
        bw_contains_many(&body, o->in->points, o->in->count, &desc, o->locations, &report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return report.inside_count;
}

static uint64_t run_signed(void *self)
{
    const ours *o = self;
    const bw_body body = {o->tree, &o->in->view, NULL};
    bw_contains_report report = {0};
    const bw_result result =
        bw_signed_distance_many(&body, o->in->points, o->in->count, NULL, o->hits, &report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return report.inside_count;
}

static double solid_angle(const bw_vec3 c[3], const bw_vec3 *p)
{
    double v[3][3], det = 0, below = 1;
    for (int i = 0; i < 3; i++) {
        v[i][0] = c[i].x - p->x;
        v[i][1] = c[i].y - p->y;
        v[i][2] = c[i].z - p->z;
        const double over = 1 / sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        for (int k = 0; k < 3; k++)
            v[i][k] *= over;
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        det += v[0][k] * (v[1][l] * v[2][m] - v[1][m] * v[2][l]);
        below += v[0][k] * v[1][k] + v[1][k] * v[2][k] + v[2][k] * v[0][k];
    }
    return 2 * atan2(det, below);
}

static uint64_t run_sum(void *self)
{
    const contains_input *in = ((const ours *)self)->in;
    uint64_t inside = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        double sum = 0;
        for (uint32_t t = 0; t < in->view.triangle_count; t++) {
            bw_vec3 c[3];
            bw_mesh_corners(&in->view, t, c);
            sum += solid_angle(c, &in->points[i]);
        }
        inside += sum > 6.283185307179586; /* half of 4 pi */
    }
    return inside;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    free(o->locations);
    free(o->hits);
    bw_pair_cache_destroy(o->cache);
    bw_tree_destroy(o->tree);
    free(o);
}

static void add_ours(bench_case *c, const contains_input *in, const char *name, bool prepared,
                     uint64_t (*run)(void *self))
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){.in = in,
                .locations = bench_alloc(in->count, sizeof *o->locations),
                .hits = bench_alloc(in->count, sizeof *o->hits)};
    bw_result result = bw_tree_create(NULL, &in->view, &o->tree, NULL);
    if (result == BW_OK && prepared)
        result = bw_tree_prepare_rays(o->tree, &in->view, NULL, NULL);
    if (result == BW_OK && prepared)
        result = bw_tree_prepare_distances(o->tree, &in->view, NULL, NULL);
    if (result == BW_OK)
        result = bw_pair_cache_create(NULL, &o->cache, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_case_add(c,
                   (bench_impl){.name = name, .self = o, .run = run, .destroy = destroy_ours, .exact = true});
}

typedef struct theirs {
    const contains_input *in;
    const bw_peer *peer;
    void *model;
} theirs;

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    uint64_t inside = 0;
    for (uint32_t i = 0; i < t->in->count; i++)
        inside += t->peer->inside(t->model, &t->in->points[i]);
    return inside;
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model);
    free(t);
}

static void add_theirs(bench_case *c, const contains_input *in, const bw_peer *peer)
{
    if (peer->inside == NULL || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){in, peer, peer->create(&in->view)};
    bench_require(t->model != NULL, "a peer cannot take the mesh");
    peer->build(t->model);
    bench_case_add(
        c, (bench_impl){
               .name = peer->name, .self = t, .run = run_theirs, .destroy = destroy_theirs, .exact = true});
}

/* Shapes reach out to about 1.1: points are inside and outside. */
static contains_input make_input(const input_shape *shape, uint32_t size, uint32_t count)
{
    contains_input in = {.mesh = shape->make(size, 1), .count = count};
    input_poses poses = input_poses_between(count, 0.0, 1.6, 5);
    in.points = bench_alloc(count, sizeof *in.points);
    for (uint32_t i = 0; i < count; i++) {
        const bw_transform *pose = &poses.poses[i];
        in.points[i] = (bw_vec3){pose->m[0][3], pose->m[1][3], pose->m[2][3]};
    }
    free(poses.poses);
    in.view = bws_view(&in.mesh);
    return in;
}

static void free_input(contains_input *in)
{
    bws_mesh_free(&in->mesh);
    free(in->points);
}

static void run_closed(bench *b, const input_shape *shape, uint32_t size)
{
    const uint32_t count = bench_quick(b) ? 1000 : 10000;
    const bench_label label = bench_size_label(size);
    bench_case *c =
        bench_case_begin(b, bench_format("closed-%s-%s", shape->name, label.text).text, size, count);
    if (c == NULL)
        return;
    contains_input in = make_input(shape, size, count);
    add_ours(c, &in, "boxwood-many", true, run_many);
    add_ours(c, &in, "boxwood", true, run_single);
    add_ours(c, &in, "boxwood-unprepared", false, run_single);
    add_ours(c, &in, "boxwood-signed", true, run_signed);
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        add_theirs(c, &in, bw_peers[i]);
    bench_case_measure(c);
    bench_case_end(c);
    free_input(&in);
}

/* A hundredth of the triangles is left out, here and there. */
static void run_open(bench *b, const input_shape *shape, uint32_t size)
{
    const bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("open-%s-%s", shape->name, label.text).text, size, 100);
    if (c == NULL)
        return;
    contains_input in = make_input(shape, size, 100);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < in.mesh.triangle_count; t++)
        if (t % 100 != 50) {
            for (uint32_t k = 0; k < 3; k++)
                in.mesh.indices[3 * (size_t)kept + k] = in.mesh.indices[3 * (size_t)t + k];
            kept++;
        }
    in.mesh.triangle_count = kept;
    in.view = bws_view(&in.mesh);
    add_ours(c, &in, "boxwood", true, run_single);
    add_ours(c, &in, "boxwood-many", true, run_many);
    add_ours(c, &in, "sum-of-all", false, run_sum);
    bench_case_measure(c);
    bench_case_end(c);
    free_input(&in);
}

void bench_contains(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++)
        for (int shape = 0; shape < INPUT_SHAPES; shape++) {
            if (sizes[i] > 500000 && shape > 0) /* the first alone is long enough */
                continue;
            if (strcmp(input_shapes[shape].name, "car") != 0) /* which has holes of its own */
                run_closed(b, &input_shapes[shape], sizes[i]);
            if (sizes[i] < 500000)
                run_open(b, &input_shapes[shape], sizes[i]);
        }
}
