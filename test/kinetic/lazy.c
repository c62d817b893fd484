/* Boxes and positions that are written where a query looks: every query finds what it finds on a refitted
 * tree, a small question writes little, and several threads may ask at once. */
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
#include "oracle/brute_force.h"
#include "oracle/pool.h"
#include "oracle/random.h"

#include <boxwood/nearest.h>

static const bw_kinetic_method methods[] = {BW_KINETIC_QUEUE, BW_KINETIC_COMPILED, BW_KINETIC_INTERPOLATED};

static bw_kinetic *create(const film *f, bw_kinetic_method method)
{
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &mesh, &f->motion, &k, NULL),
                     BW_OK);
    return k;
}

static bw_body query_body(bw_kinetic *k)
{
    bw_body body;
    assert_int_equal(bw_kinetic_query_body(k, &body, NULL), BW_OK);
    return body;
}

/* All hits, sorted; *count of them. */
static bw_hit *hits_of(const bw_body *a, const bw_body *b, const bw_tasks *tasks, uint64_t *count)
{
    enum { MOST = 20000 };
    bw_hit *hits = malloc(MOST * sizeof *hits);
    assert_non_null(hits);
    bw_collide_report report = {0};
    bw_collide_desc desc = {.hits = hits, .hit_capacity = MOST, .tasks = tasks};
    assert_int_equal(
        b == NULL ? bw_collide_self(a, &desc, &report, NULL) : bw_collide(a, b, &desc, &report, NULL), BW_OK);
    assert_true(report.hit_count <= MOST);
    bw_hits_sort(hits, (size_t)report.hit_count);
    *count = report.hit_count;
    return hits;
}

static void same_hits(const bw_body *a, const bw_body *b, const bw_body *tight_a, const bw_body *tight_b,
                      const bw_tasks *tasks)
{
    uint64_t count, expected;
    bw_hit *found = hits_of(a, b, tasks, &count), *wanted = hits_of(tight_a, tight_b, NULL, &expected);
    assert_int_equal(count, expected);
    for (uint64_t i = 0; i < count; i++)
        assert_true(found[i].a == wanted[i].a && found[i].b == wanted[i].b &&
                    found[i].kind == wanted[i].kind);
    free(found);
    free(wanted);
}

static bw_vec3 somewhere(bws_random *r)
{
    return (bw_vec3){bws_random_double(r, -2, 2), bws_random_double(r, -2, 2), bws_random_double(r, -2, 2)};
}

static void same_answers(const bw_body *body, const bw_body *tight, bws_random *r)
{
    bw_vec3 p = somewhere(r);
    bw_nearest_hit near, expected;
    assert_int_equal(bw_nearest(body, &p, NULL, &near, NULL, NULL), BW_OK);
    assert_int_equal(bw_nearest(tight, &p, NULL, &expected, NULL, NULL), BW_OK);
    assert_true((near.primitive != BW_NONE) == (expected.primitive != BW_NONE) &&
                near.distance == expected.distance && near.primitive == expected.primitive);
    bw_ray ray_ray = {.origin = p, .direction = somewhere(r), .between = true};
    bw_raycast_desc ray = {0};
    bw_raycast_report hit = {0}, expected_hit = {0};
    bw_ray_hit hit_hit, expected_hit_hit;
    assert_int_equal(bw_raycast(body, &ray_ray, &ray, &hit_hit, &hit, NULL), BW_OK);
    assert_int_equal(bw_raycast(tight, &ray_ray, &ray, &expected_hit_hit, &expected_hit, NULL), BW_OK);
    assert_true(hit.hit_count == expected_hit.hit_count &&
                (hit.hit_count == 0 ||
                 (hit_hit.primitive == expected_hit_hit.primitive && hit_hit.t == expected_hit_hit.t)));
}

static void queries(bws_random *r, void *user)
{
    (void)user;
    film_desc d = {.scalar = bws_random_bool(r) ? BW_F32 : BW_F64,
                   .style = bws_random_bool(r) ? FILM_WAVE : FILM_SMOOTH,
                   .size = 20 + (uint32_t)bws_random_below(r, 400),
                   .frames = 3,
                   .span = 1};
    film f;
    film_make(&d, r, &f);
    bw_kinetic *tight = create(&f, BW_KINETIC_REFIT);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        if (methods[m] == BW_KINETIC_COMPILED && d.scalar == BW_F64)
            continue;
        bw_kinetic *k = create(&f, methods[m]);
        for (int step = 0; step < 6; step++) {
            double t = bws_random_unit(r) * f.times[2]; /* back in time too */
            assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_advance(tight, t, NULL, NULL), BW_OK);
            bw_body expected = query_body(tight), body = query_body(k);
            uint32_t order = (uint32_t)bws_random_below(r, 4);
            if (order == 0) /* another call in between takes nothing back */
                assert_int_equal(bw_kinetic_body(k, &body, NULL), BW_OK);
            if (order != 1)
                same_answers(&body, &expected, r);
            if (order == 2) {
                assert_int_equal(bw_kinetic_body(k, &body, NULL), BW_OK);
                film_prove_contained(&body);
            }
            bw_distance_report a = {0}, b = {0};
            assert_int_equal(bw_distance(&body, &expected, NULL, &a, NULL), BW_OK);
            assert_true(a.distance == 0); /* the same mesh */
            bw_transform away = {{{1, 0, 0, 5}, {0, 1, 0, 0.5}, {0, 0, 1, 0}}};
            bw_body moved = body, other = expected;
            moved.pose = other.pose = &away;
            assert_int_equal(bw_distance(&body, &moved, NULL, &a, NULL), BW_OK);
            assert_int_equal(bw_distance(&expected, &other, NULL, &b, NULL), BW_OK);
            assert_true(a.distance == b.distance);
            same_hits(&body, NULL, &expected, NULL, NULL);
            film_prove(&f, k, false);
        }
        bw_kinetic_destroy(k);
    }
    bw_kinetic_destroy(tight);
    film_free(&f);
}

static void test_queries(void **state)
{
    (void)state;
    BW_EACH_SEED(12, queries, NULL);
}

/* A ray at one place leaves most of a large tree alone. */
static void test_little_is_written(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(5);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 3000, .frames = 3, .span = 1};
    film f;
    film_make(&d, &r, &f);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        bw_kinetic *k = create(&f, methods[m]);
        assert_int_equal(bw_kinetic_advance(k, 0.3 * f.times[2], NULL, NULL), BW_OK);
        bw_body body = query_body(k);
        const struct bw_wide_deferred *w = &k->lazy.wide;
        assert_ptr_equal(k->tree->wide.lazy, w);
        bw_vec3 p = bw_motion_position(&f.motion, 7, bw_kinetic_time(k));
        bw_nearest_hit near;
        assert_int_equal(bw_nearest(&body, &p, NULL, &near, NULL, NULL), BW_OK);
        assert_true((near.primitive != BW_NONE) && near.distance == 0);
        uint32_t nodes = bw_wide_deferred_written(w->nodes, w->node_count, w->nodes_now);
        uint32_t blocks = bw_wide_deferred_written(w->blocks, w->block_count, w->blocks_now);
        assert_true(nodes > 0 && nodes < w->node_count / 2);
        assert_true(blocks > 0 && blocks < w->block_count);
        bw_wide_complete(&k->tree->wide);
        assert_int_equal(bw_wide_deferred_written(w->nodes, w->node_count, w->nodes_now), w->node_count);
        assert_int_equal(bw_wide_deferred_written(w->blocks, w->block_count, w->blocks_now), w->block_count);
        /* Who looked at everything is given all positions at once for a while. */
        uint32_t whole = 0;
        for (int i = 1; i <= 40; i++) {
            assert_int_equal(bw_kinetic_advance(k, (0.3 + 0.01 * i) * f.times[2], NULL, NULL), BW_OK);
            body = query_body(k);
            whole += w->all_blocks;
            assert_true(w->all_blocks || i > 1);
            p = bw_motion_position(&f.motion, (uint32_t)i, bw_kinetic_time(k));
            assert_int_equal(bw_nearest(&body, &p, NULL, &near, NULL, NULL), BW_OK);
            assert_true((near.primitive != BW_NONE) && near.distance == 0);
        }
        assert_true(whole >= 2 && whole < 40); /* looked at again now and then */
        film_prove(&f, k, false);
        bw_kinetic_destroy(k);
    }
    film_free(&f);
}

/* The numbers begin again before they wrap around. */
static void test_numbers_wrap(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(6);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 100, .frames = 3, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_kinetic *k = create(&f, BW_KINETIC_COMPILED);
    query_body(k);
    k->lazy.wide.nodes_now = k->lazy.wide.blocks_now = UINT32_MAX - 5;
    for (int i = 1; i < 8; i++) {
        assert_int_equal(bw_kinetic_advance(k, 0.1 * i * f.times[2], NULL, NULL), BW_OK);
        query_body(k);
        film_prove(&f, k, false);
    }
    assert_true(k->lazy.wide.nodes_now < 100 && k->lazy.wide.nodes_now % 2 == 0);
    bw_kinetic_destroy(k);
    film_free(&f);
}

typedef struct crowd {
    bw_body body;
    const bw_vec3 *points;
    bw_nearest_hit *found;
} crowd;

static void ask(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    crowd *c = context;
    for (uint32_t i = begin; i < end; i++)
        if (bw_nearest(&c->body, &c->points[i], NULL, &c->found[i], NULL, NULL) != BW_OK)
            c->found[i].primitive = BW_NONE;
}

/* Many threads meet the same unwritten boxes. */
static void test_threads(void **state)
{
    (void)state;
    enum { POINTS = 400 };
    bws_random r = bws_random_seeded(8);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 3000, .frames = 3, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_pool *pool = test_pool_create(4);
    const bw_tasks *tasks = bw_pool_tasks(pool);
    bw_kinetic *tight = create(&f, BW_KINETIC_REFIT);
    static bw_vec3 points[POINTS];
    static bw_nearest_hit found[POINTS], expected[POINTS];
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        bw_kinetic *k = create(&f, methods[m]);
        for (int step = 1; step <= 4; step++) {
            double t = 0.2 * step * f.times[2];
            if (bw_kinetic_time(tight) > t)
                assert_int_equal(bw_kinetic_advance(tight, 0, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_advance(tight, t, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_advance(k, t, NULL, NULL), BW_OK);
            for (int i = 0; i < POINTS; i++)
                points[i] = somewhere(&r);
            crowd c = {query_body(k), points, found}, alone = {query_body(tight), points, expected};
            tasks->parallel_for(tasks->user, ask, &c, POINTS, 1);
            ask(&alone, 0, POINTS, 0);
            for (int i = 0; i < POINTS; i++)
                assert_true((found[i].primitive != BW_NONE) && found[i].distance == expected[i].distance);
            assert_int_equal(bw_kinetic_advance(k, t + 0.1 * f.times[2], NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_advance(tight, t + 0.1 * f.times[2], NULL, NULL), BW_OK);
            bw_body body = query_body(k), still = query_body(tight);
            same_hits(&body, NULL, &still, NULL, tasks);
        }
        bw_kinetic_destroy(k);
    }
    bw_kinetic_destroy(tight);
    bw_pool_destroy(pool);
    film_free(&f);
}

/* What a body is made of, as bytes. */
static void bytes_of(const bw_kinetic *k, char **out, size_t *size)
{
    const bw_wide *w = &k->tree->wide;
    const struct {
        const void *from;
        size_t bytes;
    } parts[] = {{w, sizeof *w},
                 {&k->lazy.wide, sizeof k->lazy.wide},
                 {w->nodes, w->node_count * sizeof *w->nodes},
                 {w->leaves, w->leaf_count * sizeof *w->leaves},
                 {k->lazy.wide.nodes, k->lazy.node_room * sizeof *k->lazy.wide.nodes},
                 {k->lazy.wide.blocks, k->lazy.block_room * sizeof *k->lazy.wide.blocks},
                 {k->positions, (k->mesh.scalar == BW_F32 ? 12u : 24u) * (size_t)k->mesh.vertex_count}};
    *size = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *size += parts[i].bytes;
    char *to = *out = malloc(*size);
    assert_non_null(to);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; to += parts[i++].bytes)
        if (parts[i].bytes > 0)
            memcpy(to, parts[i].from, parts[i].bytes);
}

/* Queries of a body of bw_kinetic_body write nothing, whatever the method. */
static void test_nothing_is_written(void **state)
{
    (void)state;
    static const bw_kinetic_method all[] = {BW_KINETIC_AUTO, BW_KINETIC_REFIT, BW_KINETIC_QUEUE,
                                            BW_KINETIC_COMPILED, BW_KINETIC_INTERPOLATED};
    bws_random r = bws_random_seeded(9);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 800, .frames = 3, .span = 1};
    film f;
    film_make(&d, &r, &f);
    bw_pair_cache *cache = NULL;
    assert_int_equal(bw_pair_cache_create(NULL, &cache, NULL), BW_OK);
    for (size_t m = 0; m < sizeof all / sizeof *all; m++) {
        bw_kinetic *k = create(&f, all[m]);
        for (int step = 1; step < 12; step++) {
            assert_int_equal(bw_kinetic_advance(k, 0.08 * step * f.times[2], NULL, NULL), BW_OK);
            bw_body body;
            assert_int_equal(bw_kinetic_body(k, &body, NULL), BW_OK);
            char *before, *after;
            size_t size;
            bytes_of(k, &before, &size);
            const bw_vec3 p = somewhere(&r);
            const bw_ray ray = {.origin = p, .direction = {1, 0.5, 0.25}};
            const bw_transform away = {{{1, 0, 0, 0.1}, {0, 1, 0, 0.1}, {0, 0, 1, 0.1}}};
            const bw_body other = {body.tree, body.mesh, &away};
            bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .cache = step % 2 == 0 ? cache : NULL};
            bw_nearest_hit near;
            bw_ray_hit hit;
            bw_distance_report distance = {0};
            bw_collide_report report = {0};
            assert_int_equal(bw_nearest(&body, &p, NULL, &near, NULL, NULL), BW_OK);
            assert_int_equal(bw_raycast(&body, &ray, NULL, &hit, NULL, NULL), BW_OK);
            assert_int_equal(bw_distance(&body, &other, NULL, &distance, NULL), BW_OK);
            assert_int_equal(bw_collide_self(&body, &desc, &report, NULL), BW_OK);
            desc.cache = NULL;
            assert_int_equal(bw_collide(&body, &other, &desc, &report, NULL), BW_OK);
            bytes_of(k, &after, &size);
            assert_memory_equal(before, after, size);
            free(before);
            free(after);
        }
        bw_kinetic_destroy(k);
    }
    bw_pair_cache_destroy(cache);
    film_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries),
                                       cmocka_unit_test(test_little_is_written),
                                       cmocka_unit_test(test_nothing_is_written),
                                       cmocka_unit_test(test_numbers_wrap), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
