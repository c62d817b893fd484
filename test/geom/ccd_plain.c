/* Single continuous queries without vector instructions: the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/ccd/ccd.h"
#include "geom/ccd/quick.h"
#include "geom/ccd_families.h"
#include "oracle/random.h"

bw_ccd_result bw_ccd_decide_plain(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                  double tolerance);

bw_ccd_quick_answer bw_ccd_quick_plain(bool edges, const bw_vec3 start[4], const bw_vec3 end[4],
                                       double tolerance, bw_ccd_bracket *out);

typedef bw_ccd_quick_answer quick_fn(bool edges, const bw_vec3 start[4], const bw_vec3 end[4],
                                     double tolerance, bw_ccd_bracket *out);

/* The quick stages alone, with whatever vectors this processor has. */
static void same_quick_bits(bool edges, const bw_ccd_sample *s, double tolerance)
{
    quick_fn *others[2] = {bw_ccd_quick, NULL};
#if BW_SIMD_X86
    if (bw_simd_level(BW_SIMD_AUTO) == BW_SIMD_AVX2)
        others[1] = bw_ccd_quick_avx2;
#endif
    bw_ccd_bracket expected = {0, 0, 0};
    bw_ccd_quick_answer plain = bw_ccd_quick_plain(edges, s->start, s->end, tolerance, &expected);
    for (int i = 0; i < 2 && others[i] != NULL; i++) {
        bw_ccd_bracket bracket = {0, 0, 0};
        bool same = others[i](edges, s->start, s->end, tolerance, &bracket) == plain &&
                    bracket.low == expected.low && bracket.high == expected.high &&
                    bracket.guess == expected.guess;
        if (!same)
            bw_ccd_print(edges, s);
        assert_true(same);
    }
}

static void same_bits(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            bw_ccd_families[f].make(random, edges, &s);
            double tolerance = ldexp(1, -(int)bws_random_int(random, 5, 50));
            same_quick_bits(edges, &s, tolerance);
            const bw_ccd_kind *kind = edges ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind;
            bw_ccd_result plain = bw_ccd_decide_plain(kind, s.start, s.end, tolerance);
            bw_ccd_result best = bw_ccd_decide(kind, s.start, s.end, tolerance);
            bool same = plain.answer == best.answer && plain.exact == best.exact && plain.time == best.time &&
                        plain.time_after == best.time_after;
            if (!same)
                bw_ccd_print(edges, &s);
            assert_true(same);
        }
}

static void plain(void **state)
{
    (void)state;
    BW_EACH_SEED(600, same_bits, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
