/* The filter in floats: the same queries kept at every level, and none left out that comes within the
 * distance, which may be one for all or each one's own, at a time of the window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/box.h"
#include "geom/ccd_families.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"
#include "swept/swept.h"

enum { COUNT = 43, TIMES = 5 };

static double largest(const bw_ccd_sample *s)
{
    double size = 0;
    for (int i = 0; i < 4; i++) {
        const double x[6] = {s->start[i].x, s->start[i].y, s->start[i].z,
                             s->end[i].x,   s->end[i].y,   s->end[i].z};
        for (int k = 0; k < 6; k++)
            size = fmax(size, fabs(x[k]));
    }
    return size;
}

static uint32_t kept_total, far_total;

static void keeps(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample samples[COUNT];
            bw_swept_floats floats[COUNT][4];
            const bw_swept_floats *queries[COUNT][4];
            uint32_t count = 0, wanted = (uint32_t)bws_random_below(random, COUNT + 1);
            double extent = 0;
            /* Meshes have coordinates within the range of floats. */
            for (int tries = 0; count < wanted && tries < 4 * COUNT; tries++) {
                bw_ccd_families[f].make(random, edges, &samples[count]);
                if (largest(&samples[count]) > (double)BW_COORDINATE_MAX)
                    continue;
                extent = fmax(extent, largest(&samples[count]));
                for (int p = 0; p < 4; p++) {
                    bw_vec3 a = samples[count].start[p], b = samples[count].end[p];
                    floats[count][p] = (bw_swept_floats){
                        {(float)a.x, (float)a.y, (float)a.z, 0, (float)b.x, (float)b.y, (float)b.z, 0}};
                    queries[count][p] = &floats[count][p];
                }
                count++;
            }
            double distance =
                bws_random_below(random, 3) == 0 ? 0 : extent * ldexp(1, -(int)bws_random_int(random, 1, 24));
            double from = 0, to = 1;
            if (bws_random_bool(random)) {
                from = bws_random_bool(random) ? 0 : bws_random_double(random, 0, 1);
                to = bws_random_bool(random) ? from : bws_random_double(random, from, 1);
            }
            bw_swept_far far = bw_swept_far_from(distance, extent, from, to);
            /* Each with its own: some have none. */
            double own[COUNT];
            float each[COUNT + BW_WIDTH] = {0};
            bool alike = bws_random_bool(random);
            for (uint32_t i = 0; i < count; i++) {
                own[i] = alike ? distance : distance * (double)bws_random_below(random, 3);
                each[i] = bw_float_up(own[i]);
            }
            far.each = alike ? NULL : each;
            uint32_t kept[COUNT], again[COUNT], next = 0;
            uint32_t kept_count = bw_swept_kernels_128.not_far(edges, queries, count, &far, kept);
            for (bw_simd level = BW_SIMD_AVX2; level <= bw_simd_level(BW_SIMD_AUTO); level++) {
                assert_int_equal(bw_swept_kernels_of(level)->not_far(edges, queries, count, &far, again),
                                 kept_count);
                assert_memory_equal(kept, again, kept_count * sizeof *kept);
            }
            kept_total += kept_count;
            far_total += count - kept_count;
            for (uint32_t i = 0; i < count; i++) {
                if (next < kept_count && kept[next] == i) {
                    next++;
                    continue;
                }
                for (int time = 0; time <= TIMES; time++)
                    if (bw_oracle_moving_within(edges, samples[i].start, samples[i].end,
                                                from + (to - from) * time / TIMES, own[i])) {
                        bw_ccd_print(edges, &samples[i]);
                        fail_msg("left out, and within %.17g", own[i]);
                    }
                if (own[i] == 0 && from == 0 && to == 1 &&
                    bw_ccd_ask(edges, &samples[i], NULL).answer != BW_CCD_APART) {
                    bw_ccd_print(edges, &samples[i]);
                    fail_msg("left out, and in contact");
                }
            }
            assert_int_equal(next, kept_count);
        }
}

static void far_apart(void **state)
{
    (void)state;
    kept_total = far_total = 0;
    BW_EACH_SEED(12, keeps, NULL);
    /* It is of use: most of what families make is far apart. */
    assert_true(far_total > kept_total / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
