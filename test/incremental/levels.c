/* Eight moving boxes against one: the levels give the same bits, and no time at which two boxes meet lies
 * outside of what they tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "incremental/sweep.h"
#include "oracle/random.h"

static float lattice(bws_random *random, int reach)
{
    return 0.125f * (float)bws_random_int(random, -reach, reach);
}

static float at(float start, float end, double time)
{
    return (float)((1 - time) * (double)start + time * (double)end);
}

/* Overlap at a time, by more than what rounding may hide. */
static bool surely_meet(const bw_sweep_boxes boxes[2], uint32_t lane, const bw_sweep_box *box, double time)
{
    bool meet = true;
    for (int k = 0; k < 3; k++) {
        double a = (double)at(boxes[0].min[k][lane], boxes[1].min[k][lane], time),
               b = (double)at(boxes[0].max[k][lane], boxes[1].max[k][lane], time),
               c = (double)at(box->min[0][k], box->min[1][k], time),
               d = (double)at(box->max[0][k], box->max[1][k], time);
        meet &= b - c > 1e-5 && d - a > 1e-5;
    }
    return meet;
}

static void boxes_move(bws_random *random, void *user)
{
    (void)user;
    for (int i = 0; i < 300; i++) {
        _Alignas(32) bw_sweep_boxes boxes[2];
        bw_sweep_box box;
        memset(boxes, 0, sizeof boxes);
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 3; k++) {
                for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
                    boxes[end].min[k][lane] = lattice(random, 16);
                    boxes[end].max[k][lane] =
                        boxes[end].min[k][lane] + 0.125f * (float)bws_random_int(random, 0, 9);
                }
                box.min[end][k] = lattice(random, 12);
                box.max[end][k] = box.min[end][k] + 0.125f * (float)bws_random_int(random, 0, 9);
            }
        const bw_sweep_boxes *const ends[2] = {&boxes[0], &boxes[1]};
        float from = bws_random_bool(random) ? 0 : 0.25f, to = bws_random_bool(random) ? 1 : 0.75f;
        float slack = bws_random_bool(random) ? 0 : 0.0625f;
        _Alignas(32) float enter[2][BW_WIDTH] = {{0}}, leave[2][BW_WIDTH] = {{0}};
        uint32_t bits = bw_sweep_lanes(ends, &box, slack, from, to, enter[0], leave[0]);
        bw_sweep_lanes_fn *best = bw_sweep_lanes_for(bw_simd_level(BW_SIMD_AUTO));
        assert_int_equal(best(ends, &box, slack, from, to, enter[1], leave[1]), bits);
        assert_memory_equal(enter[0], enter[1], bits == 0 ? 0 : sizeof enter[0]);
        assert_memory_equal(leave[0], leave[1], bits == 0 ? 0 : sizeof leave[0]);
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
            for (int step = 0; step <= 32; step++) {
                double time = (double)from + ((double)to - (double)from) * step / 32;
                if (!surely_meet(boxes, lane, &box, time))
                    continue;
                assert_true((bits >> lane & 1) != 0);
                assert_true((double)enter[0][lane] <= time && time <= (double)leave[0][lane]);
            }
    }
}

static void levels(void **state)
{
    (void)state;
    BW_EACH_SEED(20, boxes_move, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
