/* Names of CAD files. */
#ifndef TOOL_IO_STEP_NAME_H
#define TOOL_IO_STEP_NAME_H

#include <stdbool.h>

/* .step, .stp, .p21, .iges, .igs, .brep, .brp */
bool step_is_name(const char *file);
/* "STEP", "IGES", "BREP". */
const char *step_format_name(const char *file);

#endif
