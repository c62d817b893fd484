/* Typed reading of JSON values, with faults that spell the way to them. */
#include "io/gltf/path.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

path path_key(const path *above, const char *key)
{
    return (path){above->root, above, key, 0, json_object_get(above->value, key)};
}

path path_item(const path *above, size_t index)
{
    return (path){above->root, above, NULL, index, json_array_get(above->value, index)};
}

size_t path_size(const path *list)
{
    return json_is_object(list->value) ? json_object_size(list->value) : json_array_size(list->value);
}

static void spell(const path *at, char *out, size_t size)
{
    if (!at->above)
        return;
    spell(at->above, out, size);
    size_t length = strlen(out);
    if (at->key)
        snprintf(out + length, size - length, "%s%s", length > 0 ? "." : "", at->key);
    else
        snprintf(out + length, size - length, "[%zu]", at->index);
}

bool path_fault(const path *at, const char *format, ...)
{
    char text[2048], way[1024] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    spell(at, way, sizeof way);
    return fault_set(at->root->why, "%s: %s%s%s", at->root->file, way, *way ? ": " : "", text);
}

static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a truth value";
    default:
        return "null";
    }
}

static bool wrong_kind(const path *at, const char *wanted)
{
    return path_fault(at, "is %s, not %s", kind_of(at->value), wanted);
}

bool path_is_object(const path *at)
{
    return !at->value || json_is_object(at->value) || wrong_kind(at, "an object");
}

bool path_is_list(const path *at)
{
    return !at->value || json_is_array(at->value) || wrong_kind(at, "an array");
}

bool path_string(const path *above, const char *key, const char **out)
{
    path at = path_key(above, key);
    if (at.value && !json_is_string(at.value))
        return wrong_kind(&at, "a string");
    if (at.value)
        *out = json_string_value(at.value);
    return true;
}

bool path_flag(const path *above, const char *key, bool *out)
{
    path at = path_key(above, key);
    if (at.value && !json_is_boolean(at.value))
        return wrong_kind(&at, "true or false");
    if (at.value)
        *out = json_is_true(at.value);
    return true;
}

/* Some writers put integers as 12.0. */
static bool count_here(const path *at, uint64_t most, uint64_t *out)
{
    if (!json_is_number(at->value))
        return wrong_kind(at, "an integer");
    double value = json_number_value(at->value);
    if (!(value >= 0 && value <= 0x1p53 && floor(value) == value))
        return path_fault(at, "%.17g is not an integer from 0 to %" PRIu64, value, most);
    uint64_t count = (uint64_t)value;
    if (count > most)
        return path_fault(at, "%" PRIu64 " is more than %" PRIu64, count, most);
    *out = count;
    return true;
}

bool path_count(const path *above, const char *key, uint64_t most, uint64_t *out)
{
    path at = path_key(above, key);
    return !at.value || count_here(&at, most, out);
}

bool path_index_here(const path *at, size_t count, const char *what, uint32_t *out)
{
    uint64_t index = 0;
    if (!count_here(at, UINT64_C(1) << 53, &index))
        return false;
    if (index >= count)
        return path_fault(at, "%" PRIu64 ": there are %zu %s", index, count, what);
    *out = (uint32_t)index;
    return true;
}

bool path_index(const path *above, const char *key, size_t count, const char *what, uint32_t *out)
{
    path at = path_key(above, key);
    return !at.value || path_index_here(&at, count, what, out);
}

bool path_numbers(const path *above, const char *key, size_t count, double *out)
{
    path at = path_key(above, key);
    if (!at.value)
        return true;
    if (!json_is_array(at.value))
        return wrong_kind(&at, "an array");
    if (json_array_size(at.value) != count)
        return path_fault(&at, "has %zu numbers, not %zu", json_array_size(at.value), count);
    for (size_t i = 0; i < count; i++) {
        path item = path_item(&at, i);
        if (!json_is_number(item.value))
            return wrong_kind(&item, "a number");
        out[i] = json_number_value(item.value);
    }
    return true;
}

bool path_need(const path *above, const char *key)
{
    path at = path_key(above, key);
    return at.value || path_fault(&at, "is missing");
}
