#define _DEFAULT_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *output_open(const char *file, fault *why)
{
    FILE *out = fopen(file, "wb");
    if (!out)
        fault_set(why, "%s: %s", file, strerror(errno));
    return out;
}

FILE *output_open_alone(const char *path, fault *why)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool locked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    FILE *out = locked ? fdopen(file, "r+b") : NULL;
    if (out)
        return out;
    fault_set(why, "%s: %s", path,
              file >= 0 && !locked && errno == EWOULDBLOCK ? "another process is writing it"
                                                           : strerror(errno));
    if (file >= 0)
        close(file);
    return NULL;
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

const char *output_unnamed_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/var/tmp";
}

FILE *output_open_unnamed(fault *why)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/boxwood-XXXXXX", output_unnamed_folder());
    int descriptor = mkstemp(name);
    FILE *out = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (!out)
        fault_set(why, "%s: %s (TMPDIR names another folder)", name, strerror(errno));
    if (descriptor >= 0)
        unlink(name);
    if (descriptor >= 0 && !out)
        close(descriptor);
    return out;
}
