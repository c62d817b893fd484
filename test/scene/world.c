#include "scene/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *const world_shape_names[WORLD_SHAPES] = {"uniform",  "clustered", "lissajous", "sphere", "equal",
                                                     "one huge", "line",      "plane",     "far",    "grid"};

const world_nesting world_nestings[WORLD_NESTINGS] = {
    {"modern", BW_NESTING_MODERN, false},
    {"auto", BW_NESTING_AUTO, false},
#if BW_RESEARCH
    {"kd", BW_NESTING_KD, false},
    {"kd leafy", BW_NESTING_KD, true},
    {"ternary", BW_NESTING_TERNARY, false},
    {"ternary leafy", BW_NESTING_TERNARY, true},
    {"octree", BW_NESTING_OCTREE, false},
    {"octree leafy", BW_NESTING_OCTREE, true},
    {"icoseptree", BW_NESTING_ICOSEPTREE, false},
    {"icoseptree leafy", BW_NESTING_ICOSEPTREE, true},
    {"per node", BW_NESTING_PER_NODE, false},
#endif
};

static double unit(world *w)
{
    return bws_random_unit(w->random);
}

world world_create(bws_random *random, world_shape shape, uint32_t capacity, const bw_scene_desc *desc,
                   bw_simd simd)
{
    world w = {.random = random, .shape = shape, .side = 10 * cbrt(capacity), .capacity = capacity};
    w.objects = calloc(capacity, sizeof *w.objects);
    assert_non_null(w.objects);
    assert_int_equal(bw_scene_create_at(desc, simd, &w.scene), BW_OK);
    return w;
}

void world_destroy(world *w)
{
    bw_scene_destroy(w->scene);
    free(w->objects);
}

static bw_box around(const double c[3], double r)
{
    bw_box box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = (float)(c[i] - r);
        box.max[i] = (float)(c[i] + r);
    }
    return box;
}

static void place(world *w, double c[3], double *r)
{
    double s = w->side;
    *r = 1 + 9 * unit(w);
    for (int i = 0; i < 3; i++)
        c[i] = s * unit(w);
    switch (w->shape) {
    case WORLD_CLUSTERED: {
        static const double seeds[5][3] = {
            {.1, .2, .3}, {.8, .3, .6}, {.5, .5, .5}, {.3, .9, .1}, {.7, .7, .9}};
        const double *seed = seeds[bws_random_below(w->random, 5)];
        for (int i = 0; i < 3; i++) {
            double g = 0;
            for (int k = 0; k < 4; k++)
                g += unit(w) - 0.5;
            c[i] = s * (seed[i] + 0.05 * g);
        }
        break;
    }
    case WORLD_LISSAJOUS: {
        double t = 5000 * unit(w);
        c[0] = s * (0.5 + 0.5 * sin(3 * t + 0.3));
        c[1] = s * (0.5 + 0.5 * sin(4 * t + 1.1));
        c[2] = s * (0.5 + 0.5 * sin(5 * t + 2.0));
        break;
    }
    case WORLD_SPHERE: {
        double v[3], length;
        do {
            length = 0;
            for (int i = 0; i < 3; i++) {
                v[i] = 2 * unit(w) - 1;
                length += v[i] * v[i];
            }
        } while (length > 1 || length < 1e-6);
        double scale = bws_random_bool(w->random) ? s / 2 / sqrt(length) : s / 6;
        for (int i = 0; i < 3; i++)
            c[i] = s / 2 + v[i] * scale;
        break;
    }
    case WORLD_EQUAL:
        c[0] = c[1] = c[2] = s / 2;
        *r = 3;
        break;
    case WORLD_ONE_HUGE:
        *r = bws_random_below(w->random, 500) == 0 ? s : 0.01 * unit(w);
        break;
    case WORLD_LINE:
        c[1] = c[2] = 7;
        *r = 0.5 * unit(w);
        break;
    case WORLD_PLANE:
        c[2] = -3;
        break;
    case WORLD_FAR:
        for (int i = 0; i < 3; i++)
            c[i] = 1e6 + 0.1 * c[i];
        *r = 0.05 * unit(w);
        break;
    case WORLD_GRID:
        for (int i = 0; i < 3; i++)
            c[i] = floor(c[i] / 4);
        *r = 1;
        break;
    default:
        break;
    }
}

bw_box world_new_box(world *w)
{
    double c[3], r;
    place(w, c, &r);
    bw_box box = around(c, r);
    if (w->shape == WORLD_PLANE)
        box.min[2] = box.max[2] = -3;
    return box;
}

bw_box world_moved_box(world *w, const bw_box *box)
{
    bw_box moved = *box;
    if (w->shape == WORLD_EQUAL && bws_random_below(w->random, 4) != 0)
        return moved;
    int last = w->shape == WORLD_LINE ? 1 : w->shape == WORLD_PLANE ? 2 : 3;
    for (int i = 0; i < last; i++) {
        float by = (box->max[i] - box->min[i]) * bws_random_float(w->random, -0.5f, 0.5f);
        if (w->shape == WORLD_GRID)
            by = (float)bws_random_int(w->random, -1, 1);
        moved.min[i] += by;
        moved.max[i] += by;
        if (moved.max[i] < moved.min[i])
            moved.max[i] = moved.min[i];
    }
    return moved;
}

bw_box world_query_box(world *w)
{
    double c[3], r;
    place(w, c, &r);
    double size = bws_random_below(w->random, 16) == 0 ? w->side * unit(w) : r * 2 * unit(w);
    if (w->shape == WORLD_GRID)
        size = floor(size);
    return around(c, size);
}

uint32_t world_planes(world *w, bw_plane planes[6])
{
    bw_box box = world_query_box(w);
    uint32_t count = (uint32_t)bws_random_below(w->random, 7);
    double size = w->side * unit(w) * unit(w);
    for (uint32_t p = 0; p < count; p++) {
        double n[3] = {0, 0, 0};
        n[p / 2] = (p & 1) != 0 ? 1 : -1;
        for (int i = 0; i < 3; i++)
            n[i] += unit(w) - 0.5;
        double d = size;
        for (int i = 0; i < 3; i++) {
            planes[p].n[i] = (float)n[i];
            d -= n[i] * (double)box.min[i];
        }
        planes[p].d = (float)d;
    }
    return count;
}

/* ---- changes ---- */

void world_insert(world *w)
{
    assert_true(w->count < w->capacity);
    world_object *o = &w->objects[w->count];
    o->box = world_new_box(w);
    o->user = bws_random_u64(w->random);
    assert_int_equal(bw_scene_insert(w->scene, &o->box, o->user, &o->id, NULL), BW_OK);
    assert_true(o->id != 0);
    w->count++;
}

void world_insert_many(world *w, uint32_t count)
{
    count = count < w->capacity - w->count ? count : w->capacity - w->count;
    bw_box *boxes = calloc(count + 1, sizeof *boxes);
    uint64_t *users = calloc(count + 1, sizeof *users);
    bw_id *ids = calloc(count + 1, sizeof *ids);
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = world_new_box(w);
        users[i] = bws_random_u64(w->random);
    }
    assert_int_equal(bw_scene_insert_many(w->scene, boxes, users, count, ids, NULL), BW_OK);
    for (uint32_t i = 0; i < count; i++)
        w->objects[w->count++] = (world_object){ids[i], boxes[i], users[i]};
    free(boxes);
    free(users);
    free(ids);
}

void world_remove(world *w, uint32_t k)
{
    bw_id id = w->objects[k].id;
    assert_int_equal(bw_scene_remove(w->scene, id, NULL), BW_OK);
    assert_int_equal(bw_scene_remove(w->scene, id, NULL), BW_ERROR_STALE);
    w->objects[k] = w->objects[--w->count];
}

void world_move(world *w, uint32_t k, const bw_box *box)
{
    w->objects[k].box = *box;
    assert_int_equal(bw_scene_move(w->scene, w->objects[k].id, box, NULL), BW_OK);
}

void world_move_many(world *w, uint32_t count, bool far)
{
    bw_id *ids = calloc(count + 1, sizeof *ids);
    bw_box *boxes = calloc(count + 1, sizeof *boxes);
    for (uint32_t i = 0; i < count; i++) {
        world_object *o = &w->objects[bws_random_below(w->random, w->count)];
        o->box = far ? world_new_box(w) : world_moved_box(w, &o->box);
        ids[i] = o->id;
        boxes[i] = o->box;
    }
    assert_int_equal(bw_scene_move_many(w->scene, ids, boxes, count, NULL), BW_OK);
    free(ids);
    free(boxes);
}

/* ---- comparisons ---- */

static int compare_ids(const void *a, const void *b)
{
    bw_id x = *(const bw_id *)a, y = *(const bw_id *)b;
    return x < y ? -1 : x > y;
}

void world_check(const world *w)
{
    const char *fault = bw_scene_check(w->scene);
    if (fault != NULL)
        fail_msg("%s", fault);
    assert_int_equal(bw_scene_count(w->scene), w->count);
    bw_box bounds = bw_scene_bounds(w->scene);
    for (uint32_t i = 0; i < w->count; i++) {
        bw_box box;
        uint64_t user;
        assert_int_equal(bw_scene_get(w->scene, w->objects[i].id, &box, &user, NULL), BW_OK);
        assert_memory_equal(&box, &w->objects[i].box, sizeof box);
        assert_true(user == w->objects[i].user);
        for (int a = 0; a < 3; a++)
            assert_true(bounds.min[a] <= box.min[a] && bounds.max[a] >= box.max[a]);
    }
}

void world_compare_region(world *w, const bw_region *region)
{
    bw_id *wanted = calloc(w->count + 1, sizeof *wanted), *got = calloc(w->count + 1, sizeof *got);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (bw_region_meets(region, &w->objects[i].box))
            wanted[count++] = w->objects[i].id;
    bw_scene_output output = {.ids = got, .id_capacity = w->count};
    bw_scene_report report = {0};
    assert_int_equal(bw_scene_query(w->scene, region, &output, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    assert_int_equal(report.found_count, count);
    assert_true(report.tested_count + report.untested_count <= w->count);
    qsort(wanted, count, sizeof *wanted, compare_ids);
    qsort(got, count, sizeof *got, compare_ids);
    assert_memory_equal(wanted, got, count * sizeof *got);
    free(wanted);
    free(got);
}

static bw_ray random_ray(world *w)
{
    bw_box from = world_query_box(w), to = world_query_box(w);
    bw_ray ray = {.origin = {(double)from.min[0], (double)from.min[1], (double)from.min[2]},
                  .direction = {(double)to.min[0] - (double)from.min[0],
                                (double)to.min[1] - (double)from.min[1],
                                (double)to.min[2] - (double)from.min[2]},
                  .t_max = bws_random_bool(w->random) ? 0 : 2 * unit(w)};
    if (bws_random_below(w->random, 3) == 0)
        ray.direction.x = 0;
    if (bws_random_below(w->random, 3) == 0)
        ray.direction.y = 0;
    if (ray.direction.x == 0 && ray.direction.y == 0 && ray.direction.z == 0)
        ray.direction.z = 1;
    return ray;
}

/* A capsule misses no box that a ball on its segment meets, and finds none that the box around it misses. */
static void check_capsule(const world *w, const bw_region *region)
{
    const double a[3] = {region->centre.x, region->centre.y, region->centre.z},
                 b[3] = {region->end.x, region->end.y, region->end.z};
    for (uint32_t i = 0; i < w->count && i < 50; i++) {
        const bw_box *box = &w->objects[i].box;
        const bool meets = bw_region_meets(region, box);
        for (int step = 0; step <= 8 && !meets; step++) {
            const double t = step / 8.0;
            const bw_region ball = {
                .kind = BW_REGION_SPHERE,
                .centre = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])},
                .radius = region->radius * (1 - 1e-9) - 1e-6};
            assert_false(ball.radius >= 0 && bw_region_meets(&ball, box));
        }
        for (int k = 0; k < 3 && meets; k++) {
            const double slack = 1e-6 * (1 + fabs(a[k]) + fabs(b[k]) + region->radius);
            assert_true((double)box->min[k] <= fmax(a[k], b[k]) + region->radius + slack);
            assert_true((double)box->max[k] >= fmin(a[k], b[k]) - region->radius - slack);
        }
    }
}

void world_compare_random_query(world *w)
{
    bw_plane planes[6];
    bw_region region = {.kind = (bw_region_kind)bws_random_below(w->random, 5)};
    bw_box box = world_query_box(w);
    region.box = box;
    region.centre = (bw_vec3){(double)box.min[0], (double)box.min[1], (double)box.min[2]};
    region.radius = (double)(box.max[0] - box.min[0]) * unit(w) * 2;
    region.end = (bw_vec3){(double)box.max[0], (double)box.min[1], (double)box.max[2]};
    region.ray = random_ray(w);
    region.planes = planes;
    region.plane_count = world_planes(w, planes);
    world_compare_region(w, &region);
    if (region.kind == BW_REGION_CAPSULE)
        check_capsule(w, &region);
}

static double distance2(const double p[3], const bw_box *box)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double low = (double)box->min[i] - p[i], high = p[i] - (double)box->max[i];
        double gap = fmax(fmax(low, high), 0);
        sum += gap * gap;
    }
    return sum;
}

static int compare_hits(const void *a, const void *b)
{
    const bw_scene_hit *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value ? 1 : x->id < y->id ? -1 : x->id > y->id;
}

void world_compare_nearest(world *w)
{
    bw_box box = world_query_box(w);
    const double p[3] = {(double)box.min[0], (double)box.min[1], (double)box.min[2]};
    uint32_t k = (uint32_t)bws_random_below(w->random, 20), found = 0;
    bw_scene_hit *all = calloc(w->count + 1, sizeof *all);
    bw_scene_hit got[20];
    for (uint32_t i = 0; i < w->count; i++)
        all[i] = (bw_scene_hit){w->objects[i].id, distance2(p, &w->objects[i].box), 0};
    qsort(all, w->count, sizeof *all, compare_hits);
    assert_int_equal(bw_scene_nearest(w->scene, (bw_vec3){p[0], p[1], p[2]}, NULL, got, k, &found, NULL),
                     BW_OK);
    assert_int_equal(found, k < w->count ? k : w->count);
    for (uint32_t i = 0; i < found; i++) {
        assert_true(got[i].id == all[i].id);
        assert_true(got[i].value == all[i].value);
    }
    free(all);
}

void world_compare_cast(world *w)
{
    bw_ray ray = random_ray(w);
    bw_region region = {.kind = BW_REGION_RAY, .ray = ray};
    bw_scene_hit nearest = {0}, any = {0};
    assert_int_equal(bw_scene_cast(w->scene, &ray, NULL, &nearest, NULL), BW_OK);
    assert_int_equal(bw_scene_cast(w->scene, &ray, &(bw_scene_search){.any = true}, &any, NULL), BW_OK);
    bool met = false;
    for (uint32_t i = 0; i < w->count; i++)
        met |= bw_region_meets(&region, &w->objects[i].box);
    assert_true((nearest.id != 0) == met && (any.id != 0) == met);
    if (!met)
        return;
    /* Nothing is entered before the nearest: a ray that ends just before it meets nothing, one that ends at
     * it does. */
    bw_box box;
    assert_int_equal(bw_scene_get(w->scene, nearest.id, &box, NULL, NULL), BW_OK);
    assert_true(bw_region_meets(&region, &box));
    assert_int_equal(bw_scene_get(w->scene, any.id, &box, NULL, NULL), BW_OK);
    assert_true(bw_region_meets(&region, &box));
    for (uint32_t i = 0; i < w->count; i++) {
        bw_region shorter = region;
        shorter.ray.t_max = nearest.value;
        bool first = nearest.value == 0 || bw_region_meets(&shorter, &w->objects[i].box);
        if (w->objects[i].id == nearest.id)
            assert_true(first);
        if (nearest.value > 0) {
            shorter.ray.t_max = nextafter(nearest.value, 0);
            if (shorter.ray.t_max > 0)
                assert_false(bw_region_meets(&shorter, &w->objects[i].box));
        }
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const bw_pair *x = a, *y = b;
    return x->a < y->a ? -1 : x->a > y->a ? 1 : x->b < y->b ? -1 : x->b > y->b;
}

void world_compare_pairs(world *w)
{
    size_t capacity = 1024, count = 0;
    bw_pair *wanted = malloc(capacity * sizeof *wanted);
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = i + 1; k < w->count; k++) {
            const world_object *a = &w->objects[i], *b = &w->objects[k];
            bool overlaps = true;
            for (int x = 0; x < 3; x++)
                overlaps &= a->box.min[x] <= b->box.max[x] && b->box.min[x] <= a->box.max[x];
            if (!overlaps)
                continue;
            if (count == capacity)
                wanted = realloc(wanted, (capacity *= 2) * sizeof *wanted);
            wanted[count++] = a->id < b->id ? (bw_pair){a->id, b->id} : (bw_pair){b->id, a->id};
        }
    bw_pair *got = malloc((count + 1) * sizeof *got);
    bw_pair_output output = {.pairs = got, .pair_capacity = count + 1};
    bw_pair_report report = {0};
    assert_int_equal(bw_scene_pairs(w->scene, &output, &report, NULL), BW_OK);
    assert_int_equal(report.found_count, count);
    qsort(wanted, count, sizeof *wanted, compare_pairs);
    qsort(got, count, sizeof *got, compare_pairs);
    assert_memory_equal(wanted, got, count * sizeof *got);
    free(wanted);
    free(got);
}
