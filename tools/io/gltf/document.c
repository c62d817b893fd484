/* The JSON text, its lists, versions, and memory that the file may take. */
#include "io/gltf/document.h"

#include "io/gltf/extensions.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gltf_note(gltf *g, const char *format, ...)
{
    char words[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    g->notes = tool_grow(g->notes, g->note_count, &g->note_capacity, sizeof *g->notes);
    g->notes[g->note_count++] = tool_copy(words);
}

void *gltf_room(gltf *g, const path *at, uint64_t count, size_t size)
{
    if (count > g->bytes_left / size) {
        path_fault(at, "%" PRIu64 " elements of %zu bytes are more than this reader takes", count, size);
        return NULL;
    }
    g->bytes_left -= count * size;
    void *room = tool_alloc((size_t)count, size);
    memset(room, 0, (size_t)count * size);
    return room;
}

void *gltf_block(gltf *g, const path *at, uint64_t count, size_t size)
{
    void *block = gltf_room(g, at, count, size);
    if (block) {
        g->blocks = tool_grow(g->blocks, g->block_count, &g->block_capacity, sizeof *g->blocks);
        g->blocks[g->block_count++] = block;
    }
    return block;
}

path gltf_item(const gltf *g, gltf_list list, uint32_t index)
{
    return path_item(&g->lists[list], index);
}

/* "MAJOR.MINOR"; *out is 1000 MAJOR + MINOR. */
static bool read_version(const path *asset, const char *key, bool needed, unsigned *out)
{
    const char *words = NULL;
    path at = path_key(asset, key);
    if (!path_string(asset, key, &words))
        return false;
    if (!words)
        return !needed || path_need(asset, key);
    unsigned major, minor;
    int length = 0;
    if (sscanf(words, "%3u.%3u%n", &major, &minor, &length) != 2 || words[length])
        return path_fault(&at, "\"%.40s\" is not a version", words);
    *out = 1000 * major + minor;
    return true;
}

static bool check_version(const path *top)
{
    unsigned version = 2000, least = 2000;
    path asset = path_key(top, "asset");
    if (!path_need(top, "asset") || !path_is_object(&asset) ||
        !read_version(&asset, "version", true, &version) ||
        !read_version(&asset, "minVersion", false, &least))
        return false;
    if (version / 1000 != 2) {
        path at = path_key(&asset, "version");
        return path_fault(&at, "glTF %u.%u is not read, only 2", version / 1000, version % 1000);
    }
    if (least > 2000) {
        path at = path_key(&asset, "minVersion");
        return path_fault(&at, "a reader of glTF %u.%u is needed: this one reads 2.0", least / 1000,
                          least % 1000);
    }
    return true;
}

bool document_open(gltf *g, const char *json, size_t size)
{
    static const char *const names[LIST_COUNT] = {
        [LIST_ACCESSORS] = "accessors", [LIST_ANIMATIONS] = "animations",
        [LIST_BUFFERS] = "buffers",     [LIST_VIEWS] = "bufferViews",
        [LIST_MESHES] = "meshes",       [LIST_NODES] = "nodes",
        [LIST_SCENES] = "scenes",       [LIST_SKINS] = "skins"};
    g->top = (path){.root = &g->root};
    if (size >= 3 && memcmp(json, "\xEF\xBB\xBF", 3) == 0) {
        json += 3;
        size -= 3;
    }
    json_error_t error;
    g->json = json_loadb(json, size, JSON_REJECT_DUPLICATES, &error);
    if (!g->json)
        return path_fault(&g->top, "JSON, line %d, column %d: %s", error.line, error.column, error.text);
    g->top.value = g->json;
    if (!path_is_object(&g->top) || !check_version(&g->top) || !extensions_check(g))
        return false;
    for (int i = 0; i < LIST_COUNT; i++) {
        g->lists[i] = path_key(&g->top, names[i]);
        if (!path_is_list(&g->lists[i]))
            return false;
        if (path_size(&g->lists[i]) >= BW_NONE)
            return path_fault(&g->lists[i], "has too many items");
        g->counts[i] = (uint32_t)path_size(&g->lists[i]);
        for (uint32_t k = 0; k < g->counts[i]; k++) {
            path item = path_item(&g->lists[i], k);
            if (!path_is_object(&item))
                return false;
        }
    }
    return true;
}
