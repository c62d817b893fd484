/* What AUTO does between keyframes: blended boxes hold what they should, contacts are those of a traversal,
 * in ascending order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "oracle/random.h"
#include "timeline/separation/separation.h"
#include "timeline/stage.h"

static void same_contacts(bw_separation *a, bw_separation *b)
{
    contacts found[2] = {contacts_of(a), contacts_of(b)};
    contacts_equal(&found[0], &found[1]);
    free(found[0].hits);
    free(found[1].hits);
}

static void prove_boxes(bw_separation *s)
{
    for (int i = 0; i < (s->self ? 1 : 2); i++) {
        bw_body body;
        if (s->bodies[i].kinetic == NULL)
            continue;
        assert_int_equal(bw_kinetic_body(s->bodies[i].kinetic, &body, NULL), BW_OK);
        bw_wide_complete(&body.tree->wide);
        film_prove_contained(&body);
    }
}

/* A few frames in every segment, at keyframes too, now and then back. */
static void frames(bws_random *r, void *user)
{
    bool self = user != NULL;
    stage st;
    film_desc a = stage_any(r), b = stage_any(r);
    a.kind = BW_MOTION_KEYFRAMES;
    stage_make(&a, &b, r, &st);
    bw_separation *chosen = stage_separation(&st, BW_SEPARATION_AUTO, self);
    bw_separation *plain = stage_separation(&st, BW_SEPARATION_TRAVERSE, self);
    const bw_motion *keyed = &st.films[0].motion;
    for (uint32_t k = 0; k + 1 < keyed->frame_count; k++) {
        double from = keyed->times[k], to = keyed->times[k + 1];
        uint32_t l = 1 + (uint32_t)bws_random_below(r, 7);
        for (uint32_t i = 1; i <= l; i++) {
            double t = i == l ? to : from + (to - from) * i / l;
            if (bws_random_below(r, 16) == 0)
                t = stage_time(&st, t, r);
            t = fmin(fmax(t, st.begin), st.end);
            assert_int_equal(bw_separation_advance(chosen, t, NULL, NULL), BW_OK);
            assert_int_equal(bw_separation_advance(plain, t, NULL, NULL), BW_OK);
            same_contacts(chosen, plain);
            prove_boxes(chosen);
            same_contacts(chosen, plain);
        }
    }
    bw_separation_destroy(chosen);
    bw_separation_destroy(plain);
    stage_free(&st);
}

static void test_frames(void **state)
{
    (void)state;
    BW_EACH_SEED(60, frames, NULL);
}

static void test_frames_self(void **state)
{
    (void)state;
    BW_EACH_SEED(30, frames, &(int){1});
}

/* A sheet that is turned upside down between two keyframes: half-way it is a point, which boxes blended from
 * those of the ends do not know. A small one stands beside that point, where all those boxes are. */
enum { SIDE = 48, KEYS = 9 };

static void test_turned(void **state)
{
    (void)state;
    static float sheet[2][3 * (SIDE + 1) * (SIDE + 1)],
        small[9] = {0.01f, 0.001f, -1, 0.01f, 0.001f, 1, 0.011f, 0.002f, 0};
    static uint32_t indices[6 * SIDE * SIDE], one[3] = {0, 1, 2};
    uint32_t count = 0;
    for (uint32_t i = 0; i <= SIDE; i++)
        for (uint32_t j = 0; j <= SIDE; j++)
            for (int k = 0; k < 2; k++) {
                float *p = &sheet[k][3 * (i * (SIDE + 1) + j)];
                p[0] = (k == 0 ? 1.0f : -1.0f) * ((float)i / SIDE - 0.5f);
                p[1] = (k == 0 ? 1.0f : -1.0f) * ((float)j / SIDE - 0.5f);
                p[2] = 0;
            }
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++) {
            uint32_t v = i * (SIDE + 1) + j,
                     quad[6] = {v, v + 1, v + SIDE + 1, v + 1, v + SIDE + 2, v + SIDE + 1};
            for (int k = 0; k < 6; k++)
                indices[count++] = quad[k];
        }
    double times[KEYS];
    const void *keys[KEYS], *still[KEYS];
    for (int k = 0; k < KEYS; k++) {
        times[k] = k;
        keys[k] = sheet[k % 2];
        still[k] = small;
    }
    bw_mesh meshes[2] = {
        {.vertex_count = (SIDE + 1) * (SIDE + 1), .indices = indices, .triangle_count = count / 3},
        {.vertex_count = 3, .indices = one, .triangle_count = 1}};
    bw_motion motions[2] = {
        {.vertex_count = meshes[0].vertex_count, .frame_count = KEYS, .times = times, .frames = keys},
        {.vertex_count = 3, .frame_count = KEYS, .times = times, .frames = still}};
    bw_moving moving[2] = {{&meshes[0], &motions[0]}, {&meshes[1], &motions[1]}};
    bw_separation *chosen = NULL, *plain = NULL;
    assert_int_equal(bw_separation_create(NULL, &moving[0], &moving[1], &chosen, NULL), BW_OK);
    bw_separation_desc desc = {.method = BW_SEPARATION_TRAVERSE};
    assert_int_equal(bw_separation_create(&desc, &moving[0], &moving[1], &plain, NULL), BW_OK);
    for (int f = 1; f <= 2 * (KEYS - 1); f++) {
        double t = f / 2.0;
        assert_int_equal(bw_separation_advance(chosen, t, NULL, NULL), BW_OK);
        assert_int_equal(bw_separation_advance(plain, t, NULL, NULL), BW_OK);
        same_contacts(chosen, plain);
        prove_boxes(chosen);
    }
    bw_separation_destroy(chosen);
    bw_separation_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_frames_self),
                                       cmocka_unit_test(test_turned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
