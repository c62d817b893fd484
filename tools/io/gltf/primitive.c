/* Attributes, indices and topology of a primitive, by section 3.7.2 of the specification. */
#include "io/gltf/primitive.h"

#include "io/gltf/accessor.h"
#include "io/gltf/buffer.h"
#include "io/gltf/draco.h"
#include "io/gltf/extensions.h"
#include "io/gltf/triangles.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool primitive_mode(const path *at, uint64_t *mode)
{
    *mode = 4;
    return path_is_object(at) && path_count(at, "mode", 6, mode);
}

/* A primitive being read. */
typedef struct reading {
    gltf *g;
    const path *at;
    path attributes;
    primitive *out;
    draco_mesh *packed; /* NULL: not compressed, or no decoder */
    path way, packed_at, packed_attributes;
} reading;

static bool is_finite(const path *at, const double *numbers, size_t count, unsigned width)
{
    for (size_t i = 0; i < count * width; i++)
        if (!isfinite(numbers[i]))
            return path_fault(at, "element %zu: %c = %g", i / width, "xyzw"[i % width % 4], numbers[i]);
    return true;
}

#ifdef BOXWOOD_DRACO
/* *here: the compressed stream has the attribute. */
static bool unpack(reading *r, const path *at, const char *name, const accessor *a, const double **out,
                   bool *here)
{
    path id_at = path_key(&r->packed_attributes, name);
    *here = r->packed && id_at.value;
    if (!*here)
        return true;
    uint64_t id = 0;
    if (!path_count(&r->packed_attributes, name, UINT32_MAX, &id))
        return false;
    uint32_t count = draco_point_count(r->packed);
    if (a->count != count)
        return path_fault(
            at, "accessors[%" PRIu32 "] has %" PRIu32 " elements, and the compressed stream %" PRIu32,
            a->index, a->count, count);
    char error[200] = "";
    size_t width = accessor_width(a);
    double *numbers = gltf_block(r->g, at, count, width * sizeof *numbers);
    if (!numbers)
        return false;
    if (!draco_attribute(r->packed, (uint32_t)id, (unsigned)width, numbers, error))
        return path_fault(&id_at, "%" PRIu64 ": %s", id, error);
    for (size_t i = 0; a->normalized && i < count * width; i++)
        numbers[i] = accessor_normalize(a->component, numbers[i]);
    *out = numbers;
    return true;
}

static bool open_packed(reading *r)
{
    uint32_t view = BW_NONE;
    const uint8_t *bytes;
    size_t size, stride;
    if (!path_need(&r->packed_at, "bufferView") || !path_need(&r->packed_at, "attributes") ||
        !path_index(&r->packed_at, "bufferView", r->g->counts[LIST_VIEWS], "bufferViews", &view) ||
        !buffer_view(r->g, view, &bytes, &size, &stride))
        return false;
    r->packed_attributes = path_key(&r->packed_at, "attributes");
    if (!path_is_object(&r->packed_attributes))
        return false;
    char error[200] = "";
    r->packed = draco_open(bytes, size, error);
    r->out->packed_view = view;
    return r->packed || path_fault(&r->packed_at, "the compressed stream is broken: %s", error);
}

/* The stream of a primitive is its triangles, whatever its indices would be. */
static bool packed_triangles(reading *r, uint64_t mode)
{
    uint32_t faces = draco_face_count(r->packed);
    path indices = path_key(r->at, "indices");
    accessor a;
    if (indices.value) {
        if (!accessor_open(r->g, &indices, 1, 1, TAKES_INDICES, &a))
            return false;
        if (mode == 4 && a.count != 3 * (uint64_t)faces)
            return path_fault(&indices,
                              "accessors[%" PRIu32 "] has %" PRIu32
                              " elements, and the compressed stream %" PRIu32 " triangles",
                              a.index, a.count, faces);
    }
    if (mode < 4)
        return path_fault(r->at, "only triangles and strips are compressed by " DRACO_EXTENSION);
    r->out->corners = gltf_block(r->g, r->at, faces, 3 * sizeof *r->out->corners);
    r->out->corner_count = 3 * (size_t)faces;
    if (!r->out->corners)
        return false;
    draco_faces(r->packed, r->out->corners);
    return triangles_in_range(r->at, r->out->corners, r->out->corner_count, r->out->vertex_count);
}

static void close_packed(reading *r)
{
    if (r->packed)
        draco_close(r->packed);
}
#else
static bool unpack(reading *r, const path *at, const char *name, const accessor *a, const double **out,
                   bool *here)
{
    (void)r;
    (void)at;
    (void)name;
    (void)a;
    (void)out;
    *here = false;
    return true;
}

static bool open_packed(reading *r)
{
    return path_fault(&r->packed_at, DRACO_MISSING);
}

static bool packed_triangles(reading *r, uint64_t mode)
{
    (void)mode;
    return path_fault(&r->packed_at, DRACO_MISSING);
}

static void close_packed(reading *r)
{
    (void)r;
}
#endif

static bool read_attribute(reading *r, const char *name, unsigned rows, unsigned takes, const double **out)
{
    path at = path_key(&r->attributes, name);
    accessor a;
    bool packed;
    if (!accessor_open(r->g, &at, rows, 1, takes, &a) || !unpack(r, &at, name, &a, out, &packed) ||
        (!packed && !accessor_read(r->g, &a, out)) || !is_finite(&at, *out, a.count, rows))
        return false;
    if (strcmp(name, "POSITION") == 0) {
        r->out->vertex_count = a.count;
        r->out->position_accessor = a.index;
    }
    return a.count == r->out->vertex_count ||
           path_fault(&at, "accessors[%" PRIu32 "] has %" PRIu32 " elements, and POSITION %" PRIu32, a.index,
                      a.count, r->out->vertex_count);
}

static bool read_targets(reading *r)
{
    path list = path_key(r->at, "targets");
    primitive *p = r->out;
    if (!path_is_list(&list))
        return false;
    p->target_count = (uint32_t)path_size(&list);
    p->targets = gltf_block(r->g, &list, p->target_count, sizeof *p->targets);
    if (!p->targets)
        return false;
    for (uint32_t i = 0; i < p->target_count; i++) {
        path target = path_item(&list, i), at = path_key(&target, "POSITION");
        accessor a;
        if (!path_is_object(&target))
            return false;
        if (!at.value)
            continue;
        if (!accessor_open(r->g, &at, 3, 1, TAKES_FLOAT | TAKES_ANY_8_16, &a) ||
            !accessor_read(r->g, &a, &p->targets[i]) || !is_finite(&at, p->targets[i], a.count, 3))
            return false;
        if (a.count != p->vertex_count)
            return path_fault(&at, "accessors[%" PRIu32 "] has %" PRIu32 " elements, and POSITION %" PRIu32,
                              a.index, a.count, p->vertex_count);
    }
    return true;
}

static bool read_joints(reading *r)
{
    primitive *p = r->out;
    for (uint32_t set = 0;; set++) {
        char joints[16], weights[16];
        snprintf(joints, sizeof joints, "JOINTS_%" PRIu32, set);
        snprintf(weights, sizeof weights, "WEIGHTS_%" PRIu32, set);
        path joints_at = path_key(&r->attributes, joints), weights_at = path_key(&r->attributes, weights);
        if (!joints_at.value && !weights_at.value)
            return true;
        if (set == PRIMITIVE_MOST_SETS)
            return path_fault(&joints_at, "more than %d joints for each vertex", 4 * PRIMITIVE_MOST_SETS);
        if (!path_need(&r->attributes, joints) || !path_need(&r->attributes, weights) ||
            !read_attribute(r, joints, 4, TAKES_INDICES, &p->joints[set]) ||
            !read_attribute(r, weights, 4, TAKES_FLOAT | TAKES_NORMALIZED_8_16, &p->weights[set]))
            return false;
        p->set_count = set + 1;
    }
}

static bool read_corners(reading *r, uint64_t mode)
{
    primitive *p = r->out;
    path indices = path_key(r->at, "indices");
    const double *numbers = NULL;
    size_t count = p->vertex_count;
    accessor a;
    if (indices.value) {
        if (!accessor_open(r->g, &indices, 1, 1, TAKES_INDICES, &a) || !accessor_read(r->g, &a, &numbers) ||
            !triangles_indices_in_range(&indices, numbers, a.count, p->vertex_count,
                                        a.component == COMPONENT_UBYTE    ? 0xFF
                                        : a.component == COMPONENT_USHORT ? 0xFFFF
                                                                          : 0xFFFFFFFF))
            return false;
        count = a.count;
    }
    p->is_points = mode == 0;
    p->corners =
        gltf_block(r->g, r->at, mode == 0 ? count : triangles_most_corners(mode, count), sizeof *p->corners);
    if (!p->corners)
        return false;
    if (mode == 4)
        r->g->cut_corners += count % 3;
    p->corner_count = triangles_list(mode, numbers, count, p->corners);
    return true;
}

bool primitive_read(gltf *g, const path *at, primitive *out)
{
    *out = (primitive){.packed_view = BW_NONE};
    reading r = {.g = g, .at = at, .attributes = path_key(at, "attributes"), .out = out};
    uint64_t mode;
    if (!primitive_mode(at, &mode) || !path_need(at, "attributes") || !path_is_object(&r.attributes) ||
        !path_need(&r.attributes, "POSITION") || !extensions_find(at, DRACO_EXTENSION, &r.way, &r.packed_at))
        return false;
    bool fine = (!r.packed_at.value || open_packed(&r)) &&
                read_attribute(&r, "POSITION", 3, TAKES_FLOAT | TAKES_ANY_8_16, &out->positions) &&
                read_targets(&r) && read_joints(&r) &&
                (r.packed_at.value ? packed_triangles(&r, mode) : read_corners(&r, mode));
    close_packed(&r);
    return fine;
}

bool primitive_count_lost(gltf *g, const path *at, uint64_t mode, uint64_t *out)
{
    path attributes = path_key(at, "attributes"), position = path_key(&attributes, "POSITION"),
         indices = path_key(at, "indices");
    *out = 0;
    accessor a;
    if (!path_is_object(&attributes))
        return false;
    if (!indices.value && !position.value)
        return true;
    if (!accessor_open(g, indices.value ? &indices : &position, 0, 0, TAKES_ANY, &a))
        return false;
    *out = mode == 0 || mode == 2 ? a.count : mode == 1 ? a.count / 2 : a.count - 1;
    return true;
}

bool primitive_same_vertices(const primitive *a, const primitive *b)
{
    if (a->packed_view != BW_NONE || b->packed_view != BW_NONE || a->positions != b->positions ||
        a->target_count != b->target_count || a->set_count != b->set_count)
        return false;
    bool same = true;
    for (uint32_t i = 0; i < a->target_count; i++)
        same &= a->targets[i] == b->targets[i];
    for (uint32_t i = 0; i < a->set_count; i++)
        same &= a->joints[i] == b->joints[i] && a->weights[i] == b->weights[i];
    return same;
}
