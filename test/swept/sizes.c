/* Descriptors and reports of other versions: shorter or longer than ours, and such that were never
 * initialised. */
#include <boxwood/nearest.h>
#include <boxwood/swept.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const bw_mesh mesh = {.positions = xyz, .vertex_count = 4, .indices = triangles, .triangle_count = 4};

/* What a later version's header may say. */
typedef struct later_desc {
    bw_collide_desc known;
    uint64_t news[2];
} later_desc;
typedef struct later_report {
    bw_collide_report known;
    uint64_t news[2];
} later_report;

static void test_sizes(void **state)
{
    (void)state;
    bw_tree *tree = NULL;
    bw_fault fault;
    bw_tree_desc tree_desc = BW_SIZED(bw_tree_desc);
    assert_int_equal(tree_desc.size, sizeof tree_desc);
    assert_int_equal(bw_tree_create(&tree_desc, &mesh, &tree, &fault), BW_OK);
    assert_int_equal(fault.result, BW_OK);
    const bw_body body = {.tree = tree, .mesh = &mesh};
    later_desc desc = {.known = {.size = sizeof desc, .mode = BW_COLLIDE_COUNT}};
    later_report report = {.known = {.size = sizeof report}, .news = {7, 9}};
    assert_int_equal(bw_collide(&body, &body, &desc.known, &report.known, &fault), BW_OK);
    assert_true(report.known.size == sizeof report && report.known.hit_count > 4);
    assert_true(report.news[0] == 7 && report.news[1] == 9);
    const bw_collide_report before = report.known;
    /* What this version does not know, and is asked for, is not ignored. */
    desc.news[1] = 1;
    assert_int_equal(bw_collide(&body, &body, &desc.known, &report.known, &fault), BW_ERROR_UNSUPPORTED);
    desc.news[1] = 0;
    /* Sizes of no version: too small, not of whole words, what is left on a stack. */
    const uint32_t sizes[] = {
        1,          4,         (uint32_t)sizeof(bw_collide_desc) - 4, (uint32_t)sizeof(bw_collide_desc) + 1,
        0x5A5A5A5A, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        desc.known.size = sizes[i];
        assert_int_equal(bw_collide(&body, &body, &desc.known, &report.known, &fault), BW_ERROR_LAYOUT);
        assert_non_null(strstr(fault.text, "zero-initialise"));
        desc.known.size = 0;
    }
    report.known.size = 3;
    assert_int_equal(bw_collide(&body, &body, NULL, &report.known, NULL), BW_ERROR_LAYOUT);
    report.known.size = sizeof report;
    assert_memory_equal(&report.known, &before, sizeof before);
    bw_tree_destroy(tree);
}

/* Everything that begins with a size refuses one that was never set, and changes nothing. */
static void test_every_descriptor(void **state)
{
    (void)state;
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    const bw_body body = {.tree = tree, .mesh = &mesh};
    const bw_vec3 point = {2, 2, 2};
    const bw_ray ray = {.origin = {2, 2, 2}, .direction = {-1, -1, -1}};
    bw_nearest_hit nearest;
    bw_ray_hit hit;
    bw_swept *swept = NULL;
    bw_swept_cache *cache = NULL;
    bw_tree *other = NULL;
    assert_int_equal(bw_swept_create(NULL, &mesh, &mesh, &swept, NULL), BW_OK);
#define REFUSED(call) assert_int_equal(call, BW_ERROR_LAYOUT)
    REFUSED(bw_tree_create(&(bw_tree_desc){.size = 2}, &mesh, &other, NULL));
    REFUSED(bw_tree_update(tree, &mesh, &(bw_update_desc){.size = 2}, NULL, NULL));
    REFUSED(bw_tree_update(tree, &mesh, NULL, &(bw_update_report){.size = 2}, NULL));
    REFUSED(bw_mesh_validate(&mesh, NULL, &(bw_mesh_report){.size = 2}, NULL));
    REFUSED(bw_collide_self(&body, NULL, &(bw_collide_report){.size = 2}, NULL));
    REFUSED(bw_distance(&body, &body, &(bw_distance_desc){.size = 2}, &(bw_distance_report){0}, NULL));
    REFUSED(bw_distance(&body, &body, NULL, &(bw_distance_report){.size = 2}, NULL));
    REFUSED(bw_within(&body, &body, &(bw_within_desc){.size = 2}, &(bw_within_report){0}, NULL));
    REFUSED(bw_nearest(&body, &point, &(bw_nearest_desc){.size = 2}, &nearest, NULL, NULL));
    REFUSED(bw_nearest_many(&body, &point, 1, NULL, &nearest, &(bw_nearest_report){.size = 2}, NULL));
    REFUSED(bw_raycast(&body, &ray, &(bw_raycast_desc){.size = 2}, &hit, NULL, NULL));
    REFUSED(bw_raycast_many(&body, &ray, 1, NULL, &hit, &(bw_raycast_report){.size = 2}, NULL));
    REFUSED(bw_swept_create(&(bw_swept_desc){.size = 2}, &mesh, &mesh, &swept, NULL));
    REFUSED(bw_swept_cache_create(&(bw_swept_cache_desc){.size = 2}, &cache, NULL));
    REFUSED(bw_swept_self(swept, &(bw_swept_query){.size = 2}, &(bw_swept_report){0}, NULL));
    REFUSED(bw_swept_self(swept, NULL, &(bw_swept_report){.size = 2}, NULL));
    REFUSED(bw_swept_near(swept, NULL, &(bw_swept_near_query){.size = 2}, &(bw_swept_near_report){0}, NULL));
    REFUSED(bw_swept_near(swept, NULL, NULL, &(bw_swept_near_report){.size = 2}, NULL));
    REFUSED(bw_swept_safe_step(&(bw_swept_couple){swept, NULL}, 1, &(bw_swept_safe_desc){.size = 2},
                               &(bw_swept_safe_report){0}, NULL));
    REFUSED(bw_swept_safe_step(&(bw_swept_couple){swept, NULL}, 1, NULL, &(bw_swept_safe_report){.size = 2},
                               NULL));
    assert_true(other == NULL && cache == NULL);
    bw_swept_destroy(swept);
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_every_descriptor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
