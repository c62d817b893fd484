/* Writes one JSON document (RFC 8259), indented. Keys are NULL inside arrays. Numbers read back to the same
 * double; NaN and infinities, which JSON does not know, become null; bytes that are not UTF-8 become U+FFFD.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <boxwood/math.h>

#include <stdio.h>

enum { JSON_DEPTH = 16 };

typedef struct json {
    FILE *out;
    int depth;
    bool filled[JSON_DEPTH]; /* something stands in the object or array of that depth */
    int flat;                /* depth from which everything stays on one line; 0: none */
} json;

json json_start(FILE *out);
/* Ends the line; every object and array must be closed. */
void json_finish(json *j);

void json_object(json *j, const char *key);
void json_object_end(json *j);
void json_array(json *j, const char *key);
void json_array_end(json *j);
/* The same, with everything inside on one line. */
void json_flat_object(json *j, const char *key);
void json_flat_array(json *j, const char *key);

void json_string(json *j, const char *key, const char *value); /* NULL becomes null */
void json_number(json *j, const char *key, double value);
void json_count(json *j, const char *key, uint64_t value);
void json_bool(json *j, const char *key, bool value);
void json_vec3(json *j, const char *key, bw_vec3 value);

/* The shortest decimal that reads back to the same double. */
const char *number_text(double value, char buffer[32]);

#endif
