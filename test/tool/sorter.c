/* The external merge sort against a list that qsort sorts: records of any size in any memory, equal keys, none at all, read again and
 * again; and a folder that is not there or has no room. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/random.h"
#include "shard/sorter.h"

#include <stdlib.h>
#include <string.h>

/* Twelve bytes: not a multiple of what records are filled up to. */
typedef struct key {
    uint32_t first, second, added;
} key;

typedef struct record {
    key key;
    size_t size;
} record;

/* What was added earlier is nothing that a key is compared by. */
static int compare(const void *p, const void *q)
{
    const key *a = p, *b = q;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->second > b->second) - (a->second < b->second);
}

static int compare_records(const void *p, const void *q)
{
    const record *a = p, *b = q;
    const int order = compare(&a->key, &b->key);
    return order != 0 ? order : (a->key.added > b->key.added) - (a->key.added < b->key.added);
}

static unsigned char byte_of(uint32_t added, size_t at)
{
    return (unsigned char)(added * 31 + at * 7 + at / 251);
}

enum { MOST = 300000 };
static unsigned char bytes[MOST];

static void add(record_sorter *s, const record *r)
{
    fault why;
    for (size_t i = 0; i < r->size; i++)
        bytes[i] = byte_of(r->key.added, i);
    assert_true(record_sorter_add(s, &r->key, bytes, r->size, &why));
}

static void check_all(record_sorter *s, const record *list, size_t count)
{
    fault why;
    size_t size;
    assert_true(record_sorter_start(s, &why));
    for (size_t i = 0; i < count; i++) {
        const unsigned char *got = record_sorter_next(s, &size, &why);
        assert_non_null(got);
        assert_int_equal(size, list[i].size);
        for (size_t k = 0; k < size; k++)
            if (got[k] != byte_of(list[i].key.added, k))
                fail_msg("record %zu of %zu: byte %zu", i, count, k);
    }
    for (int again = 0; again < 2; again++) {
        assert_null(record_sorter_next(s, &size, &why));
        assert_int_equal(size, 0);
    }
}

static void any_records_in_any_memory(void **state)
{
    (void)state;
    static const size_t memories[] = {0, 1, 100, 5000, 70000, 1 << 20, SIZE_MAX >> 1};
    static const size_t counts[] = {0, 1, 2, 3, 64, 65, 1000, 5000};
    bws_random random = bws_random_seeded(12);
    for (size_t m = 0; m < sizeof memories / sizeof *memories; m++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t count = counts[c];
            const uint64_t keys = bws_random_below(&random, 3) == 0 ? 1 : 2 * count + 1;
            record *list = calloc(count + 1, sizeof *list);
            record_sorter *s = record_sorter_create(sizeof(key), compare, memories[m]);
            assert_non_null(list);
            for (size_t i = 0; i < count; i++) {
                list[i].key = (key){(uint32_t)bws_random_below(&random, keys),
                                    (uint32_t)bws_random_below(&random, 2), (uint32_t)i};
                list[i].size = bws_random_below(&random, 4) * bws_random_below(&random, 60);
                if (bws_random_below(&random, 300) == 0)
                    list[i].size = bws_random_below(&random, MOST);
                add(s, &list[i]);
            }
            assert_int_equal(record_sorter_count(s), count);
            qsort(list, count, sizeof *list, compare_records);
            for (int again = 0; again < 3; again++)
                check_all(s, list, count);
            record_sorter_destroy(s);
            free(list);
        }
}

static void left_in_the_middle(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    record list[COUNT];
    fault why;
    size_t size;
    record_sorter *s = record_sorter_create(sizeof(key), compare, 300);
    for (uint32_t i = 0; i < COUNT; i++) {
        list[i] = (record){{i * 37 % COUNT, 0, i}, i % 50};
        add(s, &list[i]);
    }
    qsort(list, COUNT, sizeof *list, compare_records);
    for (size_t stop = 0; stop < COUNT; stop += 9) {
        assert_true(record_sorter_start(s, &why));
        for (size_t i = 0; i < stop; i++)
            assert_non_null(record_sorter_next(s, &size, &why));
    }
    check_all(s, list, COUNT);
    record_sorter_destroy(s);
}

static void no_folder(void **state)
{
    (void)state;
    fault why = {.text = ""};
    setenv("TMPDIR", "/nowhere/at/all", 1);
    record_sorter *s = record_sorter_create(sizeof(key), compare, 1000);
    bool fine = true;
    for (uint32_t i = 0; i < 100 && fine; i++)
        fine = record_sorter_add(s, &(key){i, 0, i}, bytes, 100, &why);
    assert_false(fine);
    assert_non_null(strstr(why.text, "/nowhere/at/all"));
    record_sorter_destroy(s);
    /* Who stays in memory loses nothing, with a file from before and without one. */
    for (uint32_t before = 0; before < 200; before += 40) {
        enum { COUNT = 300 };
        record list[COUNT];
        bool stays = false;
        s = record_sorter_create(sizeof(key), compare, 1000);
        unsetenv("TMPDIR");
        for (uint32_t i = 0; i < COUNT; i++) {
            list[i] = (record){{i * 7 % 50, 0, i}, i % 90};
            for (size_t k = 0; k < list[i].size; k++)
                bytes[k] = byte_of(i, k);
            /* Its memory has grown, and the file is open already: as if the disk were full from here on. */
            if (i == before && before > 0) {
                record_sorter_stay(s);
                stays = true;
            }
            if (before == 0)
                setenv("TMPDIR", "/nowhere/at/all", 1);
            if (record_sorter_add(s, &list[i].key, bytes, list[i].size, &why))
                continue;
            assert_false(stays);
            stays = true;
            record_sorter_stay(s);
            assert_true(record_sorter_add(s, &list[i].key, bytes, list[i].size, &why));
        }
        qsort(list, COUNT, sizeof *list, compare_records);
        for (int again = 0; again < 3; again++)
            check_all(s, list, COUNT);
        record_sorter_destroy(s);
    }
    setenv("TMPDIR", "/nowhere/at/all", 1);
    /* What fits needs none. */
    s = record_sorter_create(sizeof(key), compare, 1000000);
    const record one = {{1, 2, 3}, 100};
    add(s, &one);
    check_all(s, &one, 1);
    record_sorter_destroy(s);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_records_in_any_memory),
        cmocka_unit_test(left_in_the_middle),
        cmocka_unit_test(no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
