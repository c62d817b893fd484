/* The stack against a fixed array: from the caller's memory into the allocator's and back, and its refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/stack.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

enum { MOST = 4000 };

static void behaves_like_an_array(bws_random *random, void *user)
{
    (void)user;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    uint32_t first[10];
    size_t given = bws_random_below(random, 11);
    bw_stack stack = bw_stack_over(first, given * sizeof *first, sizeof *first, &memory.hook);
    static uint32_t expected[MOST];
    size_t count = 0;
    for (int i = 0; i < MOST; i++) {
        bool push = bws_random_below(random, 100) < (i / 500 % 2 == 0 ? 80 : 30);
        if (push) {
            uint32_t *slot = bw_stack_push(&stack);
            assert_non_null(slot);
            expected[count++] = *slot = bws_random_u32(random);
        } else {
            uint32_t *top = bw_stack_pop(&stack);
            assert_true((top != NULL) == (count > 0));
            if (count > 0)
                assert_int_equal(*top, expected[--count]);
        }
        assert_int_equal(stack.count, count);
        assert_true(count > given || stack.owned || memory.calls == 0);
    }
    while (count > 0)
        assert_int_equal(*(uint32_t *)bw_stack_pop(&stack), expected[--count]);
    assert_null(bw_stack_pop(&stack));
    bw_stack_release(&stack);
    assert_int_equal(memory.live_blocks, 0);
}

static void test_behaves_like_an_array(void **state)
{
    (void)state;
    BW_EACH_SEED(50, behaves_like_an_array, NULL);
}

static void test_refusal_changes_nothing(void **state)
{
    (void)state;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    uint32_t first[2];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &memory.hook);
    for (uint32_t i = 0; i < 2; i++)
        *(uint32_t *)bw_stack_push(&stack) = i + 5;
    bw_stack before = stack;
    bw_failing_allocator_fail(&memory, 1);
    assert_null(bw_stack_push(&stack));
    assert_memory_equal(&stack, &before, sizeof stack);
    assert_false(bw_stack_grow(&stack, SIZE_MAX));
    assert_false(bw_stack_grow(&stack, SIZE_MAX / 2));
    assert_memory_equal(&stack, &before, sizeof stack);
    assert_true(bw_stack_grow(&stack, 3));
    before = stack;
    uint64_t calls = memory.calls;
    assert_true(bw_stack_grow(&stack, 0)); /* where there is room nothing happens */
    assert_true(bw_stack_grow(&stack, stack.capacity - stack.count));
    assert_memory_equal(&stack, &before, sizeof stack);
    assert_int_equal(memory.calls, calls);
    assert_int_equal(*(uint32_t *)bw_stack_pop(&stack), 6);
    assert_int_equal(*(uint32_t *)bw_stack_pop(&stack), 5);
    bw_stack_release(&stack);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_behaves_like_an_array),
        cmocka_unit_test(test_refusal_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
