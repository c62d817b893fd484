/* GLB, by section 4 of the specification. */
#include "io/gltf/container.h"

#include <inttypes.h>
#include <string.h>

static uint32_t word_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

enum { CHUNK_JSON = 0x4E4F534A, CHUNK_BIN = 0x004E4942 };

static bool read_chunks(gltf *g, const uint8_t *p, size_t size, const char **json, size_t *json_size)
{
    for (size_t at = 12, chunk = 0; at < size; chunk++) {
        if (size - at < 8)
            return path_fault(&g->top, "chunk %zu: %zu bytes are no head of a chunk", chunk, size - at);
        uint32_t length = word_at(p + at), type = word_at(p + at + 4);
        if (length > size - at - 8)
            return path_fault(&g->top, "chunk %zu: %" PRIu32 " bytes, and %zu are left in the file", chunk,
                              length, size - at - 8);
        if (chunk == 0 && type != CHUNK_JSON)
            return path_fault(&g->top, "chunk 0: type 0x%08" PRIx32 " is not JSON", type);
        if (chunk == 0) {
            *json = (const char *)p + at + 8;
            *json_size = length;
        } else if (type == CHUNK_BIN && !g->chunk) {
            g->chunk = tool_alloc(length, 1);
            memcpy(g->chunk, p + at + 8, length);
            g->chunk_size = length;
        }
        at += 8 + (size_t)length;
    }
    return *json || path_fault(&g->top, "has no chunks");
}

bool container_open(gltf *g, const void *bytes, size_t size, const char **json, size_t *json_size)
{
    const uint8_t *p = bytes;
    *json = NULL;
    if (size < 4 || memcmp(p, "glTF", 4) != 0) {
        *json = bytes;
        *json_size = size;
        return true;
    }
    g->binary = true;
    if (size < 12)
        return path_fault(&g->top, "%zu bytes are no head of a GLB", size);
    if (word_at(p + 4) != 2)
        return path_fault(&g->top, "GLB version %" PRIu32 " is not read, only 2", word_at(p + 4));
    if (word_at(p + 8) != size)
        return path_fault(&g->top, "its head says %" PRIu32 " bytes, and it has %zu", word_at(p + 8), size);
    return read_chunks(g, p, size, json, json_size);
}
