/* Writes one JSON document (RFC 8259), indented. Keys are NULL inside arrays. Numbers read back to the same
 * double; NaN and infinities, which JSON does not know, become null; bytes that are not UTF-8 become U+FFFD.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "number.h"

#include <boxwood/math.h>

#include <stdio.h>

enum { JSON_DEPTH = 16 };

typedef struct json_writer {
    FILE *out;
    int depth;
    bool filled[JSON_DEPTH]; /* something stands in the object or array of that depth */
    int flat;                /* depth from which everything stays on one line; 0: none */
} json_writer;

json_writer jw_start(FILE *out);
/* Ends the line; every object and array must be closed. */
void jw_finish(json_writer *j);

void jw_object(json_writer *j, const char *key);
void jw_object_end(json_writer *j);
void jw_array(json_writer *j, const char *key);
void jw_array_end(json_writer *j);
/* The same, with everything inside on one line. */
void jw_flat_object(json_writer *j, const char *key);
void jw_flat_array(json_writer *j, const char *key);

void jw_string(json_writer *j, const char *key, const char *value); /* NULL becomes null */
void jw_number(json_writer *j, const char *key, double value);
void jw_count(json_writer *j, const char *key, uint64_t value);
void jw_bool(json_writer *j, const char *key, bool value);
void jw_vec3(json_writer *j, const char *key, bw_vec3 value);

#endif
