/* What a budget buys: error after so many steps or nanoseconds, beside the traversal that is cut off, and how
 * well a deadline is kept. */
#include "cutoff.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEADLINES = 4 };
static const uint32_t microseconds_of[DEADLINES] = {1, 2, 5, 10};
static const char *const cutoff_names[CUTOFF_ORDERS] = {"boxwood-cutoff", "boxwood-cutoff-best"};

static uint64_t now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Cut off, it has found a contact or it has not. If not, always to say "collision", or always "free": the
 * better of the two, which flatters it. */
static double cutoff_wrong(const anytime_object *object, const anytime_poses *poses, cutoff_order order,
                           uint64_t steps, uint64_t nanoseconds)
{
    double open_meet = 0.0, open_apart = 0.0;
    for (uint32_t i = 0; i < poses->count; i++) {
        const cutoff_answer answer = cutoff_query(object, &poses->poses[i], order, steps, nanoseconds);
        if (!answer.found && !answer.finished)
            *(poses->meet[i] ? &open_meet : &open_apart) += 1.0;
    }
    return (open_meet < open_apart ? open_meet : open_apart) / poses->count;
}

void anytime_budgets(bench_case *c, const anytime_object *object, const anytime_poses *poses,
                     bw_anytime_poses kind)
{
    for (uint64_t steps = 4; steps <= 64; steps *= 2) {
        const bw_anytime_query_desc desc = {.poses = kind, .limit_steps = true, .max_steps = steps};
        const anytime_score score = anytime_score_of(object, object->anytime, poses, &desc);
        const bench_label metric = bench_format("wrong-%u-steps", (unsigned)steps);
        bench_case_metric(c, "boxwood-moments", metric.text, 100.0 * score.wrong, "%");
        for (uint32_t o = 0; o < CUTOFF_ORDERS; o++)
            bench_case_metric(c, cutoff_names[o], metric.text,
                              100.0 * cutoff_wrong(object, poses, (cutoff_order)o, steps, 0), "%");
    }
    for (int i = 0; i < DEADLINES; i++) {
        const uint64_t ns = 1000u * microseconds_of[i];
        const bw_anytime_query_desc desc = {.poses = kind, .limit_time = true, .max_nanoseconds = ns};
        const anytime_score score = anytime_score_of(object, object->anytime, poses, &desc);
        const bench_label wrong = bench_format("wrong-%u-us", microseconds_of[i]);
        bench_case_metric(c, "boxwood-moments", wrong.text, 100.0 * score.wrong, "%");
        for (uint32_t o = 0; o < CUTOFF_ORDERS; o++)
            bench_case_metric(c, cutoff_names[o], wrong.text,
                              100.0 * cutoff_wrong(object, poses, (cutoff_order)o, UINT64_MAX, ns), "%");
    }
}

/* ---- deadlines ---- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Queries are made in passes over all poses, so that each meets the caches as others left them. In the first
 * two passes the least time of a query tells how long it takes; in the others each is followed by as much
 * waiting, which does nothing but look at the clock: the machine interrupts both alike. What a query takes in
 * the middle one of those passes is its own time: an interruption would have to hit it three times. */
enum { FIRST_PASSES = 2, PASSES = 5, SLOTS = 20000 };

typedef struct deadline_times {
    size_t count; /* of all queries of all passes */
    uint64_t *query, *waiting;
    size_t own_count;
    uint64_t *own;
} deadline_times;

static uint64_t time_of_query(const anytime_object *object, const bw_transform *pose,
                              const bw_anytime_query_desc *desc)
{
    const bw_anytime_body a = {object->anytime, &object->view, NULL},
                          b = {object->anytime, &object->view, pose};
    bw_anytime_answer answer = {0};
    const uint64_t start = now();
    bench_require(bw_anytime_query(&a, &b, desc, &answer, NULL) == BW_OK, "a query failed");
    return now() - start;
}

static uint64_t time_of_waiting(uint64_t nanoseconds)
{
    const uint64_t start = now();
    uint64_t t;
    do
        t = now();
    while (t - start < nanoseconds);
    return t - start;
}

static deadline_times keep_deadlines(const anytime_object *object, const anytime_poses *poses,
                                     const bw_anytime_query_desc *desc)
{
    const size_t slots = poses->count < SLOTS / 10 ? poses->count : SLOTS;
    deadline_times t = {slots * PASSES, bench_alloc(slots * PASSES, sizeof *t.query),
                        bench_alloc(slots * PASSES, sizeof *t.waiting), slots,
                        bench_alloc(slots, sizeof *t.own)};
    for (size_t i = 0; i < slots; i++)
        t.own[i] = UINT64_MAX;
    for (uint32_t pass = 0; pass < FIRST_PASSES; pass++)
        for (size_t i = 0; i < slots; i++) {
            const uint64_t took = time_of_query(object, &poses->poses[i % poses->count], desc);
            t.own[i] = took < t.own[i] ? took : t.own[i];
        }
    for (uint32_t pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < slots; i++) {
            t.query[i * PASSES + pass] = time_of_query(object, &poses->poses[i % poses->count], desc);
            t.waiting[i * PASSES + pass] = time_of_waiting(t.own[i]);
        }
    for (size_t i = 0; i < slots; i++) {
        uint64_t of_slot[PASSES];
        memcpy(of_slot, &t.query[i * PASSES], sizeof of_slot);
        qsort(of_slot, PASSES, sizeof *of_slot, by_value);
        t.own[i] = of_slot[PASSES / 2];
    }
    return t;
}

/* Rows of some times (which are sorted): their mean, what 99.9 % stay within, and the share beyond twice the
 * deadline. */
static void print_times(bench_case *c, const char *impl, const char *which, uint32_t microseconds,
                        uint64_t *times, size_t count)
{
    double sum = 0.0, late = 0.0;
    qsort(times, count, sizeof *times, by_value);
    for (size_t i = 0; i < count; i++) {
        sum += (double)times[i];
        late += times[i] > 2000u * microseconds;
    }
    bench_case_metric(c, impl, bench_format("mean%s-%u-us", which, microseconds).text, sum / (double)count,
                      "ns");
    bench_case_metric(c, impl, bench_format("p99.9%s-%u-us", which, microseconds).text,
                      (double)times[count * 999 / 1000], "ns");
    bench_case_metric(c, impl, bench_format("late%s-%u-us", which, microseconds).text,
                      100.0 * late / (double)count, "%");
}

static void print_deadline(bench_case *c, const char *impl, const anytime_object *object,
                           const anytime_poses *poses, const bw_anytime_query_desc *desc)
{
    const uint32_t microseconds = (uint32_t)(desc->max_nanoseconds / 1000);
    deadline_times t = keep_deadlines(object, poses, desc);
    print_times(c, impl, "", microseconds, t.query, t.count);
    print_times(c, impl, "-own", microseconds, t.own, t.own_count);
    print_times(c, impl, "-waiting", microseconds, t.waiting, t.count);
    free(t.query);
    free(t.waiting);
    free(t.own);
}

void anytime_deadlines(bench_case *c, const anytime_object *object, const anytime_poses *poses,
                       bw_anytime_poses kind)
{
    for (int i = 0; i < DEADLINES; i++) {
        bw_anytime_query_desc desc = {
            .poses = kind, .limit_time = true, .max_nanoseconds = 1000u * microseconds_of[i]};
        print_deadline(c, "boxwood-moments", object, poses, &desc);
        desc.wanted_error = kind == BW_ANYTIME_POSES_SPREAD ? 0.001 : 0.002;
        print_deadline(c, "boxwood-moments-strict", object, poses, &desc);
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
        bench_require(bw_tree_update(object->tree, &object->view, NULL, NULL, NULL) == BW_OK,
                      "a refit failed");
        const double middle = bench_now();
        bench_require(bw_anytime_update(object->anytime, &object->view, NULL) == BW_OK, "an update failed");
        statistics[i] = bench_now() - middle;
        tree[i] = middle - start;
    }
    bench_case_metric(c, "boxwood-exact", "refit", 1e6 * median_of(tree, TIMES), "us");
    bench_case_metric(c, "boxwood-moments", "refit-statistics", 1e6 * median_of(statistics, TIMES), "us");
}
