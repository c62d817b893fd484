/* A file read and made flat. */
#include "io/model.h"

bool model_read(const char *file, model *out, fault *why)
{
    model m;
    if (!model_read_placed(file, &m, why) || !model_flatten(&m, why))
        return false;
    *out = m;
    return true;
}
