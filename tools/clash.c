/* boxwood clash: which of many parts collide. */
#include "clash.h"

#include "commands.h"
#include <boxwood/pool.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"within", "D", "parts that are apart by at most D clash too; with their distance"},
    {"contain", NULL, "a part wholly inside another, closed one clashes with it"},
    {"all", NULL,
     "find every pair of triangles that meet (with --within: within D), not\n"
     "just one of each clash"},
    {"limit", "N", "with --all: list the first N pairs of each clash; all are counted"},
    {"keep-going", NULL,
     "skip files that cannot be read and parts that cannot be used, and say\n"
     "so, instead of giving up"},
    {"quarantine", NULL,
     "leave out triangles with defects (NaN, infinite or huge coordinates,\n"
     "vertices that do not exist) instead of refusing their part"},
    SCALE_OPTION,
    UP_OPTION,
    {"threads", "N", "threads to use; as many as there are processors if not given"},
    {"counts", NULL, "say how many pairs were looked at and how long each step took"},
    {"json", NULL, "print one JSON document"},
    {NULL, NULL, NULL}};

static bool read_wish(const args *given, clash_wish *wish, fault *why)
{
    *wish = (clash_wish){.within = -1,
                         .contain = args_given(given, "contain"),
                         .all = args_given(given, "all"),
                         .limit = UINT64_MAX,
                         .quarantine = args_given(given, "quarantine")};
    if (args_given(given, "limit") && !wish->all)
        return fault_set(why, "--limit goes with --all");
    return args_count(given, "limit", 0, UINT64_MAX, &wish->limit, why) &&
           args_number(given, "within", 0, DBL_MAX, "a distance", &wish->within, why);
}

/* Threads start after the files are read: readers may fork. */
static bool search(assembly *a, const assembly_desc *desc, const clash_wish *wish, uint32_t threads,
                   clash_result *found, fault *why)
{
    bw_pool *threaded = NULL;
    if (bw_pool_create(threads, &threaded, NULL) != BW_OK)
        return fault_set(why, "cannot start %u threads", threads);
    const bw_tasks *tasks = bw_pool_tasks(threaded);
    double start = seconds_now();
    bool fine = assembly_build(a, desc, tasks, why);
    if (fine && wish->contain)
        assembly_close(a, tasks);
    found->counts.build_seconds = seconds_now() - start;
    fine = fine && clash_search(a, wish, tasks, found, why);
    bw_pool_destroy(threaded);
    return fine;
}

static int run(const args *given)
{
    fault why;
    clash_wish wish;
    uint64_t threads = bw_pool_default_workers();
    if (!read_wish(given, &wish, &why) || !args_count(given, "threads", 1, BW_MAX_WORKERS, &threads, &why))
        return complain("%s", why.text);
    unit_wish stated;
    if (!unit_wish_read(given, given->count, &stated, &why)) {
        unit_wish_free(&stated);
        return complain("%s", why.text);
    }
    assembly_desc desc = {
        .quarantine = wish.quarantine, .keep_going = args_given(given, "keep-going"), .units = &stated};
    assembly a;
    clash_result found = {.list = NULL};
    double start = seconds_now();
    bool fine = assembly_read(&a, given->names, (uint32_t)given->count, &desc, &why);
    found.counts.read_seconds = seconds_now() - start;
    fine = fine && search(&a, &desc, &wish, (uint32_t)threads, &found, &why);
    if (fine)
        (args_given(given, "json") ? clash_print_json : clash_print_text)(&a, &wish, &found,
                                                                          args_given(given, "counts"));
    int result = !fine ? complain("%s", why.text)
                 : found.counts.finished < found.counts.candidates
                     ? complain("interrupted: this is what was found until then")
                 : found.count > 0 ? EXIT_CONTACT
                                   : EXIT_APART;
    clash_result_free(&found);
    assembly_free(&a);
    unit_wish_free(&stated);
    return result;
}

const command command_clash = {
    "clash",
    "which of many parts collide: files, or the meshes of an assembly",
    "FILE... [--within D] [--contain] [--all] [--threads N] [--json]",
    "Every node with meshes of a glTF, FBX or COLLADA scene is a part, whatever its materials, as\n"
    "is each o or g of an OBJ file and each solid of an STL file. Finds all pairs of parts that\n"
    "touch or cross, in whatever file they are: first by their boxes, then exactly. The answers\n"
    "are those that boxwood check would give for the parts as boxwood export writes them, in the\n"
    "order of the files and parts, whatever the number of threads. A mesh that stands in many\n"
    "places is kept once. A part is not compared with itself. Parts, triangles, faces and points\n"
    "count from 0, lines from 1; triangles are those of boxwood export.\n" UNITS_HELP,
    options,
    "examples:\n"
    "  boxwood clash engine.glb\n"
    "  boxwood clash parts/*.stl --within 0.5 --json\n"
    "  boxwood clash house.obj pipes.obj --contain --all --limit 3\n"
    "  boxwood clash *.step.glb --keep-going --threads 4 --counts\n"
    "\n"
    "exit codes: 0 no clashes, 1 clashes, 2 error\n",
    1,
    -1,
    run};
