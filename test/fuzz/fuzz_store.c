/* Any bytes as a part store, as they are or with checksums made to fit: it is refused by a fault that names the file, or
 * everything in it can be read and asked for, and its tables lead nowhere else. */
#define _GNU_SOURCE
#include "store/cache.h"
#include "store/sum.h"

#include <boxwood/collide.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool good)
{
    if (!good)
        abort();
}

/* Makes head, tail, tables and blocks what their checksums say, as far as they lie within the bytes. */
static void seal(uint8_t *bytes, size_t size)
{
    store_head head;
    store_tail tail;
    if (size < sizeof head + sizeof tail)
        return;
    static const unsigned char magic[8] = STORE_MAGIC;
    memcpy(&head, bytes, sizeof head);
    memcpy(&tail, bytes + size - sizeof tail, sizeof tail);
    memcpy(head.magic, magic, sizeof magic);
    memcpy(tail.magic, magic, sizeof magic);
    head.version = tail.version = STORE_VERSION;
    head.sum = store_sum(&head, offsetof(store_head, sum));
    tail.file_bytes = size;
    for (int i = STORE_TABLES - 1; i >= 0; i--) {
        store_range *r = &tail.tables[i];
        if (r->offset > size || r->bytes > size - r->offset)
            continue;
        for (uint64_t at = 0; i == STORE_MESHES && r->bytes - at >= sizeof(store_mesh);
             at += sizeof(store_mesh)) {
            store_mesh m;
            memcpy(&m, bytes + r->offset + at, sizeof m);
            if (m.offset > size || m.bytes > size - m.offset)
                continue;
            m.sum = store_sum(bytes + m.offset, (size_t)m.bytes);
            memcpy(bytes + r->offset + at, &m, sizeof m);
        }
        r->sum = store_sum(bytes + r->offset, (size_t)r->bytes);
    }
    tail.sum = store_sum(&tail, offsetof(store_tail, sum));
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + size - sizeof tail, &tail, sizeof tail);
}

/* Two meshes held at once and asked whether they meet. */
static void collide(store_cache *cache, uint32_t a, uint32_t b, const char *path)
{
    store_held held[2];
    fault why;
    if (!store_cache_hold(cache, 0, a, &held[0], &why)) {
        need(strncmp(why.text, path, strlen(path)) == 0);
        return;
    }
    if (store_cache_hold(cache, 0, b, &held[1], &why)) {
        bw_body bodies[2] = {{held[0].tree, held[0].view, NULL}, {held[1].tree, held[1].view, NULL}};
        bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
        bw_collide_report report = {0};
        bw_collide(&bodies[0], &bodies[1], &desc, &report, NULL);
        store_cache_release(cache, &held[1]);
    }
    store_cache_release(cache, &held[0]);
}

static void look_around(const store *s, const char *path)
{
    size_t letters = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        letters += strlen(store_part_name(s, i)) + strlen(store_file_path(s, s->parts[i].file));
        const bw_transform *pose = store_part_pose(s, i);
        letters += pose && pose->m[0][0] > 0;
    }
    need(letters < SIZE_MAX);
    store_cache *cache = store_cache_create(s, 4000, 1);
    for (uint32_t i = 0; i + 1 < s->mesh_count && i < 8; i++)
        collide(cache, i, i + 1, path);
    collide(cache, 0, 0, path);
    store_cache_destroy(cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 1 << 16)
        return 0;
    uint8_t *bytes = malloc(size);
    need(bytes != NULL);
    memcpy(bytes, data, size);
    bool sealed = data[0] != 0x89 || size % 2 == 0;
    if (sealed)
        seal(bytes, size);
    int file = memfd_create("store", 0);
    need(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    free(bytes);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    store s;
    fault why;
    if (store_open(&s, path, &why)) {
        look_around(&s, path);
        store_close(&s);
    } else {
        need(strncmp(why.text, path, strlen(path)) == 0);
    }
    close(file);
    return 0;
}
