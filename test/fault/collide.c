/* Pair queries when memory runs out: the report is untouched, the bodies answer as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include <boxwood/collide.h>

#include "fault/ladder.h"
#include "oracle/failing_allocator.h"
#include "oracle/tree_forms.h"

typedef struct query {
    bw_body a, b;
    bw_collide_mode mode;
    uint64_t hits; /* what an undisturbed query finds */
} query;

static bw_result collide(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const query *q = user;
    bw_collide_report report = {0}, before = {0};
    memset(&report, 0x77, sizeof report);
    report.size = 0;
    before = report;
    bw_hit hits[8];
    bw_collide_desc desc = {.mode = q->mode, .allocator = &memory->hook, .hits = hits, .hit_capacity = 8};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_collide(&q->a, &q->b, &desc, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_memory_equal(&report, &before, sizeof report);
        assert_int_equal(bw_collide(&q->a, &q->b, &desc, &report, NULL), BW_OK);
    }
    assert_int_equal(report.hit_count, q->mode == BW_COLLIDE_ANY ? q->hits > 0 : q->hits);
    return result;
}

static void try_bodies(query *q, bool deep)
{
    bw_collide_report report = {0};
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
    assert_int_equal(bw_collide(&q->a, &q->b, &desc, &report, NULL), BW_OK);
    q->hits = report.hit_count;
    for (int mode = BW_COLLIDE_ANY; mode <= BW_COLLIDE_COUNT; mode++) {
        q->mode = (bw_collide_mode)mode;
        bw_each_allocation_failure(collide, q, deep && mode != BW_COLLIDE_ANY);
    }
}

static void try_meshes(const bw_mesh *a, const bw_mesh *b, bool deep)
{
    bw_transform pose = {{{1, 0, 0.25, 0}, {0, 1.25, 0, 0}, {-0.25, 0, 1, 0}}};
    for (int i = 0; i < BW_TREE_FORMS; i++) {
        query q = {.a = {.mesh = a}, .b = {.mesh = b}};
        bw_tree *tree_a, *tree_b;
        bw_tree_desc desc = bw_tree_form_desc(bw_tree_forms[i]);
        assert_int_equal(bw_tree_create(&desc, a, &tree_a, NULL), BW_OK);
        assert_int_equal(bw_tree_create(&desc, b, &tree_b, NULL), BW_OK);
        q.a.tree = tree_a;
        q.b.tree = tree_b;
        bool overflows = deep && desc.builder == BW_BUILDER_MIDPOINT && desc.volume == BW_VOLUME_AABB;
        try_bodies(&q, overflows);
        assert_true(q.hits > 0);
        q.b.pose = &pose;
        try_bodies(&q, overflows);
        q.a.pose = &pose;
        q.b.pose = NULL;
        if (!deep) /* the same traversal, only slower */
            try_bodies(&q, false);
        bw_tree_destroy(tree_a);
        bw_tree_destroy(tree_b);
    }
}

static void test_surfaces(void **state)
{
    (void)state;
    bws_mesh a, b;
    assert_int_equal(bws_torus(&(bws_torus_desc){.segments = 20, .sides = 10}, BW_F32, &a), BW_OK);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 6}, BW_F64, &b), BW_OK);
    bw_mesh mesh_a = bws_view(&a), mesh_b = bws_view(&b);
    try_meshes(&mesh_a, &mesh_b, false);
    bws_mesh_free(&a);
    bws_mesh_free(&b);
}

static void test_deep_trees(void **state)
{
    (void)state;
    bws_mesh a, b;
    assert_int_equal(ladder_make(500, 0.1, &a), BW_OK);
    assert_int_equal(ladder_make(400, 0.3, &b), BW_OK);
    bw_mesh mesh_a = bws_view(&a), mesh_b = bws_view(&b);
    try_meshes(&mesh_a, &mesh_b, true);
    bws_mesh_free(&a);
    bws_mesh_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_deep_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
