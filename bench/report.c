#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void print_json(const report_row *row)
{
    printf("{\"bench\":\"%s\",\"case\":\"%s\",\"impl\":\"%s\",\"metric\":\"%s\",", row->bench, row->name,
           row->impl, row->metric);
    if (row->over != NULL)
        printf("\"over\":\"%s\",", row->over);
    printf("\"value\":%.17g,\"unit\":\"%s\",\"n\":%" PRIu64 ",\"repeats\":%" PRIu32, row->value, row->unit,
           row->n, row->repeats);
    if (!isnan(row->low))
        printf(",\"min\":%.17g,\"max\":%.17g", row->low, row->high);
    if (row->compared)
        printf(",\"agrees\":%s", row->agree ? "true" : "false");
    printf("}\n");
}

/* Three digits with the unit that suits. */
static void print_time(double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s "};
    int unit = 0;
    while (ns >= 1000.0 && unit < 3) {
        ns /= 1000.0;
        unit++;
    }
    printf("%8.*f %s", ns < 10.0 ? 2 : ns < 100.0 ? 1 : 0, ns, units[unit]);
}

static void print_line(const report_row *row)
{
    printf("  %-24s ", row->impl);
    if (row->over != NULL) {
        printf("%8.2f x  as fast as %s\n", row->value, row->over);
    } else if (!isnan(row->low)) {
        print_time(row->value);
        printf("  (%+.0f%% %+.0f%%)\n", 100.0 * (row->low / row->value - 1.0),
               100.0 * (row->high / row->value - 1.0));
    } else if (row->compared) {
        printf("%8.0f %s%s\n", row->value, row->unit, row->agree ? "" : "   <== DIFFERS");
    } else {
        printf("%8.4g %s  %s\n", row->value, row->unit, row->metric);
    }
}

void report_case(bool json, const char *bench, const char *name, uint64_t n, uint64_t operations)
{
    if (json)
        return;
    printf("\n%s %s  (n = %" PRIu64, bench, name, n);
    if (operations > 1)
        printf(", %" PRIu64 " operations a run", operations);
    printf(")\n");
}

void report_print(bool json, const report_row *row)
{
    if (json)
        print_json(row);
    else
        print_line(row);
    fflush(stdout);
}

void report_progress(bool shown, const char *bench, const char *name, const char *impl, uint32_t repeat,
                     uint32_t repeats)
{
    if (!shown)
        return;
    fprintf(stderr, "\r\033[K");
    if (name != NULL)
        fprintf(stderr, "%s %s: %s %" PRIu32 "/%" PRIu32, bench, name, impl, repeat, repeats);
    fflush(stderr);
}
