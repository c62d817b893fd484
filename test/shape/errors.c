/* Queries of shapes refuse what is missing or out of range, and name which of the two it is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <boxwood/boxwood.h>

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const bw_mesh mesh = {positions, BW_F32, 4, 0, indices, 4};
static const bw_shape ball = {.kind = BW_SHAPE_SPHERE, .radius = 1},
                      box = {.kind = BW_SHAPE_BOX, .half = {1, 1, 1}},
                      negative = {.kind = BW_SHAPE_SPHERE, .radius = -1};
static const bw_placed_shape placed = {&box, NULL}, bad = {&negative, NULL};
static const bw_ray ray = {.direction = {1, 0, 0}};

static bw_fault fault;

static void refused(bw_result result, bw_result expected, uint32_t element, int line)
{
    if (result != expected || fault.result != expected || fault.element != element)
        fail_msg("line %d: %s at %u", line, bw_result_string(result), fault.element);
    fault = (bw_fault){0};
}
#define REFUSED(call, result, element) refused(call, BW_ERROR_##result, element, __LINE__)

static void test_pairs(void **state)
{
    (void)state;
    bw_contact_kind kind;
    bw_shape_contact contact;
    bw_shape_nearest nearest;
    bw_shape_ray_hit hit;
    REFUSED(bw_shape_overlap(&placed, &placed, NULL, &fault), ARGUMENT, BW_NONE);
    REFUSED(bw_shape_overlap(NULL, &placed, &kind, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_overlap(&placed, NULL, &kind, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_overlap(&bad, &placed, &kind, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_overlap(&placed, &bad, &kind, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_contact_pair(&placed, &placed, NULL, NULL, &fault), ARGUMENT, BW_NONE);
    REFUSED(bw_shape_contact_pair(&placed, &placed, &(bw_shape_desc){.separation = -1}, &contact, &fault),
            ARGUMENT, BW_NONE);
    REFUSED(bw_shape_contact_pair(&placed, &placed, &(bw_shape_desc){.max_points = 5}, &contact, &fault),
            ARGUMENT, BW_NONE);
    REFUSED(bw_shape_distance(&placed, &placed, NULL, NULL, &fault), ARGUMENT, BW_NONE);
    REFUSED(
        bw_shape_distance(&placed, &placed, &(bw_shape_desc){.separation = (double)NAN}, &nearest, &fault),
        ARGUMENT, BW_NONE);
    REFUSED(bw_shape_distance(&bad, &placed, NULL, &nearest, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_raycast(NULL, &ray, &hit, &fault), ARGUMENT, BW_NONE);
    REFUSED(bw_shape_raycast(&bad, &ray, &hit, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_raycast(&placed, &(bw_ray){.direction = {(double)NAN, 0, 0}}, &hit, &fault), NOT_FINITE,
            1);
}

static void test_sweeps(void **state)
{
    (void)state;
    bw_shape_sweep_report report = {0};
    bw_rigid_motion still, far;
    const bw_transform identity = bw_transform_identity();
    assert_int_equal(bw_rigid_motion_between(&identity, &identity, (bw_vec3){0, 0, 0}, &still), BW_OK);
    far = still;
    far.translation.x = 0x1p200;
    REFUSED(bw_shape_sweep(&ball, NULL, &ball, NULL, NULL, NULL, &fault), ARGUMENT, BW_NONE);
    REFUSED(bw_shape_sweep(NULL, NULL, &ball, NULL, NULL, &report, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_sweep(&ball, NULL, NULL, NULL, NULL, &report, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_sweep(&negative, NULL, &ball, NULL, NULL, &report, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_sweep(&ball, &still, &negative, &still, NULL, &report, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_sweep(&ball, &far, &ball, NULL, NULL, &report, &fault), RANGE, 0);
    REFUSED(bw_shape_sweep(&ball, NULL, &ball, &far, NULL, &report, &fault), RANGE, 1);
    far.translation.x = (double)NAN;
    REFUSED(bw_shape_sweep(&ball, &far, &ball, NULL, NULL, &report, &fault), NOT_FINITE, 0);
    const bw_shape_sweep_desc desc = {.tolerance = -1};
    REFUSED(bw_shape_sweep(&ball, NULL, &ball, NULL, &desc, &report, &fault), ARGUMENT, BW_NONE);
}

static void test_bodies(void **state)
{
    (void)state;
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    const bw_body body = {tree, &mesh, NULL}, none = {NULL, &mesh, NULL};
    bw_shape_collide_report met = {0};
    bw_shape_distance_report near = {0};
    bw_shape_sweep_report swept = {0};
    bw_shape_hit hits[1];
    REFUSED(bw_shape_collide_body(NULL, &body, NULL, &met, &fault), ARGUMENT, BW_NONE);
    REFUSED(bw_shape_collide_body(&placed, &body, &(bw_shape_collide_desc){.separation = -1}, &met, &fault),
            ARGUMENT, BW_NONE);
    REFUSED(bw_shape_collide_body(&bad, &body, NULL, &met, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_collide_body(&placed, &none, NULL, &met, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_distance_body(NULL, &body, NULL, &near, &fault), ARGUMENT, BW_NONE);
    REFUSED(
        bw_shape_distance_body(&placed, &body, &(bw_shape_distance_desc){.max_distance = -1}, &near, &fault),
        ARGUMENT, BW_NONE);
    REFUSED(bw_shape_distance_body(&bad, &body, NULL, &near, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_distance_body(&placed, &none, NULL, &near, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_sweep_body(NULL, NULL, &body, NULL, NULL, &swept, &fault), ARGUMENT, 0);
    REFUSED(bw_shape_sweep_body(&ball, NULL, &none, NULL, NULL, &swept, &fault), ARGUMENT, 1);
    REFUSED(bw_shape_sweep_body(&ball, NULL, &body, NULL, NULL, NULL, &fault), ARGUMENT, BW_NONE);
    /* A list that is too short keeps what fits, and says that there is more. */
    const bw_shape_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = 1};
    assert_int_equal(bw_shape_collide_body(&placed, &body, &desc, &met, NULL), BW_OK);
    assert_true(met.status == BW_FULL && met.hit_count == 4 && hits[0].contact.kind == BW_CONTACT_CROSSING);
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_sweeps),
                                       cmocka_unit_test(test_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
