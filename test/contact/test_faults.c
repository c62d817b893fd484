/* Contacts when memory runs out: report and buffers are untouched, and the next query answers as before; and
 * with 1, 2 and 7 threads the same bits. */
#include "contact/solids.h"
#include "oracle/failing_allocator.h"
#include "oracle/pool.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 4096 };

typedef struct answer {
    bw_contact contacts[MOST];
    bw_contact_region regions[MOST];
    bw_contacts_report report;
} answer;

typedef struct question {
    bw_body a, b;
    bw_contacts_desc desc;
    uint64_t contacts;
    double upper;
} question;

static bw_result ask(const question *q, const bw_allocator *allocator, const bw_tasks *tasks, answer *out)
{
    bw_contacts_desc desc = q->desc;
    desc.allocator = allocator;
    desc.tasks = tasks;
    desc.regions = out->regions;
    desc.region_capacity = MOST;
    return bw_contacts(&q->a, &q->b, &desc, out->contacts, MOST, &out->report, NULL);
}

static bw_result contacts(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const question *q = user;
    static answer got, before;
    memset(&got, 0x77, sizeof got);
    got.report.size = 0;
    before = got;
    bw_failing_allocator_fail(memory, n);
    const bw_result result = ask(q, &memory->hook, NULL, &got);
    bw_failing_allocator_fail_none(memory);
    if (result != BW_OK) {
        assert_memory_equal(&got, &before, sizeof got);
        assert_int_equal(ask(q, &memory->hook, NULL, &got), BW_OK);
    }
    assert_int_equal(got.report.contact_count, q->contacts);
    assert_true(got.report.depth_upper == q->upper);
    return result;
}

/* Several overlaps, a piece inside without a contact, and touching faces. */
static void make_bodies(solid *floor, solid *feet)
{
    solid_box(floor, (bw_vec3){-9, -9, -4}, (bw_vec3){9, 9, 0});
    cells grid = {.side = 4};
    grid.full[0] = grid.full[3] = true;
    for (int i = 16; i < 32; i++)
        grid.full[i] = true;
    solid table, inside;
    solid_cells(&table, &grid);
    solid_box(&inside, (bw_vec3){0, 0, -2}, (bw_vec3){1, 1, -1});
    bws_mesh both;
    assert_int_equal(bws_mesh_join(&table.owned, &inside.owned, &both), BW_OK);
    solid_of_mesh(feet, &both);
    solid_free(&table);
    solid_free(&inside);
}

static void test_memory(void **state)
{
    (void)state;
    solid floor, feet;
    make_bodies(&floor, &feet);
    for (int i = 0; i < 4; i++) {
        const bw_transform pose = bw_transform_compose((bw_vec3){-2, -2, i == 3 ? -1 : -0.25},
                                                       (bw_vec3){1, 0, 0}, 0, (bw_vec3){1, 1, 1});
        solid_place(&feet, &pose);
        static answer got;
        question q = {
            .a = floor.body, .b = feet.body, .desc = {.depth = i > 0, .volume = i == 2, .trials = 40}};
        got.report = (bw_contacts_report){0};
        assert_int_equal(ask(&q, NULL, NULL, &got), BW_OK);
        assert_int_equal(got.report.status, BW_DONE);
        q.contacts = got.report.contact_count;
        q.upper = got.report.depth_upper;
        bw_each_allocation_failure(contacts, &q, i > 0 ? 20 : 4);
    }
    solid_free(&floor);
    solid_free(&feet);
}

static void test_threads(void **state)
{
    (void)state;
    bws_mesh mesh;
    solid a, b;
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 24}, BW_F32, &mesh), BW_OK);
    solid_of_mesh(&a, &mesh);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 24, .seed = 3}, BW_F64, &mesh), BW_OK);
    solid_of_mesh(&b, &mesh);
    const bw_transform pose =
        bw_transform_compose((bw_vec3){0.2, 0.3, 0.1}, (bw_vec3){1, 2, 3}, 0.5, (bw_vec3){1, 1, 1});
    solid_place(&b, &pose);
    const question q = {.a = a.body, .b = b.body, .desc = {.depth = true, .volume = true, .trials = 50}};
    static answer serial, got;
    memset(&serial, 0, sizeof serial);
    assert_int_equal(ask(&q, NULL, NULL, &serial), BW_OK);
    assert_true(serial.report.contact_count > 500 && serial.report.contact_count < MOST);
    for (uint32_t workers = 1; workers <= 7; workers += workers == 1 ? 1 : 5) {
        bw_pool *pool = test_pool_create(workers);
        memset(&got, 0, sizeof got);
        assert_int_equal(ask(&q, NULL, bw_pool_tasks(pool), &got), BW_OK);
        assert_memory_equal(&got, &serial, sizeof got);
        bw_pool_destroy(pool);
    }
    solid_free(&a);
    solid_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
