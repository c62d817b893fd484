/* Animations, by section 3.11 of the specification; and what a caller wants to know of them. */
#include "io/gltf/clip.h"

#include "io/gltf/accessor.h"
#include "io/gltf/extensions.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_interpolation(const path *curve, gltf_interpolation *out)
{
    const char *name = "LINEAR";
    path at = path_key(curve, "interpolation");
    if (!path_string(curve, "interpolation", &name))
        return false;
    *out = strcmp(name, "STEP") == 0          ? INTERPOLATE_STEP
           : strcmp(name, "CUBICSPLINE") == 0 ? INTERPOLATE_CUBIC
                                              : INTERPOLATE_LINEAR;
    return *out != INTERPOLATE_LINEAR || strcmp(name, "LINEAR") == 0 ||
           path_fault(&at, "\"%.40s\" is not STEP, LINEAR or CUBICSPLINE", name);
}

static bool read_times(gltf *g, const path *curve, gltf_channel *c)
{
    path at = path_key(curve, "input");
    accessor a;
    const double *times;
    if (!path_need(curve, "input") || !accessor_open(g, &at, 1, 1, TAKES_FLOAT, &a) ||
        !accessor_read(g, &a, &times))
        return false;
    for (uint32_t i = 0; i < a.count; i++) {
        if (!isfinite(times[i]))
            return path_fault(&at, "key %" PRIu32 " is at %g s", i, times[i]);
        if (i > 0 && !(times[i] > times[i - 1]))
            return path_fault(&at,
                              "key %" PRIu32 " is at %g s, and the one before it at %g s: times must ascend",
                              i, times[i], times[i - 1]);
    }
    c->key_count = a.count;
    c->times = gltf_room(g, &at, a.count, sizeof *c->times);
    if (c->times)
        memcpy(c->times, times, a.count * sizeof *times);
    return c->times != NULL;
}

/* Rotations of keys; tangents may be anything. */
static bool check_rotations(const path *at, const gltf_channel *c)
{
    bool cubic = c->interpolation == INTERPOLATE_CUBIC;
    for (uint32_t i = 0; i < c->key_count; i++) {
        const double *q = c->values + 4 * (cubic ? 3 * (size_t)i + 1 : i);
        double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(length > 1e-12 && length < 1e12))
            return path_fault(at, "key %" PRIu32 " (%g s): %g, %g, %g, %g is not a rotation", i, c->times[i],
                              q[0], q[1], q[2], q[3]);
    }
    return true;
}

static bool read_values(gltf *g, const path *curve, gltf_channel *c)
{
    path at = path_key(curve, "output");
    accessor a;
    const double *values;
    bool vector = c->target == TARGET_TRANSLATION || c->target == TARGET_SCALE;
    if (!path_need(curve, "output") ||
        !accessor_open(
            g, &at, c->target == TARGET_WEIGHTS ? 1 : c->width, 1,
            vector ? TAKES_FLOAT : TAKES_FLOAT | TAKES_NORMALIZED_8_16 | TAKES_SIGNED_NORMALIZED_8_16, &a) ||
        !accessor_read(g, &a, &values))
        return false;
    uint64_t wanted = (uint64_t)c->key_count * c->width * (c->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
    uint64_t there = (uint64_t)a.count * accessor_width(&a);
    if (there != wanted)
        return path_fault(
            &at, "accessors[%" PRIu32 "] has %" PRIu64 " numbers, and %" PRIu32 " keys need %" PRIu64,
            a.index, there, c->key_count, wanted);
    for (size_t i = 0; i < there; i++)
        if (!isfinite(values[i]))
            return path_fault(&at, "element %zu: %g", i / accessor_width(&a), values[i]);
    c->values = gltf_room(g, &at, there, sizeof *c->values);
    if (!c->values)
        return false;
    memcpy(c->values, values, (size_t)there * sizeof *values);
    return c->target != TARGET_ROTATION || check_rotations(&at, c);
}

/* What a channel moves. *known is false where an extension says it, or the path is not known: such a channel
 * is not played. */
static bool read_target(gltf *g, const path *channel, gltf_channel *c, bool *known)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    path target = path_key(channel, "target"), path_at = path_key(&target, "path"),
         node_at = path_key(&target, "node");
    const char *name = "";
    c->node = BW_NONE;
    if (!path_need(channel, "target") || !path_is_object(&target) || !path_need(&target, "path") ||
        !path_string(&target, "path", &name) ||
        !path_index(&target, "node", g->counts[LIST_NODES], "nodes", &c->node))
        return false;
    int kind = 0;
    while (kind < 4 && strcmp(name, names[kind]) != 0)
        kind++;
    *known = kind < 4 && c->node != BW_NONE;
    if (!*known)
        return true;
    c->target = (gltf_target)kind;
    const gltf_node *node = &g->nodes[c->node];
    if (c->target != TARGET_WEIGHTS && node->has_matrix)
        return path_fault(&node_at, "nodes[%" PRIu32 "] has a matrix, so its %s cannot move", c->node, name);
    if (c->target == TARGET_WEIGHTS && node->mesh == BW_NONE)
        return path_fault(&path_at, "weights, and nodes[%" PRIu32 "] has no mesh", c->node);
    c->width = c->target == TARGET_ROTATION ? 4 : 3;
    if (c->target == TARGET_WEIGHTS) {
        const gltf_mesh *mesh = &g->meshes[node->mesh];
        *known = mesh->read && mesh->vertex_count > 0; /* else nothing of it is in the scene */
        c->width = mesh->target_count;
        if (*known && c->width == 0)
            return path_fault(&path_at, "weights, and meshes[%" PRIu32 "] has no morph targets", node->mesh);
    }
    return true;
}

static bool read_channel(gltf *g, const path *samplers, const path *at, uint8_t *moved, gltf_clip_data *clip)
{
    gltf_channel c = {.node = BW_NONE};
    bool known;
    uint32_t index = BW_NONE;
    if (!path_is_object(at) || !path_need(at, "sampler") ||
        !path_index(at, "sampler", path_size(samplers), "samplers", &index) ||
        !read_target(g, at, &c, &known))
        return false;
    if (!known) {
        clip->strange_channels++;
        return true;
    }
    path target = path_key(at, "target"), path_at = path_key(&target, "path"),
         curve = path_item(samplers, index);
    if (moved[c.node] & 1 << c.target)
        return path_fault(&path_at, "another channel moves the same of nodes[%" PRIu32 "]", c.node);
    moved[c.node] |= (uint8_t)(1 << c.target);
    bool fine = path_is_object(&curve) && read_interpolation(&curve, &c.interpolation) &&
                read_times(g, &curve, &c) && read_values(g, &curve, &c);
    clip->channels[clip->channel_count++] = c;
    return fine;
}

bool clip_read(gltf *g, uint32_t index)
{
    gltf_clip_data *clip = &g->clips[index];
    path at = gltf_item(g, LIST_ANIMATIONS, index), channels = path_key(&at, "channels"),
         samplers = path_key(&at, "samplers");
    clip->name = "";
    if (!path_string(&at, "name", &clip->name) || !path_need(&at, "channels") ||
        !path_need(&at, "samplers") || !path_is_list(&channels) || !path_is_list(&samplers))
        return false;
    clip->channels = gltf_room(g, &at, path_size(&channels), sizeof *clip->channels);
    uint8_t *moved = gltf_room(g, &at, g->counts[LIST_NODES], sizeof *moved);
    bool fine = clip->channels && moved;
    for (size_t i = 0; i < path_size(&channels) && fine; i++) {
        path channel = path_item(&channels, i);
        fine = read_channel(g, &samplers, &channel, moved, clip);
    }
    free(moved);
    return fine;
}

void clip_free(gltf_clip_data *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        free(clip->channels[i].times);
        free(clip->channels[i].values);
    }
    free(clip->channels);
}

static bool stands_still(const gltf_channel *c)
{
    bool cubic = c->interpolation == INTERPOLATE_CUBIC;
    size_t step = cubic ? 3 * (size_t)c->width : c->width;
    for (size_t i = 1; i < c->key_count; i++)
        for (size_t k = 0; k < c->width; k++)
            if (c->values[i * step + (cubic ? c->width : 0) + k] != c->values[(cubic ? c->width : 0) + k])
                return false;
    for (size_t i = 0; cubic && i < c->key_count; i++)
        for (size_t k = 0; k < c->width; k++)
            if (c->values[i * step + k] != 0 || c->values[i * step + 2 * c->width + k] != 0)
                return false;
    return true;
}

gltf_clip_info gltf_clip(const gltf *g, uint32_t index)
{
    const gltf_clip_data *clip = &g->clips[index];
    gltf_clip_info info = {
        .name = clip->name, .channels = clip->channel_count, .strange_channels = clip->strange_channels};
    uint32_t gliding = 0;
    bool scales = false;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const gltf_channel *c = &clip->channels[i];
        double last = c->times[c->key_count - 1];
        info.begin = i == 0 || c->times[0] < info.begin ? c->times[0] : info.begin;
        info.end = i == 0 || last > info.end ? last : info.end;
        info.keys += c->key_count;
        if (stands_still(c))
            continue;
        if (c->interpolation == INTERPOLATE_STEP) {
            info.jumps = true;
            continue;
        }
        gliding++;
        scales |= c->target == TARGET_SCALE;
        info.bends |= c->interpolation == INTERPOLATE_CUBIC || c->target == TARGET_ROTATION;
    }
    /* Sums of what moves straight are straight, products are not. */
    info.bends |= scales && gliding > 1;
    return info;
}

static double *merged(double *times, size_t made, size_t *count)
{
    *count = sampler_merge(times, made);
    return times;
}

double *gltf_clip_keys(const gltf *g, uint32_t index, size_t *count)
{
    const gltf_clip_data *clip = &g->clips[index];
    size_t room = 0, made = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        room += clip->channels[i].key_count;
    double *times = tool_alloc(room, sizeof *times);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const gltf_channel *c = &clip->channels[i];
        memcpy(times + made, c->times, c->key_count * sizeof *times);
        made += c->key_count;
    }
    return merged(times, made, count);
}

double *gltf_clip_jumps(const gltf *g, uint32_t index, size_t *count)
{
    const gltf_clip_data *clip = &g->clips[index];
    double *times = NULL;
    size_t made = 0, capacity = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const gltf_channel *c = &clip->channels[i];
        for (size_t k = 1; c->interpolation == INTERPOLATE_STEP && k < c->key_count; k++) {
            const double *value = c->values + k * c->width;
            if (memcmp(value, value - c->width, c->width * sizeof *value) == 0)
                continue;
            times = tool_grow(times, made, &capacity, sizeof *times);
            times[made++] = c->times[k];
        }
    }
    return merged(times, made, count);
}
