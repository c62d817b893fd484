/* Instances of a mesh: translations, rotations and scales in accessors. */
#include "io/gltf/instances.h"

#include "io/gltf/accessor.h"
#include "io/gltf/node.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct instance_values {
    const double *numbers; /* NULL: not there */
    unsigned width;
} instance_values;

static bool read_values(gltf *g, const path *attributes, const char *key, unsigned width, unsigned takes,
                        instance_values *out, uint32_t *count)
{
    path at = path_key(attributes, key);
    *out = (instance_values){NULL, width};
    if (!at.value)
        return true;
    accessor a;
    if (!accessor_open(g, &at, width, 1, takes, &a) || !accessor_read(g, &a, &out->numbers))
        return false;
    if (*count != 0 && *count != a.count)
        return path_fault(&at,
                          "accessors[%" PRIu32 "] has %" PRIu32 " elements, and another attribute %" PRIu32,
                          a.index, a.count, *count);
    *count = a.count;
    for (size_t i = 0; i < (size_t)a.count * width; i++)
        if (!isfinite(out->numbers[i]))
            return path_fault(&at, "element %zu: %c = %g", i / width, "xyzw"[i % width], out -> numbers[i]);
    return true;
}

static void value_of(const instance_values *values, uint32_t instance, double *out)
{
    if (values->numbers)
        memcpy(out, values->numbers + (size_t)instance * values->width, values->width * sizeof *out);
}

bool instances_place(gltf *g, const path *extension, uint32_t node, const char *name)
{
    path attributes = path_key(extension, "attributes"), rotations = path_key(&attributes, "ROTATION");
    instance_values t, r, s;
    uint32_t count = 0;
    if (g->nodes[node].skin != BW_NONE)
        return path_fault(extension, "instances of a skinned mesh are not defined");
    if (!path_need(extension, "attributes") || !path_is_object(&attributes) ||
        !read_values(g, &attributes, "TRANSLATION", 3, TAKES_FLOAT, &t, &count) ||
        !read_values(g, &attributes, "ROTATION", 4, TAKES_FLOAT | TAKES_SIGNED_NORMALIZED_8_16, &r, &count) ||
        !read_values(g, &attributes, "SCALE", 3, TAKES_FLOAT, &s, &count))
        return false;
    if (count == 0)
        return path_fault(&attributes, "has none of TRANSLATION, ROTATION and SCALE");
    size_t size = strlen(name) + 16;
    for (uint32_t i = 0; i < count; i++) {
        double translation[3] = {0, 0, 0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
        value_of(&t, i, translation);
        value_of(&r, i, rotation);
        value_of(&s, i, scale);
        double length = 0;
        for (int k = 0; k < 4; k++)
            length += rotation[k] * rotation[k];
        if (!(length > 1e-12))
            return path_fault(&rotations, "element %" PRIu32 " is not a rotation", i);
        char *own = tool_alloc(size, 1);
        snprintf(own, size, "%s[%" PRIu32 "]", name, i);
        g->places = tool_grow(g->places, g->place_count, &g->place_capacity, sizeof *g->places);
        g->places[g->place_count++] = (gltf_place){.node = node,
                                                   .mesh = g->nodes[node].mesh,
                                                   .name = own,
                                                   .instanced = true,
                                                   .pose = node_compose(translation, rotation, scale)};
    }
    return true;
}
