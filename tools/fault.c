#include "fault.h"

#include "printable.h"
#include "progress.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fault_set(fault *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return false;
}

/* One line, whatever the names in it are. */
static void tell(const char *lead, const char *format, va_list args)
{
    fault text;
    vsnprintf(text.text, sizeof text.text, format, args);
    progress_end();
    fprintf(stderr, "%s%s\n", lead, printable(text.text));
}

int complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell("boxwood: ", format, args);
    va_end(args);
    return EXIT_FAULT;
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell("boxwood: warning: ", format, args);
    va_end(args);
}

void *tool_resize(void *block, size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    void *memory = count > SIZE_MAX / size ? NULL : realloc(block, count * size);
    if (!memory) {
        complain("out of memory (%zu elements of %zu bytes)", count, size);
        exit(EXIT_FAULT);
    }
    return memory;
}

void *tool_alloc(size_t count, size_t size)
{
    return tool_resize(NULL, count, size);
}

char *tool_copy(const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(tool_alloc(length, 1), text, length);
}

void *tool_grow(void *block, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return block;
    *capacity = *capacity < 64 ? 64 : *capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * *capacity;
    return tool_resize(block, *capacity, size);
}
