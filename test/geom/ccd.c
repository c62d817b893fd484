/* Continuous queries against exact roots in rationals, and exact touches at every scale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "geom/ccd/ccd.h"
#include "geom/ccd_families.h"
#include "oracle/ccd_oracle.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"

static uint32_t asked, near_misses; /* called close, and in truth apart */

static void compare(const char *family, bool edges, const bw_ccd_sample *s, const bw_ccd_result *answer,
                    const bw_ccd_truth *truth, double tolerance)
{
    bool good = true;
    asked++;
    if (answer->answer == BW_CCD_APART) {
        good = !truth->contact && answer->time == 1 && answer->time_after == 1;
    } else {
        good = answer->time_after - answer->time <= tolerance && answer->time >= 0 && answer->time_after <= 1;
        if (answer->answer == BW_CCD_CONTACT)
            good &= truth->contact && answer->time_after >= truth->after;
        if (truth->contact)
            good &= answer->time <= truth->before;
        near_misses += !truth->contact;
    }
    if (!good) {
        printf("%s: answer %d in [%.17g, %.17g], truth %d in [%.17g, %.17g]\n", family, (int)answer->answer,
               answer->time, answer->time_after, (int)truth->contact, truth->after, truth->before);
        bw_ccd_print(edges, s);
    }
    assert_true(good);
}

static void answers_are_true(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            bw_ccd_families[f].make(random, edges, &s);
            bw_ccd_truth truth = bw_oracle_ccd(edges, s.start, s.end);
            bw_ccd_desc desc = {.tolerance = ldexp(1, -(int)bws_random_int(random, 5, 45))};
            bw_ccd_result answer = bw_ccd_ask(edges, &s, &desc);
            compare(bw_ccd_families[f].name, edges, &s, &answer, &truth, desc.tolerance);
            /* The last stage alone, for what filters decide otherwise. */
            answer = bw_ccd_decide_exact(edges ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind, s.start,
                                         s.end, NULL);
            compare(bw_ccd_families[f].name, edges, &s, &answer, &truth, 0x1p-52);
        }
}

static void exact_truth(void **state)
{
    (void)state;
    asked = near_misses = 0;
    BW_EACH_SEED(18, answers_are_true, NULL);
    /* Nearly all of them are made to defeat rounding; next to none is undecided and apart. */
    assert_true(near_misses <= asked / 100);
}

/* Many more, against the last stage alone, which exact_truth compares with rationals. */
static void stages_agree(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            bw_ccd_families[f].make(random, edges, &s);
            bw_ccd_desc desc = {.tolerance = ldexp(1, -(int)bws_random_int(random, 5, 50))};
            bw_ccd_result answer = bw_ccd_ask(edges, &s, &desc);
            bw_ccd_result exact = bw_ccd_decide_exact(
                edges ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind, s.start, s.end, NULL);
            bool good = true;
            if (exact.answer == BW_CCD_APART)
                good = answer.answer == BW_CCD_APART;
            else if (exact.answer == BW_CCD_CONTACT)
                good = answer.answer != BW_CCD_APART && answer.time <= exact.time_after &&
                       answer.time_after >= exact.time && answer.time_after - answer.time <= desc.tolerance;
            if (!good) {
                printf("%s: answer %d in [%.17g, %.17g], exact %d in [%.17g, %.17g]\n",
                       bw_ccd_families[f].name, (int)answer.answer, answer.time, answer.time_after,
                       (int)exact.answer, exact.time, exact.time_after);
                bw_ccd_print(edges, &s);
            }
            assert_true(good);
        }
}

static void stages(void **state)
{
    (void)state;
    BW_EACH_SEED(1200, stages_agree, NULL);
}

static void touches(bws_random *random, void *user)
{
    (void)user;
    for (int scale = -6; scale <= 6; scale++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            double time;
            bw_ccd_touching(random, edges, (int)lround(scale * log2(10)), &s, &time);
            bw_ccd_result answer = bw_ccd_ask(edges, &s, NULL);
            if (answer.answer == BW_CCD_APART || !(answer.time <= time))
                bw_ccd_print(edges, &s);
            assert_int_not_equal(answer.answer, BW_CCD_APART);
            assert_true(answer.time <= time);
        }
}

static void touch_probe(void **state)
{
    (void)state;
    BW_EACH_SEED(800, touches, NULL);
}

/* ---- With a separation ---- */

static bw_vec3 between(const bw_vec3 *a, const bw_vec3 *b, double t)
{
    return (bw_vec3){a->x * (1 - t) + b->x * t, a->y * (1 - t) + b->y * t, a->z * (1 - t) + b->z * t};
}

static double distance_at(bool edges, const bw_ccd_sample *s, double t)
{
    bw_vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = between(&s->start[i], &s->end[i], t);
    bw_vec3 first[3] = {p[0], edges ? p[1] : p[0], p[0]},
            second[3] = {p[edges ? 2 : 1], p[edges ? 3 : 2], p[3]};
    return sqrt(bw_triangle_distance2(first, second, NULL, NULL));
}

static void separations_hold(bws_random *random, void *user)
{
    (void)user;
    enum { STEPS = 200 };
    for (int edges = 0; edges < 2; edges++) {
        bw_ccd_sample s;
        bw_ccd_families[bws_random_below(random, 7)].make(random, edges, &s);
        bw_ccd_desc desc = {.separation = bws_random_double(random, 0.001, 0.5), .tolerance = 0x1p-24};
        bw_ccd_result answer = bw_ccd_ask(edges, &s, &desc);
        const double slack = 1e-9;
        bool near = false;
        for (int step = 0; step <= STEPS; step++) {
            double t = (double)step / STEPS, distance = distance_at(edges, &s, t);
            near |= distance <= desc.separation;
            if (answer.answer == BW_CCD_APART || t < answer.time)
                assert_true(distance > desc.separation - slack);
        }
        if (answer.answer == BW_CCD_APART) {
            assert_false(near);
        } else {
            assert_true(answer.time_after - answer.time <= desc.tolerance);
            double here = distance_at(edges, &s, answer.time);
            /* Within the tolerance of time nothing moves by more than this. */
            assert_true(here <= desc.separation + 100 * desc.tolerance + slack);
            if (answer.answer == BW_CCD_CONTACT)
                assert_true(fmin(here, distance_at(edges, &s, answer.time_after)) <= desc.separation + slack);
        }
    }
}

/* Every family, degenerate ones and those an ulp beside, by exact distances at sampled times: nothing is
 * missed and nothing comes late, and what is called contact is one. */
static void separations_exact(bws_random *random, void *user)
{
    (void)user;
    enum { STEPS = 12 };
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            bw_ccd_families[f].make(random, edges, &s);
            double size = 0;
            for (int i = 0; i < 4; i++)
                size = fmax(size, fmax(fabs(s.start[i].x - s.end[0].x), fabs(s.end[i].y - s.start[0].y)));
            /* About as far as they are at some time, or any share of their size. */
            double about = distance_at(edges, &s, bws_random_double(random, 0, 1));
            bw_ccd_desc desc = {.tolerance = ldexp(1, -(int)bws_random_int(random, 4, 30)),
                                .separation = bws_random_bool(random) && about > 0
                                                  ? about
                                                  : size * bws_random_double(random, 1e-4, 0.3)};
            if (!(desc.separation > 0 && desc.separation <= BW_EXACT_MAX))
                continue;
            bw_ccd_result answer = bw_ccd_ask(edges, &s, &desc);
            bool fine = answer.time_after - answer.time <= desc.tolerance;
            for (int step = 0; step <= STEPS; step++) {
                double t = (double)step / STEPS;
                if (answer.answer == BW_CCD_APART || t < answer.time)
                    fine &= !bw_oracle_moving_within(edges, s.start, s.end, t, desc.separation);
            }
            if (answer.answer == BW_CCD_CONTACT)
                fine &= bw_oracle_moving_within(edges, s.start, s.end, answer.time_after, desc.separation);
            if (!fine) {
                bw_ccd_print(edges, &s);
                fail_msg("family %s, separation %.17g, tolerance %g: answer %d, time %.17g to %.17g",
                         bw_ccd_families[f].name, desc.separation, desc.tolerance, (int)answer.answer,
                         answer.time, answer.time_after);
            }
        }
}

static void separation_exact(void **state)
{
    (void)state;
    BW_EACH_SEED(600, separations_exact, NULL);
}

static void separation(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, separations_hold, NULL);
}

/* A vertex that slides along a face a little beyond the separation, and one a little within. */
static void sliding(void **state)
{
    (void)state;
    bw_ccd_sample s = {{{-1, 0.2, 0.1}, {-5, -5, 0}, {5, -5, 0}, {0, 9, 0}},
                       {{1, 0.3, 0.1}, {-5, -5, 0}, {5, -5, 0}, {0, 9, 0}}};
    bw_ccd_desc desc = {.separation = 0.1 - 1e-12};
    assert_int_equal(bw_ccd_ask(false, &s, &desc).answer, BW_CCD_APART);
    desc.separation = 0.1 + 1e-9;
    bw_ccd_result answer = bw_ccd_ask(false, &s, &desc);
    assert_int_equal(answer.answer, BW_CCD_CONTACT);
    assert_true(answer.time == 0);
}

/* ---- Triangles ---- */

static void triangles_are_their_parts(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 p[2][6];
    bool lattice = bws_random_bool(random);
    for (int i = 0; i < 6; i++) {
        double c[3], e[3];
        for (int k = 0; k < 3; k++) {
            c[k] = lattice ? (double)bws_random_int(random, -4, 4) : bws_random_double(random, -1, 1);
            e[k] = lattice ? (double)bws_random_int(random, -4, 4) : bws_random_double(random, -1, 1);
        }
        p[0][i] = (bw_vec3){c[0], c[1], c[2]};
        p[1][i] = (bw_vec3){e[0], e[1], e[2]};
    }
    bw_ccd_triangle_result answer;
    assert_int_equal(bw_ccd_triangle_triangle(p[0], p[1], p[0] + 3, p[1] + 3, NULL, &answer), BW_OK);
    bool meet = bw_triangle_triangle(p[0], p[0] + 3) != BW_CONTACT_NONE;
    assert_int_equal(answer.feature == BW_CCD_START, meet);
    if (meet) {
        assert_true(answer.first.time == 0 && answer.first.answer == BW_CCD_CONTACT);
        return;
    }
    double first = INFINITY;
    bool named = answer.feature == BW_CCD_NOTHING;
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 5; b++) {
            bw_ccd_sample s;
            bw_ccd_feature feature = b < 3    ? BW_CCD_EDGE_EDGE
                                     : b == 3 ? BW_CCD_VERTEX_FACE
                                              : BW_CCD_FACE_VERTEX;
            for (int time = 0; time < 2; time++) {
                bw_vec3 *to = time == 0 ? s.start : s.end, *from = p[time];
                if (feature == BW_CCD_EDGE_EDGE) {
                    to[0] = from[a];
                    to[1] = from[(a + 1) % 3];
                    to[2] = from[3 + b];
                    to[3] = from[3 + (b + 1) % 3];
                } else {
                    to[0] = from[b == 3 ? a : 3 + a];
                    for (int i = 0; i < 3; i++)
                        to[i + 1] = from[b == 3 ? 3 + i : i];
                }
            }
            bw_ccd_result part = bw_ccd_ask(feature == BW_CCD_EDGE_EDGE, &s, NULL);
            if (part.answer != BW_CCD_APART)
                first = fmin(first, part.time);
            bool this_one =
                answer.feature == feature && (feature == BW_CCD_EDGE_EDGE     ? answer.a == a && answer.b == b
                                              : feature == BW_CCD_VERTEX_FACE ? answer.a == a
                                                                              : answer.b == a);
            named |= this_one && part.time == answer.first.time;
        }
    assert_true(named);
    if (answer.feature == BW_CCD_NOTHING)
        assert_true(isinf(first) && answer.first.answer == BW_CCD_APART);
    else
        assert_true(first == answer.first.time);
}

static void triangles(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, triangles_are_their_parts, NULL);
}

/* ---- The ends of everything ---- */

/* Coordinates at the edge of what is allowed, equal points, no motion: an answer, and the exact one. */
static void extremes_are_true(bws_random *random, void *user)
{
    (void)user;
    const double ends[] = {0,
                           BW_EXACT_MIN,
                           -BW_EXACT_MIN,
                           BW_EXACT_MAX,
                           -BW_EXACT_MAX,
                           1,
                           -1,
                           -0.0,
                           BW_EXACT_MIN * (1 + 0x1p-52),
                           BW_EXACT_MAX * (1 - 0x1p-53)};
    for (int edges = 0; edges < 2; edges++) {
        bw_ccd_sample s;
        bw_vec3 pool[3];
        bool still = bws_random_bool(random);
        for (int i = 0; i < 3; i++)
            pool[i] = (bw_vec3){ends[bws_random_below(random, 10)], ends[bws_random_below(random, 10)],
                                ends[bws_random_below(random, 10)]};
        for (int i = 0; i < 4; i++) {
            s.start[i] = pool[bws_random_below(random, 3)];
            s.end[i] = still ? s.start[i] : pool[bws_random_below(random, 3)];
            if (bws_random_bool(random))
                s.start[i].y = s.end[i].z = ends[bws_random_below(random, 10)];
        }
        bw_ccd_truth truth = bw_oracle_ccd(edges, s.start, s.end);
        bw_ccd_result answer = bw_ccd_ask(edges, &s, NULL);
        compare("extremes", edges, &s, &answer, &truth, BW_CCD_TOLERANCE);
        /* With a separation there is an answer too, and contact stays contact. */
        const double separations[] = {0x1p-1074, BW_EXACT_MIN, 1e-9, 1, BW_EXACT_MAX};
        bw_ccd_desc desc = {.separation = separations[bws_random_below(random, 5)]};
        if (truth.contact && bw_ccd_ask(edges, &s, &desc).answer == BW_CCD_APART) {
            bw_ccd_print(edges, &s);
            fail_msg("in contact, and apart with a separation of %g", desc.separation);
        }
    }
}

static void extremes(void **state)
{
    (void)state;
    BW_EACH_SEED(20, extremes_are_true, NULL);
}

/* Everything in one point at time 0, at time 1 or at both. */
static void all_touching(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(5);
    for (int edges = 0; edges < 2; edges++)
        for (int which = 1; which < 4; which++)
            for (int i = 0; i < 200; i++) {
                bw_ccd_sample s;
                bw_ccd_families[i % 2].make(&random, edges, &s);
                for (int p = 0; p < 4; p++) {
                    if ((which & 1) != 0)
                        s.start[p] = s.start[0];
                    if ((which & 2) != 0)
                        s.end[p] = s.end[0];
                }
                bw_ccd_result answer = bw_ccd_ask(edges, &s, NULL);
                assert_int_not_equal(answer.answer, BW_CCD_APART);
                if ((which & 1) != 0)
                    assert_true(answer.time == 0);
            }
}

static void bad_arguments(void **state)
{
    (void)state;
    bw_ccd_sample s = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                       {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    bw_ccd_result before = {BW_CCD_CLOSE, true, 0.25, 0.5}, answer = before;
    bw_ccd_triangle_result triangle = {before, BW_CCD_EDGE_EDGE, 1, 2};
    const bw_ccd_desc wrong[] = {{.tolerance = -1},  {.tolerance = 0x1p-60},
                                 {.tolerance = 2},   {.tolerance = (double)NAN},
                                 {.separation = -1}, {.separation = (double)NAN}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(bw_ccd_vertex_face(s.start, s.end, &wrong[i], &answer), BW_ERROR_ARGUMENT);
        assert_int_equal(
            bw_ccd_triangle_triangle(s.start, s.end, s.start + 1, s.end + 1, &wrong[i], &triangle),
            BW_ERROR_ARGUMENT);
    }
    assert_int_equal(bw_ccd_edge_edge(NULL, s.end, NULL, &answer), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_ccd_edge_edge(s.start, NULL, NULL, &answer), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_ccd_edge_edge(s.start, s.end, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_ccd_triangle_triangle(s.start, s.end, s.start, NULL, NULL, &triangle),
                     BW_ERROR_ARGUMENT);
    s.end[2].y = (double)INFINITY;
    assert_int_equal(bw_ccd_vertex_face(s.start, s.end, NULL, &answer), BW_ERROR_NOT_FINITE);
    assert_int_equal(bw_ccd_triangle_triangle(s.start, s.end, s.start + 1, s.end + 1, NULL, &triangle),
                     BW_ERROR_NOT_FINITE);
    s.end[2].y = 0x1p301;
    assert_int_equal(bw_ccd_edge_edge(s.start, s.end, NULL, &answer), BW_ERROR_RANGE);
    s.end[2].y = 0x1p-301;
    assert_int_equal(bw_ccd_edge_edge(s.start, s.end, NULL, &answer), BW_ERROR_RANGE);
    assert_memory_equal(&answer, &before, sizeof before);
    assert_int_equal(triangle.feature, BW_CCD_EDGE_EDGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_truth),      cmocka_unit_test(touch_probe), cmocka_unit_test(separation),
        cmocka_unit_test(separation_exact), cmocka_unit_test(sliding),     cmocka_unit_test(triangles),
        cmocka_unit_test(bad_arguments),    cmocka_unit_test(stages),      cmocka_unit_test(extremes),
        cmocka_unit_test(all_touching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
