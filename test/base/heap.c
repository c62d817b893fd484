/* The indexed heap against a plain table that is searched for its least entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"

enum { IDS = 300 };

typedef struct table {
    bool present[IDS];
    double key[IDS];
    uint32_t count;
} table;

static bool least(const table *t, bw_heap_item *out)
{
    bool found = false;
    for (uint32_t id = 0; id < IDS; id++)
        if (t->present[id] && (!found || t->key[id] < out->key)) {
            *out = (bw_heap_item){t->key[id], id};
            found = true;
        }
    return found;
}

/* Few distinct keys, so that ties are common, both zeros and both infinities among them. */
static double random_key(bws_random *random)
{
    static const double special[] = {INFINITY, -INFINITY, 0.0, -0.0};
    if (bws_random_below(random, 16) == 0)
        return special[bws_random_below(random, 4)];
    return (double)bws_random_int(random, -20, 20) * 0.5;
}

static void step(bws_random *random, bw_heap *heap, table *t)
{
    uint32_t id = (uint32_t)bws_random_below(random, IDS);
    double key = random_key(random);
    bw_heap_item got, expected;
    switch (bws_random_below(random, 8)) {
    case 0:
    case 1:
    case 2:
        if (!t->present[id]) {
            bw_heap_insert(heap, id, key);
            t->present[id] = true;
            t->key[id] = key;
            t->count++;
        } else {
            bw_heap_update(heap, id, key);
            t->key[id] = key;
        }
        break;
    case 3:
        if (t->present[id]) {
            bw_heap_remove(heap, id);
            t->present[id] = false;
            t->count--;
        }
        break;
    case 4: {
        bool any = least(t, &expected);
        assert_true(bw_heap_pop(heap, &got) == any);
        if (any) {
            assert_int_equal(got.id, expected.id);
            assert_true(got.key == expected.key);
            t->present[got.id] = false;
            t->count--;
        }
        break;
    }
    case 5:
        if (bws_random_below(random, 300) == 0) {
            bw_heap_clear(heap);
            memset(t, 0, sizeof *t);
        }
        break;
    default: {
        bool any = least(t, &expected);
        assert_true(bw_heap_top(heap, &got) == any);
        if (any)
            assert_int_equal(got.id, expected.id);
        assert_true(bw_heap_has(heap, id) == t->present[id]);
        if (t->present[id])
            assert_true(bw_heap_key(heap, id) == t->key[id]);
    }
    }
    assert_int_equal(heap->count, t->count);
}

static void follows_the_table(bws_random *random, void *user)
{
    (void)user;
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_heap heap = bw_heap_over(&memory.hook);
    table t;
    memset(&t, 0, sizeof t);
    assert_true(bw_heap_reserve(&heap, IDS));
    for (int i = 0; i < 3000; i++) {
        step(random, &heap, &t);
        assert_null(bw_heap_check(&heap));
    }
    bw_heap_item got, expected = {0, 0}, second, next = {0, 0};
    while (least(&t, &expected)) {
        bool more = bw_heap_second(&heap, &second);
        uint32_t ids[8], early = bw_heap_until(&heap, expected.key, ids, 8);
        assert_true(early >= 1 && early <= 8 && ids[0] == expected.id);
        for (uint32_t i = 0; i < early; i++)
            assert_true(t.present[ids[i]] && t.key[ids[i]] <= expected.key);
        assert_true(bw_heap_pop(&heap, &got));
        assert_int_equal(got.id, expected.id);
        t.present[got.id] = false;
        assert_int_equal(least(&t, &next), more);
        assert_true(!more || (second.id == next.id && second.key == next.key));
        assert_null(bw_heap_check(&heap));
    }
    assert_false(bw_heap_pop(&heap, &got) || bw_heap_second(&heap, &got));
    bw_heap_release(&heap);
    assert_int_equal(memory.live_blocks, 0);
}

static void test_follows_the_table(void **state)
{
    (void)state;
    BW_EACH_SEED(30, follows_the_table, NULL);
}

static bw_result grow_by_one(bw_failing_allocator *memory, uint64_t n, void *user)
{
    (void)user;
    bw_heap heap = bw_heap_over(&memory->hook);
    bw_failing_allocator_fail(memory, n);
    bw_result result = BW_OK;
    uint32_t ids = 0;
    while (ids < 100 && result == BW_OK) {
        bw_heap before = heap;
        if (bw_heap_reserve(&heap, ids + 1)) {
            bw_heap_insert(&heap, ids, (double)(ids * 37 % 101));
            ids++;
        } else {
            assert_memory_equal(&heap, &before, sizeof heap);
            result = BW_ERROR_MEMORY;
        }
        assert_null(bw_heap_check(&heap));
    }
    assert_int_equal(heap.count, ids);
    double last = -1;
    for (bw_heap_item item; bw_heap_pop(&heap, &item); last = item.key)
        assert_true(item.key > last);
    bw_heap_release(&heap);
    return result;
}

static void test_refusals(void **state)
{
    (void)state;
    bw_each_allocation_failure(grow_by_one, NULL, 10);
}

static void test_check_sees_damage(void **state)
{
    (void)state;
    bw_allocator allocator = bw_allocator_or_heap(NULL);
    bw_heap heap = bw_heap_over(&allocator);
    assert_true(bw_heap_reserve(&heap, 10));
    for (uint32_t id = 0; id < 8; id++)
        bw_heap_insert(&heap, id, id);
    uint32_t kept = heap.place[3];
    heap.place[3] = 0;
    assert_non_null(bw_heap_check(&heap));
    heap.place[3] = kept;
    heap.place[9] = 2;
    assert_non_null(bw_heap_check(&heap));
    heap.place[9] = BW_HEAP_ABSENT;
    bw_heap_item *root = heap.items + 3;
    double key = root->key;
    root->key = 100;
    assert_non_null(bw_heap_check(&heap));
    root->key = key;
    root->id = 77;
    assert_non_null(bw_heap_check(&heap));
    root->id = 0;
    heap.count = 11;
    assert_non_null(bw_heap_check(&heap));
    heap.count = 8;
    assert_null(bw_heap_check(&heap));
    bw_heap_release(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_the_table),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_check_sees_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
