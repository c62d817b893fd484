/* Distances, rays, regions, sides, self-contacts, containment and user primitives when memory runs out: the report is
 * untouched, the bodies answer as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <boxwood/nearest.h>

#include "fault/ladder.h"
#include "oracle/failing_allocator.h"

/* One of the queries. Those of single bodies keep so little on their stacks that no tree is known that
 * outgrows their first room; they are asked all the same, for what they may come to allocate. */
typedef struct query {
    bw_body a, b;
    /* Fills answer; the report it gives must not have been touched when it fails. */
    bw_result (*ask)(const struct query *q, const bw_allocator *allocator, void *report);
    size_t size;                            /* of the report */
    _Alignas(max_align_t) char answer[512]; /* what an undisturbed query says */
} query;

static bw_result ask(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const query *q = user;
    _Alignas(max_align_t) char report[sizeof q->answer], before[sizeof q->answer];
    memset(report, 0x77, sizeof report);
    memset(report, 0, sizeof(uint32_t)); /* its size */
    memcpy(before, report, sizeof before);
    bw_failing_allocator_fail(memory, n);
    bw_result result = q->ask(q, &memory->hook, report);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_memory_equal(report, before, sizeof report);
        memset(report, 0, sizeof report);
        assert_int_equal(q->ask(q, &memory->hook, report), BW_OK);
    } else {
        _Alignas(max_align_t) char again[sizeof q->answer];
        memset(again, 0, sizeof again);
        assert_int_equal(q->ask(q, &memory->hook, again), BW_OK);
        memcpy(report, again, sizeof report); /* what the padding holds is of no matter */
    }
    assert_memory_equal(report, q->answer, q->size);
    return result;
}

static bw_result ask_distance(const query *q, const bw_allocator *allocator, void *report)
{
    bw_distance_desc desc = {.allocator = allocator};
    return bw_distance(&q->a, &q->b, &desc, report, NULL);
}

static bool stop(void *user, const bw_near *pair)
{
    (void)user;
    (void)pair;
    return false;
}

/* Everything is near enough; the first pair found is enough. */
static bw_result ask_within(const query *q, const bw_allocator *allocator, void *report)
{
    bw_within_desc desc = {.distance = 0x1p101, .on_pair = stop, .allocator = allocator};
    return bw_within(&q->a, &q->b, &desc, report, NULL);
}

static bw_result ask_nearest(const query *q, const bw_allocator *allocator, void *report)
{
    bw_vec3 middle = {0, 0, 0};
    return bw_nearest(&q->a, &middle, &(bw_nearest_desc){.allocator = allocator}, report, NULL, NULL);
}

static bw_result ask_ray(const query *q, const bw_allocator *allocator, void *report)
{
    bw_ray desc_ray = {.direction = {1, 0, 0}, .between = true};
    bw_raycast_desc desc = {.mode = BW_RAY_ALL, .allocator = allocator};
    return bw_raycast(&q->a, &desc_ray, &desc, NULL, report, NULL);
}

/* Two workers of one thread. */
static void in_turn(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    (void)user;
    (void)grain;
    fn(context, 0, count / 2, 0);
    fn(context, count / 2, count, 1);
}

static bw_result ask_rays(const query *q, const bw_allocator *allocator, void *report)
{
    enum { MANY = 400 }; /* enough for a layout of their own on the ring */
    static bw_ray rays[MANY];
    static bw_ray_hit hits[MANY];
    for (int i = 0; i < MANY; i++)
        rays[i] = (bw_ray){.origin = {i % 7, 0.25, 0}, .between = true, .direction = {0, i % 3, i % 2}};
    const bw_tasks tasks = {.parallel_for = in_turn, .worker_count = 2};
    bw_raycast_desc desc = {.tasks = &tasks, .allocator = allocator};
    return bw_raycast_many(&q->a, rays, MANY, &desc, hits, report, NULL);
}

static bw_result ask_points(const query *q, const bw_allocator *allocator, void *report)
{
    enum { MANY = 300 };
    static bw_vec3 points[MANY];
    static bw_nearest_hit nearest[MANY];
    for (int i = 0; i < MANY; i++)
        points[i] = (bw_vec3){i % 7, 0.25 * i, i % 3};
    const bw_tasks tasks = {.parallel_for = in_turn, .worker_count = 2};
    bw_nearest_desc desc = {.tasks = &tasks, .allocator = allocator};
    return bw_nearest_many(&q->a, points, MANY, &desc, nearest, report, NULL);
}

static bw_result ask_sides(const query *q, const bw_allocator *allocator, void *report)
{
    enum { MANY = 4 };
    static bw_vec3 points[MANY];
    static bw_location sides[MANY];
    for (int i = 0; i < MANY; i++)
        points[i] = (bw_vec3){0.01 * (i % 7), 0.01 * i, 0.02 * (i % 3)};
    const bw_tasks tasks = {.parallel_for = in_turn, .worker_count = 2};
    bw_contains_desc desc = {.tasks = &tasks, .allocator = allocator};
    return bw_contains_many(&q->a, points, MANY, &desc, sides, report, NULL);
}

static bw_result ask_signed(const query *q, const bw_allocator *allocator, void *report)
{
    enum { MANY = 4 };
    static bw_vec3 points[MANY];
    static bw_signed_hit hits[MANY];
    for (int i = 0; i < MANY; i++)
        points[i] = (bw_vec3){0.01 * (i % 7), 0.01 * i, 0.02 * (i % 3)};
    const bw_tasks tasks = {.parallel_for = in_turn, .worker_count = 2};
    bw_signed_desc desc = {.tasks = &tasks, .allocator = allocator};
    return bw_signed_distance_many(&q->a, points, MANY, &desc, hits, report, NULL);
}

static bw_result ask_region(const query *q, const bw_allocator *allocator, void *report)
{
    bw_region everything = {.kind = BW_REGION_PLANES};
    bw_region_desc desc = {.mode = BW_COLLIDE_COUNT, .allocator = allocator};
    return bw_collide_region(&q->a, &everything, &desc, report, NULL);
}

static bw_result ask_self(const query *q, const bw_allocator *allocator, void *report)
{
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .allocator = allocator};
    return bw_collide_self(&q->a, &desc, report, NULL);
}

static bw_result ask_near_self(const query *q, const bw_allocator *allocator, void *report)
{
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .allocator = allocator, .separation = 0.05, .rings = 2};
    return bw_collide_self(&q->a, &desc, report, NULL);
}

static bw_result ask_near(const query *q, const bw_allocator *allocator, void *report)
{
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .allocator = allocator, .separation = 0x1p101};
    return bw_collide(&q->a, &q->b, &desc, report, NULL);
}

/* A group too large for the stack. */
static bw_result ask_many(const query *q, const bw_allocator *allocator, void *report)
{
    bw_body_pair pairs[20];
    bw_collide_answer answer;
    for (int i = 0; i < 20; i++)
        pairs[i] = (bw_body_pair){q->a, q->b};
    bw_collide_many_desc desc = {.group_size = 20, .allocator = allocator};
    return bw_collide_many(pairs, 20, &desc, &answer, report, NULL);
}

static bw_result ask_many_distances(const query *q, const bw_allocator *allocator, void *report)
{
    bw_body_pair pairs[20];
    bw_distance_answer answer;
    for (int i = 0; i < 20; i++)
        pairs[i] = (bw_body_pair){q->a, q->b};
    bw_distance_many_desc desc = {.group_size = 20, .allocator = allocator};
    return bw_distance_many(pairs, 20, &desc, &answer, report, NULL);
}

static bw_result ask_containment(const query *q, const bw_allocator *allocator, void *report)
{
    bw_collide_desc desc = {.containment = true, .allocator = allocator};
    return bw_collide(&q->a, &q->b, &desc, report, NULL);
}

static bw_contact_kind always(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    (void)a;
    (void)b;
    return BW_CONTACT_CROSSING;
}

static bw_result ask_user(const query *q, const bw_allocator *allocator, void *report)
{
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .allocator = allocator};
    return bw_collide_user(&q->a, &q->b, always, NULL, &desc, report, NULL);
}

static void try_query(query *q, uint64_t at_least)
{
    assert_true(q->size <= sizeof q->answer);
    memset(q->answer, 0, sizeof q->answer);
    assert_int_equal(q->ask(q, NULL, q->answer), BW_OK);
    bw_each_allocation_failure(ask, q, at_least);
}

static bw_tree *tree_of(const bw_mesh *mesh, bool compact)
{
    bw_tree *tree = NULL;
    bw_tree_desc desc = {.builder = compact ? BW_BUILDER_FAST : BW_BUILDER_QUALITY, .compact = compact};
    assert_int_equal(bw_tree_create(&desc, mesh, &tree, NULL), BW_OK);
    if (compact)
        assert_int_equal(bw_tree_prepare_distances(tree, mesh, NULL, NULL), BW_OK);
    return tree;
}

/* The clearance of a tree: as a whole, or none. */
static bw_result prepare_clearance(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const bw_mesh *mesh = user;
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.allocator = &memory->hook}, mesh, &tree, NULL), BW_OK);
    const uint64_t bytes = memory->live_bytes;
    bw_failing_allocator_fail(memory, n);
    const bw_result result = bw_tree_prepare_clearance(tree, mesh, 500, NULL, NULL);
    bw_failing_allocator_fail_none(memory);
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    assert_true(result == BW_OK ? memory->live_bytes > bytes : memory->live_bytes == bytes);
    bw_tree_destroy(tree);
    return result;
}

static void test_clearance(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 8}, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    bw_each_allocation_failure(prepare_clearance, &mesh, 3);
    bws_mesh_free(&owned);
}

static void test_queries(void **state)
{
    (void)state;
    bws_mesh owned[3];
    bw_mesh meshes[3]; /* deep, a ball, a ring within the ball */
    assert_int_equal(telescope_make(36, &owned[0]), BW_OK);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 8, .amplitude = -1}, BW_F64, &owned[1]),
                     BW_OK);
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 12, .sides = 6, .major = 0.1, .minor = 0.03},
                               BW_F32, &owned[2]),
                     BW_OK);
    bw_transform pose = {{{1, 0.25, 0, 0}, {0, 1.25, 0, 0}, {-0.25, 0, 1, 0}}};
    for (int i = 0; i < 3; i++)
        meshes[i] = bws_view(&owned[i]);
    for (int form = 0; form < 4; form++) {
        bw_tree *trees[3];
        for (int i = 0; i < 3; i++)
            trees[i] = tree_of(&meshes[i], form & 1);
        bool deep = (form & 1) == 0; /* the fast builder's curve, of few bits a coordinate, has few levels */
        const bw_transform *map = form & 2 ? &pose : NULL;
        bw_body a = {trees[0], &meshes[0], map}, same = {trees[0], &meshes[0], NULL},
                ball = {trees[1], &meshes[1], map}, ring = {trees[2], &meshes[2], NULL};
        try_query(&(query){a, ring, ask_distance, sizeof(bw_distance_report), ""}, 0);
        try_query(&(query){a, same, ask_within, sizeof(bw_within_report), ""}, deep);
        try_query(&(query){a, ring, ask_nearest, sizeof(bw_nearest_hit), ""}, 0);
        try_query(&(query){a, ring, ask_points, sizeof(bw_nearest_report), ""}, 3);
        try_query(&(query){a, ring, ask_ray, sizeof(bw_raycast_report), ""}, 0);
        try_query(&(query){a, ring, ask_rays, sizeof(bw_raycast_report), ""}, 1);
        try_query(&(query){ring, ring, ask_rays, sizeof(bw_raycast_report), ""}, 3);
        try_query(&(query){a, ring, ask_sides, sizeof(bw_contains_report), ""}, 3);
        try_query(&(query){ring, ring, ask_sides, sizeof(bw_contains_report), ""}, 1);
        try_query(&(query){a, ring, ask_signed, sizeof(bw_contains_report), ""}, 6);
        try_query(&(query){a, ring, ask_region, sizeof(bw_region_report), ""}, 0);
        try_query(&(query){a, ring, ask_self, sizeof(bw_collide_report), ""}, 1);
        try_query(&(query){ball, ring, ask_near_self, sizeof(bw_collide_report), ""}, 2);
        try_query(&(query){ball, ring, ask_near, sizeof(bw_collide_report), ""}, 0);
        try_query(&(query){ball, ring, ask_many, sizeof(bw_collide_many_report), ""}, 1);
        try_query(&(query){ball, ring, ask_many_distances, sizeof(bw_distance_many_report), ""}, 1);
        try_query(&(query){ball, ring, ask_containment, sizeof(bw_collide_report), ""}, 2);
        try_query(&(query){a, same, ask_user, sizeof(bw_collide_report), ""}, 0);
        for (int i = 0; i < 3; i++)
            bw_tree_destroy(trees[i]);
    }
    for (int i = 0; i < 3; i++)
        bws_mesh_free(&owned[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries), cmocka_unit_test(test_clearance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
