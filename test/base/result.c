/* Result codes: their numbers are part of the interface, and each has a sentence of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <boxwood/base.h>

static const struct {
    bw_result result;
    int number;
} codes[] = {
    {BW_OK, 0},
    {BW_ERROR_ARGUMENT, 1},
    {BW_ERROR_MEMORY, 2},
    {BW_ERROR_NOT_FINITE, 3},
    {BW_ERROR_RANGE, 4},
    {BW_ERROR_INDEX, 5},
    {BW_ERROR_EMPTY, 6},
    {BW_ERROR_SIZE, 7},
    {BW_ERROR_MISMATCH, 8},
    {BW_ERROR_SINGULAR, 9},
    {BW_ERROR_FORMAT, 10},
    {BW_ERROR_VERSION, 11},
    {BW_ERROR_STALE, 12},
    {BW_ERROR_CYCLE, 13},
    {BW_ERROR_UNSUPPORTED, 14},
    {BW_ERROR_NOT_BUILT, 15},
    {BW_ERROR_LAYOUT, 16},
    {BW_ERROR_STOPPED, 17},
};
enum { CODES = sizeof codes / sizeof codes[0] };

static void test_numbers(void **state)
{
    (void)state;
    for (int i = 0; i < CODES; i++)
        assert_int_equal((int)codes[i].result, codes[i].number);
}

static void test_strings(void **state)
{
    (void)state;
    const char *unknown = bw_result_string((bw_result)CODES);
    assert_string_equal(unknown, bw_result_string((bw_result)12345));
    for (int i = 0; i < CODES; i++) {
        const char *text = bw_result_string(codes[i].result);
        assert_true(strlen(text) > 0);
        assert_string_not_equal(text, unknown);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(text, bw_result_string(codes[j].result));
    }
}

static void test_version(void **state)
{
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", BW_VERSION_MAJOR, BW_VERSION_MINOR, BW_VERSION_PATCH);
    assert_string_equal(BW_VERSION_STRING, text);
    assert_string_equal(bw_version_string(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
