/* Where rows go: JSON lines for programs, a table for people. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct report_row {
    const char *bench, *name, *impl; /* name: the case's */
    const char *metric, *unit;
    double value;
    uint64_t n;
    uint32_t repeats;
    const char *over;     /* a ratio's denominator, or NULL */
    double low, high;     /* smallest and largest sample; NAN: not known */
    bool compared, agree; /* "hits": whether it is what the first implementation found */
} report_row;

/* Prints the head of a case's part of the table; nothing in JSON. */
void report_case(bool json, const char *bench, const char *name, uint64_t n, uint64_t operations);
void report_print(bool json, const report_row *row);
/* One line on a terminal that overwrites itself; NULL wipes it. */
void report_progress(bool shown, const char *bench, const char *name, const char *impl, uint32_t repeat,
                     uint32_t repeats);

#endif
