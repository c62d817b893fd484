/* Scenes in scenes against a flat list of all objects as seen from the outermost one. */
#include "scene/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENES = 5, EACH = 40, MOST = 100000 };

static bw_transform random_pose(bws_random *random)
{
    bw_vec3 scale = {1, 1, 1};
    if (bws_random_below(random, 4) == 0)
        scale = (bw_vec3){bws_random_double(random, 0.5, 2), 1, -1};
    return bw_transform_compose(
        (bw_vec3){bws_random_double(random, -50, 50), bws_random_double(random, -50, 50),
                  bws_random_double(random, -50, 50)},
        (bw_vec3){bws_random_double(random, -1, 1), bws_random_double(random, -1, 1), 1.1},
        bws_random_double(random, -3, 3), scale);
}

typedef struct flat {
    bw_id id;
    const bw_scene *scene;
    bw_box box;
    bw_id path[SCENES];
    uint32_t depth;
} flat;

typedef struct list {
    flat *items;
    uint32_t count;
} list;

typedef struct held {
    bw_scene *scene;
    bw_id ids[EACH];
    uint32_t count;
} held;

/* The objects of a scene and of all below it. */
static void flatten(const bw_scene *scene, const bw_transform *pose, const bw_id *path, uint32_t depth,
                    list *out)
{
    /* A query for all of space lists the objects. */
    bw_region all = {.kind = BW_REGION_PLANES};
    bw_id ids[EACH + SCENES * 4];
    bw_scene_output output = {.ids = ids, .capacity = EACH + SCENES * 4};
    bw_scene_report report;
    assert_int_equal(bw_scene_query(scene, &all, &output, &report), BW_OK);
    assert_int_equal(report.status, BW_SCENE_COMPLETE);
    for (uint64_t i = 0; i < report.found; i++) {
        bw_transform own;
        const bw_scene *child = bw_scene_child(scene, ids[i], &own);
        bw_id longer[SCENES];
        if (depth != 0)
            memcpy(longer, path, depth * sizeof *path);
        if (child != NULL) {
            longer[depth] = ids[i];
            bw_transform both = depth == 0 ? own : bw_transform_multiply(pose, &own);
            flatten(child, &both, longer, depth + 1, out);
            continue;
        }
        assert_true(out->count < MOST);
        flat *f = &out->items[out->count++];
        *f = (flat){.id = ids[i], .scene = scene, .depth = depth};
        if (depth != 0)
            memcpy(f->path, path, depth * sizeof *path);
        assert_int_equal(bw_scene_get(scene, ids[i], &f->box, NULL), BW_OK);
        if (depth != 0)
            f->box = bw_box_transformed(&f->box, pose);
    }
}

typedef struct comparison {
    const list *wanted;
    const bw_region *region;
    bool *seen;
    uint64_t count;
} comparison;

static bool compare(void *user, const bw_scene_place *place)
{
    comparison *c = user;
    assert_true(bw_region_meets(c->region, &place->box));
    for (uint32_t i = 0; i < c->wanted->count; i++) {
        const flat *f = &c->wanted->items[i];
        if (c->seen[i] || f->id != place->id || f->scene != place->scene || f->depth != place->depth ||
            memcmp(f->path, place->path, f->depth * sizeof *f->path) != 0)
            continue;
        assert_memory_equal(&f->box, &place->box, sizeof f->box);
        assert_true((place->pose == NULL) == (place->depth == 0));
        c->seen[i] = true;
        c->count++;
        return true;
    }
    fail_msg("an object that is not there");
    return false;
}

static void body(bws_random *random, void *user)
{
    const world_nesting *nesting = user;
    held scenes[SCENES];
    for (int s = 0; s < SCENES; s++) {
        bw_scene_desc desc = {.nesting = nesting->nesting, .leafy = nesting->leafy, .split_threshold = 6};
        scenes[s].count = 0;
        assert_int_equal(bw_scene_create(&desc, &scenes[s].scene), BW_OK);
    }
    /* Later scenes hold earlier ones; the reverse is refused as soon as it would close a circle. */
    bw_id instances[SCENES * 2];
    int holders[SCENES * 2], instance_count = 0;
    for (int s = 1; s < SCENES; s++)
        for (int k = 0; k < 2; k++) {
            bw_transform pose = random_pose(random);
            uint64_t child = bws_random_below(random, (uint64_t)s);
            assert_int_equal(bw_scene_insert_scene(scenes[s].scene, scenes[child].scene, &pose, 0,
                                                   &instances[instance_count]),
                             BW_OK);
            holders[instance_count++] = s;
            bw_id id = 0;
            assert_int_equal(bw_scene_insert_scene(scenes[child].scene, scenes[s].scene, &pose, 0, &id),
                             BW_ERROR_CYCLE);
            assert_true(id == 0);
        }
    list all = {calloc(MOST, sizeof(flat)), 0};
    bool *seen = calloc(MOST, sizeof *seen);
    for (int step = 0; step < 120; step++) {
        held *h = &scenes[bws_random_below(random, SCENES)];
        bw_box box;
        for (int i = 0; i < 3; i++) {
            box.min[i] = bws_random_float(random, -30, 30);
            box.max[i] = box.min[i] + bws_random_float(random, 0, 10);
        }
        uint64_t dice = bws_random_below(random, 10);
        if (dice < 5 && h->count < EACH) {
            assert_int_equal(bw_scene_insert(h->scene, &box, 0, &h->ids[h->count]), BW_OK);
            h->count++;
        } else if (dice < 7 && h->count != 0) {
            assert_int_equal(bw_scene_move(h->scene, h->ids[bws_random_below(random, h->count)], &box),
                             BW_OK);
        } else if (dice < 8 && h->count != 0) {
            assert_int_equal(bw_scene_remove(h->scene, h->ids[--h->count]), BW_OK);
        } else if (dice < 9) {
            int k = (int)bws_random_below(random, (uint64_t)instance_count);
            bw_transform pose = random_pose(random);
            assert_int_equal(bw_scene_set_pose(scenes[holders[k]].scene, instances[k], &pose), BW_OK);
            assert_int_equal(bw_scene_move(scenes[holders[k]].scene, instances[k], &box),
                             BW_ERROR_UNSUPPORTED);
            assert_int_equal(bw_scene_move_many(scenes[holders[k]].scene, &instances[k], &box, 1, NULL),
                             BW_ERROR_UNSUPPORTED);
        } else {
            assert_int_equal(bw_scene_prepare(h->scene, NULL, NULL), BW_OK);
        }
        for (int s = 0; s < SCENES; s++) {
            const char *fault = bw_scene_check(scenes[s].scene);
            if (fault != NULL)
                fail_msg("%s", fault);
        }
        if (step % 6 != 0)
            continue;
        all.count = 0;
        flatten(scenes[SCENES - 1].scene, NULL, NULL, 0, &all);
        bw_plane planes[2] = {{{1, 0.5f, 0}, 30}, {{-1, 0, 0.25f}, 30}};
        bw_region region = {.kind = (bw_region_kind)bws_random_below(random, 4)};
        region.box = box;
        region.box.max[0] += 30;
        region.box.max[1] += 30;
        region.radius = bws_random_double(random, 0, 60);
        region.ray = (bw_scene_ray){{-200, 3, 5}, {1, bws_random_double(random, -0.2, 0.2), 0}, 0};
        region.planes = planes;
        region.plane_count = 2;
        memset(seen, 0, MOST * sizeof *seen);
        comparison c = {&all, &region, seen, 0};
        bw_scene_report report;
        assert_int_equal(bw_scene_query_through(scenes[SCENES - 1].scene, &region, compare, &c, &report),
                         BW_OK);
        uint64_t wanted = 0;
        for (uint32_t i = 0; i < all.count; i++)
            wanted += bw_region_meets(&region, &all.items[i].box);
        assert_int_equal(c.count, wanted);
        assert_int_equal(report.found, wanted);
    }
    free(all.items);
    free(seen);
    /* Any order of destruction. */
    bool dead[SCENES] = {false};
    for (int left = SCENES; left > 0; left--) {
        uint64_t k;
        do
            k = bws_random_below(random, SCENES);
        while (dead[k]);
        dead[k] = true;
        bw_scene_destroy(scenes[k].scene);
        for (int s = 0; s < SCENES; s++)
            if (!dead[s])
                assert_null(bw_scene_check(scenes[s].scene));
    }
}

static void test_nested(void **state)
{
    BW_EACH_SEED(6, body, *state);
}

/* Long chains, and bounds that travel all the way up. */
static void test_chain(void **state)
{
    (void)state;
    enum { LENGTH = 300 };
    bw_scene *chain[LENGTH];
    bw_transform step = bw_transform_identity();
    step.m[0][3] = 1;
    bw_id id, inner;
    for (int i = 0; i < LENGTH; i++) {
        assert_int_equal(bw_scene_create(NULL, &chain[i]), BW_OK);
        if (i > 0)
            assert_int_equal(bw_scene_insert_scene(chain[i], chain[i - 1], &step, 0, &id), BW_OK);
    }
    assert_int_equal(bw_scene_insert_scene(chain[0], chain[LENGTH - 1], &step, 0, &id), BW_ERROR_CYCLE);
    bw_box box = {{0, 5, 0}, {1, 6, 1}};
    assert_int_equal(bw_scene_insert(chain[0], &box, 0, &inner), BW_OK);
    bw_box outer = bw_scene_bounds(chain[LENGTH - 1]);
    assert_true(outer.min[0] <= 299 && outer.min[0] > 298 && outer.max[1] >= 6 && outer.max[1] < 6.01f);
    bw_region region = {.kind = BW_REGION_BOX, .box = {{299.5f, 5, 0}, {299.5f, 5, 0}}};
    bw_scene_report report;
    assert_int_equal(bw_scene_query_through(chain[LENGTH - 1], &region, NULL, NULL, &report), BW_OK);
    assert_int_equal(report.found, 1);
    box.max[1] = 50;
    assert_int_equal(bw_scene_move(chain[0], inner, &box), BW_OK);
    assert_true(bw_scene_bounds(chain[LENGTH - 1]).max[1] >= 50);
    for (int i = 0; i < LENGTH; i++)
        bw_scene_destroy(chain[i]);
}

int main(void)
{
    struct CMUnitTest tests[WORLD_NESTINGS + 1];
    for (int i = 0; i < WORLD_NESTINGS; i++)
        tests[i] = (struct CMUnitTest){world_nestings[i].name, test_nested, NULL, NULL,
                                       (void *)(uintptr_t)&world_nestings[i]};
    tests[WORLD_NESTINGS] = (struct CMUnitTest){"chain", test_chain, NULL, NULL, NULL};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
