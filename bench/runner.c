#include "runner.h"
#include "report.h"
#include "state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_IMPLS = 32 };

static const double SAMPLE_SECONDS = 0.020, QUICK_SAMPLE_SECONDS = 0.001, ENOUGH_IN_ALL = 1;

typedef struct measured {
    bench_impl impl;
    uint64_t result;
    uint64_t runs;   /* in one sample */
    double *samples; /* nanoseconds an operation */
    double median;
} measured;

struct bench_case {
    bench *bench;
    char name[64];
    uint64_t n, operations;
    uint32_t steps;
    const char *result_unit;
    measured impls[MAX_IMPLS];
    size_t count;
};

/* ---- helpers ---- */

void bench_require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "boxwood-bench: %s\n", what);
    exit(2);
}

void *bench_alloc(size_t count, size_t size)
{
    bench_require(size == 0 || count <= (SIZE_MAX - 64) / size, "a size overflows");
    const size_t bytes = (count * size + 63) / 64 * 64 + (count * size == 0 ? 64 : 0);
    void *memory = aligned_alloc(64, bytes);
    bench_require(memory != NULL, "out of memory");
    return memset(memory, 0, bytes);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_now(void)
{
    return seconds(CLOCK_MONOTONIC);
}

bench_label bench_format(const char *format, ...)
{
    bench_label label;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label.text, sizeof label.text, format, arguments);
    va_end(arguments);
    return label;
}

bench_label bench_size_label(uint32_t size)
{
    if (size >= 950000)
        return bench_format("%.0fm", size / 1e6);
    if (size >= 1000)
        return bench_format("%.0fk", size / 1e3);
    return bench_format("%u", (unsigned)size);
}

/* ---- what was asked for ---- */

bool bench_peers(const bench *b)
{
    return b->options->peers;
}

bool bench_quick(const bench *b)
{
    return b->options->quick;
}

const uint32_t *bench_sizes(const bench *b, const uint32_t *defaults, size_t default_count, size_t *count)
{
    static const uint32_t quick[] = {2000};
    if (b->options->size_count > 0) {
        *count = b->options->size_count;
        return b->options->sizes;
    }
    *count = b->options->quick ? 1 : default_count;
    return b->options->quick ? quick : defaults;
}

const uint32_t *bench_mesh_sizes(const bench *b, size_t *count)
{
    static const uint32_t sizes[] = {20000, 200000, 1000000};
    return bench_sizes(b, sizes, 3, count);
}

/* ---- cases ---- */

bool bench_asks(const bench *b, const char *name)
{
    return b->options->only_case == NULL || strstr(name, b->options->only_case) != NULL;
}

bench_case *bench_case_begin(bench *b, const char *name, uint64_t n, uint64_t operations)
{
    if (!bench_asks(b, name))
        return NULL;
    bench_require(operations > 0, "a case needs an operation");
    bench_require(strlen(name) < sizeof((bench_case *)NULL)->name, "a case's name is too long");
    bench_case *c = bench_alloc(1, sizeof *c);
    c->bench = b;
    strcpy(c->name, name);
    c->n = n;
    c->operations = operations;
    c->steps = 1;
    c->result_unit = "hits";
    return c;
}

void bench_case_steps(bench_case *c, uint32_t steps)
{
    bench_require(steps > 0, "a case needs a step");
    c->steps = steps;
}

void bench_case_result_unit(bench_case *c, const char *unit)
{
    c->result_unit = unit;
}

bool bench_case_wants(const bench_case *c, const char *impl)
{
    const char *list = c->bench->options->only_impl;
    while (list != NULL) {
        const size_t length = strcspn(list, ",");
        const bool prefix = length > 0 && list[length - 1] == '*';
        if (prefix ? strncmp(impl, list, length - 1) == 0
                   : strlen(impl) == length && strncmp(impl, list, length) == 0)
            return true;
        if (list[length] == '\0')
            return false;
        list += length + 1;
    }
    return true;
}

void bench_case_add(bench_case *c, bench_impl impl)
{
    if (!bench_case_wants(c, impl.name)) {
        if (impl.destroy != NULL)
            impl.destroy(impl.self);
        return;
    }
    bench_require(c->count < MAX_IMPLS, "too many implementations of one case");
    c->impls[c->count++] = (measured){.impl = impl, .median = NAN};
}

/* One run of all steps; the seconds are added to *total, of the clock given. */
static uint64_t run_steps(const bench_case *c, const bench_impl *impl, clockid_t clock, double *total)
{
    uint64_t sum = 0;
    bool found = true;
    for (uint32_t step = 0; step < c->steps; step++) {
        if (impl->before != NULL)
            impl->before(impl->self, step);
        const double begin = seconds(clock);
        const uint64_t result = impl->run(impl->self);
        *total += seconds(clock) - begin;
        found = found && result != BENCH_NO_RESULT;
        sum += result;
    }
    return found ? sum : BENCH_NO_RESULT;
}

/* Seconds of a number of runs. */
static double time_runs(const bench_case *c, measured *m, uint64_t runs)
{
    const bool thread = c->bench->options->cpu_time && m->impl.threads <= 1;
    const clockid_t clock = thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    double total = 0.0;
    if (m->impl.before != NULL || c->steps > 1) {
        for (uint64_t i = 0; i < runs; i++)
            m->result = run_steps(c, &m->impl, clock, &total);
        return total;
    }
    const double begin = seconds(clock);
    for (uint64_t i = 0; i < runs; i++)
        m->result = m->impl.run(m->impl.self);
    return seconds(clock) - begin;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static bool is_ours(const char *name)
{
    return strncmp(name, "boxwood", 7) == 0;
}

static void print_row(const bench_case *c, report_row row)
{
    row.bench = c->bench->name;
    row.name = c->name;
    row.n = c->n;
    row.repeats = c->bench->options->repeats;
    report_print(c->bench->options->json, &row);
}

static void print_ratio(const bench_case *c, const measured *m, const measured *over)
{
    print_row(c, (report_row){.impl = m->impl.name,
                              .metric = "ratio",
                              .unit = "x",
                              .value = over->median / m->median,
                              .over = over->impl.name,
                              .low = NAN});
}

static bool is_peer(const measured *m)
{
    return !is_ours(m->impl.name) && !m->impl.aside;
}

/* Over every peer; a person reads only the one over the fastest. */
static void print_ratios(const bench_case *c, const measured *m)
{
    const measured *fastest = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const measured *other = &c->impls[i];
        if (m->impl.over != NULL && strcmp(m->impl.over, other->impl.name) == 0)
            print_ratio(c, m, other);
        if (!is_peer(other) || !is_ours(m->impl.name))
            continue;
        if (c->bench->options->json)
            print_ratio(c, m, other);
        if (fastest == NULL || other->median < fastest->median)
            fastest = other;
    }
    if (fastest != NULL && !c->bench->options->json)
        print_ratio(c, m, fastest);
}

static void print_results(const bench_case *c)
{
    const uint32_t repeats = c->bench->options->repeats;
    report_case(c->bench->options->json, c->bench->name, c->name, c->n, c->operations);
    for (size_t i = 0; i < c->count; i++) {
        const measured *m = &c->impls[i];
        print_row(c, (report_row){.impl = m->impl.name,
                                  .metric = "time",
                                  .unit = "ns",
                                  .value = m->median,
                                  .low = m->samples[0],
                                  .high = m->samples[repeats - 1]});
    }
    for (size_t i = 0; i < c->count; i++) {
        const measured *m = &c->impls[i];
        if (m->result == BENCH_NO_RESULT)
            continue;
        const bool agree = m->result == c->impls[0].result;
        if (!agree && m->impl.exact && c->impls[0].impl.exact)
            c->bench->disagreed = true;
        print_row(c, (report_row){.impl = m->impl.name,
                                  .metric = "hits",
                                  .unit = c->result_unit,
                                  .value = (double)m->result,
                                  .low = NAN,
                                  .compared = true,
                                  .agree = agree});
    }
    for (size_t i = 0; i < c->count; i++)
        print_ratios(c, &c->impls[i]);
}

void bench_case_measure(bench_case *c)
{
    bench *b = c->bench;
    const uint32_t repeats = b->options->repeats;
    const double enough = b->options->quick ? QUICK_SAMPLE_SECONDS : SAMPLE_SECONDS;
    for (size_t i = 0; i < c->count; i++) {
        measured *m = &c->impls[i];
        report_progress(b->progress, b->name, c->name, m->impl.name, 0, repeats);
        m->samples = bench_alloc(repeats, sizeof *m->samples);
        /* The first run also pays for cold caches and first-touch pages, so it only guesses the count. */
        double start = bench_now(), once = time_runs(c, m, 1), whole = bench_now() - start;
        if (once < enough) {
            start = bench_now();
            once = fmin(once, time_runs(c, m, 1));
            whole = fmax(whole, bench_now() - start); /* only the second run may have to go back */
        }
        m->runs = once >= enough ? 1 : (uint64_t)ceil(fmin(enough / fmax(once, 1e-9), 1e7));
        /* What is not timed takes its time too: where that is most of a run, fewer runs. */
        m->runs = (uint64_t)fmin((double)m->runs, fmax(1, floor(ENOUGH_IN_ALL / fmax(whole, 1e-9))));
    }
    for (uint32_t repeat = 0; repeat < repeats; repeat++)
        for (size_t i = 0; i < c->count; i++) {
            measured *m = &c->impls[i];
            report_progress(b->progress, b->name, c->name, m->impl.name, repeat + 1, repeats);
            const uint64_t before = m->result;
            m->samples[repeat] = 1e9 * time_runs(c, m, m->runs) / ((double)m->runs * (double)c->operations);
            bench_require(m->result == before, "an implementation found different things in two runs");
        }
    for (size_t i = 0; i < c->count; i++) {
        measured *m = &c->impls[i];
        qsort(m->samples, repeats, sizeof *m->samples, compare_doubles);
        m->median = repeats % 2 != 0 ? m->samples[repeats / 2]
                                     : 0.5 * (m->samples[repeats / 2 - 1] + m->samples[repeats / 2]);
    }
    report_progress(b->progress, NULL, NULL, NULL, 0, 0);
    if (c->count > 0) {
        b->cases++;
        print_results(c);
    }
}

double bench_case_time(const bench_case *c, const char *impl)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->impls[i].impl.name, impl) == 0)
            return c->impls[i].median;
    return NAN;
}

void bench_case_metric(bench_case *c, const char *impl, const char *metric, double value, const char *unit)
{
    if (isnan(value))
        return;
    print_row(c, (report_row){.impl = impl, .metric = metric, .unit = unit, .value = value, .low = NAN});
}

void bench_case_end(bench_case *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->impls[i].impl.destroy != NULL)
            c->impls[i].impl.destroy(c->impls[i].impl.self);
        free(c->impls[i].samples);
    }
    free(c);
}
