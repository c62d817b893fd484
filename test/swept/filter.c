/* The vectorised filter: the same answers at every level, and nothing in contact is ever left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/ccd_families.h"
#include "geom/ccd_filter.h"
#include "oracle/random.h"

enum { COUNT = 61 };

static void filters(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_path paths[COUNT][4];
            bw_ccd_four queries[COUNT];
            bw_ccd_sample samples[COUNT];
            for (int i = 0; i < COUNT; i++) {
                bw_ccd_families[f].make(random, edges, &samples[i]);
                for (int p = 0; p < 4; p++) {
                    bw_vec3 a = samples[i].start[p], b = samples[i].end[p];
                    paths[i][p] = (bw_ccd_path){{a.x, a.y, a.z, 0, b.x, b.y, b.z, 0}};
                    queries[i].p[p] = &paths[i][p];
                }
            }
            uint32_t count = (uint32_t)bws_random_below(random, COUNT + 1), scalar[COUNT], best[COUNT];
            uint32_t kept = bw_ccd_filter(edges, queries, count, BW_SIMD_SCALAR, scalar);
            assert_int_equal(bw_ccd_filter(edges, queries, count, bw_simd_level(BW_SIMD_AUTO), best), kept);
            assert_memory_equal(scalar, best, kept * sizeof *best);
            uint32_t next = 0;
            for (uint32_t i = 0; i < count; i++) {
                if (next < kept && scalar[next] == i) {
                    next++;
                    continue;
                }
                bw_ccd_result answer = bw_ccd_ask(edges, &samples[i], NULL);
                if (answer.answer != BW_CCD_APART)
                    bw_ccd_print(edges, &samples[i]);
                assert_int_equal(answer.answer, BW_CCD_APART);
            }
            assert_int_equal(next, kept);
        }
}

static void filter(void **state)
{
    (void)state;
    BW_EACH_SEED(40, filters, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(filter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
