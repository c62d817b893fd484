/* Queries that ask whether they are still wanted: cancelled at every question, alone and with threads, they
 * leave what they had found. */
#include "oracle/pool.h"
#include "scenes/scenes.h"

#include <boxwood/collide.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct asked {
    atomic_uint count;
    atomic_uint inside; /* questions that wait for an answer now */
    unsigned until;     /* the question that is answered by no */
} asked;

static bool answer(void *user)
{
    asked *q = user;
    assert_int_equal(atomic_fetch_add(&q->inside, 1), 0);
    const unsigned count = atomic_fetch_add(&q->count, 1) + 1;
    atomic_fetch_sub(&q->inside, 1);
    return count < q->until;
}

typedef struct fixture {
    bws_mesh owned[2];
    bw_mesh mesh[2];
    bw_tree *tree[2];
    bw_body body[2];
    bw_transform pose;
} fixture;

/* A teapot, whose spout and handle pass through its wall, and a sphere that passes through it. */
static void set_up(fixture *f, const bw_tree_desc *desc, uint32_t frequency)
{
    assert_int_equal(
        bws_lathe(&(bws_lathe_desc){.triangles = 20 * frequency * frequency}, BW_F32, &f->owned[0]), BW_OK);
    assert_int_equal(
        bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency, .seed = 1}, BW_F32, &f->owned[1]), BW_OK);
    for (int i = 0; i < 2; i++) {
        f->mesh[i] = bws_view(&f->owned[i]);
        assert_int_equal(bw_tree_create(desc, &f->mesh[i], &f->tree[i], NULL), BW_OK);
        f->body[i] = (bw_body){f->tree[i], &f->mesh[i], NULL};
    }
    f->pose = bw_transform_compose((bw_vec3){0.3, 0.1, -0.2}, (bw_vec3){1, 2, 3}, 0.5, (bw_vec3){1, 1, 1});
    f->body[1].pose = &f->pose;
}

static void tear_down(fixture *f)
{
    for (int i = 0; i < 2; i++) {
        bw_tree_destroy(f->tree[i]);
        bws_mesh_free(&f->owned[i]);
    }
}

typedef bw_result ask_fn(const fixture *f, const bw_collide_desc *desc, bw_collide_report *report);

static bw_result ask_pair(const fixture *f, const bw_collide_desc *desc, bw_collide_report *report)
{
    return bw_collide(&f->body[0], &f->body[1], desc, report, NULL);
}

static bw_result ask_self(const fixture *f, const bw_collide_desc *desc, bw_collide_report *report)
{
    return bw_collide_self(&f->body[0], desc, report, NULL);
}

static bw_contact_kind always(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    (void)a;
    (void)b;
    return BW_CONTACT_CROSSING;
}

static bw_result ask_user(const fixture *f, const bw_collide_desc *desc, bw_collide_report *report)
{
    return bw_collide_user(&f->body[0], &f->body[1], always, NULL, desc, report, NULL);
}

static int order(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(bw_hit));
}

/* Cancels at each question in turn. Alone, the hits are the first of all; with threads, some of all, in
 * order. */
static void cancel_everywhere(const fixture *f, ask_fn *ask, const bw_tasks *tasks, unsigned step)
{
    enum { MOST = 1 << 16 };
    bw_hit *all = calloc(MOST, sizeof *all), *some = calloc(MOST, sizeof *some),
           *sorted = calloc(MOST, sizeof *sorted);
    assert_true(all != NULL && some != NULL && sorted != NULL);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = all, .hit_capacity = MOST, .tasks = tasks};
    bw_collide_report whole = {0}, report = {0}, plain = {0};
    assert_int_equal(ask(f, &desc, &plain), BW_OK);
    asked q = {.until = 1u << 30};
    desc.progress.go_on = answer;
    desc.progress.user = &q;
    assert_int_equal(ask(f, &desc, &whole), BW_OK);
    assert_memory_equal(&whole, &plain, sizeof whole);
    assert_int_equal(whole.status, BW_DONE);
    assert_true(whole.hit_count > 0 && whole.hit_count < MOST && atomic_load(&q.count) > 0);
    memcpy(sorted, all, whole.hit_count * sizeof *all);
    qsort(sorted, whole.hit_count, sizeof *sorted, order);
    const unsigned questions = atomic_load(&q.count);
    desc.hits = some;
    for (unsigned until = 1; until <= questions; until += step) {
        q = (asked){.until = until};
        memset(&report, 0x5A, sizeof report);
        report.size = 0;
        assert_int_equal(ask(f, &desc, &report), BW_OK);
        if (tasks == NULL || until == 1) /* threads may be done before they come to as many questions */
            assert_int_equal(report.status, BW_STOPPED);
        assert_true(report.hit_count <= whole.hit_count && report.nodes_visited <= whole.nodes_visited);
        if (tasks == NULL)
            assert_memory_equal(some, all, report.hit_count * sizeof *all);
        for (uint64_t i = 0; i < report.hit_count; i++)
            assert_non_null(bsearch(&some[i], sorted, whole.hit_count, sizeof *sorted, order));
        q = (asked){.until = until};
        desc.mode = BW_COLLIDE_COUNT;
        assert_int_equal(ask(f, &desc, &report), BW_OK);
        assert_true(report.hit_count <= whole.hit_count);
        desc.mode = BW_COLLIDE_ALL;
    }
    free(all);
    free(some);
    free(sorted);
}

static void test_alone(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, NULL, 20);
    cancel_everywhere(&f, ask_pair, NULL, 1);
    cancel_everywhere(&f, ask_self, NULL, 1);
    cancel_everywhere(&f, ask_user, NULL, 3);
    tear_down(&f);
}

#if BW_RESEARCH
static void test_other_trees(void **state)
{
    (void)state;
    static const bw_tree_desc kinds[] = {
        {.builder = BW_BUILDER_MIDPOINT}, {.volume = BW_VOLUME_OBB}, {.volume = BW_VOLUME_KDOP18}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        fixture f;
        set_up(&f, &kinds[k], 8);
        cancel_everywhere(&f, ask_pair, NULL, 7);
        tear_down(&f);
    }
}
#endif

static void test_threads(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, NULL, 40);
    for (uint32_t workers = 2; workers <= 4; workers++) {
        bw_pool *pool = test_pool_create(workers);
        cancel_everywhere(&f, ask_pair, bw_pool_tasks(pool), 9);
        cancel_everywhere(&f, ask_self, bw_pool_tasks(pool), 13);
        bw_pool_destroy(pool);
    }
    tear_down(&f);
}

/* Mode ANY where nothing meets; containment is not looked for after a no. */
static void test_any(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, NULL, 20);
    f.pose = bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){0.6, 0.6, 0.6});
    const bw_body outer = {f.tree[1], &f.mesh[1], NULL};
    asked q = {.until = 1u << 30};
    bw_collide_desc desc = {.progress = {answer, &q}, .containment = true};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(&outer, &f.body[1], &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    assert_int_equal(report.containment, BW_CONTAINMENT_B_IN_A);
    assert_true(atomic_load(&q.count) > 0);
    q = (asked){.until = 1};
    assert_int_equal(bw_collide(&outer, &f.body[1], &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_STOPPED);
    assert_int_equal(report.containment, BW_CONTAINMENT_NONE);
    assert_int_equal(report.hit_count, 0);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
#if BW_RESEARCH
        cmocka_unit_test(test_other_trees),
#endif
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
