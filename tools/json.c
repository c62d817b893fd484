#include "json.h"

#include "printable.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

json_writer jw_start(FILE *out)
{
    return (json_writer){out, 0, {false}, 0};
}

void jw_finish(json_writer *j)
{
    assert(j->depth == 0);
    fputc('\n', j->out);
}

static void quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = utf8_length((const char *)s);
        if (length == 0) {
            fputs("\\ufffd", out);
            s++;
            continue;
        }
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else if (*s == 0xc2 && s[1] < 0xa0) /* a terminal may obey these, too */
            fprintf(out, "\\u%04x", s[1]);
        else
            fwrite(s, 1, length, out);
        s += length;
    }
    fputc('"', out);
}

/* Comma, line break and key before a value. */
static void lead(json_writer *j, const char *key)
{
    bool flat = j->flat && j->depth >= j->flat;
    if (j->filled[j->depth])
        fputs(flat ? ", " : ",", j->out);
    if (j->depth > 0 && !flat)
        fprintf(j->out, "\n%*s", 2 * j->depth, "");
    j->filled[j->depth] = true;
    if (key) {
        quoted(j->out, key);
        fputs(": ", j->out);
    }
}

static void begin(json_writer *j, const char *key, char bracket, bool flat)
{
    lead(j, key);
    fputc(bracket, j->out);
    j->depth++;
    assert(j->depth < JSON_DEPTH);
    j->filled[j->depth] = false;
    if (flat && !j->flat)
        j->flat = j->depth;
}

static void end(json_writer *j, char bracket)
{
    bool flat = j->flat && j->depth >= j->flat;
    bool filled = j->filled[j->depth];
    if (j->flat == j->depth)
        j->flat = 0;
    j->depth--;
    if (filled && !flat)
        fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
}

void jw_object(json_writer *j, const char *key)
{
    begin(j, key, '{', false);
}

void jw_flat_object(json_writer *j, const char *key)
{
    begin(j, key, '{', true);
}

void jw_object_end(json_writer *j)
{
    end(j, '}');
}

void jw_array(json_writer *j, const char *key)
{
    begin(j, key, '[', false);
}

void jw_flat_array(json_writer *j, const char *key)
{
    begin(j, key, '[', true);
}

void jw_array_end(json_writer *j)
{
    end(j, ']');
}

void jw_string(json_writer *j, const char *key, const char *value)
{
    lead(j, key);
    if (value)
        quoted(j->out, value);
    else
        fputs("null", j->out);
}

void jw_number(json_writer *j, const char *key, double value)
{
    char text[32];
    lead(j, key);
    fputs(isfinite(value) ? number_text(value, text) : "null", j->out);
}

void jw_count(json_writer *j, const char *key, uint64_t value)
{
    lead(j, key);
    fprintf(j->out, "%" PRIu64, value);
}

void jw_bool(json_writer *j, const char *key, bool value)
{
    lead(j, key);
    fputs(value ? "true" : "false", j->out);
}

void jw_vec3(json_writer *j, const char *key, bw_vec3 value)
{
    jw_flat_array(j, key);
    jw_number(j, NULL, value.x);
    jw_number(j, NULL, value.y);
    jw_number(j, NULL, value.z);
    jw_array_end(j);
}
