/* Names of parts: paths, long paths, and no two alike whatever the names are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/names.h"
#include "oracle/random.h"

static void check_join(const char *above, const char *name, uint32_t index, const char *wanted)
{
    char *path = names_join(above, name, index);
    assert_string_equal(path, wanted);
    free(path);
}

static void test_join(void **state)
{
    (void)state;
    check_join(NULL, "Pump A", 0, "Pump A");
    check_join("Pump A", "Housing", 3, "Pump A/Housing");
    check_join("", "", 7, "node 7");
    check_join("Pump A", NULL, 9, "Pump A/node 9");
    /* Long paths keep their end, from a slash on if there is one. */
    char *path = tool_copy("root");
    for (uint32_t i = 0; i < 1000; i++) {
        char *longer = names_join(path, NULL, i);
        free(path);
        path = longer;
        assert_true(strlen(path) <= NAMES_LONGEST);
    }
    assert_memory_equal(path, ".../node ", 9);
    assert_string_equal(path + strlen(path) - 18, "/node 998/node 999");
    free(path);
    char name[3000];
    for (size_t i = 0; i + 2 < sizeof name; i += 2)
        memcpy(name + i, "\xC3\xA4", 3);
    path = names_join("x", name, 0);
    assert_memory_equal(path, ".../\xC3\xA4", 6);
    free(path);
}

static void check_unique(const char *const *given, const char *const *wanted, uint32_t count)
{
    model m = {.part_count = count, .parts = tool_alloc(count, sizeof(model_part))};
    for (uint32_t i = 0; i < count; i++)
        m.parts[i] = (model_part){.name = tool_copy(given[i])};
    names_unique(&m);
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(m.parts[i].name, wanted[i]);
    model_free(&m);
}

static void test_unique(void **state)
{
    (void)state;
    static const char *const given[] = {"Wheel", "Wheel", "Wheel (2)", "", "Wheel", "part 3"};
    static const char *const wanted[] = {"Wheel",  "Wheel (3)", "Wheel (2)",
                                         "part 3", "Wheel (4)", "part 3 (2)"};
    check_unique(given, wanted, 6);
}

/* Few letters, so that names and their numbered forms collide; placed and not. */
static void random_names(bws_random *random, void *user)
{
    (void)user;
    enum { COUNT = 200 };
    bool placed = bws_random_u64(random) & 1;
    model m = {.part_count = placed ? 0 : COUNT, .place_count = placed ? COUNT : 0};
    if (placed)
        m.places = tool_alloc(COUNT, sizeof *m.places);
    else
        m.parts = tool_alloc(COUNT, sizeof *m.parts);
    char given[COUNT][32];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t r = bws_random_u64(random);
        snprintf(given[i], sizeof given[i], r & 1 ? "%c" : "%c (%u)", 'a' + (int)(r >> 1 & 3),
                 (unsigned)(r >> 8 & 15));
        if (placed)
            m.places[i] = (model_place){.name = tool_copy(given[i])};
        else
            m.parts[i] = (model_part){.name = tool_copy(given[i])};
    }
    names_unique(&m);
    for (uint32_t i = 0; i < COUNT; i++) {
        const char *name = placed ? m.places[i].name : m.parts[i].name;
        assert_memory_equal(name, given[i], strlen(given[i]));
        bool first = true;
        for (uint32_t k = 0; k < i; k++) {
            assert_string_not_equal(name, placed ? m.places[k].name : m.parts[k].name);
            first &= strcmp(given[i], given[k]) != 0;
        }
        if (first)
            assert_string_equal(name, given[i]);
    }
    model_free(&m);
}

static void test_random(void **state)
{
    (void)state;
    BW_EACH_SEED(200, random_names, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_join), cmocka_unit_test(test_unique),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
