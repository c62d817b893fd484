/* The policy: its boxes bound everything whatever it chooses, it finds the contacts that others find, it
 * changes its choice where it should, and says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinetic/film.h"
#include "kinetic/kinetic.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

#include <boxwood/nearest.h>

static bw_kinetic *create(const film *f, bw_kinetic_method method)
{
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &mesh, &f->motion, &k, NULL),
                     BW_OK);
    return k;
}

static bw_kinetic_choice choice_of(const bw_kinetic *k)
{
    bw_kinetic_choice c = {0};
    bw_kinetic_get_choice(k, &c);
    assert_non_null(c.reason);
    return c;
}

static uint64_t contacts(bw_kinetic *k)
{
    bw_body body;
    assert_int_equal(bw_kinetic_query_body(k, &body, NULL), BW_OK);
    bw_collide_report report = {0};
    assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.mode = BW_COLLIDE_COUNT}, &report, NULL),
                     BW_OK);
    return report.hit_count;
}

static void any_motion(bws_random *r, void *user)
{
    (void)user;
    film_desc d = film_any(r);
    film f;
    film_make(&d, r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_AUTO), *tight = create(&f, BW_KINETIC_REFIT);
    double begin = bw_kinetic_time(k), end = begin + d.span;
    bool replanned = false;
    for (int i = 1; i <= 30; i++) {
        double t = fmin(begin + (end - begin) * i / 30, k->flight.end);
        if (bws_random_below(r, 10) == 0 && !replanned)
            t = begin + bws_random_unit(r) * (bw_kinetic_time(k) - begin);
        t = replanned ? fmax(t, bw_kinetic_time(k)) : t;
        assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
        assert_int_equal(bw_kinetic_advance(tight, t, NULL, NULL), BW_OK);
        if (bws_random_bool(r))
            assert_int_equal(contacts(k), contacts(tight));
        film_prove(&f, k, replanned);
        if (bws_random_below(r, 12) == 0) {
            bw_plan plan = film_plan(d.style, 1, t, r);
            uint32_t v = (uint32_t)bws_random_below(r, f.motion.vertex_count);
            bw_result result = bw_kinetic_set_plan(k, v, &plan, NULL);
            assert_int_equal(result, bw_kinetic_set_plan(tight, v, &plan, NULL));
            replanned = replanned || result == BW_OK;
            film_prove(&f, k, replanned);
        }
    }
    bw_kinetic_destroy(k);
    bw_kinetic_destroy(tight);
    film_free(&f);
}

static void test_any_motion(void **state)
{
    (void)state;
    BW_EACH_SEED(60, any_motion, NULL);
}

/* Few frames a keyframe: refit. Many: blended boxes. The same film, one after the other. */
static void test_frames_matter(void **state)
{
    (void)state;
    enum { FRAMES = 24 };
    bws_random r = bws_random_seeded(3);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 2000, .frames = FRAMES, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_AUTO);
    assert_int_equal(choice_of(k).method, BW_KINETIC_INTERPOLATED);
    for (uint32_t i = 1; i < FRAMES / 2; i++)
        assert_int_equal(bw_kinetic_advance(k, f.times[i], NULL, NULL), BW_OK);
    bw_kinetic_choice few = choice_of(k);
    assert_int_equal(few.method, BW_KINETIC_REFIT);
    assert_true(few.refit > 0 && few.interpolated > 0 && few.switches == 1);
    for (uint32_t i = FRAMES / 2; i + 1 < FRAMES; i++)
        for (int j = 1; j <= 20; j++)
            assert_int_equal(
                bw_kinetic_advance(k, f.times[i - 1] + (f.times[i] - f.times[i - 1]) * j / 20, NULL, NULL),
                BW_OK);
    bw_kinetic_choice many = choice_of(k);
    assert_int_equal(many.method, BW_KINETIC_INTERPOLATED);
    assert_true(many.interpolated < many.refit && many.switches == 2);
    film_prove(&f, k, false);
    bw_kinetic_destroy(k);
    k = create(&f, BW_KINETIC_QUEUE);
    assert_string_equal(choice_of(k).reason, "asked for");
    bw_kinetic_destroy(k);
    film_free(&f);
}

/* Ends the test unless part of the ranges is compiled, as much as is told, and the others have no events,
 * nor have compiled boxes that hold blended ones. Returns how many of these there are. */
static uint32_t prove_part(const bw_kinetic *k, double share)
{
    const bw_segment *lines = &k->lines;
    uint32_t tight = 0, eventful = 0, above = 0;
    for (uint32_t i = 0; i < k->policy.ranges; i++)
        tight += k->policy.range[i].tight;
    assert_true(tight > 0 && tight < k->policy.ranges && (double)tight / k->policy.ranges == share);
    for (uint32_t n = 0; n < k->tree->wide.node_count; n++) {
        assert_true(k->policy.range[n / BW_POLICY_RANGE].tight || lines->eventful[n] == 0);
        eventful += lines->eventful[n] != 0;
        const bw_wide_node *node = &k->tree->wide.nodes[n];
        for (uint32_t lane = 0; lane < node->count; lane++) {
            uint32_t child = node->child[lane];
            if ((child & BW_WIDE_LEAF) != 0 || k->policy.range[child / BW_POLICY_RANGE].tight)
                continue;
            for (uint32_t side = 0; side < BW_SIDES; side++)
                if (side % 4 != 3)
                    assert_false(lines->eventful[n] >> bw_segment_extent(side, lane) & 1);
            above += k->policy.range[n / BW_POLICY_RANGE].tight;
        }
    }
    assert_true(eventful > 0);
    return above;
}

/* Where queries look again and again at boxes that blending makes much larger, these are compiled. The others
 * are still blended, and what queries find does not change. */
static uint32_t part_is_compiled(bw_scalar scalar, bw_simd simd)
{
    enum { SEGMENTS = 5, STEPS = 20, QUESTIONS = 150 };
    bws_random r = bws_random_seeded(4);
    film_desc d = {.scalar = scalar, .style = FILM_WAVE, .size = 20000, .frames = SEGMENTS + 1, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_AUTO), *tight = create(&f, BW_KINETIC_REFIT);
    k->simd = bw_simd_level(simd);
    bw_vec3 p = {0.1, 0.2, 0.3};
    uint32_t compiled = 0, above = 0;
    for (uint32_t i = 1; i <= SEGMENTS; i++)
        for (int j = 1; j <= STEPS; j++) {
            double t = fmin(f.times[i - 1] + (f.times[i] - f.times[i - 1]) * j / STEPS, f.times[i]);
            assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
            bw_body body;
            assert_int_equal(bw_kinetic_query_body(k, &body, NULL), BW_OK);
            bw_nearest_hit near, truth;
            for (int q = 0; q < QUESTIONS; q++)
                assert_int_equal(bw_nearest(&body, &p, NULL, &near, NULL, NULL), BW_OK);
            bw_kinetic_choice c = choice_of(k);
            if (c.method != BW_KINETIC_COMPILED || j % 7 != 3)
                continue;
            compiled++;
            above += prove_part(k, c.compiled_share);
            film_prove(&f, k, false);
            assert_int_equal(bw_kinetic_advance(tight, t, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_query_body(tight, &body, NULL), BW_OK);
            assert_int_equal(bw_nearest(&body, &p, NULL, &truth, NULL, NULL), BW_OK);
            assert_true(near.distance == truth.distance);
        }
    assert_true(compiled > 0);
    film_prove(&f, k, false);
    bw_kinetic_destroy(k);
    bw_kinetic_destroy(tight);
    film_free(&f);
    return above;
}

static void test_part_is_compiled(void **state)
{
    (void)state;
    uint32_t above = part_is_compiled(BW_F32, BW_SIMD_AUTO);
    above += part_is_compiled(BW_F32, BW_SIMD_128);
    above += part_is_compiled(BW_F64, BW_SIMD_AUTO);
    assert_true(above > 0);
}

/* More plans change than a queue can follow: refit; when that is over for long, the queue again. */
static void test_changes_matter(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(5);
    film_desc d = {.kind = BW_MOTION_VELOCITY, .scalar = BW_F32, .style = FILM_WAVE, .size = 500, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_AUTO);
    assert_int_equal(choice_of(k).method, BW_KINETIC_QUEUE);
    uint32_t vertices[40];
    bw_plan plans[40];
    for (uint32_t i = 0; i < 40; i++) {
        vertices[i] = i;
        plans[i] = bw_motion_plan(&f.motion, i, 0);
    }
    assert_int_equal(bw_kinetic_set_plans(k, vertices, plans, 40, NULL), BW_OK);
    assert_int_equal(choice_of(k).method, BW_KINETIC_REFIT);
    film_prove(&f, k, true);
    bool again = false;
    for (int i = 1; i <= 400; i++) {
        assert_int_equal(bw_kinetic_advance(k, k->flight.begin + d.span * i / 500, NULL, NULL), BW_OK);
        again = again || choice_of(k).method == BW_KINETIC_QUEUE;
        assert_true(!again || i > 100);
    }
    assert_true(again && choice_of(k).switches >= 2);
    film_prove(&f, k, true);
    bw_kinetic_destroy(k);
    film_free(&f);
}

/* A jump back now and then does not tell against the queue; going back with every frame does. */
static void test_jumps_matter(void **state)
{
    (void)state;
    bws_mesh mesh;
    float *velocities;
    assert_int_equal(bws_expanding(2000, &mesh, &velocities), BW_OK);
    bw_mesh view = bws_view(&mesh);
    film f = {.motion = {.kind = BW_MOTION_VELOCITY,
                         .vertex_count = mesh.vertex_count,
                         .positions = mesh.positions,
                         .velocities = velocities,
                         .end = 1}};
    bw_kinetic *k = NULL;
    assert_int_equal(
        bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_AUTO}, &view, &f.motion, &k, NULL), BW_OK);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(bw_kinetic_advance(k, (i % 40) / 40.0, NULL, NULL), BW_OK);
        assert_int_equal(choice_of(k).method, BW_KINETIC_QUEUE);
    }
    film_prove(&f, k, false);
    for (int i = 39; i > 0; i--)
        assert_int_equal(bw_kinetic_advance(k, i / 40.0, NULL, NULL), BW_OK);
    assert_int_equal(choice_of(k).method, BW_KINETIC_REFIT);
    film_prove(&f, k, false);
    bw_kinetic_destroy(k);
    free(velocities);
    bws_mesh_free(&mesh);
}

static bw_result go_on(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const film *f = user;
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    bw_kinetic_desc desc = {.method = BW_KINETIC_AUTO, .allocator = &memory->hook};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_kinetic_create(&desc, &mesh, &f->motion, &k, NULL);
    if (result != BW_OK) {
        bw_failing_allocator_fail_none(memory);
        assert_null(k);
        return result;
    }
    for (uint32_t i = 1; i < f->frame_count && result == BW_OK; i++)
        for (int j = 0; j < (i < 6 ? 1 : 8) && result == BW_OK; j++)
            result = bw_kinetic_advance(k, f->times[i - 1] + (f->times[i] - f->times[i - 1]) * (j + 1) / 9,
                                        NULL, NULL);
    bw_body body;
    if (result == BW_OK)
        result = bw_kinetic_query_body(k, &body, NULL);
    bw_plan plan = bw_motion_plan(&f->motion, 0, bw_kinetic_time(k));
    if (result == BW_OK)
        result = bw_kinetic_set_plan(k, 0, &plan, NULL);
    bw_failing_allocator_fail_none(memory);
    film_prove(f, k, true);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    bw_kinetic_destroy(k);
    /* A method for which there is no memory is not chosen, and boxes are then written all at once: no error.
     */
    assert_true(result == BW_OK || result == BW_ERROR_MEMORY);
    return memory->refused > 0 ? BW_ERROR_MEMORY : result;
}

static void test_memory(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(2);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 150, .frames = 10, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_each_allocation_failure(go_on, &f, 5);
    film_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_motion),       cmocka_unit_test(test_frames_matter),
        cmocka_unit_test(test_part_is_compiled), cmocka_unit_test(test_changes_matter),
        cmocka_unit_test(test_jumps_matter),     cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
