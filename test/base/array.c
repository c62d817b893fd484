/* The growing array against an array of fixed size, and its refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/array.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

static void grows_like_a_fixed_one(bws_random *random, void *user)
{
    (void)user;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_array array = bw_array_of(sizeof(uint32_t), &memory.hook);
    static uint32_t expected[2000];
    size_t count = 0;
    while (count < 1500) {
        size_t more = 1 + bws_random_below(random, 20);
        uint32_t *slots = bw_array_extend(&array, more);
        assert_non_null(slots);
        for (size_t i = 0; i < more; i++)
            expected[count++] = slots[i] = bws_random_u32(random);
        assert_int_equal(array.count, count);
        assert_true(array.capacity >= count);
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(*(uint32_t *)bw_array_at(&array, i), expected[i]);
    assert_memory_equal(array.items, expected, count * sizeof *expected);
    assert_true(memory.calls < 12); /* doubling, not one by one */
    bw_array_release(&array);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(array.count + array.capacity, 0);
    *(uint32_t *)bw_array_push(&array) = 7; /* usable again */
    bw_array_release(&array);
    assert_int_equal(memory.live_blocks, 0);
}

static void test_grows(void **state)
{
    (void)state;
    BW_EACH_SEED(50, grows_like_a_fixed_one, NULL);
}

static void test_refusal_changes_nothing(void **state)
{
    (void)state;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_array array = bw_array_of(sizeof(uint64_t), &memory.hook);
    for (uint64_t i = 0; i < 8; i++)
        *(uint64_t *)bw_array_push(&array) = i * i;
    bw_array before = array;
    bw_failing_allocator_fail(&memory, 1);
    assert_null(bw_array_push(&array));
    assert_memory_equal(&array, &before, sizeof array);
    assert_false(bw_array_grow(&array, SIZE_MAX));     /* the count would wrap */
    assert_false(bw_array_grow(&array, SIZE_MAX / 8)); /* the bytes would */
    assert_memory_equal(&array, &before, sizeof array);
    assert_true(bw_array_grow(&array, 0));
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(*(uint64_t *)bw_array_at(&array, i), i * i);
    bw_array_release(&array);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows),
        cmocka_unit_test(test_refusal_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
