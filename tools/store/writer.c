/* Stores are written to a file of another name, which gets its own when it is whole. */
#define _DEFAULT_SOURCE
#include "store/writer.h"

#include "output.h"
#include "store/sum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool put(store_writer *w, const void *bytes, size_t size, fault *why)
{
    w->offset += size;
    if (size == 0 || fwrite(bytes, 1, size, w->out) == size)
        return true;
    w->failed = true;
    return fault_set(why, "%s: %s", w->path, strerror(errno));
}

static void append(store_array *to, const void *bytes, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * to->capacity > to->size + size ? 2 * to->capacity : to->size + size + 256;
        to->bytes = tool_resize(to->bytes, to->capacity, 1);
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static uint64_t add_text(store_writer *w, const char *text)
{
    uint64_t at = w->tables[STORE_TEXT].size;
    append(&w->tables[STORE_TEXT], text, strlen(text) + 1);
    return at;
}

static bool add(store_writer *w, store_table table, const void *record, size_t size, fault *why)
{
    if (w->counts[table] == STORE_NONE - 1)
        return fault_set(why, "%s: more than 32-bit numbers can name", w->path);
    w->counts[table]++;
    append(&w->tables[table], record, size);
    return true;
}

/* An empty file that nobody else is writing. */
static FILE *open_empty(const char *path, fault *why)
{
    FILE *out = output_open_alone(path, why);
    if (out && ftruncate(fileno(out), 0) != 0) {
        fault_set(why, "%s: %s", path, strerror(errno));
        fclose(out);
        out = NULL;
    }
    return out;
}

bool store_writer_open(store_writer *out, const char *path, fault *why)
{
    store_writer w = {.path = tool_copy(path)};
    size_t length = strlen(path) + sizeof ".unfinished";
    w.unfinished = tool_alloc(length, 1);
    snprintf(w.unfinished, length, "%s.unfinished", path);
    w.out = open_empty(w.unfinished, why);
    if (!w.out) {
        free(w.path);
        free(w.unfinished);
        return false;
    }
    setvbuf(w.out, NULL, _IOFBF, 1 << 20);
    store_head head = {.magic = STORE_MAGIC, .version = STORE_VERSION};
    head.sum = store_sum(&head, offsetof(store_head, sum));
    *out = w;
    if (put(out, &head, sizeof head, why))
        return true;
    fault second;
    store_writer_close(out, false, 0, 0, &second);
    return false;
}

bool store_writer_file(store_writer *w, const char *path, fault *why)
{
    store_file file = {.path = add_text(w, path), .first_part = w->counts[STORE_PARTS]};
    return add(w, STORE_FILES, &file, sizeof file, why);
}

bool store_writer_mesh(store_writer *w, const store_block *block, uint32_t *mesh, fault *why)
{
    store_mesh record = block->record;
    record.offset = w->offset;
    *mesh = w->counts[STORE_MESHES];
    return put(w, block->bytes, (size_t)record.bytes, why) &&
           add(w, STORE_MESHES, &record, sizeof record, why);
}

bool store_writer_part(store_writer *w, const store_new_part *part, fault *why)
{
    store_file *file = (store_file *)(void *)w->tables[STORE_FILES].bytes + w->counts[STORE_FILES] - 1;
    store_mesh *mesh = (store_mesh *)(void *)w->tables[STORE_MESHES].bytes + part->mesh;
    store_part record = {.file = w->counts[STORE_FILES] - 1,
                         .number = file->part_count++,
                         .mesh = part->mesh,
                         .pose = part->pose ? w->counts[STORE_POSES] : STORE_NONE,
                         .first_triangle = part->first_triangle,
                         .name = add_text(w, part->name)};
    mesh->pose = mesh->uses == 0 ? record.pose : STORE_NONE;
    mesh->uses++;
    w->primitives += mesh->primitive_count;
    w->left_out += mesh->left_out;
    return (!part->pose || add(w, STORE_POSES, part->pose, sizeof *part->pose, why)) &&
           add(w, STORE_BOXES, &part->box, sizeof part->box, why) &&
           add(w, STORE_PARTS, &record, sizeof record, why);
}

static bool finish(store_writer *w, double unit, uint32_t up, fault *why)
{
    static const unsigned char zeros[STORE_ALIGN];
    store_tail tail = {.primitives = w->primitives,
                       .left_out = w->left_out,
                       .unit = unit,
                       .up = up,
                       .version = STORE_VERSION,
                       .magic = STORE_MAGIC};
    for (int t = 0; t < STORE_TABLES; t++) {
        const store_array *table = &w->tables[t];
        tail.tables[t] = (store_range){w->offset, table->size, store_sum(table->bytes, table->size)};
        if (!put(w, table->bytes, table->size, why) ||
            !put(w, zeros, (STORE_ALIGN - table->size % STORE_ALIGN) % STORE_ALIGN, why))
            return false;
    }
    tail.file_bytes = w->offset + sizeof tail;
    tail.sum = store_sum(&tail, offsetof(store_tail, sum));
    if (!put(w, &tail, sizeof tail, why))
        return false;
    if (fflush(w->out) == 0 && fsync(fileno(w->out)) == 0)
        return true;
    return fault_set(why, "%s: %s", w->path, strerror(errno));
}

bool store_writer_close(store_writer *w, bool whole, double unit, uint32_t up, fault *why)
{
    bool fine = whole && !w->failed && finish(w, unit, up, why);
    if (fclose(w->out) != 0 && fine)
        fine = fault_set(why, "%s: %s", w->path, strerror(errno));
    if (fine && rename(w->unfinished, w->path) != 0)
        fine = fault_set(why, "%s: %s", w->path, strerror(errno));
    if (!fine)
        remove(w->unfinished);
    for (int t = 0; t < STORE_TABLES; t++)
        free(w->tables[t].bytes);
    free(w->path);
    free(w->unfinished);
    *w = (store_writer){.path = NULL};
    return fine;
}
