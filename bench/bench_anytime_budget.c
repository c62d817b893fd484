/* What a budget buys: error after so many steps or nanoseconds, beside the traversal that is cut off, and how
 * well a deadline is kept. */
#include "cutoff.h"

#include <stdlib.h>
#include <time.h>

static uint64_t now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Cut off, it has found a contact or it has not. If not, always to say "collision", or always "free": the
 * better of the two, which flatters it. */
static double cutoff_wrong(const anytime_object *object, const anytime_poses *poses, uint64_t steps,
                           uint64_t nanoseconds)
{
    double open_meet = 0.0, open_apart = 0.0;
    for (uint32_t i = 0; i < poses->count; i++) {
        const cutoff_answer answer = cutoff_query(object, &poses->poses[i], steps, nanoseconds);
        if (!answer.found && !answer.finished)
            *(poses->meet[i] ? &open_meet : &open_apart) += 1.0;
    }
    return (open_meet < open_apart ? open_meet : open_apart) / poses->count;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Queries of whose times the 999th of a thousand is looked at: enough for twenty beyond it. */
enum { TAIL_COUNT = 20000 };

/* The time that 99.9 % of the queries stay below: of each query the fastest of so many runs. With one run the
 * machine's interrupts are in it, which come every few milliseconds and take tens of microseconds; with three
 * it is the query's own. */
static double tail(const anytime_object *object, const anytime_poses *poses, const bw_adb_query_desc *desc,
                   uint32_t runs)
{
    const uint32_t rounds =
        poses->count < TAIL_COUNT / 10 ? 1 : (TAIL_COUNT + poses->count - 1) / poses->count;
    const size_t count = (size_t)rounds * poses->count;
    uint64_t *times = bench_alloc(count, sizeof *times);
    const bw_adb_body a = {object->adb, &object->view, NULL};
    for (size_t i = 0; i < count; i++) {
        const bw_adb_body b = {object->adb, &object->view, &poses->poses[i % poses->count]};
        times[i] = UINT64_MAX;
        for (uint32_t run = 0; run < runs; run++) {
            bw_adb_answer answer;
            const uint64_t start = now();
            bench_require(bw_adb_query(&a, &b, desc, &answer) == BW_OK, "a query failed");
            const uint64_t took = now() - start;
            times[i] = took < times[i] ? took : times[i];
        }
    }
    qsort(times, count, sizeof *times, by_value);
    const double result = (double)times[count * 999 / 1000];
    free(times);
    return result;
}

/* The same for doing nothing but look at the clock until the deadline: what the machine allows. */
static double tail_of_waiting(uint64_t nanoseconds, uint32_t count)
{
    uint64_t *times = bench_alloc(count, sizeof *times);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t start = now();
        uint64_t t;
        do
            t = now();
        while (t - start < nanoseconds);
        times[i] = now() - start;
    }
    qsort(times, count, sizeof *times, by_value);
    const double result = (double)times[(uint64_t)count * 999 / 1000];
    free(times);
    return result;
}

void anytime_budgets(bench_case *c, const anytime_object *object, const anytime_poses *poses,
                     bw_adb_poses kind)
{
    for (uint64_t steps = 4; steps <= 64; steps *= 2) {
        const bw_adb_query_desc desc = {.poses = kind, .limit_steps = true, .max_steps = steps};
        const anytime_score score = anytime_score_of(object, object->adb, poses, &desc);
        const bench_label metric = bench_format("wrong-%u-steps", (unsigned)steps);
        bench_case_metric(c, "boxwood-moments", metric.text, 100.0 * score.wrong, "%");
        bench_case_metric(c, "boxwood-cutoff", metric.text, 100.0 * cutoff_wrong(object, poses, steps, 0),
                          "%");
    }
    static const uint32_t microseconds[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++) {
        const uint64_t ns = 1000u * microseconds[i];
        const bw_adb_query_desc desc = {.poses = kind, .limit_time = true, .max_nanoseconds = ns};
        const anytime_score score = anytime_score_of(object, object->adb, poses, &desc);
        const bench_label wrong = bench_format("wrong-%u-us", microseconds[i]),
                          slowest = bench_format("p99.9-%u-us", microseconds[i]),
                          quiet = bench_format("p99.9-undisturbed-%u-us", microseconds[i]);
        bench_case_metric(c, "boxwood-moments", wrong.text, 100.0 * score.wrong, "%");
        bench_case_metric(c, "boxwood-cutoff", wrong.text,
                          100.0 * cutoff_wrong(object, poses, UINT64_MAX, ns), "%");
        bench_case_metric(c, "boxwood-moments", slowest.text, tail(object, poses, &desc, 1), "ns");
        bench_case_metric(c, "boxwood-moments", quiet.text, tail(object, poses, &desc, 3), "ns");
        bench_case_metric(c, "waiting", slowest.text,
                          tail_of_waiting(ns, poses->count < TAIL_COUNT / 10 ? poses->count : TAIL_COUNT),
                          "ns");
    }
}

static double median_of(double *values, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            const double swap = values[k];
            values[k] = values[k - 1];
            values[k - 1] = swap;
        }
    return values[count / 2];
}

void anytime_refit(bench_case *c, anytime_object *object)
{
    enum { TIMES = 9 };
    double tree[TIMES], statistics[TIMES];
    for (int i = 0; i < TIMES; i++) {
        const double start = bench_now();
        bench_require(bw_tree_update(object->tree, &object->view, NULL, NULL) == BW_OK, "a refit failed");
        const double middle = bench_now();
        bench_require(bw_adb_update(object->adb, &object->view) == BW_OK, "an update failed");
        statistics[i] = bench_now() - middle;
        tree[i] = middle - start;
    }
    bench_case_metric(c, "boxwood-exact", "refit", 1e6 * median_of(tree, TIMES), "us");
    bench_case_metric(c, "boxwood-moments", "refit-statistics", 1e6 * median_of(statistics, TIMES), "us");
}
