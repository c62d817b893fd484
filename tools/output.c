#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

FILE *output_open(const char *file, fault *why)
{
    FILE *out = fopen(file, "wb");
    if (!out)
        fault_set(why, "%s: %s", file, strerror(errno));
    return out;
}

bool output_close(FILE *out, const char *file, bool whole, fault *why)
{
    bool failed = ferror(out) || !whole;
    int error = failed ? errno : 0;
    struct stat status;
    bool regular = fstat(fileno(out), &status) == 0 && S_ISREG(status.st_mode);
    if (fclose(out) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    if (!failed)
        return true;
    if (regular)
        remove(file);
    return fault_set(why, "%s: %s", file, error != 0 ? strerror(error) : "could not be written");
}
