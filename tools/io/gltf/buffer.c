/* Buffers: the BIN chunk, data URIs and files; views: ranges of them, plain or compressed. */
#include "io/gltf/buffer.h"

#include "io/gltf/extensions.h"
#include "io/gltf/meshopt.h"
#include "io/gltf/uri.h"

#include <inttypes.h>
#include <stdlib.h>

#define MOST (UINT64_C(1) << 53)

static bool load(gltf *g, uint32_t index, gltf_bytes *out)
{
    path at = gltf_item(g, LIST_BUFFERS, index), uri_at = path_key(&at, "uri"),
         length_at = path_key(&at, "byteLength");
    const char *uri = NULL;
    uint64_t length = 0;
    if (!path_string(&at, "uri", &uri) || !path_need(&at, "byteLength") ||
        !path_count(&at, "byteLength", MOST, &length))
        return false;
    if (uri && !uri_is_data(uri) && g->alone)
        return path_fault(&uri_at, "\"%.100s\": no other files are read here", uri);
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (uri) {
        if (!(uri_is_data(uri) ? uri_data(&uri_at, uri, &bytes, &size)
                               : uri_file(&uri_at, g->file, uri, &bytes, &size)))
            return false;
        *out = (gltf_bytes){true, bytes, size, bytes};
    } else if (index == 0 && g->chunk) {
        *out = (gltf_bytes){true, g->chunk, g->chunk_size, NULL};
    } else {
        return path_fault(&at, "has no uri%s", g->binary ? ", and the file no binary chunk for it" : "");
    }
    if (length > out->size)
        return path_fault(&length_at, "%" PRIu64 " bytes, and there are %zu", length, out->size);
    out->size = (size_t)length;
    return true;
}

bool buffer_range(gltf *g, const path *at, uint32_t buffer, uint64_t offset, uint64_t length,
                  const uint8_t **out)
{
    gltf_bytes *b = &g->buffers[buffer];
    if (!b->known && !load(g, buffer, b)) {
        free(b->own);
        *b = (gltf_bytes){.known = false};
        return false;
    }
    if (offset > b->size || length > b->size - offset)
        return path_fault(at, "%" PRIu64 " bytes from %" PRIu64 " on, and buffers[%" PRIu32 "] has %zu",
                          length, offset, buffer, b->size);
    *out = b->bytes + offset;
    return true;
}

static bool load_view(gltf *g, uint32_t index, gltf_bytes *out)
{
    path at = gltf_item(g, LIST_VIEWS, index), length_at = path_key(&at, "byteLength"), way, packed;
    uint64_t offset = 0, length = 0;
    uint32_t buffer = 0;
    if (!path_need(&at, "buffer") || !path_need(&at, "byteLength") ||
        !path_index(&at, "buffer", g->counts[LIST_BUFFERS], "buffers", &buffer) ||
        !path_count(&at, "byteOffset", MOST, &offset) || !path_count(&at, "byteLength", MOST, &length) ||
        !extensions_find(&at, MESHOPT_EXTENSION, &way, &packed))
        return false;
    if (length == 0)
        return path_fault(&length_at, "0 bytes");
    if (packed.value)
        return meshopt_decode(g, &packed, (size_t)length, out);
    const uint8_t *bytes;
    if (!buffer_range(g, &length_at, buffer, offset, length, &bytes))
        return false;
    *out = (gltf_bytes){true, bytes, (size_t)length, NULL};
    return true;
}

bool buffer_view(gltf *g, uint32_t view, const uint8_t **bytes, size_t *size, size_t *stride)
{
    gltf_bytes *v = &g->views[view];
    if (!v->known && !load_view(g, view, v)) {
        free(v->own);
        *v = (gltf_bytes){.known = false};
        return false;
    }
    path at = gltf_item(g, LIST_VIEWS, view);
    uint64_t own = 0;
    if (!path_count(&at, "byteStride", 1 << 16, &own))
        return false;
    *bytes = v->bytes;
    *size = v->size;
    *stride = (size_t)own;
    return true;
}
