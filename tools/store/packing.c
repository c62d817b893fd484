/* The stages of packing: read, list, encode, write. */
#include "store/packing.h"

#include "io/readers.h"
#include "progress.h"
#include "store/pack_list.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files that are read at a time: as many as have that many bytes, and not more than that. */
enum { PACKING_BYTES = 1 << 26, PACKING_FILES = 1024 };

/* Of a compressed file the name tells. */
static file_format format_of(const char *file)
{
    file_format format = format_of_file(file), named = format_by_name(file);
    return format == FORMAT_OTHER && format_is_own(named) ? named : format;
}

static bool states_units(const char *file)
{
    if (strncmp(file, "scene:", 6) == 0)
        return false;
    file_format format = format_of(file);
    return format == FORMAT_GLTF || format == FORMAT_OTHER;
}

/* A model of which only the name, the unit and the axis are there. */
static bool read_units(const char *file, model *out, fault *why)
{
    *out = (model){.file = tool_copy(file)};
    store s;
    if (store_is(file)) {
        if (!store_open(&s, file, why))
            return false;
        out->unit = s.tail.unit;
        out->up = (model_up)s.tail.up;
        store_close(&s);
        return true;
    }
    if (!states_units(file))
        return true;
    struct stat status;
    if (stat(file, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return fault_set(why, "%s: is read twice beside other files, so it cannot be a pipe; pack it alone",
                         file);
    model m;
    if (!model_read_placed(file, &m, why))
        return false;
    out->unit = m.unit;
    out->up = m.up;
    model_free(&m);
    return true;
}

bool packing_units(const char *const *files, uint32_t count, const unit_wish *wish, bool keep_going,
                   units *out, fault *why)
{
    model *models = tool_alloc(count, sizeof *models);
    const model **list = tool_alloc(count, sizeof *list);
    bool fine = true;
    progress_step("looking at the units of %" PRIu32 " files", count);
    for (uint32_t i = 0; i < count; i++) {
        models[i] = (model){.file = NULL};
        if (!fine || (count == 1 && wish->scale[0] == 0 && wish->up[0] == MODEL_UP_UNKNOWN)) {
            list[i] = NULL;
            continue;
        }
        bool read = read_units(files[i], &models[i], why);
        fine = read || keep_going;
        list[i] = read ? &models[i] : NULL;
    }
    progress_end();
    if (fine)
        units_decide(list, (int)count, wish, out);
    for (uint32_t i = 0; i < count; i++)
        free(models[i].file);
    free(models);
    free(list);
    return fine;
}

/* Files by readers of our own: these do not fork, so any thread may run them. */
static void read_files(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    pack_file *files = context;
    for (uint32_t i = begin; i < end; i++)
        if (files[i].threaded)
            pack_file_read(&files[i]);
}

static void encode_meshes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    pack_list *list = context;
    for (uint32_t i = begin; i < end; i++)
        pack_mesh_encode(list, i);
}

static void find_boxes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    pack_list *list = context;
    for (uint32_t i = begin; i < end; i++)
        pack_part_box(list, i);
}

/* Why a part cannot be used; the sentence names it. */
static bool part_usable(const pack_list *list, const pack_file *file, const pack_part *part, fault *why)
{
    const pack_mesh *mesh = &list->meshes[part->mesh];
    if (mesh->why)
        return fault_set(why, "%s", mesh->why);
    return part->sound || fault_set(why,
                                    "%s part %" PRIu32
                                    " \"%.1000s\": its place moves a coordinate out of the range in which "
                                    "answers are exact",
                                    file->path, part->number, part->name);
}

static bool write_part(packing *p, pack_list *list, const pack_part *part, fault *why)
{
    pack_mesh *mesh = &list->meshes[part->mesh];
    if (mesh->number == STORE_NONE) {
        if (!store_writer_mesh(p->to, &mesh->block, &mesh->number, why))
            return false;
        free(mesh->block.bytes);
        mesh->block.bytes = NULL;
        p->meshes++;
    }
    p->parts++;
    p->primitives += mesh->block.record.primitive_count;
    return store_writer_part(p->to,
                             &(store_new_part){.mesh = mesh->number,
                                               .first_triangle = part->first_triangle,
                                               .name = part->name,
                                               .pose = part->pose,
                                               .box = part->box},
                             why);
}

static bool write_file(packing *p, pack_list *list, const pack_file *file, fault *why)
{
    model_warn(&file->body.model);
    if (!store_writer_file(p->to, file->path, why))
        return false;
    for (uint32_t i = file->first_part; i < file->first_part + file->part_count; i++) {
        const pack_part *part = &list->parts[i];
        if (!part_usable(list, file, part, why)) {
            if (!p->keep_going)
                return false;
            warn("%s; skipped", why->text);
            p->skipped_parts++;
        } else if (!write_part(p, list, part, why)) {
            return false;
        }
    }
    return true;
}

/* A store among the files: its blocks are taken as they are. */
static bool copy_store(packing *p, const char *path, bool moved, fault *why)
{
    store s;
    if (moved)
        return fault_set(
            why, "%s: is a store that another unit or up axis is wished of: pack its files again", path);
    if (!store_open(&s, path, why))
        return false;
    if (p->file_count == 1) {
        p->unit = s.tail.unit;
        p->up = (model_up)s.tail.up;
    }
    uint32_t *numbers = tool_alloc(s.mesh_count, sizeof *numbers);
    memset(numbers, 0xff, s.mesh_count * sizeof *numbers);
    store_buffer buffer = {NULL, 0};
    bool fine = true;
    uint32_t file = STORE_NONE;
    for (uint32_t i = 0; i < s.part_count && fine; i++) {
        const store_part *part = &s.parts[i];
        if (part->file != file)
            fine = store_writer_file(p->to, store_file_path(&s, file = part->file), why);
        if (fine && numbers[part->mesh] == STORE_NONE) {
            fine = store_read_block(&s, part->mesh, &buffer, why);
            store_block block = {buffer.bytes, s.meshes[part->mesh]};
            block.record.uses = 0;
            fine = fine && store_writer_mesh(p->to, &block, &numbers[part->mesh], why);
            p->meshes++;
        }
        if (!fine)
            break;
        p->parts++;
        p->primitives += s.meshes[part->mesh].primitive_count;
        fine = store_writer_part(
            p->to,
            &(store_new_part){.mesh = numbers[part->mesh],
                              .first_triangle = part->first_triangle,
                              .name = store_part_name(&s, i),
                              .pose = part->pose == STORE_NONE ? NULL : &s.poses[part->pose],
                              .box = s.boxes[i]},
            why);
    }
    free(numbers);
    free(buffer.bytes);
    store_close(&s);
    return fine;
}

/* How many files from `first` on are read together. */
static uint32_t group(const packing *p, uint32_t first, pack_file *out)
{
    uint64_t bytes = 0;
    uint32_t count = 0;
    while (first + count < p->file_count && count < PACKING_FILES) {
        const char *path = p->files[first + count];
        struct stat status;
        uint64_t size = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
        bool is_store = store_is(path);
        if (count > 0 && (bytes + size > PACKING_BYTES || is_store))
            break;
        bytes += size;
        out[count++] = (pack_file){.path = path, .store = is_store};
        if (is_store)
            break;
        file_format format = strncmp(path, "scene:", 6) == 0 ? FORMAT_NONE : format_of(path);
        out[count - 1].threaded = format != FORMAT_OTHER;
    }
    return count;
}

static bool pack_group(packing *p, uint32_t first, pack_file *files, uint32_t count, fault *why)
{
    for (uint32_t i = 0; i < count; i++)
        if (!files[i].threaded)
            pack_file_read(&files[i]); /* may fork: while no other thread is at work */
    p->tasks->parallel_for(p->tasks->user, read_files, files, count, 1);
    pack_list list = {.files = files, .trees = p->trees, .quarantine = p->quarantine};
    bool fine = true;
    for (uint32_t i = 0; i < count && fine; i++) {
        if (files[i].why) {
            fine = p->keep_going || fault_set(why, "%s", files[i].why->text);
            if (fine)
                warn("%s; skipped", files[i].why->text);
            p->skipped_files++;
            continue;
        }
        if (p->file_count == 1 && !p->space->moved[0] && p->space->unit == 0 &&
            p->space->up == MODEL_UP_UNKNOWN) {
            p->unit = files[i].body.model.unit;
            p->up = files[i].body.model.up;
        }
        pack_list_add(&list, i, p->space->moved[first + i] ? &p->space->maps[first + i] : NULL);
    }
    if (fine) {
        p->tasks->parallel_for(p->tasks->user, encode_meshes, &list, list.mesh_count, 1);
        p->tasks->parallel_for(p->tasks->user, find_boxes, &list, list.part_count, 16);
    }
    for (uint32_t i = 0; i < count && fine; i++)
        fine = files[i].why || write_file(p, &list, &files[i], why);
    pack_list_free(&list);
    return fine;
}

bool packing_run(packing *p, fault *why)
{
    pack_file *files = tool_alloc(PACKING_FILES, sizeof *files);
    bool fine = true;
    p->unit = p->space->unit;
    p->up = p->space->up;
    progress_step("packing %" PRIu32 " file%s", p->file_count, p->file_count == 1 ? "" : "s");
    progress_total(p->file_count > 1 ? p->file_count : 0);
    for (uint32_t first = 0, count; first < p->file_count && fine; first += count) {
        count = group(p, first, files);
        if (files[0].store)
            fine = copy_store(p, files[0].path, p->space->moved[first], why);
        else
            fine = pack_group(p, first, files, count, why);
        for (uint32_t i = 0; i < count; i++)
            pack_file_free(&files[i]);
        progress_done(count);
    }
    progress_end();
    free(files);
    if (fine && p->parts == 0)
        fine = fault_set(why, "none of the files could be packed");
    return fine;
}
