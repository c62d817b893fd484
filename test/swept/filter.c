/* The vectorised filter: the same answers at every level, and nothing in contact is ever left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/ccd/filter.h"
#include "geom/ccd_families.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"

#include <math.h>

enum { COUNT = 61 };

/* Samples of one family, as the filter takes them. */
typedef struct batch {
    bw_ccd_sample samples[COUNT];
    bw_ccd_path paths[COUNT][4];
    bw_ccd_four queries[COUNT];
} batch;

static void make_batch(bws_random *random, int family, bool edges, batch *out)
{
    for (int i = 0; i < COUNT; i++) {
        bw_ccd_families[family].make(random, edges, &out->samples[i]);
        for (int p = 0; p < 4; p++) {
            bw_vec3 a = out->samples[i].start[p], b = out->samples[i].end[p];
            out->paths[i][p] = (bw_ccd_path){{a.x, a.y, a.z, 0, b.x, b.y, b.z, 0}};
            out->queries[i].p[p] = &out->paths[i][p];
        }
    }
}

/* What the filter keeps, the same at every level. */
static uint32_t keep(const batch *b, bool edges, uint32_t count, const bw_ccd_separation *separation,
                     uint32_t kept[COUNT])
{
    uint32_t best[COUNT], kept_count = bw_ccd_filter(edges, b->queries, count, separation, BW_SIMD_128, kept);
    assert_int_equal(bw_ccd_filter(edges, b->queries, count, separation, bw_simd_level(BW_SIMD_AUTO), best),
                     kept_count);
    assert_memory_equal(kept, best, kept_count * sizeof *best);
    return kept_count;
}

static void filters(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            batch b;
            make_batch(random, f, edges, &b);
            uint32_t count = (uint32_t)bws_random_below(random, COUNT + 1), kept[COUNT], next = 0;
            uint32_t kept_count = keep(&b, edges, count, &(bw_ccd_separation){0}, kept);
            for (uint32_t i = 0; i < count; i++) {
                if (next < kept_count && kept[next] == i) {
                    next++;
                    continue;
                }
                bw_ccd_result answer = bw_ccd_ask(edges, &b.samples[i], NULL);
                if (answer.answer != BW_CCD_APART)
                    bw_ccd_print(edges, &b.samples[i]);
                assert_int_equal(answer.answer, BW_CCD_APART);
            }
            assert_int_equal(next, kept_count);
        }
}

/* With a separation: exact distances at sampled times say that what is left out keeps away, and that what is
 * called near at time 0 is. */
static void separated(bws_random *random, void *user)
{
    (void)user;
    enum { TIMES = 5 };
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            batch b;
            make_batch(random, f, edges, &b);
            const bw_vec3 *p = b.samples[0].start, *q = b.samples[0].end;
            double size = fabs(p[0].x - q[1].x) + fabs(p[2].y - q[3].y) + fabs(p[1].z - q[2].z);
            double most = size * ldexp(1, -(int)bws_random_int(random, 0, 12)), own[COUNT];
            if (!(most > 0 && most <= BW_EXACT_MAX))
                continue;
            /* One for all, or each its own, which may be none. */
            bool alike = bws_random_bool(random);
            for (uint32_t i = 0; i < COUNT; i++)
                own[i] = alike ? most : 0.5 * most * (double)bws_random_below(random, 3);
            const bw_ccd_separation separation = {most, alike ? NULL : own};
            uint32_t count = (uint32_t)bws_random_below(random, COUNT + 1), kept[COUNT], next = 0;
            uint32_t kept_count = keep(&b, edges, count, &separation, kept);
            bool near[COUNT], again[COUNT];
            bw_ccd_near_start(edges, b.queries, kept, kept_count, &separation, BW_SIMD_128, near);
            bw_ccd_near_start(edges, b.queries, kept, kept_count, &separation, bw_simd_level(BW_SIMD_AUTO),
                              again);
            assert_memory_equal(near, again, kept_count * sizeof *near);
            for (uint32_t i = 0; i < count; i++) {
                const bw_ccd_sample *s = &b.samples[i];
                bool fine = true;
                if (next < kept_count && kept[next] == i) {
                    if (near[next++])
                        fine = bw_oracle_moving_within(edges, s->start, s->end, 0, own[i]);
                } else {
                    for (int time = 0; time <= TIMES; time++)
                        fine &=
                            !bw_oracle_moving_within(edges, s->start, s->end, (double)time / TIMES, own[i]);
                }
                if (!fine) {
                    bw_ccd_print(edges, s);
                    fail_msg("wrong with a separation of %.17g", own[i]);
                }
            }
            assert_int_equal(next, kept_count);
        }
}

static void separations(void **state)
{
    (void)state;
    BW_EACH_SEED(20, separated, NULL);
}

static void filter(void **state)
{
    (void)state;
    BW_EACH_SEED(40, filters, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(filter), cmocka_unit_test(separations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
