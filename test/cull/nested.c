/* Culling through instances: scenes in scenes, turned, scaled and mirrored, against a picture of every object
 * where it stands. */
#include "cull/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SCENES = 3, EACH = 8, INSTANCES = 3, MOST = 200, WIDTH = 32, HEIGHT = 24 };

typedef struct level {
    bw_scene *scene;
    solid solids[EACH];
    bw_id instances[INSTANCES];
    int children[INSTANCES];
    bw_transform poses[INSTANCES];
    int instance_count;
} level;

typedef struct world {
    level levels[SCENES]; /* later ones hold earlier ones */
} world;

/* Every object of the outermost scene and of those in it. */
typedef struct flat {
    solid solids[MOST];
    bw_id paths[MOST][SCENES];
    uint32_t depths[MOST];
    const bw_scene *scenes[MOST];
    uint32_t count;
} flat;

static bw_transform random_pose(bws_random *random)
{
    double size = bws_random_double(random, 0.4, 1.5);
    bw_vec3 scale = {size, size * bws_random_double(random, 0.7, 1.3), size};
    if (bws_random_bool(random))
        scale.z = -scale.z;
    return bw_transform_compose(
        (bw_vec3){bws_random_double(random, -60, 60), bws_random_double(random, -60, 60),
                  bws_random_double(random, -60, 60)},
        (bw_vec3){bws_random_double(random, -1, 1), 0.3, 1}, bws_random_double(random, -3, 3), scale);
}

static void flatten(const world *w, int at, const bw_transform *pose, const bw_id *path, uint32_t depth,
                    flat *out)
{
    const level *l = &w->levels[at];
    for (int i = 0; i < EACH; i++) {
        assert_true(out->count < MOST);
        solid *s = &out->solids[out->count];
        *s = l->solids[i];
        s->posed = depth != 0;
        if (depth != 0) {
            s->pose = *pose;
            memcpy(out->paths[out->count], path, depth * sizeof *path);
        }
        out->scenes[out->count] = l->scene;
        out->depths[out->count++] = depth;
    }
    for (int k = 0; k < l->instance_count; k++) {
        bw_id longer[SCENES];
        if (depth != 0)
            memcpy(longer, path, depth * sizeof *path);
        longer[depth] = l->instances[k];
        bw_transform both = depth == 0 ? l->poses[k] : bw_transform_multiply(pose, &l->poses[k]);
        flatten(w, l->children[k], &both, longer, depth + 1, out);
    }
}

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    world *w = user;
    if (object->user % 5 == 4)
        return false; /* some hide nothing */
    for (int s = 0; s < SCENES; s++)
        if (w->levels[s].scene == object->scene) {
            assert_true(w->levels[s].solids[object->user].id == object->id);
            *out = solid_occluder(&w->levels[s].solids[object->user]);
            return true;
        }
    fail_msg("an object of no scene");
    return false;
}

static bool named(const flat *f, uint32_t k, bw_id id, const bw_scene_path *path)
{
    return f->solids[k].id == id && f->scenes[k] == path->scene && f->depths[k] == path->instance_count &&
           (f->depths[k] == 0 || memcmp(f->paths[k], path->instances, f->depths[k] * sizeof(bw_id)) == 0);
}

static void body(bws_random *random, void *user)
{
    static world w;
    static flat f;
    (void)user;
    for (int s = 0; s < SCENES; s++) {
        level *l = &w.levels[s];
        assert_int_equal(bw_scene_create(NULL, &l->scene, NULL), BW_OK);
        for (uint32_t i = 0; i < EACH; i++) {
            l->solids[i] = solid_random(random, 100, bws_random_double(random, 2, 30));
            assert_int_equal(bw_scene_insert(l->scene, &l->solids[i].box, i, &l->solids[i].id, NULL), BW_OK);
        }
        l->instance_count = s == 0 ? 0 : INSTANCES;
        for (int k = 0; k < l->instance_count; k++) {
            l->children[k] = (int)bws_random_below(random, (uint64_t)s);
            l->poses[k] = random_pose(random);
            assert_int_equal(bw_scene_insert_scene(l->scene, w.levels[l->children[k]].scene, &l->poses[k], 0,
                                                   &l->instances[k], NULL),
                             BW_OK);
        }
    }
    bw_cull_desc desc = {.width = WIDTH,
                         .height = HEIGHT,
                         .occluder_of = occluder_of,
                         .user = &w,
                         .occluder_pixels = bws_random_double(random, 0.1, 20)};
    bw_cull *cull;
    bw_scene_paths *paths;
    assert_int_equal(bw_cull_create(&desc, &cull, NULL), BW_OK);
    assert_int_equal(bw_scene_paths_create(NULL, &paths), BW_OK);
    bw_view view = view_random(random, 100);
    for (int frame = 0; frame < 6; frame++) {
        if (frame == 3)
            view = view_random(random, 100); /* a sudden turn */
        if (frame == 4)
            bw_scene_paths_reset(paths);
        view.eye.x += 2;
        /* Inner scenes change after they were placed, and so do poses. */
        level *l = &w.levels[bws_random_below(random, SCENES)];
        uint64_t i = bws_random_below(random, EACH);
        bw_id id = l->solids[i].id;
        l->solids[i] = solid_random(random, 100, bws_random_double(random, 2, 30));
        l->solids[i].id = id;
        assert_int_equal(bw_scene_move(l->scene, id, &l->solids[i].box, NULL), BW_OK);
        if (l->instance_count != 0) {
            l->poses[0] = random_pose(random);
            assert_int_equal(bw_scene_set_pose(l->scene, l->instances[0], &l->poses[0], NULL), BW_OK);
        }
        f.count = 0;
        flatten(&w, SCENES - 1, NULL, NULL, 0, &f);
        bw_id ids[MOST];
        uint32_t id_paths[MOST];
        const bw_scene_output output = {
            .ids = ids, .id_paths = id_paths, .id_capacity = MOST, .paths = paths};
        bw_cull_report report = {0};
        assert_int_equal(bw_cull_frame(cull, w.levels[SCENES - 1].scene, &view, &output, &report, NULL),
                         BW_OK);
        assert_int_equal(report.status, BW_DONE);
        bool visible[MOST] = {false};
        for (uint64_t k = 0; k < report.visible_count; k++) {
            bw_scene_path path = {0};
            assert_int_equal(bw_scene_paths_get(paths, id_paths[k], &path, NULL), BW_OK);
            uint32_t n = 0;
            while (n < f.count && !named(&f, n, ids[k], &path))
                n++;
            assert_true(n < f.count && !visible[n]);
            visible[n] = true;
        }
        static double truth[WIDTH * HEIGHT];
        static uint32_t which[WIDTH * HEIGHT];
        picture_render(&view, f.solids, f.count, WIDTH, HEIGHT, truth, which);
        for (uint32_t k = 0; k < WIDTH * HEIGHT; k++)
            assert_true(which[k] == UINT32_MAX || visible[which[k]]);
    }
    bw_cull_destroy(cull);
    bw_scene_paths_destroy(paths);
    for (int s = 0; s < SCENES; s++)
        bw_scene_destroy(w.levels[s].scene);
}

static void test_nested(void **state)
{
    (void)state;
    BW_EACH_SEED(20, body, NULL);
}

/* Hidden behind an instance of a wall, from the first frame on; and without paths an instance is one object.
 */
static void test_wall(void **state)
{
    (void)state;
    static world w;
    bws_random random = bws_random_seeded(3);
    bw_scene *street;
    bw_id id, wall;
    for (int s = 0; s < SCENES; s++)
        assert_int_equal(bw_scene_create(NULL, &w.levels[s].scene, NULL), BW_OK);
    solid *brick = &w.levels[0].solids[0];
    do
        *brick = solid_random(&random, 1, 1);
    while (brick->vertex_count != 8);
    assert_int_equal(bw_scene_insert(w.levels[0].scene, &brick->box, 0, &brick->id, NULL), BW_OK);
    assert_int_equal(bw_scene_create(NULL, &street, NULL), BW_OK);
    /* Mirrored, so that its surface is turned inside out. */
    bw_transform pose =
        bw_transform_compose((bw_vec3){0, 0, 10}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){90, -90, 1});
    assert_int_equal(bw_scene_insert_scene(street, w.levels[0].scene, &pose, 0, &wall, NULL), BW_OK);
    bw_vec3 middle = {45 * ((double)brick->box.min[0] + (double)brick->box.max[0]),
                      -45 * ((double)brick->box.min[1] + (double)brick->box.max[1]), 0};
    for (int i = 0; i < 50; i++) {
        float x = (float)middle.x + 0.2f * (float)(i - 25), y = (float)middle.y;
        bw_box box = {{x, y, 40}, {x + 0.1f, y + 0.1f, 41}};
        assert_int_equal(bw_scene_insert(street, &box, 4, &id, NULL), BW_OK);
    }
    bw_cull *cull;
    bw_scene_paths *paths;
    assert_int_equal(bw_cull_create(&(bw_cull_desc){.occluder_of = occluder_of, .user = &w}, &cull, NULL),
                     BW_OK);
    assert_int_equal(bw_scene_paths_create(NULL, &paths), BW_OK);
    bw_view view = {.eye = middle, .forward = {0, 0, 1}, .up = {0, 1, 0}, .fov_y = 0.5};
    bw_cull_report report = {0};
    const bw_scene_output output = {.paths = paths};
    for (int frame = 0; frame < 2; frame++) {
        assert_int_equal(bw_cull_frame(cull, street, &view, &output, &report, NULL), BW_OK);
        assert_int_equal(report.visible_count, 1);
        assert_true(report.triangle_count > 0 && report.hidden_node_count + report.hidden_object_count > 0);
        assert_int_equal(report.last_frame_occluder_count, frame);
    }
    bw_id ids[64];
    const bw_scene_output whole = {.ids = ids, .id_capacity = 64};
    bw_cull_destroy(cull);
    assert_int_equal(bw_cull_create(NULL, &cull, NULL), BW_OK);
    assert_int_equal(bw_cull_frame(cull, street, &view, &whole, &report, NULL), BW_OK);
    bool seen = false;
    for (uint64_t i = 0; i < report.visible_count; i++)
        seen |= ids[i] == wall;
    assert_true(seen);
    bw_cull_destroy(cull);
    bw_scene_paths_destroy(paths);
    bw_scene_destroy(street);
    for (int s = 0; s < SCENES; s++)
        bw_scene_destroy(w.levels[s].scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nested), cmocka_unit_test(test_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
