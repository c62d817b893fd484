/* The order of pairs is a permutation that depends on nothing but the pairs and the boxes; neighbours are near each other;
 * pieces cost about the same; shares of the search divide the pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"
#include "order.h"

enum { PARTS = 4000, PAIRS = 5000 };

static bw_box boxes[PARTS];
static uint64_t pairs[PAIRS], shuffled[PAIRS];

static void make(bws_random *r)
{
    for (int i = 0; i < PARTS; i++)
        for (int k = 0; k < 3; k++) {
            boxes[i].min[k] = bws_random_float(r, -100, 100);
            boxes[i].max[k] = boxes[i].min[k] + bws_random_float(r, 0, 10);
        }
    for (int i = 0; i < PAIRS; i++) {
        uint64_t a, b;
        bool near;
        do {
            a = bws_random_below(r, PARTS);
            b = bws_random_below(r, PARTS);
            near = a < b;
            for (int k = 0; k < 3; k++)
                near = near && fabsf(boxes[a].min[k] - boxes[b].min[k]) < 20;
        } while (!near);
        pairs[i] = a << 32 | b;
    }
}

static int by_value(const void *p, const void *q)
{
    const uint64_t *x = p, *y = q;
    return (*x > *y) - (*x < *y);
}

static double way(const uint64_t *list)
{
    double sum = 0;
    for (int i = 1; i < PAIRS; i++)
        for (int k = 0; k < 3; k++) {
            float at[2];
            for (int j = 0; j < 2; j++)
                at[j] = fmaxf(boxes[list[i - j] >> 32].min[k], boxes[(uint32_t)list[i - j]].min[k]);
            sum += fabs((double)at[0] - (double)at[1]);
        }
    return sum;
}

static void order(bws_random *r, void *user)
{
    (void)user;
    make(r);
    memcpy(shuffled, pairs, sizeof pairs);
    for (size_t i = PAIRS - 1; i > 0; i--) {
        size_t j = (size_t)bws_random_below(r, i + 1);
        uint64_t swap = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = swap;
    }
    double before = way(pairs);
    uint32_t *costs = cluster_order(boxes, PARTS, NULL, pairs, PAIRS);
    uint32_t *again = cluster_order(boxes, PARTS, NULL, shuffled, PAIRS);
    assert_non_null(costs);
    assert_non_null(again);
    assert_memory_equal(costs, again, PAIRS * sizeof *costs);
    free(costs);
    free(again);
    assert_memory_equal(pairs, shuffled, sizeof pairs);
    assert_true(way(pairs) < before / 3);
    qsort(shuffled, PAIRS, sizeof *shuffled, by_value);
    qsort(pairs, PAIRS, sizeof *pairs, by_value);
    assert_memory_equal(pairs, shuffled, sizeof pairs);
}

static void cuts(bws_random *r, void *user)
{
    (void)user;
    make(r);
    static uint32_t primitives[PARTS];
    for (int i = 0; i < PARTS; i++)
        primitives[i] = (uint32_t)bws_random_below(r, 3000);
    const uint32_t pieces = 1 + (uint32_t)bws_random_below(r, 40);
    size_t *at = malloc((pieces + 1) * sizeof *at);
    uint32_t *costs = cluster_order(boxes, PARTS, primitives, pairs, PAIRS);
    assert_non_null(costs);
    uint64_t total = 0;
    uint32_t most = 0;
    for (int i = 0; i < PAIRS; i++) {
        total += costs[i];
        most = costs[i] > most ? costs[i] : most;
    }
    cluster_cut(costs, PAIRS, pieces, at);
    assert_int_equal(at[0], 0);
    assert_int_equal(at[pieces], PAIRS);
    for (uint32_t i = 0; i < pieces; i++) {
        uint64_t sum = 0;
        assert_true(at[i] <= at[i + 1]);
        for (size_t k = at[i]; k < at[i + 1]; k++)
            sum += costs[k];
        assert_true(sum <= total / pieces + most + 1);
    }
    free(costs);
    free(at);
}

/* Every pair of boxes that meet is of one share, which both boxes touch. */
static void shares(bws_random *r, void *user)
{
    (void)user;
    make(r);
    const uint32_t count = 1 + (uint32_t)bws_random_below(r, 40);
    const size_t used = bws_random_below(r, 4) == 0 ? 1 + (size_t)bws_random_below(r, 5) : 300;
    cluster_slab slabs[40];
    for (uint32_t s = 0; s < count; s++)
        slabs[s] = cluster_slab_of(boxes, used, s, count);
    for (size_t i = 0; i < used; i++)
        for (size_t j = i + 1; j < used; j++) {
            bool meet = true;
            for (int k = 0; k < 3; k++)
                meet = meet && boxes[i].min[k] <= boxes[j].max[k] && boxes[j].min[k] <= boxes[i].max[k];
            uint32_t owners = 0;
            for (uint32_t s = 0; meet && s < count; s++)
                if (cluster_slab_owns(&slabs[s], &boxes[i], &boxes[j])) {
                    owners++;
                    assert_true(cluster_slab_touches(&slabs[s], &boxes[i]));
                    assert_true(cluster_slab_touches(&slabs[s], &boxes[j]));
                }
            assert_int_equal(owners, meet);
        }
}

static void test_shares(void **state)
{
    (void)state;
    BW_EACH_SEED(40, shares, NULL);
}

static void test_order(void **state)
{
    (void)state;
    BW_EACH_SEED(10, order, NULL);
    free(cluster_order(boxes, PARTS, NULL, pairs, 0));
}

static void test_cuts(void **state)
{
    (void)state;
    BW_EACH_SEED(20, cuts, NULL);
    size_t at[4];
    cluster_cut(NULL, 0, 3, at);
    for (int i = 0; i < 4; i++)
        assert_int_equal(at[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_cuts),
                                       cmocka_unit_test(test_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
