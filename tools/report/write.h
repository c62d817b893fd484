/* Reports as files: which writer for which name, and the writers of text, JSON and CSV. Numbers are rounded
 * for people in text, and exact in JSON and CSV. */
#ifndef TOOL_REPORT_WRITE_H
#define TOOL_REPORT_WRITE_H

#include "options.h"
#include "report/report.h"

#include <stdio.h>

/* All zero: everything. */
typedef struct report_desc {
    uint64_t top;     /* text: the first so many findings; 0: all */
    bool counts;      /* text and JSON: how the work went */
    bool pairs;       /* text and JSON: the pairs of triangles that are listed */
    uint64_t picture; /* PNG: the finding with that number from 1; 0: the whole scene */
} report_desc;

void report_text(const report *report, const report_desc *desc, FILE *out);
/* One document; docs/tool/report.schema.json says what stands where. */
void report_json(const report *report, const report_desc *desc, FILE *out);
/* RFC 4180, a head and a line for each finding. A name that begins with = + - @ ' or a tab has a ' in front, so that
 * no program takes it for a formula: take the first ' of a name away to get it back. Names are the bytes of the files, or,
 * for a terminal, made printable. */
void report_csv(const report *report, bool terminal, FILE *out);

/* BCF 2.1: a topic for each finding with a viewpoint and a picture (libpng), at most `top` of them (0: all). Only where the build has minizip. */
bool report_bcf(const report *report, const report_desc *desc, const char *file, fault *why);

/* The options of who writes reports: -o FILE, as often as wished; --json and --csv for the standard output. */
#define REPORT_OPTIONS                                                                                       \
    {"output", "FILE",                                                                                       \
     "write the report to FILE, in the format that its name ends with:\n" REPORT_FORMATS ";\n"               \
     "may be given again"},                                                                                  \
        {"picture", "N", "with -o FILE.png: of finding N (default 1, the worst; 0: of everything)"},         \
        {"top", "N", "tell of the N worst only; all are counted"},                                           \
        {"json", NULL, "print one JSON document"},                                                           \
    {                                                                                                        \
        "csv", NULL, "print the findings as CSV"                                                             \
    }
#define REPORT_FORMATS ".txt, .json, .csv, .bcf, .html, .glb, .png"

/* Whether all of -o can be written by this build, before any work; curves: one of them shows where surfaces
 * meet. */
bool report_outputs_check(const args *given, bool *curves, fault *why);
/* Writes all of -o, and to the standard output what --json, --csv or neither asks for. */
bool report_output(const report *report, const args *given, const report_desc *desc, fault *why);

#endif
