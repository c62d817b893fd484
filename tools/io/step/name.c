/* Which names CAD files have. */
#define _POSIX_C_SOURCE 200809L
#include "io/step/name.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

const char *step_format_name(const char *file)
{
    static const char *const known[][2] = {{".step", "STEP"}, {".stp", "STEP"}, {".p21", "STEP"},
                                           {".iges", "IGES"}, {".igs", "IGES"}, {".brep", "BREP"},
                                           {".brp", "BREP"}};
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash + 1 : file, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i][0]) == 0)
            return known[i][1];
    return NULL;
}

bool step_is_name(const char *file)
{
    return step_format_name(file) != NULL;
}
