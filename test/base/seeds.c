/* What the random tests stand on: the generator gives its published sequence, stays in its ranges, and the
 * failing allocator refuses what it is told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "oracle/failing_allocator.h"
#include "oracle/random.h"

static void test_splitmix_is_the_published_one(void **state)
{
    (void)state;
    /* The first outputs for seed 1234567, as listed with the reference implementation. */
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u, 16408922859458223821u};
    uint64_t seed = 1234567;
    for (int i = 0; i < 5; i++)
        assert_true(bws_splitmix(&seed) == expected[i]);
}

static void test_xoshiro_is_the_published_one(void **state)
{
    (void)state;
    /* From the state 1, 2, 3, 4, as tabulated by the authors of several independent versions. */
    static const uint64_t expected[] = {11520u, 0u, 1509978240u, 1215971899390074240u};
    bws_random random = {{1, 2, 3, 4}};
    for (int i = 0; i < 4; i++)
        assert_true(bws_random_u64(&random) == expected[i]);
}

static void test_ranges(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(bw_random_seed_from_env(5));
    int seen[7] = {0};
    for (int i = 0; i < 10000; i++) {
        seen[bws_random_int(&random, -3, 3) + 3]++;
        double unit = bws_random_unit(&random);
        assert_true(unit >= 0 && unit < 1);
        float f = bws_random_float(&random, 2, 3);
        assert_true(f >= 2 && f <= 3);
        double d = bws_random_double(&random, -4, -2);
        assert_true(d >= -4 && d <= -2);
        assert_true(bws_random_below(&random, 5) < 5);
    }
    for (int i = 0; i < 7; i++) /* 1429 expected, a standard deviation of 35 */
        assert_true(seen[i] > 1200 && seen[i] < 1650);
    bws_random_int(&random, INT64_MIN, INT64_MAX); /* the span does not fit in 64 bits */
}

static void count_seed(bws_random *random, void *user)
{
    uint64_t *sum = user;
    sum[0]++;
    sum[1] ^= bws_random_u64(random);
}

static void test_every_seed_runs(void **state)
{
    (void)state;
    uint64_t first[2] = {0}, second[2] = {0};
    BW_EACH_SEED(10, count_seed, first);
    BW_EACH_SEED(10, count_seed, second);
    if (getenv("BOXWOOD_SEED") == NULL && getenv("BOXWOOD_SEED_FACTOR") == NULL)
        assert_int_equal(first[0], 10);
    assert_true(first[1] == second[1]);
}

static bw_result three_blocks(bw_failing_allocator *memory, uint64_t n, void *user)
{
    int *runs = user;
    ++*runs;
    bw_failing_allocator_fail(memory, n);
    void *block[3] = {NULL};
    bw_result result = BW_OK;
    for (int i = 0; i < 3 && result == BW_OK; i++) {
        block[i] = memory->hook.alloc(memory->hook.user, 10, 64);
        if (block[i] == NULL)
            result = BW_ERROR_MEMORY;
    }
    bw_failing_allocator_fail_none(memory);
    for (int i = 0; i < 3; i++)
        if (block[i] != NULL)
            memory->hook.free(memory->hook.user, block[i], 10);
    return result;
}

static void test_failing_allocator_fails_each(void **state)
{
    (void)state;
    int runs = 0;
    assert_int_equal(bw_each_allocation_failure(three_blocks, &runs, 3), 3);
    assert_int_equal(runs, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitmix_is_the_published_one),
        cmocka_unit_test(test_xoshiro_is_the_published_one),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_every_seed_runs),
        cmocka_unit_test(test_failing_allocator_fails_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
