/* Every allocation of a hull refused in turn: nothing leaks, nothing is written. Queries on trees keep so little on
 * their stacks that no tree is known that outgrows their first room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/failing_allocator.h"
#include "scenes/random.h"

#include <boxwood/shape.h>

/* On a lattice, so that the hull is built twice. */
static bw_result make_hull(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bw_vec3 points[60];
    bws_random random = bws_random_seeded(3);
    bw_hull *hull = NULL;
    const int flat = *(const int *)user;
    for (int i = 0; i < 60; i++)
        points[i] = (bw_vec3){(double)bws_random_below(&random, 4),
                              flat > 1 ? 0 : (double)bws_random_below(&random, 4),
                              flat > 0 ? 0 : (double)bws_random_below(&random, 4)};
    bw_failing_allocator_fail(memory, n);
    const bw_hull_desc desc = {.allocator = &memory->hook};
    const bw_result result = bw_hull_create(&desc, points, 60, &hull, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(hull != NULL, result == BW_OK);
    if (hull != NULL)
        assert_null(bw_hull_check(hull));
    bw_hull_destroy(hull);
    return result;
}

static void hulls(void **state)
{
    (void)state;
    for (int flat = 0; flat < 3; flat++)
        bw_each_allocation_failure(make_hull, &flat, flat == 0 ? 20 : 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hulls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
