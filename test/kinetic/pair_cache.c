/* Pair caches: at every time the contacts are those of every pair tried, in ascending order, with and without
 * a cache, for any number of threads, whatever happens to the bodies in between and whichever bodies a cache
 * has met before; nothing that meets at a time is missing from what the span engine found, at every SIMD
 * level the same; and it is used where it pays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/self/shared_features.h"
#include "collide/span/pair_cache.h"
#include "kinetic/actor.h"
#include "kinetic/kinetic.h"
#include "oracle/brute_force.h"
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/tree.h"

/* All contacts of two meshes, of primitives that are in their trees. */
static bw_hit_list expect(const actor *a, const actor *b, const bw_mesh *mesh_a, const bw_mesh *mesh_b)
{
    bw_transform relative;
    const bool mapped = bw_brute_relative(a->posed ? &a->pose : NULL, b->posed ? &b->pose : NULL, &relative);
    bw_hit_list list = bw_brute_force(mesh_a, mesh_b, mapped ? &relative : NULL, 0);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++)
        if (a->in[list.hits[i].a] && b->in[list.hits[i].b])
            list.hits[kept++] = list.hits[i];
    list.count = kept;
    return list;
}

/* Threads: one, two, seven. */
static bw_pool *pools[3];

static const bw_tasks *tasks_of(uint64_t i)
{
    static const uint32_t workers[3] = {1, 2, 7};
    if (pools[i % 3] == NULL)
        pools[i % 3] = test_pool_create(workers[i % 3]);
    return bw_pool_tasks(pools[i % 3]);
}

static bool same_hit(void *user, const bw_hit *hit)
{
    const bw_hit **next = user;
    assert_true((*next)->a == hit->a && (*next)->b == hit->b && (*next)->kind == hit->kind);
    ++*next;
    return true;
}

/* The hits, in ascending order, to the buffer and to the callback; and no more than fit. self: a is b. */
static void same_hits(const bw_body *a, const bw_body *b, const bw_hit_list *expected, const bw_tasks *tasks,
                      bw_pair_cache *cache)
{
    size_t room = expected->count / 2 + 1;
    bw_hit *hits = calloc(room, sizeof *hits);
    assert_non_null(hits);
    const bw_hit *next = expected->hits;
    bw_collide_report report = {0};
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                            .hits = hits,
                            .hit_capacity = room,
                            .on_hit = same_hit,
                            .user = &next,
                            .tasks = tasks,
                            .cache = cache};
    assert_int_equal(
        a == b ? bw_collide_self(a, &desc, &report, NULL) : bw_collide(a, b, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, expected->count);
    assert_int_equal(report.status, expected->count > room ? BW_FULL : BW_DONE);
    for (size_t i = 0; i < room && i < expected->count; i++)
        assert_true(hits[i].a == expected->hits[i].a && hits[i].b == expected->hits[i].b);
    free(hits);
}

/* Of any two trees a search finds the same contact with a cache and without. */
static void same_any(const bw_body *a, const bw_body *b, bw_pair_cache *cache)
{
    bw_hit found[2] = {{0}};
    bw_collide_report report[2] = {{0}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(bw_collide(a, b,
                                    &(bw_collide_desc){
                                        .hits = &found[i], .hit_capacity = 1, .cache = i == 0 ? NULL : cache},
                                    &report[i], NULL),
                         BW_OK);
    assert_true(report[0].hit_count == report[1].hit_count && report[0].status == report[1].status);
    assert_true(found[0].a == found[1].a && found[0].b == found[1].b && found[0].kind == found[1].kind);
}

/* As if traversals were so dear that it pays to look ahead for two frames. */
static void make_eager(bw_pair_cache *cache)
{
    bw_pair_list *l = &cache->list;
    l->query = l->query > 0 ? 1e12 : 0;
    l->fill = l->answer = l->wait = 0;
}

static bw_pair_cache *new_cache(const bw_allocator *allocator)
{
    bw_pair_cache *cache = NULL;
    assert_int_equal(bw_pair_cache_create(allocator, &cache, NULL), BW_OK);
    return cache;
}

typedef struct totals {
    uint64_t frames, remembered, hits;
} totals;

static bool count_questions(void *user)
{
    return ++*(uint32_t *)user < 3;
}

static void ask(actor *a, actor *b, bw_pair_cache *cache, bws_random *r, totals *sum)
{
    bw_mesh truth_a, truth_b;
    bool query = bws_random_bool(r);
    bw_body body_a = actor_body(a, query, &truth_a), body_b = actor_body(b, query, &truth_b);
    bw_hit_list expected = expect(a, b, &truth_a, &truth_b);
    same_hits(&body_a, &body_b, &expected, tasks_of(bws_random_below(r, 3)), cache);
    sum->frames++;
    sum->remembered += cache->list.ready;
    sum->hits += expected.count;
    if (bws_random_below(r, 4) == 0) /* without, the same */
        same_hits(&body_a, &body_b, &expected, tasks_of(bws_random_below(r, 3)), NULL);
    if (bws_random_below(r, 4) == 0) { /* other questions */
        same_any(&body_a, &body_b, cache);
        bw_collide_report report = {0};
        bw_collide_desc count = {.mode = BW_COLLIDE_COUNT, .cache = cache};
        if (!a->posed && !b->posed && bws_random_bool(r)) { /* the other way round is another pair */
            assert_int_equal(bw_collide(&body_b, &body_a, &count, &report, NULL), BW_OK);
            assert_int_equal(report.hit_count, expected.count);
        }
        uint32_t questions = 0;
        bw_collide_desc asked = {
            .mode = BW_COLLIDE_COUNT, .progress = {count_questions, &questions}, .cache = cache};
        assert_int_equal(bw_collide(&body_a, &body_b, &asked, &report, NULL), BW_OK);
        assert_true(questions < 3 ? report.status == BW_DONE && report.hit_count == expected.count
                                  : report.status == BW_STOPPED && report.hit_count <= expected.count);
        uint64_t exits[BW_AXIS_EXITS] = {0};
        count.axis_exits = exits;
        assert_int_equal(bw_collide(&body_a, &body_b, &count, &report, NULL), BW_OK);
        assert_int_equal(report.hit_count, expected.count);
        bw_transform identity = bw_transform_identity(), away = identity;
        away.m[0][3] = 1e4;
        body_b.pose = &away;
        assert_int_equal(bw_collide(&body_a, &body_b,
                                    &(bw_collide_desc){.mode = BW_COLLIDE_COUNT, .cache = cache}, &report,
                                    NULL),
                         BW_OK);
        assert_int_equal(report.hit_count, 0);
    }
    bw_hit_list_free(&expected);
}

/* One that every pair of bodies meets in turn. */
static bw_pair_cache *worn;

static void any_pair(bws_random *r, void *user)
{
    if (worn == NULL)
        worn = new_cache(NULL);
    bw_pair_cache *own = new_cache(NULL), *cache = bws_random_below(r, 3) == 0 ? worn : own;
    static const bw_kinetic_method partners[] = {BW_KINETIC_AUTO,  BW_KINETIC_AUTO,  BW_KINETIC_INTERPOLATED,
                                                 BW_KINETIC_REFIT, BW_KINETIC_QUEUE, BW_KINETIC_COMPILED};
    film_desc d = film_any(r);
    d.kind = BW_MOTION_KEYFRAMES;
    d.points = false;
    d.size = 4 + d.size / 3;
    film_desc e = d;
    e.points = bws_random_below(r, 8) == 0;
    actor a, b;
    bool still = bws_random_below(r, 4) == 0;
    actor_make(&a, &d, BW_KINETIC_AUTO, false, NULL, r);
    actor_make(&b, &e, partners[bws_random_below(r, 6)], still, NULL, r);
    bool swap = bws_random_bool(r), calm = bws_random_bool(r), poses = bws_random_bool(r);
    double begin = bw_kinetic_time(a.k), end, end_b;
    bw_motion_span(&a.film.motion, NULL, &end);
    bw_motion_span(&b.film.motion, NULL, &end_b);
    end = still ? end : fmin(end, end_b);
    for (int i = 1; i <= 60; i++) {
        double t = fmin(begin + (end - begin) * i / 60, end);
        if (!calm && bws_random_below(r, 12) == 0 && !a.replanned && !b.replanned)
            t = begin + bws_random_unit(r) * (bw_kinetic_time(a.k) - begin);
        t = fmax(t, a.replanned || b.replanned ? bw_kinetic_time(a.k) : t);
        actor_advance(&a, t);
        actor_advance(&b, t);
        if (poses && (i == 1 || (!calm && bws_random_below(r, 15) == 0)))
            actor_pose(&a, false, r);
        if (poses && (i == 1 || (!calm && bws_random_below(r, 15) == 0)))
            actor_pose(&b, !swap, r);
        if (bws_random_below(r, 3) != 0)
            make_eager(cache);
        if (bws_random_below(r, 30) == 0)
            bw_pair_cache_reset(cache);
        if (swap && b.k != NULL)
            ask(&b, &a, cache, r, user);
        else
            ask(&a, &b, cache, r, user);
        uint64_t event = calm ? 99 : bws_random_below(r, 60);
        if (event < 3)
            actor_edit(event == 0 ? &a : &b, r);
        else if (event == 3 || event == 4)
            actor_shift(&b, r);
        else if (event == 5)
            actor_edit_still(&b, r);
        else if (event == 6 && i > 30)
            actor_replan(bws_random_bool(r) ? &a : &b, &d, r);
        if (event < 7)
            ask(&a, &b, cache, r, user);
    }
    actor_free(&a);
    actor_free(&b);
    bw_pair_cache_destroy(own);
}

static void test_any_pair(void **state)
{
    (void)state;
    totals sum = {0};
    BW_EACH_SEED(40, any_pair, &sum);
    if (bw_random_seed_from_env(0) == 0) /* all seeds: it was tried, and not only on bodies apart */
        assert_true(sum.remembered > sum.frames / 8 && sum.hits > sum.frames);
}

static bw_span_side side_of(const bw_body *body)
{
    const bw_wide *wide = &body->tree->wide;
    assert_non_null(wide->lazy);
    assert_true(wide->lazy->course.known);
    return (bw_span_side){wide, body->mesh, &wide->lazy->course, 1};
}

/* What is found ahead holds for every time of the span, also where the one course is longer than the other.
 */
static void find_span(bws_random *r, void *user)
{
    film_desc d = film_any(r);
    d.points = bws_random_below(r, 6) == 0;
    d.size = 4 + d.size / 3;
    film_desc e = d;
    e.points = false;
    actor a, b;
    actor_make(&a, &d, BW_KINETIC_INTERPOLATED, false, NULL, r);
    actor_make(&b, &e, BW_KINETIC_INTERPOLATED, false, NULL, r);
    double limit = fmin(bw_piece_at(&a.k->pieces, d.begin).to, bw_piece_at(&b.k->pieces, d.begin).to);
    double now = d.begin + bws_random_unit(r) * 0.5 * (limit - d.begin);
    actor_advance(&a, now);
    actor_advance(&b, now);
    bw_body body_a, body_b;
    assert_int_equal(bw_kinetic_query_body(a.k, &body_a, NULL), BW_OK);
    assert_int_equal(bw_kinetic_query_body(b.k, &body_b, NULL), BW_OK);
    bw_relative_pose pose;
    if (bws_random_bool(r))
        actor_pose(&b, true, r);
    body_b.pose = b.posed ? &b.pose : NULL;
    assert_int_equal(bw_relative_pose_between(&body_a, &body_b, &pose), BW_OK);
    bw_allocator heap = bw_allocator_or_heap(NULL);
    bw_array list = bw_array_of(sizeof(bw_span_pair), &heap), other = list;
    bw_span_desc desc = {.a = side_of(&body_a),
                         .b = side_of(&body_b),
                         .pose = bws_random_bool(r) || b.posed ? &pose : NULL,
                         .simd = bw_simd_level(BW_SIMD_AUTO),
                         .allocator = &heap,
                         .pairs = &list,
                         .most = SIZE_MAX};
    double until = fmin(desc.a.course->until, desc.b.course->until);
    desc.a.part = bw_span_part(desc.a.course, until);
    desc.b.part = bw_span_part(desc.b.course, until);
    bw_span_counts found, again;
    assert_int_equal(bw_span_find(&desc, &found), BW_OK);
    assert_false(found.full);
    const size_t count = list.count;
    const bw_span_pair *pairs = bw_array_at(&list, 0);
    desc.pairs = &other;
    for (int level = BW_SIMD_128; level <= BW_SIMD_AVX2; level++) {
        desc.simd = bw_simd_level((bw_simd)level);
        assert_int_equal(bw_span_find(&desc, &again), BW_OK);
        assert_true(other.count == count && again.candidates == found.candidates);
        if (count > 0)
            assert_memory_equal(other.items, pairs, count * sizeof *pairs);
    }
    if (count > 0) { /* what is not wanted is told */
        desc.most = count - 1;
        assert_int_equal(bw_span_find(&desc, &again), BW_OK);
        assert_true(again.full && other.count <= desc.most);
    }
    uint32_t most = a.primitives * b.primitives + 1;
    uint32_t *place = calloc(most, sizeof *place); /* by both primitives: 1 + where the pair is listed */
    assert_non_null(place);
    for (uint32_t p = 0; p < count; p++)
        place[pairs[p].a * b.primitives + pairs[p].b] = p + 1;
    for (int i = 0; i <= 12; i++) {
        double t = i == 0 ? now : i == 12 ? until : fmin(now + bws_random_unit(r) * (until - now), until);
        actor_advance(&a, t);
        actor_advance(&b, t);
        bw_mesh mesh_a, mesh_b;
        actor_body(&a, false, &mesh_a);
        actor_body(&b, false, &mesh_b);
        bw_hit_list expected = expect(&a, &b, &mesh_a, &mesh_b);
        float at = until > now ? (float)((t - now) / (until - now)) : 0.0f;
        for (size_t h = 0; h < expected.count; h++) {
            uint32_t p = place[expected.hits[h].a * b.primitives + expected.hits[h].b];
            bool listed = p != 0 && at >= pairs[p - 1].from && at <= pairs[p - 1].to;
            if (!listed)
                fail_msg("%u and %u meet at %.9g and are not listed for it", expected.hits[h].a,
                         expected.hits[h].b, (double)at);
        }
        *(uint64_t *)user += expected.count;
        bw_hit_list_free(&expected);
    }
    free(place);
    bw_array_release(&list);
    bw_array_release(&other);
    actor_free(&a);
    actor_free(&b);
}

static void test_span(void **state)
{
    (void)state;
    uint64_t contacts = 0;
    BW_EACH_SEED(60, find_span, &contacts);
    if (bw_random_seed_from_env(0) == 0)
        assert_true(contacts > 1000);
}

/* A dress and the body under it: remembered by itself, told with its reason, and without a traversal. */
static void test_it_pays(void **state)
{
    (void)state;
    enum { FRAMES = 20, SEGMENTS = 4 };
    bws_film films[2];
    bws_film_desc desc = {.triangles = 3000, .keyframes = SEGMENTS + 1};
    assert_int_equal(bws_dress(&desc, &films[0]), BW_OK);
    desc.triangles = 500;
    assert_int_equal(bws_dress_body(&desc, &films[1]), BW_OK);
    bw_kinetic *k[2], *tight[2];
    for (int i = 0; i < 2; i++) {
        bw_mesh mesh = bws_view(&films[i].mesh);
        bw_motion motion = bws_film_motion(&films[i]);
        assert_int_equal(
            bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_AUTO}, &mesh, &motion, &k[i], NULL),
            BW_OK);
        assert_int_equal(bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_REFIT}, &mesh, &motion,
                                           &tight[i], NULL),
                         BW_OK);
    }
    double end = films[0].times[SEGMENTS];
    bw_pair_cache *cache = new_cache(NULL);
    uint32_t untraversed = 0;
    for (int i = 1; i <= FRAMES * SEGMENTS; i++) {
        double t = fmin(end * i / (FRAMES * SEGMENTS), end);
        bw_body bodies[2], other[2];
        for (int j = 0; j < 2; j++) {
            assert_int_equal(bw_kinetic_advance(k[j], t, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_advance(tight[j], t, NULL, NULL), BW_OK);
            assert_int_equal(bw_kinetic_query_body(k[j], &bodies[j], NULL), BW_OK);
            assert_int_equal(bw_kinetic_query_body(tight[j], &other[j], NULL), BW_OK);
        }
        bw_collide_desc count = {.mode = BW_COLLIDE_COUNT, .cache = cache};
        bw_collide_report report = {0}, expected = {0};
        assert_int_equal(bw_collide(&bodies[0], &bodies[1], &count, &report, NULL), BW_OK);
        count.cache = NULL;
        assert_int_equal(bw_collide(&other[0], &other[1], &count, &expected, NULL), BW_OK);
        assert_true(report.hit_count == expected.hit_count &&
                    report.touching_count == expected.touching_count);
        untraversed += report.nodes_visited == 0;
    }
    assert_true(untraversed > FRAMES * SEGMENTS * 3 / 4);
    bw_kinetic_choice choice = {0};
    bw_kinetic_get_choice(k[0], &choice);
    assert_int_equal(choice.method, BW_KINETIC_INTERPOLATED);
    assert_true(choice.remembered > 0 && choice.remembered < choice.interpolated &&
                choice.remembered < choice.refit);
    assert_non_null(strstr(choice.reason, "remember"));
    bw_pair_cache_destroy(cache);
    for (int i = 0; i < 2; i++) {
        bw_kinetic_destroy(k[i]);
        bw_kinetic_destroy(tight[i]);
        bws_film_free(&films[i]);
    }
}

/* A partner whose owner moves it with every frame is not looked ahead for again and again. */
static void test_restless(void **state)
{
    (void)state;
    enum { FRAMES = 200 };
    bws_random r = bws_random_seeded(12);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 150, .frames = 3, .span = 1};
    actor a, partner;
    actor_make(&a, &d, BW_KINETIC_AUTO, false, NULL, &r);
    actor_make(&partner, &d, BW_KINETIC_AUTO, true, NULL, &r);
    bw_pair_cache *cache = new_cache(NULL);
    double end = a.film.times[2];
    for (int i = 1; i <= FRAMES; i++) {
        actor_advance(&a, fmin(end * i / FRAMES, end));
        assert_int_equal(bw_tree_update(partner.still, &partner.still_mesh, NULL, NULL, NULL), BW_OK);
        bw_mesh truth_a, truth_b;
        bw_body body = actor_body(&a, true, &truth_a), other = actor_body(&partner, true, &truth_b);
        bw_hit_list expected = expect(&a, &partner, &truth_a, &truth_b);
        same_hits(&body, &other, &expected, NULL, cache);
        bw_hit_list_free(&expected);
    }
    assert_true(cache->list.fillings < FRAMES / 8);
    bw_pair_cache_destroy(cache);
    actor_free(&a);
    actor_free(&partner);
}

/* Every pair of one mesh, beyond what they share. */
static bw_hit_list expect_self(const bw_mesh *mesh)
{
    bw_hit_list list = bw_brute_force(mesh, mesh, NULL, 0);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++) {
        bw_hit hit = list.hits[i];
        bool exact;
        if (hit.a >= hit.b)
            continue;
        bw_vec3 a[3], b[3];
        bw_mesh_view_corners(mesh, hit.a, a);
        bw_mesh_view_corners(mesh, hit.b, b);
        if (mesh->indices != NULL)
            hit.kind = bw_contact_beyond_shared(a, mesh->indices + 3 * (size_t)hit.a, b,
                                                mesh->indices + 3 * (size_t)hit.b, &exact);
        if (hit.kind != BW_CONTACT_NONE)
            list.hits[kept++] = hit;
    }
    list.count = kept;
    return list;
}

/* A body with itself: kinetic, or one that its owner moves and edits. */
static void any_self(bws_random *r, void *user)
{
    film_desc d = film_any(r);
    d.kind = BW_MOTION_KEYFRAMES;
    d.size = 4 + d.size / 2;
    actor a;
    actor_make(&a, &d, BW_KINETIC_AUTO, bws_random_below(r, 3) == 0, NULL, r);
    bw_pair_cache *cache = new_cache(NULL);
    double begin = a.film.times[0], end;
    bw_motion_span(&a.film.motion, NULL, &end);
    for (int i = 1; i <= 40; i++) {
        actor_advance(&a, fmin(begin + (end - begin) * i / 40, end));
        make_eager(cache);
        bw_mesh truth;
        bw_body body = actor_body(&a, bws_random_bool(r), &truth);
        bw_hit_list expected = expect_self(&truth);
        size_t kept = 0;
        for (size_t k = 0; k < expected.count; k++)
            if (a.in[expected.hits[k].a] && a.in[expected.hits[k].b])
                expected.hits[kept++] = expected.hits[k];
        expected.count = kept;
        if (a.still == NULL) {
            same_hits(&body, &body, &expected, tasks_of((uint64_t)i), cache);
            same_hits(&body, &body, &expected, tasks_of((uint64_t)i), NULL);
        } else { /* in the order of the traversal */
            bw_hit *hits[2];
            bw_collide_report report = {0};
            for (int with = 0; with < 2; with++) {
                hits[with] = calloc(kept + 1, sizeof *hits[with]);
                bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                                        .hits = hits[with],
                                        .hit_capacity = kept,
                                        .tasks = tasks_of((uint64_t)i),
                                        .cache = with ? cache : NULL};
                assert_int_equal(bw_collide_self(&body, &desc, &report, NULL), BW_OK);
                assert_int_equal(report.hit_count, kept);
            }
            for (size_t k = 0; k < kept; k++)
                assert_true(hits[0][k].a == hits[1][k].a && hits[0][k].b == hits[1][k].b);
            bw_hits_sort(hits[0], kept);
            for (size_t k = 0; k < kept; k++)
                assert_true(hits[0][k].a == expected.hits[k].a && hits[0][k].b == expected.hits[k].b &&
                            hits[0][k].kind == expected.hits[k].kind);
            free(hits[0]);
            free(hits[1]);
        }
        ((totals *)user)->remembered += cache->list.ready;
        ((totals *)user)->hits += expected.count;
        bw_hit_list_free(&expected);
        uint64_t event = bws_random_below(r, 12);
        if (event == 0)
            actor_edit(&a, r);
        else if (event == 1)
            actor_shift(&a, r);
        else if (event == 2)
            actor_edit_still(&a, r);
    }
    bw_pair_cache_destroy(cache);
    actor_free(&a);
}

static void test_any_self(void **state)
{
    (void)state;
    totals sum = {0};
    BW_EACH_SEED(30, any_self, &sum);
    if (bw_random_seed_from_env(0) == 0)
        assert_true(sum.remembered > 100 && sum.hits > 100);
}

typedef struct crowd {
    const bw_body *a, *b;
    const bw_hit_list *expected;
    bw_pair_cache *caches[8];
    uint32_t failures[8];
} crowd;

static void ask_pair(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    crowd *c = context;
    for (uint32_t i = begin; i < end; i++) {
        bw_hit *hits = calloc(c->expected->count + 1, sizeof *hits);
        bw_collide_report report = {.hit_count = UINT64_MAX};
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                                .hits = hits,
                                .hit_capacity = c->expected->count,
                                .cache = i % 4 == 3 ? NULL : c->caches[i]};
        bool good = hits != NULL && bw_collide(c->a, c->b, &desc, &report, NULL) == BW_OK &&
                    report.hit_count == c->expected->count;
        for (size_t k = 0; good && k < c->expected->count; k++)
            good = hits[k].a == c->expected->hits[k].a && hits[k].b == c->expected->hits[k].b;
        c->failures[i] += !good;
        free(hits);
    }
}

/* Many threads ask about the same two at once, each with a cache of its own or none. */
static void test_threads(void **state)
{
    (void)state;
    enum { FRAMES = 90 };
    bws_random r = bws_random_seeded(13);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 400, .frames = 4, .span = 1};
    actor a, b;
    actor_make(&a, &d, BW_KINETIC_AUTO, false, NULL, &r);
    actor_make(&b, &d, BW_KINETIC_AUTO, false, NULL, &r);
    const bw_tasks *tasks = tasks_of(2);
    crowd c = {.a = NULL};
    for (int j = 0; j < 8; j++)
        c.caches[j] = new_cache(NULL);
    double end = fmin(a.film.times[3], b.film.times[3]);
    uint32_t remembered = 0;
    for (int i = 1; i <= FRAMES; i++) {
        actor_advance(&a, fmin(end * i / FRAMES, end));
        actor_advance(&b, fmin(end * i / FRAMES, end));
        bw_mesh truth_a, truth_b;
        bw_body body_a = actor_body(&a, true, &truth_a), body_b = actor_body(&b, true, &truth_b);
        bw_hit_list expected = expect(&a, &b, &truth_a, &truth_b);
        c.a = &body_a;
        c.b = &body_b;
        c.expected = &expected;
        tasks->parallel_for(tasks->user, ask_pair, &c, 8, 1);
        for (int j = 0; j < 8; j++) {
            assert_int_equal(c.failures[j], 0);
            remembered += c.caches[j]->list.ready;
            make_eager(c.caches[j]);
        }
        bw_hit_list_free(&expected);
    }
    assert_true(remembered > 0);
    for (int j = 0; j < 8; j++)
        bw_pair_cache_destroy(c.caches[j]);
    actor_free(&a);
    actor_free(&b);
}

/* Without memory nothing is remembered, and the answers are the same. */
static bw_result go_on(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bws_random r = bws_random_seeded(14);
    film_desc d = {.scalar = BW_F32, .style = FILM_WAVE, .size = 60, .frames = 3, .span = 1};
    actor a, b;
    actor_make(&a, &d, BW_KINETIC_AUTO, false, NULL, &r);
    actor_make(&b, &d, BW_KINETIC_AUTO, false, NULL, &r);
    bw_pair_cache *cache = new_cache(&memory->hook);
    bw_failing_allocator_fail(memory, n);
    double end = fmin(a.film.times[2], b.film.times[2]);
    totals sum = {0};
    for (int i = 1; i <= 24; i++) {
        actor_advance(&a, fmin(end * i / 24, end));
        actor_advance(&b, fmin(end * i / 24, end));
        make_eager(cache);
        ask(&a, &b, cache, &r, &sum);
    }
    assert_true(sum.remembered > 0);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(bw_pair_cache_bytes(cache) + sizeof *cache, memory->live_bytes);
    bw_pair_cache_destroy(cache);
    actor_free(&a);
    actor_free(&b);
    return memory->refused > 0 ? BW_ERROR_MEMORY : BW_OK;
}

static void test_memory(void **state)
{
    (void)state;
    bw_each_allocation_failure(go_on, NULL, 3);
    bw_pair_cache *cache;
    assert_int_equal(bw_pair_cache_create(NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_failing_allocator_fail(&memory, 1);
    assert_int_equal(bw_pair_cache_create(&memory.hook, &cache, NULL), BW_ERROR_MEMORY);
    bw_pair_cache_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_pair), cmocka_unit_test(test_span),
                                       cmocka_unit_test(test_it_pays),  cmocka_unit_test(test_restless),
                                       cmocka_unit_test(test_any_self), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_memory)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < 3; i++)
        if (pools[i] != NULL)
            bw_pool_destroy(pools[i]);
    bw_pair_cache_destroy(worn);
    return failed;
}
