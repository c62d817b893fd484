/* boxwood pack: many files as one part store. */
#include "commands.h"
#include "files.h"
#include "printable.h"
#include "store/packing.h"
#include "store/store.h"
#include "table.h"

#include <boxwood/pool.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const option_spec options[] = {
    {"trees", NULL,
     "keep a tree of each mesh, too: takes some 18 bytes per triangle more and saves\n"
     "building it whenever the mesh is read"},
    FILES_FROM_OPTION,
    {"keep-going", NULL,
     "skip files that cannot be read and parts that cannot be used, and say\n"
     "so, instead of giving up"},
    {"quarantine", NULL,
     "leave out triangles with defects (NaN, infinite or huge coordinates,\n"
     "vertices that do not exist) instead of refusing their part"},
    SCALE_OPTION,
    UP_OPTION,
    {"threads", "N", "threads to use; as many as there are processors if not given"},
    {"json", NULL, "print one JSON document"},
    {NULL, NULL, NULL}};

/* Whoever forgets to name the store would lose his last file. */
static bool may_replace(const char *path, fault *why)
{
    struct stat status;
    if (stat(path, &status) != 0 || store_is(path))
        return true;
    return fault_set(
        why, "%s: is there already and is no part store: the last name is that of the store to write", path);
}

static void tell(const char *path, const packing *p, bool as_json)
{
    struct stat status = {0};
    stat(path, &status);
    if (as_json) {
        json_writer j = jw_start(stdout);
        jw_object(&j, NULL);
        jw_string(&j, "store", path);
        jw_count(&j, "files", p->file_count - p->skipped_files);
        jw_count(&j, "parts", p->parts);
        jw_count(&j, "meshes", p->meshes);
        jw_count(&j, "primitives", p->primitives);
        jw_count(&j, "skipped_files", p->skipped_files);
        jw_count(&j, "skipped_parts", p->skipped_parts);
        jw_count(&j, "bytes", (uint64_t)status.st_size);
        jw_object_end(&j);
        jw_finish(&j);
        return;
    }
    cell n[5];
    uint32_t read = p->file_count - p->skipped_files;
    printf("%s: %s part%s of %s file%s, %s mesh%s, %s triangles and points, %s\n", printable(path),
           count_cell(&n[0], p->parts), plural(p->parts), count_cell(&n[1], read), plural(read),
           count_cell(&n[2], p->meshes), p->meshes == 1 ? "" : "es", count_cell(&n[3], p->primitives),
           bytes_cell(&n[4], (double)status.st_size));
}

static bool pack(packing *p, const char *path, const unit_wish *wish, uint32_t threads, fault *why)
{
    units space;
    if (!packing_units(p->files, p->file_count, wish, p->keep_going, &space, why))
        return false;
    bw_pool *pool = NULL;
    store_writer writer;
    bool fine =
        bw_pool_create(threads, &pool, NULL) == BW_OK || fault_set(why, "cannot start %u threads", threads);
    bool opened = fine && store_writer_open(&writer, path, why);
    if (opened) {
        p->to = &writer;
        p->space = &space;
        p->tasks = bw_pool_tasks(pool);
        fine = packing_run(p, why);
        fault second;
        fine = store_writer_close(&writer, fine, p->unit, (uint32_t)p->up, fine ? why : &second);
    }
    bw_pool_destroy(pool);
    units_free(&space);
    return opened && fine;
}

/* With all files expanded. */
static int run_files(const args *given, const char *path)
{
    fault why;
    uint64_t threads = bw_pool_default_workers();
    unit_wish wish = {NULL, NULL};
    packing p = {.files = given->names,
                 .file_count = (uint32_t)given->count,
                 .trees = args_given(given, "trees"),
                 .quarantine = args_given(given, "quarantine"),
                 .keep_going = args_given(given, "keep-going")};
    bool fine = args_count(given, "threads", 1, BW_MAX_WORKERS, &threads, &why) && may_replace(path, &why) &&
                unit_wish_read(given, given->count, &wish, &why) &&
                pack(&p, path, &wish, (uint32_t)threads, &why);
    unit_wish_free(&wish);
    if (!fine)
        return complain("%s", why.text);
    tell(path, &p, args_given(given, "json"));
    return 0;
}

static int run(const args *given)
{
    fault why;
    files all;
    args inputs = *given;
    inputs.count--;
    int result = files_expand(&inputs, &all, &why) ? run_files(&all.args, given->names[inputs.count])
                                                   : complain("%s", why.text);
    files_free(&all);
    return result;
}

const command command_pack = {
    "pack",
    "many files as one part store, that clash reads part by part",
    "FILE... STORE [--trees] [--keep-going] [--quarantine] [--threads N]",
    "Writes a part store: one file with the box, name and place of every part, and the geometry of\n"
    "each mesh once, however often it stands somewhere. On a store alone clash reads only the\n"
    "meshes it needs and keeps as many as --memory allows, view reads one after the other, and info\n"
    "reads none; track and the other commands read it whole, as any file. Every coordinate is kept, to the "
    "last bit, as are\n"
    "faces and lines. Reads whatever the other commands read, stores among them, a few files at a\n"
    "time. The store has its name only when it is whole: until then it is called "
    "STORE.unfinished.\n" UNITS_HELP,
    options,
    "examples:\n"
    "  boxwood pack parts/*.stl plant.bws\n"
    "  boxwood pack hull.glb pipes.glb cables.obj ship.bws --keep-going\n"
    "  find . -name \"*.obj.gz\" | boxwood pack --files-from - city.bws\n"
    "  boxwood pack ship.bws extra.stl ship2.bws    a store and what is new\n"
    "  boxwood clash plant.bws --memory 2G\n"
    "\n"
    "exit codes: 0 done, 2 error\n",
    1,
    -1,
    run};
