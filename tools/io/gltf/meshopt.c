/* Buffer views compressed by meshoptimizer: three modes, three filters. */
#include "io/gltf/meshopt.h"

#include "io/gltf/buffer.h"

#include <inttypes.h>
#include <string.h>

#ifdef BOXWOOD_MESHOPT
#    include <meshoptimizer.h>

bool meshopt_is_there(void)
{
    return true;
}

typedef struct stream {
    uint64_t offset, length, stride, count;
    const char *mode, *filter;
    uint32_t buffer;
} stream;

static bool read_stream(gltf *g, const path *at, stream *s)
{
    *s = (stream){.mode = "", .filter = "NONE"};
    return path_need(at, "buffer") && path_need(at, "byteLength") && path_need(at, "byteStride") &&
           path_need(at, "count") && path_need(at, "mode") &&
           path_index(at, "buffer", g->counts[LIST_BUFFERS], "buffers", &s->buffer) &&
           path_count(at, "byteOffset", UINT64_C(1) << 53, &s->offset) &&
           path_count(at, "byteLength", UINT64_C(1) << 53, &s->length) &&
           path_count(at, "byteStride", 256, &s->stride) && path_count(at, "count", UINT32_MAX, &s->count) &&
           path_string(at, "mode", &s->mode) && path_string(at, "filter", &s->filter);
}

/* 0: decoded. The library trusts its arguments, so they are checked here. */
static bool decode(const path *at, const stream *s, uint8_t *out, const uint8_t *bytes)
{
    path mode = path_key(at, "mode"), stride = path_key(at, "byteStride"), count = path_key(at, "count");
    bool attributes = strcmp(s->mode, "ATTRIBUTES") == 0, triangles = strcmp(s->mode, "TRIANGLES") == 0;
    if (!attributes && !triangles && strcmp(s->mode, "INDICES") != 0)
        return path_fault(&mode, "\"%.40s\" is not ATTRIBUTES, TRIANGLES or INDICES", s->mode);
    if (attributes ? s->stride == 0 || s->stride % 4 != 0 : s->stride != 2 && s->stride != 4)
        return path_fault(&stride, "%" PRIu64 " does not go with %s", s->stride, s->mode);
    if (triangles && s->count % 3 != 0)
        return path_fault(&count, "%" PRIu64 " is not a multiple of 3", s->count);
    size_t n = (size_t)s->count, size = (size_t)s->stride, length = (size_t)s->length;
    int result = attributes  ? meshopt_decodeVertexBuffer(out, n, size, bytes, length)
                 : triangles ? meshopt_decodeIndexBuffer(out, n, size, bytes, length)
                             : meshopt_decodeIndexSequence(out, n, size, bytes, length);
    return result == 0 ||
           path_fault(at, "the compressed stream is broken (%s, %" PRIu64 " elements)", s->mode, s->count);
}

static bool filter(const path *at, const stream *s, uint8_t *out)
{
    path where = path_key(at, "filter"), stride = path_key(at, "byteStride");
    if (strcmp(s->filter, "NONE") == 0)
        return true;
    bool oct = strcmp(s->filter, "OCTAHEDRAL") == 0, quat = strcmp(s->filter, "QUATERNION") == 0;
    if (!oct && !quat && strcmp(s->filter, "EXPONENTIAL") != 0)
        return path_fault(&where, "\"%.40s\" is not NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL", s->filter);
    if (strcmp(s->mode, "ATTRIBUTES") != 0)
        return path_fault(&where, "\"%s\" does not go with %s", s->filter, s->mode);
    if (oct ? s->stride != 4 && s->stride != 8 : quat ? s->stride != 8 : s->stride % 4 != 0)
        return path_fault(&stride, "%" PRIu64 " does not go with the filter %s", s->stride, s->filter);
    size_t n = (size_t)s->count, size = (size_t)s->stride;
    if (oct)
        meshopt_decodeFilterOct(out, n, size);
    else if (quat)
        meshopt_decodeFilterQuat(out, n, size);
    else
        meshopt_decodeFilterExp(out, n, size);
    return true;
}

bool meshopt_decode(gltf *g, const path *at, size_t view_size, gltf_bytes *out)
{
    stream s;
    const uint8_t *bytes;
    if (!read_stream(g, at, &s))
        return false;
    path count = path_key(at, "count"), length = path_key(at, "byteLength");
    if (s.count * s.stride != view_size)
        return path_fault(&count, "%" PRIu64 " elements of %" PRIu64 " bytes are not the %zu of the view",
                          s.count, s.stride, view_size);
    if (!buffer_range(g, &length, s.buffer, s.offset, s.length, &bytes))
        return false;
    /* The decoders may write whole blocks of elements. */
    uint8_t *room = gltf_room(g, at, view_size + 16, 1);
    if (!room)
        return false;
    *out = (gltf_bytes){true, room, view_size, room};
    return decode(at, &s, room, bytes) && filter(at, &s, room);
}
#else
bool meshopt_is_there(void)
{
    return false;
}

bool meshopt_decode(gltf *g, const path *at, size_t view_size, gltf_bytes *out)
{
    (void)g;
    (void)view_size;
    (void)out;
    return path_fault(at, MESHOPT_MISSING);
}
#endif
