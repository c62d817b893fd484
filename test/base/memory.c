/* The allocation helpers over a hook and over the heap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "oracle/failing_allocator.h"

static void test_hook_is_used(void **state)
{
    (void)state;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_allocator allocator = bw_allocator_or_heap(&memory.hook);
    unsigned char *bytes = bw_allocate_zero(&allocator, 5, 3);
    assert_int_equal(memory.live_bytes, 15);
    for (int i = 0; i < 15; i++)
        assert_int_equal(bytes[i], 0);
    bw_release(&allocator, bytes, 5, 3);
    bw_release(&allocator, NULL, 5, 3);
    assert_int_equal(memory.live_blocks, 0);
    bw_failing_allocator_fail(&memory, 1);
    assert_null(bw_allocate_zero(&allocator, 1, 1));
    assert_int_equal(memory.refused, 1);
}

static void test_impossible_sizes(void **state)
{
    (void)state;
    bw_allocator heap = bw_allocator_or_heap(NULL);
    assert_null(bw_allocate(&heap, 0, 8));
    assert_null(bw_allocate(&heap, 8, 0));
    assert_null(bw_allocate(&heap, SIZE_MAX / 2, 3));
    assert_null(bw_allocate(&heap, SIZE_MAX, 1));
    assert_null(bw_allocate(&heap, SIZE_MAX - 3, 1));
}

static void test_alignment(void **state)
{
    (void)state;
    bw_allocator heap = bw_allocator_or_heap(NULL);
    for (size_t size = 1; size < 300; size++) {
        void *block = bw_allocate(&heap, size, 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        bw_release(&heap, block, size, 1);
    }
}

/* Sizes about those from which large pages are asked for: every byte is there, and the edges are written. */
static void test_large_blocks(void **state)
{
    (void)state;
    bw_allocator heap = bw_allocator_or_heap(NULL);
    const size_t large = (size_t)1 << 22, sizes[] = {large - 1, large, large + 1, 3 * large + 12345};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *block = bw_allocate_zero(&heap, sizes[i], 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(block[k], 0);
        block[sizes[i] - 1] = 1;
        bw_release(&heap, block, sizes[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hook_is_used),
        cmocka_unit_test(test_impossible_sizes),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_large_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
