#include "io/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_open(const char *file, text *out, fault *why)
{
    FILE *in = fopen(file, "rb");
    if (!in)
        return fault_set(why, "%s: %s", file, strerror(errno));
    size_t size = 0, capacity = 1 << 16, got;
    char *data = tool_alloc(capacity, 1);
    while ((got = fread(data + size, 1, capacity - 1 - size, in)) > 0) {
        size += got;
        if (size == capacity - 1)
            data = tool_resize(data, capacity *= 2, 1);
    }
    bool failed = ferror(in) != 0;
    int error = errno;
    fclose(in);
    if (failed) {
        free(data);
        return fault_set(why, "%s: %s", file, strerror(error));
    }
    data[size] = 0;
    *out = (text){file, data, size, data, data + size, 1};
    return true;
}

void text_close(text *t)
{
    free(t->data);
    t->data = NULL;
}

static void count_line(text *t)
{
    if (t->line < UINT32_MAX)
        t->line++;
}

bool text_more(text *t)
{
    for (;;) {
        while (t->at < t->end &&
               (*t->at == ' ' || *t->at == '\t' || *t->at == '\r' || *t->at == '\v' || *t->at == '\f'))
            t->at++;
        if (t->end - t->at >= 2 && t->at[0] == '\\' && t->at[1] == '\n')
            t->at += 2;
        else if (t->end - t->at >= 3 && t->at[0] == '\\' && t->at[1] == '\r' && t->at[2] == '\n')
            t->at += 3;
        else
            return t->at < t->end && *t->at != '\n';
        count_line(t);
    }
}

void text_next_line(text *t)
{
    const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));
    if (newline)
        count_line(t);
    t->at = newline ? newline + 1 : t->end;
}

bool text_more_lines(text *t)
{
    while (!text_more(t)) {
        if (t->at == t->end)
            return false;
        text_next_line(t);
    }
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *text_word(text *t, size_t *length)
{
    text_more(t);
    const char *start = t->at;
    while (t->at < t->end && !is_blank(*t->at))
        t->at++;
    *length = (size_t)(t->at - start);
    return start;
}

void text_rest(text *t, char *out, size_t size)
{
    text_more(t);
    const char *start = t->at;
    const char *newline = memchr(start, '\n', (size_t)(t->end - start));
    const char *stop = newline ? newline : t->end;
    t->at = stop;
    while (stop > start && is_blank(stop[-1]))
        stop--;
    size_t length = (size_t)(stop - start) < size - 1 ? (size_t)(stop - start) : size - 1;
    memcpy(out, start, length);
    out[length] = 0;
}

bool text_number(text *t, double *out)
{
    if (!text_more(t))
        return false;
    char *stop;
    double value = strtod(t->at, &stop);
    if (stop == t->at || (stop < t->end && !is_blank(*stop)))
        return false;
    t->at = stop;
    *out = value;
    return true;
}

bool text_vec3(text *t, double out[3])
{
    return text_number(t, &out[0]) && text_number(t, &out[1]) && text_number(t, &out[2]);
}

bool text_fault(const text *t, fault *why, const char *format, ...)
{
    char sentence[256];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return fault_set(why, "%s:%u: %s", t->file, t->line, sentence);
}

const char *text_show(text *t, char buffer[32])
{
    text_more(t);
    size_t length = 0;
    for (const char *s = t->at; s < t->end && length < 24 && !is_blank(*s); s++)
        buffer[length++] = isprint((unsigned char)*s) ? *s : '?';
    buffer[length] = 0;
    return length > 0 ? buffer : t->at == t->end ? "end of file" : "end of line";
}
