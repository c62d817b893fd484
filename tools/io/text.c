/* Files in memory: opened, unpacked where they are gzip, and read word by word. */
#define _POSIX_C_SOURCE 200809L
#include "io/text.h"

#include "number.h"
#include "printable.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#ifdef BOXWOOD_ZLIB
#    include <zlib.h>
#endif

bool text_is_packed(const char *data, size_t size)
{
    return size >= 2 && (unsigned char)data[0] == 0x1f && (unsigned char)data[1] == 0x8b;
}

#ifdef BOXWOOD_ZLIB
/* One member after the other, as gzip does; zeros may fill up the end. A file of which only a part was read
 * may end anywhere. */
static bool inflate_all(z_stream *z, text *t, size_t most, const char **broken)
{
    size_t size = 0, capacity = 1 << 16;
    char *data = tool_alloc(capacity, 1);
    int state = Z_OK;
    while (state == Z_OK && size < most) {
        if (size == capacity - 1)
            data = tool_resize(data, capacity *= 2, 1);
        size_t room = capacity - 1 - size;
        room = room < most - size ? room : most - size;
        z->next_out = (unsigned char *)data + size;
        z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
        if (z->avail_in == 0) {
            size_t left = (size_t)(t->data + t->size - (const char *)z->next_in);
            z->avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
        }
        uInt before = z->avail_out;
        state = inflate(z, Z_NO_FLUSH);
        size += before - z->avail_out;
        if (state == Z_STREAM_END) {
            const char *next = (const char *)z->next_in, *end = t->data + t->size;
            while (next < end && *next == 0)
                next++;
            if (text_is_packed(next, (size_t)(end - next)))
                state = inflateReset(z);
            else if (next < end)
                *broken = "something that is not gzip stands behind the compressed data";
        }
    }
    if (size < most && state != Z_STREAM_END)
        *broken = state == Z_BUF_ERROR ? "the compressed data ends early" : z->msg ? z->msg : "broken";
    data[size] = 0;
    free(t->data);
    *t = (text){t->file, data, size, data, data + size, 1};
    return !*broken;
}

static bool unpack(text *t, size_t most, fault *why)
{
    const char *broken = NULL;
    const bool whole = most == SIZE_MAX;
    z_stream z = {.next_in = (unsigned char *)t->data};
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return fault_set(why, "%s: zlib cannot be used", t->file);
    bool fine = inflate_all(&z, t, most, &broken);
    inflateEnd(&z);
    if (fine || (!whole && t->size > 0))
        return true;
    text_close(t);
    return fault_set(why, "%s: compressed by gzip, and damaged: %s", t->file, broken);
}
#else
static bool unpack(text *t, size_t most, fault *why)
{
    (void)most;
    text_close(t);
    return fault_set(why, "%s: compressed by gzip: this build was made without zlib, which would unpack it",
                     t->file);
}
#endif

bool text_open(const char *file, text *out, fault *why)
{
    return text_open_part(file, SIZE_MAX, out, why);
}

bool text_open_part(const char *file, size_t most, text *out, fault *why)
{
    FILE *in = fopen(file, "rb");
    if (!in)
        return fault_set(why, "%s: %s", file, strerror(errno));
    size_t size = 0, capacity = 1 << 16, got;
    char *data = tool_alloc(capacity, 1);
    while (size < most) {
        size_t room = capacity - 1 - size;
        if ((got = fread(data + size, 1, room < most - size ? room : most - size, in)) == 0)
            break;
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
    return !text_is_packed(data, size) || unpack(out, most, why);
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

/* What printf writes for what is no number; with a sign or without. */
static bool not_finite(const char *at, const char **stop, double *out)
{
    const char *word = at + (*at == '-' || *at == '+');
    bool nan = strncasecmp(word, "nan", 3) == 0;
    if (!nan && strncasecmp(word, "inf", 3) != 0)
        return false;
    *stop = word + 3;
    *out = nan ? (double)NAN : *at == '-' ? -(double)INFINITY : (double)INFINITY;
    return true;
}

bool text_number(text *t, double *out)
{
    if (!text_more(t))
        return false;
    const char *stop;
    double value;
    if ((!number_begins(t->at, &stop, &value) && !not_finite(t->at, &stop, &value)) ||
        (stop < t->end && !is_blank(*stop)))
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
    char word[24 + 1];
    size_t length = 0;
    for (const char *s = t->at; s < t->end && length < sizeof word - 1 && !is_blank(*s); s++)
        word[length++] = *s ? *s : '?';
    word[length] = 0;
    /* Cut within a character: its bytes would be shown one by one. */
    if (length == sizeof word - 1)
        for (size_t k = 1; k <= 3; k++)
            if (((unsigned char)word[length - k] & 0xC0) == 0xC0) {
                if (utf8_length(word + length - k) == 0)
                    word[length - k] = 0;
                break;
            }
    printable_to(buffer, 32, word);
    return length > 0 ? buffer : t->at == t->end ? "end of file" : "end of line";
}
