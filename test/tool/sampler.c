/* When a film is sampled: the plan against a plain count over all keys, and clips by name and number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/sampler.h"
#include "oracle/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_of(const double *times, size_t count, double time)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += times[i] == time;
    return found;
}

/* Every key of a random clip stands in the plan, jumps twice, and nothing else does but equal steps between
 * two neighbouring keys, as few as the rate allows. */
static void check_plan(bws_random *random, void *user)
{
    (void)user;
    enum { MOST = 200 };
    double keys[MOST], jumps[MOST];
    const size_t count = 1 + bws_random_below(random, MOST - 1);
    size_t jump_count = 0;
    const bool whole = bws_random_below(random, 2) == 0;
    for (size_t i = 0; i < count; i++) {
        keys[i] = whole ? (double)bws_random_below(random, 50) / 25 : 6 * bws_random_unit(random) - 3;
        if (bws_random_below(random, 10) == 0)
            jumps[jump_count++] = keys[i];
    }
    sampler s = {.bends = bws_random_below(random, 2) == 0};
    s.keys = malloc(sizeof keys);
    s.jumps = malloc(sizeof jumps);
    memcpy(s.keys, keys, sizeof keys);
    memcpy(s.jumps, jumps, sizeof jumps);
    s.key_count = sampler_merge(s.keys, count);
    s.jump_count = sampler_merge(s.jumps, jump_count);
    const double rate = 1 + 99 * bws_random_unit(random);
    sampler_times plan;
    fault why;
    assert_true(sampler_plan(&s, "clip", rate, false, &plan, &why));
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, keys[i]);
        most = fmax(most, keys[i]);
    }
    size_t expected = 0;
    for (size_t i = 0; i < count; i++) {
        bool jump = keys[i] > least && count_of(jumps, jump_count, keys[i]) > 0;
        assert_int_equal(count_of(plan.at, plan.count, keys[i]), jump ? 2 : 1);
        if (count_of(keys, i, keys[i]) > 0)
            continue; /* it was looked at before */
        /* The next key after this one, by looking at all. */
        double next = INFINITY;
        for (size_t k = 0; k < count; k++)
            if (keys[k] > keys[i])
                next = fmin(next, keys[k]);
        uint32_t inside = 0;
        for (uint32_t k = 0; k < plan.count; k++)
            inside += plan.at[k] > keys[i] && plan.at[k] < next;
        if (next < INFINITY && s.bends) {
            assert_true((next - keys[i]) / (inside + 1) <= 1.000001 / rate);
            assert_true(inside == 0 || (next - keys[i]) / inside > 0.999999 / rate);
        } else {
            assert_int_equal(inside, 0);
        }
        expected += 1 + jump + inside;
    }
    assert_int_equal(plan.count, expected);
    for (uint32_t i = 1; i < plan.count; i++)
        assert_true(plan.at[i] >= plan.at[i - 1]);
    free(plan.at);

    /* At equal steps, the last at or after the end. */
    assert_true(sampler_plan(&s, "clip", rate, true, &plan, &why));
    for (uint32_t i = 0; i < plan.count; i++)
        assert_true(fabs(plan.at[i] - (least + i / rate)) < 1e-9);
    assert_true(plan.at[plan.count - 1] >= most - 1e-6 / rate);
    assert_true(plan.count == 1 || plan.at[plan.count - 2] < most);
    free(plan.at);
    sampler_close(&s);
}

static void test_plans(void **state)
{
    (void)state;
    BW_EACH_SEED(2000, check_plan, NULL);
}

/* A hundred channels of the same fifteen hundred times are fifteen hundred samples. */
static void test_merged(void **state)
{
    (void)state;
    enum { CHANNELS = 100, KEYS = 1500 };
    sampler s = {.keys = malloc(CHANNELS * KEYS * sizeof(double))};
    for (size_t c = 0; c < CHANNELS; c++)
        for (size_t k = 0; k < KEYS; k++)
            s.keys[c * KEYS + k] = (double)k / 60;
    s.key_count = sampler_merge(s.keys, CHANNELS * KEYS);
    assert_int_equal(s.key_count, KEYS);
    s.bends = true;
    sampler_times plan;
    fault why;
    assert_true(sampler_plan(&s, "clip", 60, false, &plan, &why));
    assert_int_equal(plan.count, KEYS);
    free(plan.at);
    sampler_close(&s);
    double odd[] = {NAN, 2, INFINITY, 1, -INFINITY, 2, 1};
    assert_int_equal(sampler_merge(odd, 7), 2);
    assert_true(odd[0] == 1 && odd[1] == 2);
    assert_int_equal(sampler_merge(odd, 0), 0);
}

/* More samples than can be counted are refused, with how many there would be. */
static void test_too_many(void **state)
{
    (void)state;
    double ends[2] = {0, 1e9};
    sampler s = {.keys = ends, .key_count = 2, .bends = true};
    sampler_times plan;
    fault why;
    assert_false(sampler_plan(&s, "clip", 1e6, false, &plan, &why));
    assert_string_equal(why.text,
                        "clip: from 0 to 1e+09 s, 1e+06 times a second, are 1e+15 samples: more than 2^32");
    assert_false(sampler_plan(&s, "clip", 1e6, true, &plan, &why));
    s.bends = false; /* a straight line needs none between its ends */
    assert_true(sampler_plan(&s, "clip", 1e6, false, &plan, &why));
    assert_int_equal(plan.count, 2);
    free(plan.at);
}

static void test_clips(void **state)
{
    (void)state;
    model_clip clips[3] = {{.name = "walk"}, {.name = "3"}, {.name = "walk"}};
    model m = {.file = "man", .clips = clips, .clip_count = 3};
    uint32_t found;
    fault why;
    assert_true(sampler_find_clip(&m, NULL, &found, &why) && found == 0);
    assert_true(sampler_find_clip(&m, "walk", &found, &why) && found == 0);
    assert_true(sampler_find_clip(&m, "3", &found, &why) && found == 1); /* a name before a number */
    assert_true(sampler_find_clip(&m, "2", &found, &why) && found == 1);
    static const char *const wrong[] = {"4", "0", "Walk", "", "1x", "-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(sampler_find_clip(&m, wrong[i], &found, &why));
        assert_non_null(strstr(why.text, "there are 3: \"walk\" \"3\" \"walk\""));
    }
    m.clip_count = 0;
    assert_true(sampler_find_clip(&m, "walk", &found, &why) && found == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plans), cmocka_unit_test(test_merged),
                                       cmocka_unit_test(test_too_many), cmocka_unit_test(test_clips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
