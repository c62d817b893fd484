/* The stopwatch that every bench shares.
 *
 * A bench is a function void bench_NAME(bench *b), listed in benches.c. It walks through its cases; for each
 * it makes the input, adds every implementation that can do the work, and lets the runner measure them side
 * by side:
 *
 *     bench_case *c = bench_case_begin(b, "bumpy-20k", triangles, pose_count);   // operations in one run
 *     if (c == NULL)
 *         continue;                                  // not asked for: make no input
 *     ... input ...
 *     bench_case_add(c, (bench_impl){.name = "boxwood", .self = s, .run = run, .destroy = destroy, .exact =
 * true});
 *     ... one bench_case_add a peer, if bench_peers(b) ...
 *     bench_case_measure(c);                         // rows "time" and "hits", and the ratios
 *     bench_case_metric(c, "boxwood", "gigabytes-per-second", bytes / bench_case_time(c, "boxwood"), "GB/s");
 *     bench_case_end(c);                             // destroys the implementations
 *
 * How it measures. Every implementation runs once to warm up; that run tells its result and how many runs
 * make a sample of at least 20 ms (1 ms with --quick), or one run if that takes longer. Then come the repeats
 * (at least five), and in each of them every implementation gives one sample, in turn, so that a machine that
 * grows slow or hot slows all of them. The time printed is the median of the samples, divided by the
 * operations of a run.
 *
 * What it compares. A run returns a number that tells what was found (hits, a checksum). All are printed;
 * those that differ from the first implementation's are flagged. Where both of the differing ones are exact,
 * the bench program fails: one of them is wrong. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench bench;           /* what was asked for, and where rows go */
typedef struct bench_case bench_case; /* one input, several implementations */

#define BENCH_NO_RESULT UINT64_MAX

/* One way to do the work of a case. */
typedef struct bench_impl {
    /* "boxwood", "boxwood-..." for ours; a peer's own name otherwise. Must outlive the case. */
    const char *name;
    void *self;
    /* The timed work: the case's operations, once each (one step's part of them, where a case has steps).
     * Returns what was found (see above), the same number every time, or BENCH_NO_RESULT where there is
     * nothing to compare. */
    uint64_t (*run)(void *self);
    /* Before each step, not timed: put back what a run changes, write new positions, ... May be NULL; without
     * it many short runs share one reading of the clock. step counts from 0 to the case's steps - 1. */
    void (*before)(void *self, uint32_t step);
    void (*destroy)(void *self); /* at bench_case_end; may be NULL */
    bool exact;                  /* the result is claimed to be the true one */
    uint32_t threads;            /* that it uses; 0: one */
    /* A ratio row over this implementation as well, e.g. "boxwood" for "boxwood-2-threads". Ours get ratio
     * rows over every peer in any case. May be NULL. */
    const char *over;
    /* Something to compare with by other rows (a plain copy, say): measured like the others, but no ratio
     * over it. */
    bool aside;
} bench_impl;

/* ---- what was asked for ---- */

bool bench_peers(const bench *b); /* --peers */
bool bench_quick(const bench *b); /* --quick: small input, short samples: a smoke test */
/* The sizes to measure: --sizes where given, 2000 alone with --quick, the defaults otherwise. */
const uint32_t *bench_sizes(const bench *b, const uint32_t *defaults, size_t default_count, size_t *count);
/* The bench's usual sizes: 20k, 200k, 1m. */
const uint32_t *bench_mesh_sizes(const bench *b, size_t *count);
/* A size as it appears in a case's name: 20172 -> "20k", 1000000 -> "1m", 512 -> "512". */
typedef struct bench_label {
    char text[64];
} bench_label;
bench_label bench_size_label(uint32_t size);
/* printf into a label; too long a text is cut, which names never are. */
bench_label bench_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- cases ---- */

/* Whether --case leaves it in, for inputs that are costly and needed before the case begins. */
bool bench_asks(const bench *b, const char *name);
/* NULL if --case leaves it out. name is copied. n: the size printed with each row; operations: of one run. */
bench_case *bench_case_begin(bench *b, const char *name, uint64_t n, uint64_t operations);
/* A run goes through so many steps (1 unless said): before(), then run(), for each; their results are added.
 * For work that goes on from frame to frame. The operations of the case are those of all steps. */
void bench_case_steps(bench_case *c, uint32_t steps);
/* What the numbers that runs return count, e.g. "pairs"; "hits" unless said. Must outlive the case. */
void bench_case_result_unit(bench_case *c, const char *unit);
/* Whether --impl asks for this one: ask before a costly setup. bench_case_add drops the others (and destroys
 * them). */
bool bench_case_wants(const bench_case *c, const char *impl);
void bench_case_add(bench_case *c, bench_impl impl);
void bench_case_measure(bench_case *c);
/* Nanoseconds an operation of a measured implementation; NAN if it was left out. */
double bench_case_time(const bench_case *c, const char *impl);
/* A row of another metric; it is dropped where value is NAN. */
void bench_case_metric(bench_case *c, const char *impl, const char *metric, double value, const char *unit);
void bench_case_end(bench_case *c);

/* ---- small helpers ---- */

/* The program ends with a message where memory runs out or a call that cannot fail does: a bench has nobody
 * to tell. */
void *bench_alloc(size_t count, size_t size); /* zeroed, aligned to 64 bytes; give back with free() */
void bench_require(bool condition, const char *what);
double bench_now(void); /* seconds of a clock that never jumps */

#endif
