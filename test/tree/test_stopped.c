/* Builds and rebuilds that the caller ends: at every question, alone and with threads, nothing is made, changed or left behind. */
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"
#include "oracle/tree_forms.h"
#include "scenes/scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct asked {
    atomic_uint count;
    atomic_uint inside; /* questions that wait for an answer now */
    unsigned until;     /* the question that is answered by no; 0: none */
} asked;

static bool answer(void *user)
{
    asked *q = user;
    assert_int_equal(atomic_fetch_add(&q->inside, 1), 0);
    const unsigned count = atomic_fetch_add(&q->count, 1) + 1;
    atomic_fetch_sub(&q->inside, 1);
    return count != q->until;
}

typedef struct bytes {
    void *data;
    size_t size;
} bytes;

static bytes saved(const bw_tree *tree)
{
    bytes b = {.size = bw_tree_saved_size(tree)};
    b.data = malloc(b.size);
    assert_non_null(b.data);
    assert_int_equal(bw_tree_save(tree, b.data, b.size, NULL), BW_OK);
    return b;
}

static void assert_saved(const bw_tree *tree, const bytes *wanted)
{
    bytes b = saved(tree);
    assert_int_equal(b.size, wanted->size);
    assert_memory_equal(b.data, wanted->data, b.size);
    free(b.data);
}

static bool wide(const bw_tree_form *form)
{
    return form->volume == BW_VOLUME_AABB && form->builder != BW_BUILDER_MIDPOINT;
}

/* Stops at every step-th question. A thread may be done before it comes to as many questions; then the tree stands. */
static void stop_builds(const bw_mesh *mesh, bw_tree_desc desc, unsigned step)
{
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    desc.allocator = &memory.hook;
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(&desc, mesh, &tree, NULL), BW_OK);
    bytes whole = saved(tree);
    bw_tree_destroy(tree);

    asked q = {.until = 0};
    desc.progress = (bw_progress){answer, &q};
    assert_int_equal(bw_tree_create(&desc, mesh, &tree, NULL), BW_OK);
    assert_saved(tree, &whole);
    bw_tree_destroy(tree);
    const unsigned questions = atomic_load(&q.count);
    assert_true(questions >= 2);
    for (unsigned until = 1; until <= questions; until += step) {
        q = (asked){.until = until};
        tree = (bw_tree *)(void *)&q;
        bw_fault fault = {0};
        const bw_result result = bw_tree_create(&desc, mesh, &tree, &fault);
        if (atomic_load(&q.count) < until) {
            assert_non_null(desc.tasks);
            assert_int_equal(result, BW_OK);
            assert_saved(tree, &whole);
            bw_tree_destroy(tree);
        } else {
            assert_int_equal(result, BW_ERROR_STOPPED);
            assert_int_equal(fault.result, BW_ERROR_STOPPED);
            assert_ptr_equal(tree, &q);
            assert_int_equal(atomic_load(&q.count), until); /* who said no is not asked again */
        }
        assert_int_equal(memory.live_blocks, 0);
    }
    free(whole.data);
}

/* A tree whose rebuild was ended is as it was, and can be rebuilt. */
static void stop_rebuilds(const bw_mesh *mesh, const bw_mesh *moved, const bw_tree_desc *desc, unsigned step)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(desc, mesh, &tree, NULL), BW_OK);
    bytes whole = saved(tree);
    bw_update_report report = {0}, blank;
    memset(&report, 0x77, sizeof report);
    report.size = 0;
    blank = report;
    asked q = {.until = 1};
    const bw_update_desc update = {
        .policy = BW_UPDATE_REBUILD, .tasks = desc->tasks, .progress = {answer, &q}};
    bw_result result;
    while ((result = bw_tree_update(tree, moved, &update, &report, NULL)) == BW_ERROR_STOPPED) {
        assert_saved(tree, &whole);
        assert_null(bw_tree_check(tree, mesh));
        assert_memory_equal(&report, &blank, sizeof report);
        q = (asked){.until = q.until + step};
    }
    assert_int_equal(result, BW_OK);
    assert_true(q.until > 1);
    assert_int_equal(report.action, BW_UPDATE_DID_REBUILD);
    assert_null(bw_tree_check(tree, moved));
    free(whole.data);
    bw_tree_destroy(tree);
}

/* The policy's rebuild is left out where it is ended, and the boxes fit all the same; later it is made. */
static void stop_policy(const bw_mesh *mesh, const bw_mesh *moved, const bw_tree_desc *desc)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(desc, mesh, &tree, NULL), BW_OK);
    asked no = {.until = 1}, yes = {.until = 0};
    bw_update_desc update = {.policy = BW_UPDATE_AUTO, .tasks = desc->tasks, .progress = {answer, &no}};
    bool ended = false, rebuilt = false;
    for (int i = 0; i < 400 && !rebuilt; i++) {
        bw_update_report report = {0};
        assert_int_equal(bw_tree_update(tree, moved, &update, &report, NULL), BW_OK);
        assert_null(bw_tree_check(tree, moved));
        if (!ended) {
            assert_int_equal(report.action, BW_UPDATE_DID_REFIT);
            ended = strstr(report.reason, "progress") != NULL;
            no = (asked){.until = 1};
            if (ended)
                update.progress.user = &yes;
        } else {
            rebuilt = report.action != BW_UPDATE_DID_REFIT;
        }
    }
    assert_true(ended && rebuilt);
    bw_tree_destroy(tree);
}

/* The vertices in another order: no box stays small. */
static void shuffle(bws_mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count / 2; v += 2) {
        const uint32_t w = mesh->vertex_count - 1 - v;
        const bw_vec3 p = bws_mesh_vertex(mesh, v);
        bws_mesh_set_vertex(mesh, v, bws_mesh_vertex(mesh, w));
        bws_mesh_set_vertex(mesh, w, p);
    }
}

static void stop_all(const bw_tasks *tasks, uint32_t frequency)
{
    bws_mesh owned, other;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = frequency, .seed = 1}, BW_F32, &owned),
                     BW_OK);
    assert_int_equal(bws_mesh_convert(&owned, BW_F32, &other), BW_OK);
    shuffle(&other);
    const bw_mesh mesh = bws_view(&owned), moved = bws_view(&other);
    for (int i = 0; i < BW_TREE_FORMS; i++) {
        if (!wide(&bw_tree_forms[i]))
            continue;
        bw_tree_desc desc = bw_tree_form_desc(bw_tree_forms[i]);
        desc.tasks = tasks;
        const unsigned step = desc.builder == BW_BUILDER_FAST ? 1 : frequency / 8;
        stop_builds(&mesh, desc, step);
        stop_rebuilds(&mesh, &moved, &desc, step);
        stop_policy(&mesh, &moved, &desc);
    }
    bws_mesh_free(&owned);
    bws_mesh_free(&other);
}

static void test_alone(void **state)
{
    (void)state;
    stop_all(NULL, 16);
    stop_all(NULL, 50);
}

static void test_threads(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(4);
    stop_all(bw_pool_tasks(pool), 50);
    bw_pool_destroy(pool);
}

static void unit_box(void *user, uint32_t primitive, bw_box *out)
{
    (void)user;
    for (int k = 0; k < 3; k++) {
        out->min[k] = (float)(primitive * (uint32_t)(k + 1) % 1009);
        out->max[k] = out->min[k] + 1;
    }
}

static void test_user_primitives(void **state)
{
    (void)state;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    const bw_primitives primitives = {20000, unit_box, NULL};
    asked q = {.until = 1};
    const bw_tree_desc desc = {.allocator = &memory.hook, .progress = {answer, &q}};
    bw_tree *tree = NULL;
    bw_result result;
    while ((result = bw_tree_create_user(&desc, &primitives, &tree, NULL)) == BW_ERROR_STOPPED) {
        assert_null(tree);
        assert_int_equal(memory.live_blocks, 0);
        q = (asked){.until = q.until + 1};
    }
    assert_int_equal(result, BW_OK);
    assert_true(q.until > 2);
    bw_tree_destroy(tree);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_user_primitives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
