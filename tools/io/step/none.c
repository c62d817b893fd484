/* In the place of the reader of CAD files, where OpenCASCADE is not there. */
#include "io/step/step.h"

bool read_step(const char *file, model *out, fault *why)
{
    (void)out;
    return fault_set(
        why,
        "%s: STEP, IGES and BREP files are read through OpenCASCADE, which this build was made without "
        "(cmake -DBOXWOOD_STEP=ON, or ./dev run --step)",
        file);
}
