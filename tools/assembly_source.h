/* The meshes of an assembly that is a part store, read when a report draws them. */
#ifndef TOOL_ASSEMBLY_SOURCE_H
#define TOOL_ASSEMBLY_SOURCE_H

#include "assembly.h"
#include "report/report.h"

/* Give &source->report to the report. */
typedef struct assembly_source {
    const assembly *assembly;
    assembly_held held;
    bool holds;
    report_source report;
} assembly_source;
void assembly_source_start(assembly_source *source, const assembly *assembly);

#endif
