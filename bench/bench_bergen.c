/* The comparison of van den Bergen 1997, section 6, repeated: pairs of equal models at random orientations
 * and places in a cube that makes six in ten of them collide, tested for the first contact (as the paper
 * does) and for all of them, with AABB trees, OBB trees and k-DOP trees, each with the full separation test
 * and the lite one.
 *
 * The cost is taken apart as the paper does, total = N_b T_b + N_p T_p: N_b and N_p are counted; T_p is the
 * time of the same primitive tests run alone, in the same order, on the same coordinates; T_b is what is left
 * of the total, so the descent is part of it. */
#include "benches.h"
#include "inputs.h"

#include "collide/reference/kdop_pair.h"
#include "collide/reference/obb_pair.h"
#include "geom/exact/triangle.h"
#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>

typedef struct variant {
    const char *name, *replay_name, *tree_name; /* replay: the primitive tests alone, or NULL */
    bw_tree_desc tree;
    bw_box_test test;
} variant;

#define AABB                                                                                                 \
    {                                                                                                        \
        .builder = BW_BUILDER_MIDPOINT                                                                       \
    }

static const variant variants[] = {
    {"boxwood-aabb-sat", "boxwood-aabb-sat-primitives", "boxwood-aabb", AABB, BW_BOX_TEST_SAT},
    {"boxwood-aabb-lite", "boxwood-aabb-lite-primitives", "boxwood-aabb", AABB, BW_BOX_TEST_SAT_LITE},
    {"boxwood-obb-sat",
     "boxwood-obb-sat-primitives",
     "boxwood-obb",
     {.volume = BW_VOLUME_OBB},
     BW_BOX_TEST_SAT},
    {"boxwood-obb-lite",
     "boxwood-obb-lite-primitives",
     "boxwood-obb",
     {.volume = BW_VOLUME_OBB},
     BW_BOX_TEST_SAT_LITE},
    {"boxwood-kdop14-full",
     "boxwood-kdop14-full-primitives",
     "boxwood-kdop14",
     {.volume = BW_VOLUME_KDOP14},
     BW_BOX_TEST_SAT},
    {"boxwood-kdop14-lite",
     "boxwood-kdop14-lite-primitives",
     "boxwood-kdop14",
     {.volume = BW_VOLUME_KDOP14},
     BW_BOX_TEST_SAT_LITE},
    {"boxwood-kdop18-full",
     "boxwood-kdop18-full-primitives",
     "boxwood-kdop18",
     {.volume = BW_VOLUME_KDOP18},
     BW_BOX_TEST_SAT},
    {"boxwood-kdop18-lite",
     "boxwood-kdop18-lite-primitives",
     "boxwood-kdop18",
     {.volume = BW_VOLUME_KDOP18},
     BW_BOX_TEST_SAT_LITE},
    {"boxwood-kdop26-full",
     "boxwood-kdop26-full-primitives",
     "boxwood-kdop26",
     {.volume = BW_VOLUME_KDOP26},
     BW_BOX_TEST_SAT},
    {"boxwood-kdop26-lite",
     "boxwood-kdop26-lite-primitives",
     "boxwood-kdop26",
     {.volume = BW_VOLUME_KDOP26},
     BW_BOX_TEST_SAT_LITE},
    /* The default tree, of nodes and leaves of eight, for what has become of AABB trees since. */
    {"boxwood", NULL, "boxwood", {0}, BW_BOX_TEST_DEFAULT},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

/* ---- models ---- */

static bws_mesh torus(uint32_t triangles)
{
    bws_mesh mesh;
    uint32_t sides = (uint32_t)lround(sqrt(triangles / 4.0));
    require(bws_torus(&(bws_torus_desc){.segments = 2 * sides, .sides = sides}, BW_F32, &mesh));
    return mesh;
}

static bws_mesh pot(uint32_t triangles)
{
    bws_mesh mesh;
    require(bws_lathe(&(bws_lathe_desc){.triangles = triangles}, BW_F32, &mesh));
    return mesh;
}

/* Not in the paper: triangles that no axis-aligned box fits. */
static bws_mesh needles(uint32_t triangles)
{
    bws_mesh mesh;
    require(bws_needle_sphere(&(bws_needle_desc){.triangles = triangles}, BW_F32, &mesh));
    return mesh;
}

/* In the place of the paper's X-wing: a long body and four thin wings that stand askew. */
static bws_mesh craft(uint32_t triangles)
{
    bws_mesh all;
    uint32_t each = triangles / 5;
    require(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = bws_sphere_frequency(each), .amplitude = 0.05},
                             BW_F32, &all));
    bw_transform stretch =
        bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, 0.0, (bw_vec3){0.25, 0.25, 1.5});
    bws_mesh_transform(&all, &stretch);
    for (int i = 0; i < 4; i++) {
        bws_mesh wing, joined;
        require(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = bws_sphere_frequency(each), .amplitude = -1},
                                 BW_F32, &wing));
        double side = i % 2 == 0 ? 1 : -1, angle = (i < 2 ? 0.3 : -0.3) * side;
        bw_transform flat = bw_transform_compose((bw_vec3){side * 0.8, i < 2 ? 0.25 : -0.25, -0.6},
                                                 (bw_vec3){0, 0, 1}, angle, (bw_vec3){0.8, 0.03, 0.35});
        bws_mesh_transform(&wing, &flat);
        require(bws_mesh_join(&all, &wing, &joined));
        bws_mesh_free(&all);
        bws_mesh_free(&wing);
        all = joined;
    }
    return all;
}

static const struct {
    const char *name;
    bws_mesh (*make)(uint32_t triangles);
    uint32_t placements; /* of meshes up to 10,000 triangles; larger ones take a fifth */
    bool first_only;     /* all contacts would take AABB trees minutes */
} models[] = {
    {"torus", torus, 1000, false},
    {"craft", craft, 1000, false},
    {"pot", pot, 1000, false},
    {"needles", needles, 100, true},
};

/* ---- placements ---- */

typedef struct scene {
    bws_mesh owned;
    bw_mesh mesh;
    bw_transform *pose_a, *pose_b;
    uint32_t count;
    uint32_t colliding;
    bw_collide_mode mode;
} scene;

static void place(scene *s, double side)
{
    bws_random random = bws_random_seeded(1997);
    for (uint32_t i = 0; i < s->count; i++) {
        s->pose_a[i] = bws_random_rigid(&random, 0.5 * side);
        s->pose_b[i] = bws_random_rigid(&random, 0.5 * side);
    }
}

static uint32_t count_colliding(const scene *s, const bw_tree *tree)
{
    uint32_t colliding = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        bw_collide_report report = {0};
        require(bw_collide(&(bw_body){tree, &s->mesh, &s->pose_a[i]},
                           &(bw_body){tree, &s->mesh, &s->pose_b[i]}, NULL, &report, NULL));
        colliding += report.hit_count > 0;
    }
    return colliding;
}

/* The cube is tuned so that six in ten collide. */
static scene make_scene(bws_mesh (*make)(uint32_t), uint32_t triangles, uint32_t count)
{
    scene s = {.owned = make(triangles), .count = count};
    s.mesh = bws_view(&s.owned);
    s.pose_a = bench_alloc(count, sizeof *s.pose_a);
    s.pose_b = bench_alloc(count, sizeof *s.pose_b);
    bw_tree *tree;
    require(bw_tree_create(NULL, &s.mesh, &tree, NULL));
    double low = 0.0, high = 16.0;
    for (int i = 0; i < 12; i++) {
        double side = 0.5 * (low + high);
        place(&s, side);
        s.colliding = count_colliding(&s, tree);
        if (s.colliding > 0.6 * count)
            low = side;
        else
            high = side;
    }
    bw_tree_destroy(tree);
    return s;
}

static void free_scene(scene *s)
{
    bws_mesh_free(&s->owned);
    free(s->pose_a);
    free(s->pose_b);
}

/* ---- queries ---- */

typedef struct query {
    const scene *s;
    const variant *v;
    bw_tree *tree;
} query;

typedef struct counts {
    uint64_t hits, box_tests, primitive_tests, exits[BW_AXIS_EXITS];
} counts;

static counts run_counted(const query *q, bool exits)
{
    counts sum = {0};
    for (uint32_t i = 0; i < q->s->count; i++) {
        bw_body a = {q->tree, &q->s->mesh, &q->s->pose_a[i]}, b = {q->tree, &q->s->mesh, &q->s->pose_b[i]};
        bw_collide_desc desc = {
            .mode = q->s->mode, .box_test = q->v->test, .axis_exits = exits ? sum.exits : NULL};
        bw_collide_report report = {0};
        require(bw_collide(&a, &b, &desc, &report, NULL));
        sum.hits += report.hit_count;
        sum.box_tests += report.box_tests;
        sum.primitive_tests += report.primitive_tests;
    }
    return sum;
}

static uint64_t run_query(void *self)
{
    return run_counted(self, false).hits;
}

static void destroy_query(void *self)
{
    query *q = self;
    bw_tree_destroy(q->tree);
    free(q);
}

/* ---- the primitive tests alone ---- */

typedef struct tested {
    uint32_t (*pairs)[2];
    size_t count, capacity;
} tested;

static void remember(void *user, uint32_t a, uint32_t b)
{
    tested *t = user;
    if (t->count == t->capacity) {
        t->capacity = t->capacity == 0 ? 1024 : 2 * t->capacity;
        t->pairs = realloc(t->pairs, t->capacity * sizeof *t->pairs);
        bench_require(t->pairs != NULL, "out of memory");
    }
    t->pairs[t->count][0] = a;
    t->pairs[t->count++][1] = b;
}

static void list_tests(const query *q, const bw_relative_pose *pose, tested *t)
{
    bw_collide_desc desc = {.mode = q->s->mode, .box_test = q->v->test};
    bw_hit_sink sink = {.desc = &desc, .on_test = remember, .on_test_user = t};
    const bw_tree *tree = q->tree;
    const bw_mesh *mesh = &q->s->mesh;
    bw_binary_traversal traversal = {.mesh_a = mesh, .mesh_b = mesh, .pose = pose, .sink = &sink};
    require(tree->volume == BW_VOLUME_OBB ? bw_obb_pair(&tree->obb, &tree->obb, &traversal)
                                          : bw_kdop_pair(&tree->kdop, &tree->kdop, &traversal));
}

/* The primitive tests of a query, one list a placement. */
typedef struct replay {
    const scene *s;
    bw_relative_pose *poses;
    tested *tests;
    uint64_t all;
} replay;

static replay *make_replay(const query *q)
{
    const scene *s = q->s;
    replay *r = bench_alloc(1, sizeof *r);
    *r = (replay){s, bench_alloc(s->count, sizeof *r->poses), bench_alloc(s->count, sizeof *r->tests), 0};
    for (uint32_t i = 0; i < s->count; i++) {
        bw_body a = {q->tree, &s->mesh, &s->pose_a[i]}, b = {q->tree, &s->mesh, &s->pose_b[i]};
        require(bw_relative_pose_between(&a, &b, &r->poses[i]));
        list_tests(q, &r->poses[i], &r->tests[i]);
        r->all += r->tests[i].count;
    }
    return r;
}

static uint64_t run_replay(void *self)
{
    const replay *r = self;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < r->s->count; i++) {
        uint32_t cached = BW_NONE;
        bw_vec3 a[3], b[3];
        for (size_t j = 0; j < r->tests[i].count; j++) {
            const uint32_t *pair = r->tests[i].pairs[j];
            if (cached != pair[1]) {
                bench_require(bw_relative_pose_corners(&r->poses[i], &r->s->mesh, pair[1], b),
                              "a coordinate out of range");
                cached = pair[1];
            }
            bw_mesh_corners(&r->s->mesh, pair[0], a);
            bool exact = false;
            hits += bw_triangle_triangle_counted(a, b, &exact) != BW_CONTACT_NONE;
        }
    }
    return hits;
}

static void destroy_replay(void *self)
{
    replay *r = self;
    for (uint32_t i = 0; i < r->s->count; i++)
        free(r->tests[i].pairs);
    free(r->tests);
    free(r->poses);
    free(r);
}

static void report_exits(bench_case *c, const query *q)
{
    counts n = run_counted(q, true);
    uint64_t apart = n.box_tests - n.exits[BW_AXIS_OVERLAP];
    uint32_t axes =
        q->tree->volume == BW_VOLUME_AABB || q->tree->volume == BW_VOLUME_OBB ? 15 : BW_AXIS_OVERLAP;
    if (apart == 0)
        return;
    bench_case_metric(c, q->v->name, "apart", 100.0 * (double)apart / (double)n.box_tests, "%");
    for (uint32_t i = 0; i < axes; i++)
        if (n.exits[i] > 0)
            bench_case_metric(c, q->v->name, bench_format("exits-axis-%02u", i).text,
                              100.0 * (double)n.exits[i] / (double)apart, "%");
}

static void report_costs(bench_case *c, const query *q)
{
    counts n = run_counted(q, false);
    double queries = q->s->count, boxes = (double)n.box_tests / queries;
    double primitives = (double)n.primitive_tests / queries;
    double tests = bench_case_time(c, q->v->replay_name);
    bench_case_metric(c, q->v->name, "box-tests", boxes, "");
    bench_case_metric(c, q->v->name, "box-test-time", (bench_case_time(c, q->v->name) - tests) / boxes, "ns");
    bench_case_metric(c, q->v->name, "primitive-tests", primitives, "");
    bench_case_metric(c, q->v->name, "primitive-test-time", primitives > 0 ? tests / primitives : NAN, "ns");
    if (q->v->test == BW_BOX_TEST_SAT)
        report_exits(c, q);
}

static void query_case(bench *b, const char *name, scene *s, bw_collide_mode mode)
{
    bench_case *c = bench_case_begin(b, name, s->mesh.triangle_count, s->count);
    if (c == NULL)
        return;
    query *made[VARIANTS] = {0};
    s->mode = mode;
    for (uint32_t i = 0; i < VARIANTS; i++) {
        const variant *v = &variants[i];
        if (!bench_case_wants(c, v->name))
            continue;
        made[i] = bench_alloc(1, sizeof **made);
        *made[i] = (query){s, v, NULL};
        require(bw_tree_create(&v->tree, &s->mesh, &made[i]->tree, NULL));
        bench_case_add(
            c,
            (bench_impl){
                .name = v->name, .self = made[i], .run = run_query, .destroy = destroy_query, .exact = true});
        if (v->replay_name != NULL && bench_case_wants(c, v->replay_name))
            bench_case_add(c, (bench_impl){.name = v->replay_name,
                                           .self = make_replay(made[i]),
                                           .run = run_replay,
                                           .destroy = destroy_replay,
                                           .exact = true});
    }
    bench_case_measure(c);
    for (uint32_t i = 0; i < VARIANTS; i++)
        if (made[i] != NULL && variants[i].replay_name != NULL)
            report_costs(c, made[i]);
    bench_case_end(c);
}

/* ---- build and refit ---- */

typedef struct upkeep {
    const bw_tree_desc *desc;
    const bw_mesh *frames[2];
    bw_tree *tree;
    uint32_t frame;
} upkeep;

static uint64_t run_build(void *self)
{
    upkeep *u = self;
    bw_tree *tree;
    require(bw_tree_create(u->desc, u->frames[0], &tree, NULL));
    bw_tree_destroy(tree);
    return BENCH_NO_RESULT;
}

/* To the other frame, then back at the next run. */
static uint64_t run_refit(void *self)
{
    upkeep *u = self;
    u->frame ^= 1;
    require(bw_tree_update(u->tree, u->frames[u->frame], NULL, NULL, NULL));
    return BENCH_NO_RESULT;
}

static void destroy_upkeep(void *self)
{
    upkeep *u = self;
    bw_tree_destroy(u->tree);
    free(u);
}

static void upkeep_case(bench *b, const char *name, const bw_mesh *frames[2], bool refit)
{
    bench_case *c = bench_case_begin(b, name, frames[0]->triangle_count, 1);
    if (c == NULL)
        return;
    double bytes[VARIANTS] = {0};
    for (uint32_t i = 0; i < VARIANTS; i += 2) {
        const variant *v = &variants[i];
        if (!bench_case_wants(c, v->tree_name))
            continue;
        upkeep *u = bench_alloc(1, sizeof *u);
        *u = (upkeep){&v->tree, {frames[0], frames[1]}, NULL, 0};
        require(bw_tree_create(&v->tree, frames[0], &u->tree, NULL));
        bench_case_add(c, (bench_impl){.name = v->tree_name,
                                       .self = u,
                                       .run = refit ? run_refit : run_build,
                                       .destroy = destroy_upkeep});
        bw_tree_stats stats = {0};
        bw_tree_get_stats(u->tree, &stats);
        bytes[i] = (double)stats.bytes / stats.primitives;
    }
    bench_case_measure(c);
    for (uint32_t i = 0; i < VARIANTS && !refit; i += 2)
        if (bytes[i] > 0)
            bench_case_metric(c, variants[i].tree_name, "memory", bytes[i], "B/triangle");
    bench_case_end(c);
}

/* The cases of one model and size, in the order of asks_for. */
static void model_cases(bench *b, const char *label, bool first_only, scene *s)
{
    query_case(b, label, s, BW_COLLIDE_ANY);
    if (!first_only)
        query_case(b, bench_format("%s-all", label).text, s, BW_COLLIDE_COUNT);
    bws_mesh moved = input_deformed(&s->owned);
    bw_mesh other = bws_view(&moved);
    const bw_mesh *frames[2] = {&s->mesh, &other};
    upkeep_case(b, bench_format("%s-build", label).text, frames, false);
    upkeep_case(b, bench_format("%s-refit", label).text, frames, true);
    bws_mesh_free(&moved);
}

/* Whether any case of a model is wanted: finding its placements takes as long as measuring one. */
static bool asks_for(const bench *b, const char *label, bool first_only)
{
    return bench_asks(b, label) || (!first_only && bench_asks(b, bench_format("%s-all", label).text)) ||
           bench_asks(b, bench_format("%s-build", label).text) ||
           bench_asks(b, bench_format("%s-refit", label).text);
}

void bench_bergen(bench *b)
{
    static const uint32_t defaults[] = {5000, 50000};
    size_t size_count;
    const uint32_t *sizes = bench_sizes(b, defaults, 2, &size_count);
    for (size_t i = 0; i < size_count; i++) {
        for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
            /* Where a query takes long, fewer placements say as much. */
            uint32_t placements = bench_quick(b) ? 40 : models[m].placements / (sizes[i] <= 10000 ? 1 : 5);
            bench_label label = bench_format("%s-%s", models[m].name, bench_size_label(sizes[i]).text);
            if (!asks_for(b, label.text, models[m].first_only))
                continue;
            scene s = make_scene(models[m].make, sizes[i], placements);
            model_cases(b, label.text, models[m].first_only, &s);
            free_scene(&s);
        }
    }
}
