/* All pairs and incremental pairs against a loop over all pairs. */
#include "scene/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CAPACITY = 400 };

static void all_body(bws_random *random, void *user)
{
    const world_nesting *nesting = user;
    for (int shape = 0; shape < WORLD_SHAPES; shape++) {
        bw_scene_desc desc = {.nesting = nesting->nesting, .leafy = nesting->leafy, .split_threshold = 8};
        world w = world_create(random, (world_shape)shape, CAPACITY, &desc,
                               bws_random_bool(random) ? BW_SIMD_AUTO : BW_SIMD_128);
        world_insert_many(&w, (uint32_t)bws_random_below(random, CAPACITY));
        assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
        world_compare_pairs(&w);
        if (w.count != 0)
            world_move_many(&w, CAPACITY, false);
        world_compare_pairs(&w);
        world_destroy(&w);
    }
}

static void test_all(void **state)
{
    BW_EACH_SEED(3, all_body, *state);
}

/* ---- incremental: a table of who overlaps whom, kept by what is reported ---- */

typedef struct ledger {
    bw_pair *pairs;
    size_t count, capacity;
    bool ending;
} ledger;

static bool note(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    assert_null(paths);
    ledger *l = user;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < l->count && memcmp(&l->pairs[at], &pairs[i], sizeof *pairs) != 0)
            at++;
        assert_true(pairs[i].a < pairs[i].b);
        if (l->ending) {
            assert_true(at < l->count); /* only what began can end */
            l->pairs[at] = l->pairs[--l->count];
        } else {
            assert_true(at == l->count); /* and nothing begins twice */
            if (l->count == l->capacity)
                l->pairs = realloc(l->pairs, (l->capacity = 2 * l->capacity + 64) * sizeof *l->pairs);
            l->pairs[l->count++] = pairs[i];
        }
    }
    return true;
}

static void update(world *w, ledger *l)
{
    /* Ended pairs are handed out before begun ones: a place may be used again. */
    bw_pair_report began = {0}, ended = {0};
    ledger begins = {0};
    bw_pair_output began_to = {.on_pairs = note, .user = &begins}, ended_to = {.on_pairs = note, .user = l};
    l->ending = true;
    assert_int_equal(bw_scene_pairs_changed(w->scene, &began_to, &ended_to, &began, &ended, NULL), BW_OK);
    l->ending = false;
    assert_int_equal(began.found_count, begins.count);
    note(l, begins.pairs, NULL, begins.count);
    free(begins.pairs);
    size_t wanted = 0;
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const world_object *a = &w->objects[i], *b = &w->objects[k];
            if (!bw_box_overlaps(&a->box, &b->box))
                continue;
            wanted++;
            bw_pair pair = a->id < b->id ? (bw_pair){a->id, b->id} : (bw_pair){b->id, a->id};
            size_t at = 0;
            while (at < l->count && memcmp(&l->pairs[at], &pair, sizeof pair) != 0)
                at++;
            assert_true(at < l->count);
        }
    assert_int_equal(l->count, wanted);
    const char *fault = bw_scene_check(w->scene);
    if (fault != NULL)
        fail_msg("%s", fault);
}

static void changed_body(bws_random *random, void *user)
{
    const world_nesting *nesting = user;
    static const world_shape shapes[] = {WORLD_UNIFORM, WORLD_EQUAL, WORLD_GRID, WORLD_LINE};
    for (int s = 0; s < 4; s++) {
        bw_scene_desc desc = {
            .nesting = nesting->nesting, .leafy = nesting->leafy, .split_threshold = 6, .track_pairs = true};
        world w = world_create(random, shapes[s], 60, &desc, BW_SIMD_AUTO);
        ledger l = {0};
        for (int round = 0; round < 40; round++) {
            for (uint64_t k = bws_random_below(random, 12); k > 0; k--) {
                uint64_t dice = bws_random_below(random, 6);
                if (w.count == 0 || (dice < 2 && w.count < w.capacity)) {
                    world_insert(&w);
                } else if (dice == 2) {
                    world_remove(&w, (uint32_t)bws_random_below(random, w.count));
                } else if (dice == 3) {
                    world_move_many(&w, 5, false);
                } else {
                    uint32_t i = (uint32_t)bws_random_below(random, w.count);
                    bw_box box = world_moved_box(&w, &w.objects[i].box);
                    if (dice == 4) {
                        world_move(&w, i, &box);
                    } else {
                        bw_vec3 by = {bws_random_double(random, -5, 5), 0, bws_random_double(random, -5, 5)};
                        assert_int_equal(bw_scene_move_swept(w.scene, w.objects[i].id, &box, by, NULL),
                                         BW_OK);
                        assert_int_equal(
                            bw_scene_get(w.scene, w.objects[i].id, &w.objects[i].box, NULL, NULL), BW_OK);
                    }
                }
            }
            if (bws_random_bool(random))
                assert_int_equal(bw_scene_prepare(w.scene, NULL, NULL, NULL), BW_OK);
            update(&w, &l);
        }
        while (w.count != 0)
            world_remove(&w, 0);
        update(&w, &l);
        free(l.pairs);
        world_destroy(&w);
    }
}

static void test_changed(void **state)
{
    BW_EACH_SEED(3, changed_body, *state);
}

/* Two that would pass through each other within one step are a pair before it. */
static void test_swept(void **state)
{
    (void)state;
    bw_scene_desc desc = {.track_pairs = true};
    bw_scene *scene;
    assert_int_equal(bw_scene_create(&desc, &scene, NULL), BW_OK);
    bw_box left = {{0, 0, 0}, {1, 1, 1}}, right = {{10, 0, 0}, {11, 1, 1}};
    bw_id a, b;
    assert_int_equal(bw_scene_insert(scene, &left, 0, &a, NULL), BW_OK);
    assert_int_equal(bw_scene_insert(scene, &right, 0, &b, NULL), BW_OK);
    bw_pair_report began = {0}, ended = {0};
    assert_int_equal(bw_scene_pairs_changed(scene, NULL, NULL, &began, &ended, NULL), BW_OK);
    assert_int_equal(began.found_count, 0);
    assert_int_equal(bw_scene_move_swept(scene, a, &left, (bw_vec3){6, 0, 0}, NULL), BW_OK);
    assert_int_equal(bw_scene_move_swept(scene, b, &right, (bw_vec3){-6, 0, 0}, NULL), BW_OK);
    assert_int_equal(bw_scene_pairs_changed(scene, NULL, NULL, &began, &ended, NULL), BW_OK);
    assert_int_equal(began.found_count, 1);
    assert_int_equal(bw_scene_move(scene, a, &left, NULL), BW_OK);
    assert_int_equal(bw_scene_move(scene, b, &right, NULL), BW_OK);
    assert_int_equal(bw_scene_pairs_changed(scene, NULL, NULL, &began, &ended, NULL), BW_OK);
    assert_int_equal(ended.found_count, 1);
    bw_scene_destroy(scene);
}

int main(void)
{
    struct CMUnitTest tests[2 * WORLD_NESTINGS + 1];
    for (int i = 0; i < WORLD_NESTINGS; i++) {
        void *nesting = (void *)(uintptr_t)&world_nestings[i];
        tests[2 * i] = (struct CMUnitTest){"all pairs", test_all, NULL, NULL, nesting};
        tests[2 * i + 1] = (struct CMUnitTest){"changed pairs", test_changed, NULL, NULL, nesting};
    }
    tests[2 * WORLD_NESTINGS] = (struct CMUnitTest){"swept", test_swept, NULL, NULL, NULL};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
