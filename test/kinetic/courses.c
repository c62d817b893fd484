/* What is asked about many straight courses at once: the same bits one by one and in vectors, and right by
 * the positions that the motion gives: before the time told nobody overtakes, and who is farthest is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kinetic/extent_order.h"
#include "kinetic/film.h"
#include "oracle/random.h"

enum { VERTICES = 60 };

typedef struct field {
    film f;
    bw_flight flight;
    bw_allocator allocator;
} field;

static void make_field(bws_random *r, field *out)
{
    film_desc d = film_any(r);
    d.kind = bws_random_bool(r) ? BW_MOTION_VELOCITY : BW_MOTION_PLANS;
    d.degree = bws_random_below(r, 4) == 0 ? 3 : 1;
    d.size = VERTICES;
    film_make(&d, r, &out->f);
    out->allocator = bw_allocator_or_heap(NULL);
    out->flight = bw_flight_of(&out->f.motion, &out->allocator);
    if (bws_random_bool(r))
        return;
    assert_int_equal(bw_flight_reserve(&out->flight), BW_OK);
    for (uint32_t v = 0; v < out->f.motion.vertex_count; v++)
        if (bws_random_below(r, 3) == 0) {
            bw_plan plan = film_plan(d.style, d.degree, out->flight.begin, r);
            bw_flight_set(&out->flight, v, &plan);
        }
}

static double out_at(const field *f, uint32_t v, uint32_t extent, double t)
{
    return bw_flight_out(&f->flight, v, extent, t);
}

static bool same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Nobody is beyond the winner anywhere before the failure. */
static void prove_failure(const field *f, const bw_extent_order *c, uint32_t winner, double now,
                          double failure)
{
    double until = failure < f->flight.end ? failure : f->flight.end;
    for (int i = 0; i < 8 && now < f->flight.end; i++) {
        double t = i == 0 ? now : i == 1 ? nextafter(until, now) : now + (until - now) * i / 8;
        for (uint32_t j = 0; j < c->count; j++)
            assert_true(out_at(f, c->candidate[j], c->extent, t) <= out_at(f, winner, c->extent, t));
    }
}

static void many(bws_random *r, void *user)
{
    (void)user;
    field f;
    make_field(r, &f);
    uint32_t n = f.f.motion.vertex_count, vertices[BW_COURSES];
    uint32_t count = 1 + (uint32_t)bws_random_below(r, BW_COURSES);
    for (uint32_t i = 0; i < count; i++)
        vertices[i] = (uint32_t)bws_random_below(r, n);
    double now = f.flight.begin + bws_random_unit(r) * (f.flight.end - f.flight.begin);
    for (uint32_t extent = 0; extent < 6; extent++) {
        bw_linear_tracks courses;
        bw_extent_order c = {.flight = &f.flight, .extent = extent, .count = count, .candidate = vertices};
        bool straight = bw_linear_tracks_load(&f.flight, extent, vertices, count, &courses);
        bw_scalar scalar = f.f.motion.scalar;
        if (straight) {
            bw_places at[2];
            memset(at, 0, sizeof at);
            uint32_t farthest = bw_linear_tracks_place(&courses, now, scalar, BW_SIMD_128, &at[0]);
            assert_int_equal(farthest, bw_linear_tracks_place(&courses, now, scalar, BW_SIMD_AVX2, &at[1]));
            assert_true(same_bits(&at[0], &at[1], sizeof at[0]));
            double most = -INFINITY;
            for (uint32_t i = 0; i < count; i++)
                most = fmax(most, out_at(&f, vertices[i], extent, now));
            for (uint32_t i = 0; i < count; i++) {
                bw_linear_track first = bw_linear_tracks_one(&courses, &at[0], i);
                assert_int_equal(farthest >> i & 1, out_at(&f, vertices[i], extent, now) == most);
                assert_int_equal(bw_linear_tracks_open(&courses, &at[0], &first, BW_SIMD_128),
                                 bw_linear_tracks_open(&courses, &at[0], &first, BW_SIMD_AVX2));
                double a = bw_linear_tracks_closest(&courses, &at[0], &first, BW_SIMD_128);
                double b = bw_linear_tracks_closest(&courses, &at[0], &first, BW_SIMD_AVX2);
                assert_true(same_bits(&a, &b, sizeof a));
            }
        }
        double failure[2];
        uint32_t winner[2];
        for (int level = 0; level < 2; level++) {
            c.simd = level == 0 ? BW_SIMD_128 : bw_simd_level(BW_SIMD_AUTO);
            winner[level] = bw_extent_order_decide(&c, vertices[0], now, &failure[level]);
            double again = bw_extent_order_failure(&c, winner[level], now), until;
            assert_true(same_bits(&again, &failure[level], sizeof again));
            prove_failure(&f, &c, winner[level], now, failure[level]);
            uint32_t other = vertices[bws_random_below(r, count)];
            bw_standing standing = bw_extent_order_standing(&c, other, now, &until);
            if (standing == BW_STANDING_CERTAIN)
                assert_true(out_at(&f, other, extent, now) >= out_at(&f, winner[level], extent, now));
            if (standing == BW_STANDING_LOST && until <= now)
                assert_true(out_at(&f, other, extent, now) <= out_at(&f, winner[level], extent, now));
            bw_extent_order one = c;
            one.count = 1;
            one.candidate = &other;
            double meeting;
            bool ahead = bw_extent_order_challenge(&one, winner[level], now, &meeting);
            assert_false(ahead);
            prove_failure(&f, &one, winner[level], now, meeting);
        }
        assert_int_equal(winner[0], winner[1]);
        assert_true(same_bits(&failure[0], &failure[1], sizeof failure[0]));
    }
    bw_flight_release(&f.flight);
    film_free(&f.f);
}

/* A vertex against the six of a box. */
static void boxes(bws_random *r, void *user)
{
    (void)user;
    field f;
    make_field(r, &f);
    uint32_t n = f.f.motion.vertex_count, six[6], v = (uint32_t)bws_random_below(r, n);
    for (uint32_t i = 0; i < 6; i++)
        six[i] = (uint32_t)bws_random_below(r, n);
    double now = f.flight.begin + bws_random_unit(r) * (f.flight.end - f.flight.begin);
    bw_linear_tracks box, one;
    if (bw_linear_tracks_load_box(&f.flight, six, &box) && bw_linear_tracks_load_vertex(&f.flight, v, &one)) {
        double soonest[2][BW_BOX_COURSES];
        bw_scalar scalar = f.f.motion.scalar;
        uint32_t ahead = bw_linear_tracks_meet(&box, &one, now, scalar, BW_SIMD_128, soonest[0]);
        assert_int_equal(ahead, bw_linear_tracks_meet(&box, &one, now, scalar, BW_SIMD_AVX2, soonest[1]));
        assert_true(same_bits(soonest[0], soonest[1], sizeof soonest[0]));
        for (uint32_t extent = 0; extent < 6; extent++) {
            bw_extent_order c = {.flight = &f.flight, .extent = extent, .count = 1, .candidate = &v};
            double failure;
            assert_int_equal(ahead >> extent & 1, bw_extent_order_challenge(&c, six[extent], now, &failure));
            double told = bw_linear_track_failure(now, soonest[0][extent], f.flight.end);
            assert_true(same_bits(&told, &failure, sizeof told));
        }
    }
    bw_flight_release(&f.flight);
    film_free(&f.f);
}

static void test_many(void **state)
{
    (void)state;
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2)
        BW_EACH_SEED(1500, many, NULL);
}

static void test_boxes(void **state)
{
    (void)state;
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2)
        BW_EACH_SEED(1500, boxes, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
