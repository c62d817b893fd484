/* Every nesting on every distribution: random histories, every answer compared with a loop over all objects.
 */
#include "scene/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Times eleven variants and ten distributions. BOXWOOD_OPERATIONS=100000 in the environment gives every
 * nesting a million and more. */
enum { OPERATIONS = 3000, CAPACITY = 700 };

static int operations(void)
{
    const char *asked = getenv("BOXWOOD_OPERATIONS");
    return asked == NULL ? OPERATIONS : atoi(asked);
}

static void step(world *w)
{
    uint64_t dice = bws_random_below(w->random, 1000);
    if (w->count == 0 || (dice < 120 && w->count < w->capacity)) {
        world_insert(w);
    } else if (dice < 225) {
        world_remove(w, (uint32_t)bws_random_below(w->random, w->count));
    } else if (dice < 800) {
        uint32_t k = (uint32_t)bws_random_below(w->random, w->count);
        bw_box box = dice < 300 ? world_new_box(w) : world_moved_box(w, &w->objects[k].box);
        world_move(w, k, &box);
    } else if (dice < 830) {
        world_move_many(w, (uint32_t)bws_random_below(w->random, 200), bws_random_below(w->random, 8) == 0);
    } else if (dice < 834) {
        world_insert_many(w, (uint32_t)bws_random_below(w->random, 300));
    } else if (dice < 836) {
        uint32_t count = (uint32_t)bws_random_below(w->random, w->count + 1);
        bw_id ids[CAPACITY];
        for (uint32_t i = 0; i < count; i++)
            ids[i] = w->objects[--w->count].id;
        assert_int_equal(bw_scene_remove_many(w->scene, ids, count, NULL), BW_OK);
    } else if (dice < 840) {
        bw_box region = world_query_box(w);
        bw_prepare_report report = {0};
        assert_int_equal(
            bw_scene_prepare(w->scene, bws_random_bool(w->random) ? NULL : &region, &report, NULL), BW_OK);
    } else if (dice < 960) {
        world_compare_random_query(w);
    } else if (dice < 975) {
        world_compare_nearest(w);
    } else if (dice < 990) {
        world_compare_cast(w);
    } else {
        world_check(w);
    }
}

typedef struct variant {
    world_nesting nesting;
    bw_simd simd;
} variant;

static void body(bws_random *random, void *user)
{
    const variant *v = user;
    const int steps = operations();
    for (int shape = 0; shape < WORLD_SHAPES; shape++) {
        bw_scene_desc desc = {.nesting = v->nesting.nesting,
                              .leafy = v->nesting.leafy,
                              .split_threshold = (uint32_t)bws_random_int(random, 4, 40)};
        world w = world_create(random, (world_shape)shape, CAPACITY, &desc, v->simd);
        if (bws_random_bool(random))
            world_insert_many(&w, CAPACITY / 2);
        for (int i = 0; i < steps; i++)
            step(&w);
        world_check(&w);
        world_compare_pairs(&w);
        while (w.count != 0)
            world_remove(&w, (uint32_t)bws_random_below(random, w.count));
        world_check(&w);
        world_destroy(&w);
    }
}

static void test_nesting(void **state)
{
    variant v = {*(const world_nesting *)*state, BW_SIMD_AUTO};
    BW_EACH_SEED(1, body, &v);
}

static void test_narrow(void **state)
{
    (void)state;
    variant v = {world_nestings[0], BW_SIMD_128};
    BW_EACH_SEED(1, body, &v);
}

int main(void)
{
    struct CMUnitTest tests[WORLD_NESTINGS + 1];
    for (int i = 0; i < WORLD_NESTINGS; i++)
        tests[i] = (struct CMUnitTest){world_nestings[i].name, test_nesting, NULL, NULL,
                                       (void *)(uintptr_t)&world_nestings[i]};
    tests[WORLD_NESTINGS] = (struct CMUnitTest){"modern, 128 bits", test_narrow, NULL, NULL, NULL};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
