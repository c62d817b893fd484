/* Steps of the builders on their own: the sort, loops whose workers stay apart, first touches. */
#include "base/radix_sort.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/build/build.h"
#include "tree/build/first_touch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the sort ---- */

enum { INDEX_BITS = 24 }; /* below the bits that are sorted by, so that equal ones can be told apart */

typedef enum kind { RANDOM, RUNS, ONE_VALUE, ONE_BUCKET, ASCENDING, KINDS } kind;

static uint64_t value_of(kind k, bws_random *random, uint32_t i, unsigned bits)
{
    const uint64_t all = ((uint64_t)1 << bits) - 1, any = bws_random_u64(random);
    switch (k) {
    case RUNS:
        return (uint64_t)(i / 37) * 0x9e3779b9u & all;
    case ONE_VALUE:
        return all / 3;
    case ONE_BUCKET:
        return any & all >> bits / 3;
    case ASCENDING:
        return i & all;
    default:
        return any & all;
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* With an index below it a key tells where it stood: a stable sort is a sort by all of it. */
static void sort_once(kind k, bws_random *random, uint32_t count, unsigned bits, const bw_tasks *tasks)
{
    const bw_allocator heap = bw_allocator_or_heap(NULL);
    uint64_t *keys = malloc(count * sizeof *keys), *scratch = malloc(count * sizeof *keys),
             *expected = malloc(count * sizeof *keys);
    assert_true(keys != NULL && scratch != NULL && expected != NULL);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = value_of(k, random, i, bits) << INDEX_BITS | i;
    memcpy(expected, keys, count * sizeof *keys);
    qsort(expected, count, sizeof *expected, compare);
    const uint64_t *sorted = bw_radix_sort(keys, scratch, count, INDEX_BITS, bits, &heap, tasks);
    assert_non_null(sorted);
    assert_memory_equal(sorted, expected, count * sizeof *sorted);
    free(expected);
    free(scratch);
    free(keys);
}

static void sort_sizes(bws_random *random, void *user)
{
    static const uint32_t counts[] = {1, 2, 15, 16, 17, 1000, 16384, 16385, 65536, 65537, 120000};
    static const unsigned bits[] = {1, 6, 12, 16, 17, 27, 30, 33};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (kind k = RANDOM; k < KINDS; k++)
            sort_once(k, random, counts[i], bits[bws_random_below(random, 8)], *(const bw_tasks **)user);
}

static void sorts_stably(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(3);
    const bw_tasks *tasks = NULL;
    BW_EACH_SEED(2, sort_sizes, &tasks);
    tasks = bw_pool_tasks(pool);
    BW_EACH_SEED(2, sort_sizes, &tasks);
    bw_pool_destroy(pool);
}

/* Runs of equal values of every length about the limit, at every offset. */
static void tells_repeats(void **state)
{
    (void)state;
    enum { COUNT = 70000, MOST = 64, BITS = 27 };
    const bw_allocator heap = bw_allocator_or_heap(NULL);
    uint64_t *keys = malloc(COUNT * sizeof *keys), *scratch = malloc(COUNT * sizeof *keys);
    assert_true(keys != NULL && scratch != NULL);
    for (uint32_t length = MOST - 1; length <= MOST + 2; length++)
        for (uint32_t offset = 0; offset < MOST; offset += 7) {
            for (uint32_t i = 0; i < COUNT; i++) {
                const uint32_t at = 30000 + offset;
                const uint64_t value = 1000 * (uint64_t)(i < at ? i : i < at + length ? at : i);
                keys[i] = value << INDEX_BITS | i;
            }
            bw_radix r;
            assert_true(bw_radix_begin(&r, COUNT, INDEX_BITS, BITS, &heap));
            for (uint32_t block = 0; block * BW_RADIX_BLOCK < COUNT; block++)
                bw_radix_count(&r, block, keys + (size_t)block * BW_RADIX_BLOCK);
            bool repeats = false;
            const uint64_t *sorted = bw_radix_run(&r, keys, scratch, MOST, &repeats, NULL);
            bw_radix_end(&r, &heap);
            bool ascending = true;
            for (uint32_t i = 1; i < COUNT; i++)
                ascending &= sorted[i - 1] < sorted[i];
            assert_true(ascending);
            assert_true(repeats || length <= MOST);
        }
    free(scratch);
    free(keys);
}

/* ---- apart ---- */

enum { ITEMS = 5000 };

typedef struct visits {
    atomic_uint times[ITEMS];
    uint32_t grain;
    atomic_bool too_long;
} visits;

static void visit(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    visits *v = context;
    if (end - begin > v->grain)
        atomic_store(&v->too_long, true);
    for (uint32_t i = begin; i < end; i++)
        atomic_fetch_add(&v->times[i], 1);
}

static void visit_all(const bw_tasks *tasks, uint32_t count, uint32_t grain, bool whole)
{
    visits *v = calloc(1, sizeof *v);
    assert_non_null(v);
    v->grain = whole || count / grain < 2 ? count : grain; /* few ranges are left to the hook */
    char touched[2] = {1, 1};
    const bw_fresh later = {touched, 1};
    bw_parallel_first_touch(tasks, visit, v, count, grain, &later, 1);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_equal(v->times[i], i < count);
    assert_false(v->too_long);
    assert_int_equal(touched[0], whole || bw_workers(tasks) == 1 || count / grain < 2);
    assert_int_equal(touched[1], 1);
    free(v);
}

/* A hook with one thread that takes the items last first, as if the others had been late. */
static void backwards(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    (void)user;
    assert_true(grain > 0);
    for (uint32_t i = count; i-- > 0;)
        fn(context, i, i + 1, 0);
}

static void visits_each_once(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 7, 64, 65, 875, ITEMS}, grains[] = {1, 2, 14, 100, 10000};
    static const uint32_t workers[] = {2, 3, 5};
    for (size_t w = 0; w < 3; w++) {
        bw_pool *pool = test_pool_create(workers[w]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t g = 0; g < 5; g++) {
                visit_all(bw_pool_tasks(pool), counts[c], grains[g], false);
                visit_all(NULL, counts[c], grains[g], true);
                visit_all(&(bw_tasks){backwards, NULL, workers[w]}, counts[c], grains[g], false);
                visit_all(&(bw_tasks){backwards, NULL, BW_MAX_WORKERS}, counts[c], grains[g], false);
            }
        bw_pool_destroy(pool);
    }
}

/* Every page of a block, and nothing around it. */
static void touches_pages(void **state)
{
    (void)state;
    enum { BYTES = 9 << 20, PAGE = 4096, AROUND = 64 };
    bw_pool *two = test_pool_create(2), *many = test_pool_create(9);
    char *block = malloc(BYTES + 2 * AROUND);
    assert_non_null(block);
    for (uint32_t shift = 0; shift < 3; shift++) {
        memset(block, 1, BYTES + 2 * AROUND);
        const bw_fresh all = {block + AROUND, BYTES - (size_t)shift * 12345};
        bw_first_touch(&all);
        const char *memory = all.memory;
        size_t last = 0, farthest = 0;
        for (size_t i = 0; i < all.bytes; i++) {
            if (memory[i] != 0)
                continue;
            farthest = i - last > farthest ? i - last : farthest;
            last = i;
        }
        assert_true(farthest <= PAGE && all.bytes - last <= PAGE);
        for (size_t i = 0; i < AROUND; i++) {
            assert_int_equal(block[i], 1);
            assert_int_equal(memory[all.bytes + i], 1);
        }
    }
    const bw_fresh others = bw_fresh_of_others(bw_pool_tasks(two), block, BYTES);
    assert_ptr_equal(others.memory, block + BYTES / 2);
    assert_int_equal(others.bytes, BYTES - BYTES / 2);
    assert_int_equal(bw_fresh_of_all(bw_pool_tasks(two), block, BYTES).bytes, BYTES);
    assert_null(bw_fresh_of_others(NULL, block, BYTES).memory);
    assert_null(bw_fresh_of_others(bw_pool_tasks(many), block, BYTES).memory);
    assert_null(bw_fresh_of_others(bw_pool_tasks(two), block, 1000).memory);
    assert_null(bw_fresh_of_all(bw_pool_tasks(two), NULL, BYTES).memory);
    free(block);
    bw_pool_destroy(many);
    bw_pool_destroy(two);
}

/* ---- corners in advance ---- */

/* Clusters of 33 make five leaves each, more than the fast builder counts on. */
static void makes_up_for_poor_leaves(void **state)
{
    (void)state;
    enum { CLUSTERS = 1024, EACH = 33, COUNT = CLUSTERS * EACH };
    float *at = malloc(COUNT * 9 * sizeof *at);
    uint32_t *indices = malloc(COUNT * 3 * sizeof *indices);
    assert_true(at != NULL && indices != NULL);
    bws_random random = bws_random_seeded(1);
    for (uint32_t i = 0; i < 9 * COUNT; i++) {
        const uint32_t cluster = i / 9 / EACH, place[] = {cluster % 16, cluster / 16 % 8, cluster / 128};
        at[i] = 16 * (float)place[i % 3] + 0.3f * (float)bws_random_unit(&random);
    }
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        indices[i] = i;
    const bw_mesh mesh = {.positions = at,
                          .vertex_count = 3 * COUNT,
                          .scalar = BW_F32,
                          .indices = indices,
                          .triangle_count = COUNT};
    const bw_wide_desc desc = {.builder = BW_WIDE_FAST};
    bw_wide wide;
    assert_int_equal(bw_wide_build_mesh(&desc, &mesh, NULL, COUNT, BW_WIDE_CORNERS, &wide), BW_OK);
    assert_int_equal(wide.leaf_count, 5 * CLUSTERS);
    assert_int_equal(wide.leaf_capacity, wide.leaf_count);
    assert_null(bw_wide_check(&wide, &mesh, COUNT));
    bw_wide_release(&wide);
    free(indices);
    free(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_stably),
        cmocka_unit_test(tells_repeats),
        cmocka_unit_test(visits_each_once),
        cmocka_unit_test(touches_pages),
        cmocka_unit_test(makes_up_for_poor_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
