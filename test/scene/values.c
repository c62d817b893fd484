/* Searches whose objects have values of their own, behind their boxes: balls, by a ray and by distance, against a loop over
 * all of them. */
#include "oracle/random.h"

#include <boxwood/scene.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { BALLS = 400, FIRST = 6 };

typedef struct balls {
    bw_vec3 centre[BALLS];
    double radius[BALLS];
    bw_id ids[BALLS];
    bw_ray ray;
    bw_vec3 point;
    bool cast;
    uint32_t asked;
} balls;

/* Where the ray enters a ball, or the squared distance to its surface; negative: it misses. */
static double value(const balls *b, uint32_t i)
{
    const bw_vec3 from = b->cast ? b->ray.origin : b->point;
    const double p[3] = {from.x - b->centre[i].x, from.y - b->centre[i].y, from.z - b->centre[i].z};
    const double pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], r = b->radius[i];
    if (!b->cast)
        return pp <= r * r ? 0 : (sqrt(pp) - r) * (sqrt(pp) - r);
    const double d[3] = {b->ray.direction.x, b->ray.direction.y, b->ray.direction.z};
    const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], pd = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
    const double root = pd * pd - dd * (pp - r * r);
    if (pp <= r * r)
        return 0;
    return root < 0 || pd > 0 ? -1 : (-pd - sqrt(root)) / dd;
}

static double value_of(void *user, bw_id id, uint32_t path, double bound, double limit)
{
    balls *b = user;
    (void)limit;
    assert_int_equal(path, 0);
    b->asked++;
    for (uint32_t i = 0; i < BALLS; i++)
        if (b->ids[i] == id) {
            const double found = value(b, i);
            assert_true(found < 0 || found >= bound * (1 - 1e-11));
            return found;
        }
    fail_msg("no such ball");
    return -1;
}

/* The first by a loop: of equals the lowest id. */
static uint32_t first(const balls *b, double limit, bw_scene_hit hits[FIRST])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < BALLS; i++) {
        const bw_scene_hit hit = {b->ids[i], value(b, i), 0};
        if (hit.value < 0 || hit.value > limit)
            continue;
        uint32_t at = count < FIRST ? count++ : FIRST;
        for (; at > 0 && (hits[at - 1].value > hit.value ||
                          (hits[at - 1].value == hit.value && hits[at - 1].id > hit.id));
             at--)
            if (at < FIRST)
                hits[at] = hits[at - 1];
        if (at < FIRST)
            hits[at] = hit;
    }
    return count;
}

static void search(bws_random *random, void *user)
{
    (void)user;
    balls b;
    bw_scene *scene;
    assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
    for (uint32_t i = 0; i < BALLS; i++) {
        /* some at the same places, so that values are equal */
        const bool twin = i != 0 && bws_random_below(random, 8) == 0;
        b.centre[i] = (bw_vec3){bws_random_double(random, -9, 9), bws_random_double(random, -9, 9),
                                bws_random_double(random, -9, 9)};
        b.radius[i] = bws_random_double(random, 0, 1.5);
        if (twin) {
            b.centre[i] = b.centre[i - 1];
            b.radius[i] = b.radius[i - 1];
        }
        assert_int_equal(bw_scene_insert_sphere(scene, b.centre[i], b.radius[i], i, &b.ids[i], NULL), BW_OK);
    }
    for (int turn = 0; turn < 60; turn++) {
        bw_scene_hit hits[FIRST] = {{0}}, wanted[FIRST] = {{0}};
        bw_scene_search how = {.value_of = value_of, .user = &b};
        if (turn % 3 == 0)
            how.max_value = bws_random_double(random, 0.01, 30);
        const double limit = how.max_value > 0 ? how.max_value : INFINITY;
        b.cast = turn % 2 == 0;
        b.asked = 0;
        if (b.cast) {
            b.ray = (bw_ray){{bws_random_double(random, -12, 12), bws_random_double(random, -12, 12),
                              bws_random_double(random, -12, 12)},
                             {bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                              bws_random_double(random, -1, 1)},
                             0,
                             false};
            const uint32_t count = first(&b, limit, wanted);
            assert_int_equal(bw_scene_cast(scene, &b.ray, &how, &hits[0], NULL), BW_OK);
            assert_true(count == 0 ? hits[0].id == 0
                                   : hits[0].id == wanted[0].id && hits[0].value == wanted[0].value);
        } else {
            b.point = (bw_vec3){bws_random_double(random, -12, 12), bws_random_double(random, -12, 12),
                                bws_random_double(random, -12, 12)};
            uint32_t found, count = first(&b, limit, wanted);
            assert_int_equal(bw_scene_nearest(scene, b.point, &how, hits, FIRST, &found, NULL), BW_OK);
            assert_int_equal(found, count);
            for (uint32_t i = 0; i < count; i++)
                assert_true(hits[i].id == wanted[i].id && hits[i].value == wanted[i].value);
        }
        assert_true(b.asked <= BALLS);
    }
    bw_scene_destroy(scene);
}

static void test_search(void **state)
{
    (void)state;
    BW_EACH_SEED(60, search, NULL);
}

static void test_errors(void **state)
{
    (void)state;
    bw_scene *scene;
    bw_scene_hit hit;
    const bw_ray ray = {.direction = {1, 0, 0}};
    assert_int_equal(bw_scene_create(NULL, &scene, NULL), BW_OK);
    assert_int_equal(bw_scene_cast(scene, &ray, &(bw_scene_search){.max_value = -1}, &hit, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_scene_cast(scene, &ray, &(bw_scene_search){.max_value = NAN}, &hit, NULL),
                     BW_ERROR_ARGUMENT);
    bw_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_search), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
