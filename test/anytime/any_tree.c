/* Moments on trees that are not wide: the same answers, with what is in quarantine left out, and after a
 * refit. */
#include "objects.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const bw_tree_desc kinds[] = {
    {.builder = BW_BUILDER_MIDPOINT},
    {.builder = BW_BUILDER_MIDPOINT, .quarantine = BW_DEFECTS_ALL},
    {.volume = BW_VOLUME_OBB, .quarantine = BW_DEFECTS_FATAL},
    {.volume = BW_VOLUME_KDOP18, .quarantine = BW_DEFECTS_ALL},
    {.quarantine = BW_DEFECTS_ALL},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Where the kind takes it, two triangles that are a line and one at infinity. */
static void damage(bws_mesh *mesh, const bw_tree_desc *kind)
{
    if (kind->quarantine == 0 || mesh->scalar != BW_F32 || mesh->indices == NULL)
        return;
    mesh->indices[3 * 5] = mesh->indices[3 * 5 + 1];
    mesh->indices[3 * 9] = mesh->indices[3 * 9 + 2];
    ((float *)mesh->positions)[3 * (size_t)mesh->indices[3 * 20]] = INFINITY;
}

static void make(object *o, uint32_t number, const bw_tree_desc *kind)
{
    object_mesh(number, &o->mesh);
    damage(&o->mesh, kind);
    o->view = bws_view(&o->mesh);
    assert_int_equal(bw_tree_create(kind, &o->view, &o->tree, NULL), BW_OK);
    assert_int_equal(bw_anytime_create(&(bw_anytime_desc){.tries = 64}, o->tree, &o->view, &o->anytime, NULL),
                     BW_OK);
    assert_null(bw_anytime_check(o->anytime, &o->view));
}

static void compare(bws_random *r, const object *a, const object *b)
{
    for (int i = 0; i < 12; i++) {
        bw_transform pose = bws_random_pose(r, &(bws_pose_desc){.reach = 1.2, .mirror = true});
        bw_anytime_body body_a = object_body(a, NULL), body_b = object_body(b, &pose);
        bool truth = objects_meet(a, b, NULL, &pose);
        bw_anytime_answer answer = {0};
        bw_anytime_query_desc patient = {.limit_steps = true, .max_steps = UINT64_MAX};
        assert_int_equal(bw_anytime_query(&body_a, &body_b, NULL, &answer, NULL), BW_OK);
        assert_true(answer.proven && answer.collision == truth);
        assert_int_equal(bw_anytime_query(&body_a, &body_b, &patient, &answer, NULL), BW_OK);
        assert_true(answer.proven && answer.collision == truth);
    }
}

static void bend(bws_mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->scalar == BW_F64) {
            double *p = (double *)mesh->positions + 3 * (size_t)v;
            p[2] += 0.3 * p[0] * p[0];
        } else {
            float *p = (float *)mesh->positions + 3 * (size_t)v;
            p[2] += 0.3f * p[0] * p[0];
        }
    }
}

static void any_tree(bws_random *r, void *user)
{
    (void)user;
    object a, b;
    const bw_tree_desc *kind = &kinds[bws_random_below(r, KINDS)];
    make(&a, (uint32_t)bws_random_below(r, OBJECTS), kind);
    make(&b, (uint32_t)bws_random_below(r, OBJECTS), kind);
    compare(r, &a, &b);
    bend(&a.mesh);
    assert_int_equal(bw_tree_update(a.tree, &a.view, NULL, NULL, NULL), BW_OK);
    bw_anytime_body body_a = object_body(&a, NULL), body_b = object_body(&b, NULL);
    bw_anytime_answer answer = {0};
    assert_int_equal(bw_anytime_query(&body_a, &body_b, NULL, &answer, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_anytime_update(a.anytime, &a.view, NULL), BW_OK);
    assert_null(bw_anytime_check(a.anytime, &a.view));
    compare(r, &a, &b);
    object_free(&a);
    object_free(&b);
}

static void test_any_tree(void **state)
{
    (void)state;
    BW_EACH_SEED(60, any_tree, NULL);
}

typedef struct subject {
    bw_mesh view;
    bw_tree *tree;
} subject;

static bw_result create(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const subject *s = user;
    bw_anytime *adb = NULL;
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_anytime_create(&(bw_anytime_desc){.tries = 8, .allocator = &memory->hook}, s->tree,
                                         &s->view, &adb, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_true((result == BW_OK) == (adb != NULL));
    bw_anytime_destroy(adb);
    return result;
}

static void test_faults(void **state)
{
    (void)state;
    bws_mesh mesh;
    object_mesh(3, &mesh);
    damage(&mesh, &kinds[1]);
    subject s = {.view = bws_view(&mesh)};
    assert_int_equal(bw_tree_create(&kinds[1], &s.view, &s.tree, NULL), BW_OK);
    bw_each_allocation_failure(create, &s, 6);
    bw_tree_destroy(s.tree);
    bws_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_tree), cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
