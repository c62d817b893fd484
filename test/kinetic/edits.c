/* Primitives that enter and leave kinetic trees while these are on their way: after every edit, at any time,
 * the tree holds what it should and every box bounds it, tightly where the method says so; on failure nothing
 * has changed. */
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
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

/* A film of which a kinetic tree knows a part: its first vertices and triangles, some of them inserted. */
typedef struct stage {
    film film;
    film_desc desc;
    bw_mesh mesh; /* as far as it is known */
    bw_motion motion;
    bool *in_tree;
    uint32_t primitives; /* of the film */
    bool replanned;
    bw_kinetic *kinetic;
} stage;

static uint32_t known(const stage *s)
{
    return s->mesh.indices == NULL ? s->mesh.vertex_count : s->mesh.triangle_count;
}

/* Makes so many primitives known, and the vertices they need. */
static void know(stage *s, uint32_t primitives)
{
    uint32_t vertices = s->film.motion.vertex_count;
    s->mesh = bws_view(&s->film.mesh);
    if (s->mesh.indices == NULL)
        vertices = primitives;
    else if (s->desc.soup)
        vertices = 3 * primitives;
    s->mesh.triangle_count = s->mesh.indices == NULL ? 0 : primitives;
    s->mesh.vertex_count = vertices;
    s->motion = s->film.motion;
    s->motion.vertex_count = vertices;
}

static void begin(stage *s, const film_desc *desc, bw_kinetic_method method, const bw_allocator *allocator,
                  bws_random *r)
{
    *s = (stage){.desc = *desc};
    film_make(desc, r, &s->film);
    know(s, 1);
    s->primitives = s->film.mesh.indices == NULL ? s->film.mesh.vertex_count : s->film.mesh.triangle_count;
    s->in_tree = calloc(s->primitives, sizeof *s->in_tree);
    assert_non_null(s->in_tree);
    know(s, 1 + (uint32_t)bws_random_below(r, s->primitives));
    for (uint32_t i = 0; i < known(s); i++)
        s->in_tree[i] = true;
    bw_kinetic_desc d = {.method = method, .time = desc->begin, .allocator = allocator};
    assert_int_equal(bw_kinetic_create(&d, &s->mesh, &s->motion, &s->kinetic, NULL), BW_OK);
}

static void end(stage *s)
{
    bw_kinetic_destroy(s->kinetic);
    free(s->in_tree);
    film_free(&s->film);
}

typedef struct seen {
    uint32_t *times;
    uint32_t count;
} seen;

static bool see(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    (void)box;
    (void)depth;
    seen *s = user;
    for (uint32_t i = 0; i < count; i++)
        s->times[primitives[i]]++;
    return true;
}

static void prove(const stage *s)
{
    film known_part = s->film;
    known_part.motion = s->motion;
    film_prove(&known_part, s->kinetic, s->replanned);
    bw_body body;
    assert_int_equal(bw_kinetic_body(s->kinetic, &body, NULL), BW_OK);
    seen times = {calloc(s->primitives, sizeof(uint32_t)), 0};
    assert_non_null(times.times);
    assert_int_equal(bw_tree_visit(body.tree, see, &times, NULL), BW_OK);
    for (uint32_t i = 0; i < s->primitives; i++)
        assert_int_equal(times.times[i], s->in_tree[i]);
    free(times.times);
}

/* Some primitives that are in the tree, or some that are known and not in it; in a random order. */
static uint32_t choose(const stage *s, bool in_tree, uint32_t at_most, uint32_t *out, bws_random *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < known(s); i++) {
        if (s->in_tree[i] != in_tree)
            continue;
        uint32_t at = (uint32_t)bws_random_below(r, count + 1);
        out[count++] = out[at];
        out[at] = i;
    }
    return count < at_most ? count : at_most;
}

static void edit(stage *s, bws_random *r)
{
    uint32_t *list = malloc((s->primitives + 1) * sizeof *list);
    assert_non_null(list);
    uint32_t most = 1 + (uint32_t)bws_random_below(r, bws_random_bool(r) ? 6 : s->primitives);
    bool remove = bws_random_bool(r), grow = bws_random_bool(r);
    if (remove) {
        uint32_t count = choose(s, true, most, list, r);
        assert_int_equal(bw_kinetic_remove(s->kinetic, list, count, NULL), BW_OK);
        for (uint32_t i = 0; i < count; i++)
            s->in_tree[list[i]] = false;
    } else {
        if (grow)
            know(s, known(s) + (uint32_t)bws_random_below(r, s->primitives - known(s) + 1));
        uint32_t count = choose(s, false, most, list, r);
        assert_int_equal(bw_kinetic_insert(s->kinetic, grow ? &s->mesh : NULL, grow ? &s->motion : NULL, list,
                                           count, NULL),
                         BW_OK);
        for (uint32_t i = 0; i < count; i++)
            s->in_tree[list[i]] = true;
    }
    free(list);
}

static double some_time(const stage *s, bws_random *r)
{
    double last, now = bw_kinetic_time(s->kinetic);
    bw_motion_span(&s->motion, NULL, &last);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(s->kinetic, &stats);
    uint32_t how = (uint32_t)bws_random_below(r, 4);
    double t = how == 0   ? now
               : how == 1 ? fmin(stats.next_event, last)
                          : now + bws_random_unit(r) * 0.3 * (last - now);
    return t > last ? last : t;
}

static bool takes_plans(bw_kinetic_method method)
{
    return method != BW_KINETIC_COMPILED && method != BW_KINETIC_INTERPOLATED;
}

static void edits(bws_random *r, void *user)
{
    bw_kinetic_method method = *(const bw_kinetic_method *)user;
    film_desc d = film_any(r);
    if (method == BW_KINETIC_COMPILED)
        d.kind = BW_MOTION_KEYFRAMES;
    bool plans = takes_plans(method) && bws_random_bool(r);
    stage s;
    begin(&s, &d, method, NULL, r);
    prove(&s);
    for (int i = 0; i < 25; i++) {
        assert_int_equal(bw_kinetic_advance(s.kinetic, some_time(&s, r), NULL, NULL), BW_OK);
        edit(&s, r);
        prove(&s);
        if (plans && bws_random_below(r, 4) == 0) {
            uint32_t v = (uint32_t)bws_random_below(r, s.motion.vertex_count);
            bw_plan plan =
                film_plan(d.style, (uint32_t)bws_random_below(r, 4), bw_kinetic_time(s.kinetic), r);
            assert_int_equal(bw_kinetic_set_plan(s.kinetic, v, &plan, NULL), BW_OK);
            s.replanned = true;
            prove(&s);
        }
    }
    double last;
    bw_motion_span(&s.motion, NULL, &last);
    assert_int_equal(bw_kinetic_advance(s.kinetic, last, NULL, NULL), BW_OK);
    prove(&s);
    if (!s.replanned) { /* and back in time */
        assert_int_equal(bw_kinetic_advance(s.kinetic, d.begin, NULL, NULL), BW_OK);
        prove(&s);
    }
    end(&s);
}

static bw_kinetic_method queue = BW_KINETIC_QUEUE, refit = BW_KINETIC_REFIT, boxtree = BW_KINETIC_BOXTREE,
                         compiled = BW_KINETIC_COMPILED, interpolated = BW_KINETIC_INTERPOLATED,
                         automatic = BW_KINETIC_AUTO;

static void test_queue(void **state)
{
    (void)state;
    BW_EACH_SEED(60, edits, &queue);
}

static void test_refit(void **state)
{
    (void)state;
    BW_EACH_SEED(20, edits, &refit);
}

static void test_boxtree(void **state)
{
    (void)state;
    BW_EACH_SEED(60, edits, &boxtree);
}

/* Planes that watch many keep lists, and these may hold vertices that are gone: whose plans change then
 * without a word to anybody. */
static void test_boxtree_lists(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        bws_random r = bws_random_seeded(seed);
        film_desc d = {
            .kind = BW_MOTION_VELOCITY, .style = FILM_SMOOTH, .size = 1800, .soup = true, .span = 1};
        stage s;
        begin(&s, &d, BW_KINETIC_BOXTREE, NULL, &r);
        uint32_t *list = malloc(s.primitives * sizeof *list);
        assert_non_null(list);
        for (int i = 0; i < 25; i++) {
            uint32_t count = choose(&s, true, 1 + known(&s) / 40, list, &r);
            assert_int_equal(bw_kinetic_remove(s.kinetic, list, count, NULL), BW_OK);
            for (uint32_t j = 0; j < count; j++) {
                s.in_tree[list[j]] = false;
                bw_plan plan = film_plan(FILM_SMOOTH, 1, bw_kinetic_time(s.kinetic), &r);
                assert_int_equal(bw_kinetic_set_plan(s.kinetic, 3 * list[j], &plan, NULL), BW_OK);
            }
            s.replanned = true;
            assert_int_equal(bw_kinetic_advance(s.kinetic, (i + 1) / 25.0, NULL, NULL), BW_OK);
            assert_null(bw_kinetic_check(s.kinetic));
        }
        prove(&s);
        free(list);
        end(&s);
    }
}

static void test_compiled(void **state)
{
    (void)state;
    BW_EACH_SEED(60, edits, &compiled);
}

static void test_interpolated(void **state)
{
    (void)state;
    BW_EACH_SEED(40, edits, &interpolated);
}

static void test_automatic(void **state)
{
    (void)state;
    BW_EACH_SEED(60, edits, &automatic);
}

/* One by one, so that every branch is taken that one edit can take: down to nothing, and up again. */
static void all_out_and_in(bw_kinetic_method method, uint64_t seed)
{
    bws_random r = bws_random_seeded(seed);
    film_desc d = {.kind = !takes_plans(method) || seed == 3 ? BW_MOTION_KEYFRAMES : BW_MOTION_VELOCITY,
                   .scalar = seed == 1 ? BW_F64 : BW_F32,
                   .style = FILM_SMOOTH,
                   .size = 350,
                   .frames = 3,
                   .points = seed == 3,
                   .soup = seed == 2,
                   .span = 1};
    stage s;
    begin(&s, &d, method, NULL, &r);
    know(&s, s.primitives);
    double now = bw_kinetic_time(s.kinetic), last;
    bw_motion_span(&s.motion, NULL, &last);
    uint32_t *list = malloc(s.primitives * sizeof *list), count = choose(&s, true, s.primitives, list, &r);
    assert_non_null(list);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(bw_kinetic_remove(s.kinetic, &list[i], 1, NULL), BW_OK);
        s.in_tree[list[i]] = false;
        assert_null(bw_kinetic_check(s.kinetic));
    }
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(s.kinetic, &stats);
    assert_true(stats.pending == 0 && stats.next_event == INFINITY);
    now += 0.5 * (last - now);
    assert_int_equal(bw_kinetic_advance(s.kinetic, now, NULL, NULL), BW_OK);
    bw_body body;
    assert_int_equal(bw_kinetic_query_body(s.kinetic, &body, NULL), BW_OK);
    assert_int_equal(bw_kinetic_body(s.kinetic, &body, NULL), BW_OK);
    count = choose(&s, false, s.primitives, list, &r);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(bw_kinetic_insert(s.kinetic, &s.mesh, &s.motion, &list[i], 1, NULL), BW_OK);
        s.in_tree[list[i]] = true;
        assert_null(bw_kinetic_check(s.kinetic));
        if (i % 16 == 0)
            prove(&s);
    }
    prove(&s);
    assert_int_equal(bw_kinetic_advance(s.kinetic, last, NULL, NULL), BW_OK);
    prove(&s);
    free(list);
    end(&s);
}

static void test_all_out_and_in(void **state)
{
    (void)state;
    FILM_EACH_METHOD(m)
    for (uint64_t seed = 1; seed <= 3; seed++)
        all_out_and_in((bw_kinetic_method)m, seed);
}

static void test_arguments(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(4);
    film_desc d = {
        .kind = BW_MOTION_KEYFRAMES, .style = FILM_WAVE, .size = 100, .soup = true, .frames = 3, .span = 1};
    stage s;
    begin(&s, &d, BW_KINETIC_QUEUE, NULL, &r);
    bw_kinetic *k = s.kinetic;
    uint32_t first = 0, twice[2], n = known(&s), beyond = n;
    assert_true(n > 2 && n < s.primitives);
    assert_int_equal(bw_kinetic_insert(NULL, NULL, NULL, NULL, 0, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_insert(k, NULL, NULL, NULL, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_insert(k, NULL, NULL, &first, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_insert(k, NULL, NULL, &beyond, 1, NULL), BW_ERROR_INDEX);
    assert_int_equal(bw_kinetic_insert(k, NULL, NULL, NULL, 0, NULL), BW_OK);
    assert_int_equal(bw_kinetic_remove(NULL, NULL, 0, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_remove(k, NULL, 1, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_remove(k, &beyond, 1, NULL), BW_ERROR_INDEX);
    twice[0] = twice[1] = 1;
    assert_int_equal(bw_kinetic_remove(k, twice, 2, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_remove(k, NULL, 0, NULL), BW_OK);
    know(&s, s.primitives);
    twice[0] = twice[1] = s.primitives - 1;
    assert_int_equal(bw_kinetic_insert(k, &s.mesh, &s.motion, twice, 2, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_kinetic_remove(k, twice, 1, NULL), BW_ERROR_INDEX);
    bw_mesh mesh = s.mesh;
    bw_motion motion = s.motion;
    assert_int_equal(bw_kinetic_insert(k, &mesh, NULL, twice, 1, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_kinetic_insert(k, NULL, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    mesh.indices = NULL;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    mesh = s.mesh, mesh.triangle_count = 1;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    mesh = s.mesh, mesh.vertex_count = motion.vertex_count = 3;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    mesh = s.mesh, motion = s.motion, motion.kind = BW_MOTION_VELOCITY;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    motion = s.motion, motion.frame_count = 2;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    double times[3] = {s.film.times[0], s.film.times[1], s.film.times[2] + 1};
    motion = s.motion, motion.times = times;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_MISMATCH);
    motion = s.motion, motion.times = NULL;
    assert_int_equal(bw_kinetic_insert(k, &mesh, &motion, twice, 1, NULL), BW_ERROR_ARGUMENT);
    float *last = (float *)s.film.frames[2] + 3 * (size_t)s.motion.vertex_count - 1, kept = *last;
    *last = NAN;
    assert_int_equal(bw_kinetic_insert(k, &s.mesh, &s.motion, twice, 1, NULL), BW_ERROR_NOT_FINITE);
    *last = kept;
    uint32_t *corner = &s.film.mesh.indices[3 * (size_t)twice[0]], old = *corner;
    *corner = s.motion.vertex_count;
    assert_int_equal(bw_kinetic_insert(k, &s.mesh, &s.motion, twice, 1, NULL), BW_ERROR_INDEX);
    *corner = old;
    assert_int_equal(bw_kinetic_insert(k, &s.mesh, &s.motion, twice, 1, NULL), BW_OK);
    s.in_tree[twice[0]] = true;
    prove(&s);
    end(&s);
}

static film_desc some_film(bw_kinetic_method method)
{
    bool keyed = !takes_plans(method) || method == BW_KINETIC_AUTO;
    return (film_desc){.kind = keyed ? BW_MOTION_KEYFRAMES : BW_MOTION_VELOCITY,
                       .style = FILM_SMOOTH,
                       .size = 500,
                       .frames = 3,
                       .soup = true,
                       .span = 1};
}

static bw_result fail_insert(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bws_random r = bws_random_seeded(6);
    bw_kinetic_method method = *(const bw_kinetic_method *)user;
    film_desc d = some_film(method);
    stage s;
    begin(&s, &d, method, &memory->hook, &r);
    bw_plan plan = {.c = {{1, 2, 3}}};
    if (takes_plans(method) && method != BW_KINETIC_AUTO) {
        assert_int_equal(bw_kinetic_set_plan(s.kinetic, 0, &plan, NULL), BW_OK);
        s.replanned = true;
    }
    stage before = s;
    know(&s, s.primitives);
    uint32_t list[200], count = choose(&s, false, 200, list, &r);
    assert_true(count > 20);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_kinetic_insert(s.kinetic, &s.mesh, &s.motion, list, count, NULL);
    bw_failing_allocator_fail_none(memory);
    /* A rebuild is not needed, so a lack of memory for that is not told. */
    bool whole = memory->refused == 0;
    if (result != BW_OK)
        s.mesh = before.mesh, s.motion = before.motion;
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        s.in_tree[list[i]] = true;
    prove(&s);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(s.kinetic, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    double last;
    bw_motion_span(&s.motion, NULL, &last);
    assert_int_equal(bw_kinetic_advance(s.kinetic, last, NULL, NULL), BW_OK);
    prove(&s);
    end(&s);
    return result == BW_OK && !whole ? BW_ERROR_MEMORY : result;
}

static bw_result fail_remove(bw_failing_allocator *memory, uint64_t n, void *user)
{
    bws_random r = bws_random_seeded(8);
    film_desc d = some_film(*(const bw_kinetic_method *)user);
    stage s;
    begin(&s, &d, *(const bw_kinetic_method *)user, &memory->hook, &r);
    uint32_t list[200], count = choose(&s, true, known(&s) * 2 / 3, list, &r); /* enough to rebuild */
    assert_true(known(&s) > 30 && known(&s) <= 200);
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_kinetic_remove(s.kinetic, list, count, NULL);
    bw_failing_allocator_fail_none(memory);
    bool whole = memory->refused == 0;
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        s.in_tree[list[i]] = false;
    prove(&s);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(s.kinetic, &stats);
    assert_int_equal(stats.bytes, memory->live_bytes);
    end(&s);
    return result == BW_OK && !whole ? BW_ERROR_MEMORY : result;
}

static void test_memory(void **state)
{
    (void)state;
    bw_each_allocation_failure(fail_insert, &queue, 8);
    bw_each_allocation_failure(fail_insert, &refit, 6);
    bw_each_allocation_failure(fail_remove, &queue, 4);
    bw_each_allocation_failure(fail_remove, &refit, 4);
    static bw_kinetic_method *others[] = {&compiled, &interpolated, &automatic, &boxtree};
    for (int i = 0; i < 3 + BW_RESEARCH; i++) {
        bw_each_allocation_failure(fail_insert, others[i], 6);
        bw_each_allocation_failure(fail_remove, others[i], 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue),     cmocka_unit_test(test_refit),
        cmocka_unit_test(test_compiled),  cmocka_unit_test(test_interpolated),
        cmocka_unit_test(test_automatic), cmocka_unit_test(test_all_out_and_in),
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_memory)};
    const struct CMUnitTest boxtrees[] = {cmocka_unit_test(test_boxtree),
                                          cmocka_unit_test(test_boxtree_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL) +
           (BW_RESEARCH ? cmocka_run_group_tests(boxtrees, NULL, NULL) : 0);
}
