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
    bw_scene_output output = {.ids = ids, .id_capacity = EACH + SCENES * 4};
    bw_scene_report report = {0};
    assert_int_equal(bw_scene_query(scene, &all, &output, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    for (uint64_t i = 0; i < report.found_count; i++) {
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
        assert_int_equal(bw_scene_get(scene, ids[i], &f->box, NULL, NULL), BW_OK);
        if (depth != 0)
            f->box = bw_box_transformed(&f->box, pose);
    }
}

typedef struct outermost {
    const bw_scene *scene;
    bw_scene_paths *paths;
    const list *all;
} outermost;

/* Which of the flat list a path and an id name. */
static const flat *named(const outermost *o, bw_id id, uint32_t number)
{
    bw_scene_path path = {0};
    assert_int_equal(bw_scene_paths_get(o->paths, number, &path, NULL), BW_OK);
    for (uint32_t i = 0; i < o->all->count; i++) {
        const flat *f = &o->all->items[i];
        if (f->id == id && f->scene == path.scene && f->depth == path.instance_count &&
            (f->depth == 0 || memcmp(f->path, path.instances, f->depth * sizeof *f->path) == 0))
            return f;
    }
    fail_msg("an object that is not there");
    return NULL;
}

static void compare_region(const outermost *o, const bw_region *region)
{
    bw_id *ids = malloc(MOST * sizeof *ids);
    uint32_t *paths = malloc(MOST * sizeof *paths);
    bool *seen = calloc(MOST, sizeof *seen);
    const bw_scene_output output = {.ids = ids, .id_paths = paths, .id_capacity = MOST, .paths = o->paths};
    bw_scene_report report = {0};
    assert_int_equal(bw_scene_query(o->scene, region, &output, &report, NULL), BW_OK);
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < o->all->count; i++)
        wanted += bw_region_meets(region, &o->all->items[i].box);
    assert_int_equal(report.found_count, wanted);
    for (uint64_t i = 0; i < wanted; i++) {
        const flat *f = named(o, ids[i], paths[i]);
        assert_true(bw_region_meets(region, &f->box));
        assert_false(seen[f - o->all->items]);
        seen[f - o->all->items] = true;
    }
    free(ids);
    free(paths);
    free(seen);
}

static double distance2(const bw_box *box, bw_vec3 point)
{
    const double p[3] = {point.x, point.y, point.z};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double gap = fmax(fmax((double)box->min[i] - p[i], p[i] - (double)box->max[i]), 0);
        sum += gap * gap;
    }
    return sum;
}

/* Where a ray enters a box: the shortest ray that meets it, by bisection over all doubles. Negative: never.
 */
static double enters(const bw_box *box, const bw_ray *ray)
{
    bw_region region = {.kind = BW_REGION_RAY, .ray = *ray};
    if (!bw_region_meets(&region, box))
        return -1;
    double low = 0, high = 1e9;
    region.ray.t_max = 0x1p-1000;
    if (bw_region_meets(&region, box))
        return 0;
    while (nextafter(low, high) < high) {
        double middle = low + 0.5 * (high - low);
        region.ray.t_max = middle;
        *(bw_region_meets(&region, box) ? &high : &low) = middle;
    }
    return high;
}

static void compare_cast(const outermost *o, const bw_ray *ray)
{
    double best = INFINITY;
    for (uint32_t i = 0; i < o->all->count; i++) {
        double t = enters(&o->all->items[i].box, ray);
        best = t >= 0 && t < best ? t : best;
    }
    bw_scene_hit hit, any;
    assert_int_equal(bw_scene_cast(o->scene, ray, &(bw_scene_search){.paths = o->paths}, &hit, NULL), BW_OK);
    assert_int_equal(
        bw_scene_cast(o->scene, ray, &(bw_scene_search){.paths = o->paths, .any = true}, &any, NULL), BW_OK);
    assert_true((hit.id != 0) == (best < INFINITY) && (any.id != 0) == (best < INFINITY));
    if (hit.id == 0)
        return;
    assert_true(hit.value == best);
    const flat *f = named(o, hit.id, hit.path);
    assert_true(enters(&f->box, ray) == best);
    assert_true(enters(&named(o, any.id, any.path)->box, ray) >= 0);
    for (uint32_t i = 0; i < o->all->count; i++) /* of equals the smallest id */
        assert_true(o->all->items[i].id >= hit.id || enters(&o->all->items[i].box, ray) != best);
}

static int by_distance(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare_nearest(const outermost *o, bw_vec3 point, uint32_t capacity)
{
    bw_scene_hit *hits = calloc(capacity + 1, sizeof *hits);
    double *all = calloc(o->all->count + 1, sizeof *all);
    for (uint32_t i = 0; i < o->all->count; i++)
        all[i] = distance2(&o->all->items[i].box, point);
    qsort(all, o->all->count, sizeof *all, by_distance);
    uint32_t count;
    assert_int_equal(bw_scene_nearest(o->scene, point, &(bw_scene_search){.paths = o->paths}, hits, capacity,
                                      &count, NULL),
                     BW_OK);
    assert_int_equal(count, capacity < o->all->count ? capacity : o->all->count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(hits[i].value == all[i]);
        const flat *f = named(o, hits[i].id, hits[i].path);
        assert_true(distance2(&f->box, point) == all[i]);
        for (uint32_t k = 0; k < i; k++)
            assert_ptr_not_equal(f, named(o, hits[k].id, hits[k].path));
        assert_true(i == 0 || hits[i - 1].value < hits[i].value || hits[i - 1].id <= hits[i].id);
    }
    free(hits);
    free(all);
}

typedef struct pair_list {
    const outermost *o;
    uint64_t count;
    uint64_t sum; /* of a hash of each pair: each once, and the same set */
} pair_list;

static uint64_t pair_hash(const flat *a, const flat *b)
{
    uint64_t x = (uint64_t)(uintptr_t)(a < b ? a : b), y = (uint64_t)(uintptr_t)(a < b ? b : a);
    uint64_t h = (x * 0x9e3779b97f4a7c15u ^ y) * 0xd6e8feb86659fd93u;
    return h ^ h >> 29;
}

static bool note_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    pair_list *l = user;
    for (size_t i = 0; i < count; i++) {
        const flat *a = named(l->o, pairs[i].a, paths[i].a), *b = named(l->o, pairs[i].b, paths[i].b);
        assert_true(bw_box_overlaps(&a->box, &b->box) && a != b && pairs[i].a <= pairs[i].b);
        l->sum += pair_hash(a, b);
        l->count++;
    }
    return true;
}

static void compare_pairs(const outermost *o)
{
    uint64_t count = 0, sum = 0;
    for (uint32_t i = 0; i < o->all->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (bw_box_overlaps(&o->all->items[i].box, &o->all->items[k].box)) {
                count++;
                sum += pair_hash(&o->all->items[i], &o->all->items[k]);
            }
    bool few = count <= 20000; /* naming each takes a look at all objects */
    pair_list got = {o, 0, 0};
    bw_pair_report report = {0};
    const bw_pair_output output = {.on_pairs = few ? note_pairs : NULL, .user = &got, .paths = o->paths};
    assert_int_equal(bw_scene_pairs(o->scene, &output, &report, NULL), BW_OK);
    assert_int_equal(report.found_count, count);
    assert_true(!few || (got.count == count && got.sum == sum));
}

static void body(bws_random *random, void *user)
{
    const world_nesting *nesting = user;
    held scenes[SCENES];
    for (int s = 0; s < SCENES; s++) {
        bw_scene_desc desc = {.nesting = nesting->nesting, .leafy = nesting->leafy, .split_threshold = 6};
        scenes[s].count = 0;
        assert_int_equal(bw_scene_create(&desc, &scenes[s].scene, NULL), BW_OK);
    }
    /* Later scenes hold earlier ones; the reverse is refused as soon as it would close a circle. */
    bw_id instances[SCENES * 2];
    int holders[SCENES * 2], instance_count = 0;
    for (int s = 1; s < SCENES; s++)
        for (int k = 0; k < 2; k++) {
            bw_transform pose = random_pose(random);
            uint64_t child = bws_random_below(random, (uint64_t)s);
            assert_int_equal(bw_scene_insert_scene(scenes[s].scene, scenes[child].scene, &pose, 0,
                                                   &instances[instance_count], NULL),
                             BW_OK);
            holders[instance_count++] = s;
            bw_id id = 0;
            assert_int_equal(bw_scene_insert_scene(scenes[child].scene, scenes[s].scene, &pose, 0, &id, NULL),
                             BW_ERROR_CYCLE);
            assert_true(id == 0);
        }
    list all = {calloc(MOST, sizeof(flat)), 0};
    outermost o = {scenes[SCENES - 1].scene, NULL, &all};
    assert_int_equal(bw_scene_paths_create(NULL, &o.paths), BW_OK);
    for (int step = 0; step < 120; step++) {
        held *h = &scenes[bws_random_below(random, SCENES)];
        bw_box box;
        for (int i = 0; i < 3; i++) {
            box.min[i] = bws_random_float(random, -30, 30);
            box.max[i] = box.min[i] + bws_random_float(random, 0, 10);
        }
        uint64_t dice = bws_random_below(random, 10);
        if (dice < 5 && h->count < EACH) {
            assert_int_equal(bw_scene_insert(h->scene, &box, 0, &h->ids[h->count], NULL), BW_OK);
            h->count++;
        } else if (dice < 7 && h->count != 0) {
            assert_int_equal(bw_scene_move(h->scene, h->ids[bws_random_below(random, h->count)], &box, NULL),
                             BW_OK);
        } else if (dice < 8 && h->count != 0) {
            assert_int_equal(bw_scene_remove(h->scene, h->ids[--h->count], NULL), BW_OK);
        } else if (dice < 9) {
            int k = (int)bws_random_below(random, (uint64_t)instance_count);
            bw_transform pose = random_pose(random);
            assert_int_equal(bw_scene_set_pose(scenes[holders[k]].scene, instances[k], &pose, NULL), BW_OK);
            assert_int_equal(bw_scene_move(scenes[holders[k]].scene, instances[k], &box, NULL),
                             BW_ERROR_UNSUPPORTED);
            assert_int_equal(bw_scene_move_many(scenes[holders[k]].scene, &instances[k], &box, 1, NULL),
                             BW_ERROR_UNSUPPORTED);
        } else {
            assert_int_equal(bw_scene_prepare(h->scene, NULL, NULL, NULL), BW_OK);
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
        region.ray =
            (bw_ray){.origin = {-200, 3, 5}, .direction = {1, bws_random_double(random, -0.2, 0.2), 0}};
        region.planes = planes;
        region.plane_count = 2;
        compare_region(&o, &region);
        compare_cast(&o, &region.ray);
        compare_nearest(&o, (bw_vec3){(double)box.min[0], (double)box.min[1], (double)box.min[2]},
                        (uint32_t)bws_random_below(random, 40));
        compare_pairs(&o);
        if (step % 18 == 0)
            bw_scene_paths_reset(o.paths);
    }
    free(all.items);
    bw_scene_paths_destroy(o.paths);
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
        assert_int_equal(bw_scene_create(NULL, &chain[i], NULL), BW_OK);
        if (i > 0)
            assert_int_equal(bw_scene_insert_scene(chain[i], chain[i - 1], &step, 0, &id, NULL), BW_OK);
    }
    assert_int_equal(bw_scene_insert_scene(chain[0], chain[LENGTH - 1], &step, 0, &id, NULL), BW_ERROR_CYCLE);
    bw_box box = {{0, 5, 0}, {1, 6, 1}};
    assert_int_equal(bw_scene_insert(chain[0], &box, 0, &inner, NULL), BW_OK);
    bw_box outer = bw_scene_bounds(chain[LENGTH - 1]);
    assert_true(outer.min[0] <= 299 && outer.min[0] > 298 && outer.max[1] >= 6 && outer.max[1] < 6.01f);
    bw_region region = {.kind = BW_REGION_BOX, .box = {{299.5f, 5, 0}, {299.5f, 5, 0}}};
    bw_scene_report report = {0};
    bw_scene_paths *paths;
    bw_scene_path path = {0};
    uint32_t number;
    assert_int_equal(bw_scene_paths_create(NULL, &paths), BW_OK);
    const bw_scene_output output = {.ids = &id, .id_paths = &number, .id_capacity = 1, .paths = paths};
    assert_int_equal(bw_scene_query(chain[LENGTH - 1], &region, &output, &report, NULL), BW_OK);
    assert_int_equal(report.found_count, 1);
    assert_true(id == inner);
    assert_int_equal(bw_scene_paths_get(paths, number, &path, NULL), BW_OK);
    assert_int_equal(path.instance_count, LENGTH - 1);
    assert_ptr_equal(path.scene, chain[0]);
    assert_true(path.pose.m[0][3] == LENGTH - 1);
    assert_int_equal(bw_scene_paths_get(paths, LENGTH, &path, NULL), BW_ERROR_ARGUMENT);
    bw_scene_paths_destroy(paths);
    /* Without paths an instance is one object. */
    const bw_scene_output whole = {.ids = &id, .id_capacity = 1};
    assert_int_equal(bw_scene_query(chain[LENGTH - 1], &region, &whole, &report, NULL), BW_OK);
    assert_true(report.found_count == 1 && bw_scene_child(chain[LENGTH - 1], id, NULL) == chain[LENGTH - 2]);
    box.max[1] = 50;
    assert_int_equal(bw_scene_move(chain[0], inner, &box, NULL), BW_OK);
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
