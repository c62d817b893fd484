/* Files that commands write: whole, or an error and no file. */
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include "fault.h"

#include <stdio.h>

/* NULL with a fault that says why. */
FILE *output_open(const char *file, fault *why);
/* To read and write, with what it holds, locked until it is closed: NULL, too, where another process has it so. */
FILE *output_open_alone(const char *path, fault *why);
/* To read and write, in TMPDIR or /var/tmp, seen by nobody else and gone with the process. */
FILE *output_open_unnamed(fault *why);
const char *output_unnamed_folder(void);
/* False with a fault where not everything could be written (a full disk), or where the caller says so by
 * `whole`; half a file is then removed, but never a device or a pipe. */
bool output_close(FILE *out, const char *file, bool whole, fault *why);

#endif
