/* A value of the JSON text together with the way to it, so that every fault can name its place. */
#ifndef TOOL_IO_GLTF_PATH_H
#define TOOL_IO_GLTF_PATH_H

#include "fault.h"

#include <jansson.h>
#include <stdint.h>

typedef struct path_root {
    const char *file;
    fault *why; /* of the call under way */
} path_root;

typedef struct path {
    const path_root *root;
    const struct path *above; /* NULL: the whole document. Must live as long as this one is used */
    const char *key;          /* NULL: an item of an array, or the document */
    size_t index;
    const json_t *value; /* NULL: not there */
} path;

path path_key(const path *above, const char *key);
path path_item(const path *above, size_t index);
/* The item `index` of the array `key`. list receives the way to the array. */
size_t path_size(const path *list); /* of an array or object; 0 where there is none */

/* "FILE: accessors[3].byteOffset: " and the sentence. Returns false. */
bool path_fault(const path *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Each is true where the value is what it should be, and where it is not there: then the output stays what it
 * was. */
bool path_is_object(const path *at);
bool path_is_list(const path *at);
bool path_string(const path *above, const char *key, const char **out);
bool path_flag(const path *above, const char *key, bool *out);
/* An integer from 0 to most. */
bool path_count(const path *above, const char *key, uint64_t most, uint64_t *out);
/* An index of one of count things, called what ("accessors"). */
bool path_index(const path *above, const char *key, size_t count, const char *what, uint32_t *out);
bool path_index_here(const path *at, size_t count, const char *what, uint32_t *out);
/* An array of exactly count finite numbers. */
bool path_numbers(const path *above, const char *key, size_t count, double *out);

/* Faults where it is not there. */
bool path_need(const path *above, const char *key);

#endif
