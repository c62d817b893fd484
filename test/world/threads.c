/* The same bits for any number of threads: contacts, ids, times of impact, rays. */
#include "oracle/pool.h"
#include "world/playground.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void add(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void add_contacts(uint64_t *hash, const bw_world_contact *list, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const bw_world_contact *c = &list[i];
        const uint64_t numbers[] = {c->id,
                                    c->a,
                                    c->b,
                                    c->primitive_a,
                                    c->primitive_b,
                                    c->feature,
                                    (uint64_t)c->kind,
                                    (uint64_t)c->event};
        const double values[] = {c->point.x,  c->point.y,  c->point.z, c->normal.x,
                                 c->normal.y, c->normal.z, c->depth};
        add(hash, numbers, sizeof numbers);
        add(hash, values, sizeof values);
    }
}

static uint64_t advance(playground *p, uint64_t hash)
{
    bw_id ids[PLAY_BODIES];
    bw_transform poses[PLAY_BODIES];
    const uint32_t count = play_moves(p, ids, poses);
    const bw_world_advance_desc desc = {.stay = true};
    bw_world_advance_report report = {0};
    assert_int_equal(bw_world_advance(p->world, ids, poses, count, &desc, &report, NULL), BW_OK);
    add(&hash, &report.first.time, sizeof report.first.time);
    add(&hash, &report.first.a, sizeof report.first.a);
    add(&hash, &report.first.b, sizeof report.first.b);
    return hash;
}

static uint64_t cast(playground *p, uint64_t hash)
{
    bw_ray rays[200];
    bw_world_ray_hit hits[200];
    for (int i = 0; i < 200; i++)
        rays[i] = (bw_ray){.origin = bws_random_direction(&p->random),
                           .direction = bws_random_direction(&p->random)};
    assert_int_equal(bw_world_raycast_many(p->world, rays, 200, NULL, hits, NULL), BW_OK);
    for (int i = 0; i < 200; i++) {
        add(&hash, &hits[i].id, sizeof hits[i].id);
        add(&hash, &hits[i].t, sizeof hits[i].t);
        add(&hash, &hits[i].normal, sizeof hits[i].normal);
    }
    return hash;
}

static uint64_t run(uint64_t seed, const bw_tasks *tasks)
{
    static playground p;
    const bw_world_desc desc = {.tasks = tasks, .separation = seed % 2 == 0 ? 0.05 : 0};
    uint64_t hash = 0xcbf29ce484222325u;
    play_begin(&p, seed, &desc, 1.5);
    for (int step = 0; step < 15; step++) {
        play_change(&p);
        bw_world_step_report report = {0};
        assert_int_equal(bw_world_step(p.world, NULL, &report, NULL), BW_OK);
        add_contacts(&hash, report.contacts, report.contact_count);
        add_contacts(&hash, report.ended, report.ended_count);
        add(&hash, &report.pair_count, sizeof report.pair_count);
        hash = cast(&p, advance(&p, hash));
    }
    play_end(&p);
    return hash;
}

static void compare(bws_random *random, void *user)
{
    (void)user;
    const uint64_t seed = bws_random_u64(random);
    const uint64_t serial = run(seed, NULL);
    static const uint32_t workers[] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        bw_pool *pool = test_pool_create(workers[i]);
        assert_true(run(seed, bw_pool_tasks(pool)) == serial);
        bw_pool_destroy(pool);
    }
}

static void test_threads(void **state)
{
    (void)state;
    BW_EACH_SEED(3, compare, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
