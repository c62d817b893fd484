/* The inner loops of a sweep: every level gives the bits that comparing one by one gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/random.h"
#include "swept/swept.h"

typedef struct eight {
    float min[3][BW_WIDTH], max[3][BW_WIDTH];
} eight;

/* On a lattice, so that boxes often only touch; unused lanes are empty. */
static eight some_boxes(bws_random *random)
{
    eight e;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        bool empty = bws_random_below(random, 6) == 0;
        for (int k = 0; k < 3; k++) {
            float low = 0.25f * (float)bws_random_int(random, -8, 8);
            e.min[k][lane] = empty ? BW_WIDE_EMPTY : low;
            e.max[k][lane] = empty ? -BW_WIDE_EMPTY : low + 0.25f * (float)bws_random_int(random, 0, 8);
        }
    }
    return e;
}

static bool meets(const eight *a, uint32_t row, float grow, const eight *b, uint32_t lane)
{
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart |= a->min[k][row] - grow > b->max[k][lane] || b->min[k][lane] > a->max[k][row] + grow;
    return !apart;
}

static void rows_meet(bws_random *random, void *user)
{
    const bw_swept_kernels *kernels = user;
    for (int i = 0; i < 200; i++) {
        eight a = some_boxes(random), b = some_boxes(random);
        uint32_t chosen = (uint32_t)bws_random_below(random, 256);
        float grow = bws_random_bool(random) ? 0 : 0.25f;
        uint8_t rows[BW_WIDTH];
        for (int row = 0; row < BW_WIDTH; row++)
            rows[row] = 0xA5;
        kernels->meet_rows((const float(*)[BW_WIDTH])a.min, (const float(*)[BW_WIDTH])a.max, chosen, grow,
                           (const float(*)[BW_WIDTH])b.min, (const float(*)[BW_WIDTH])b.max, rows);
        for (uint32_t row = 0; row < BW_WIDTH; row++) {
            uint32_t expected = 0, expected_alone = 0;
            float min[3], max[3];
            for (int k = 0; k < 3; k++) {
                min[k] = a.min[k][row];
                max[k] = a.max[k][row];
            }
            for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
                expected |= (uint32_t)meets(&a, row, grow, &b, lane) << lane;
                expected_alone |= (uint32_t)meets(&a, row, 0, &b, lane) << lane;
            }
            assert_int_equal(rows[row], (chosen >> row & 1) != 0 ? expected : 0xA5);
            assert_int_equal(
                kernels->meet(min, max, (const float(*)[BW_WIDTH])b.min, (const float(*)[BW_WIDTH])b.max),
                expected_alone);
        }
    }
}

static void levels(void **state)
{
    (void)state;
    BW_EACH_SEED(20, rows_meet, (void *)(uintptr_t)&bw_swept_kernels_scalar);
#if BW_SIMD_X86
    if (bw_simd_level(BW_SIMD_AUTO) == BW_SIMD_AVX2)
        BW_EACH_SEED(20, rows_meet, (void *)(uintptr_t)&bw_swept_kernels_avx2);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
