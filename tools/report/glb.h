/* A report as a glTF 2.0 scene in one binary file, for whatever shows such: parts that are in findings coloured, so that
 * the two of each finding differ, the others grey and see-through; where surfaces meet as lines, a node for each
 * finding. Names are kept. A film is shown at the moment in which its first finding is deepest. */
#ifndef TOOL_REPORT_GLB_H
#define TOOL_REPORT_GLB_H

#include "report/report.h"

#include <stdio.h>

/* False: with a fault (more than 4 GB), or an empty one where the file could not be written, as ferror(out) tells. */
bool report_write_glb(const report *report, FILE *out, fault *why);
/* The same into a file: whole, or an error and no file. */
bool report_glb_file(const report *report, const char *file, fault *why);

#endif
