/* The radix sort against the C library's qsort, with the place of each element as the tie-breaker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "oracle/random.h"

enum { MOST = 3000 };

typedef struct pair {
    uint64_t key;
    uint32_t value;
} pair;

static int by_key_then_value(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->value < q->value ? -1 : p->value > q->value;
}

static void sorts_like_qsort(bws_random *random, void *user)
{
    (void)user;
    static uint64_t keys[MOST], key_scratch[MOST];
    static uint32_t values[MOST], value_scratch[MOST];
    static pair expected[MOST];
    uint32_t count = (uint32_t)bws_random_below(random, bws_random_bool(random) ? MOST : 100);
    /* Which bits may vary decides which digits are skipped: all, few, one byte, none. */
    uint64_t mask = UINT64_MAX;
    switch (bws_random_below(random, 5)) {
    case 0:
        mask = bws_random_u64(random) & bws_random_u64(random) & bws_random_u64(random);
        break;
    case 1:
        mask = (uint64_t)0xff << 8 * bws_random_below(random, 8);
        break;
    case 2:
        mask = bws_random_bool(random) ? 0 : 0x3fffffff;
        break;
    default:
        break;
    }
    uint64_t fixed = bws_random_u64(random) & ~mask;
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (bws_random_u64(random) & mask) | fixed;
        values[i] = i; /* ascending, so that equal keys in order of value is what stable means */
    }
    if (bws_random_below(random, 8) == 0)
        for (uint32_t i = 0; i < count; i++)
            keys[i] = i / 3; /* sorted already */
    for (uint32_t i = 0; i < count; i++)
        expected[i] = (pair){keys[i], values[i]};
    qsort(expected, count, sizeof *expected, by_key_then_value);
    bw_sort_u64(keys, values, key_scratch, value_scratch, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(keys[i] == expected[i].key);
        assert_int_equal(values[i], expected[i].value);
    }
}

static void test_sorts_like_qsort(void **state)
{
    (void)state;
    BW_EACH_SEED(1000, sorts_like_qsort, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sorts_like_qsort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
