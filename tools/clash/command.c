/* boxwood clash: which of many parts collide. */
#include "clash/clash.h"

#include "commands.h"
#include "files.h"
#include "report/write.h"
#include "rules_options.h"

#include <boxwood/pool.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    RULES_OPTIONS,
    {"tolerance", "D",
     "what is no deeper than D does not count: mated faces, press fits, rounding.\n"
     "Decided by depth, not by kind"},
    {"clearance", "D", "parts that are apart by at most D clash too; with their distance"},
    {"contain", NULL, "a part wholly inside another, closed one clashes with it"},
    REPORT_OPTIONS,
    {"no-depth", NULL,
     "only who clashes, and one place: no depths, volumes and regions, which take\n"
     "10 to 150 ms for two parts of 20,000 triangles; in the order of the files"},
    {"all", NULL,
     "list every pair of triangles that meet (with --clearance: within D), not\n"
     "just one of each clash"},
    {"limit", "N", "with --all: list the first N pairs of each clash; all are counted"},
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
    {"counts", NULL, "say how many pairs were looked at and how long each step took"},
    {NULL, NULL, NULL}};

static bool read_wish(const args *given, clash_wish *wish, fault *why)
{
    *wish = (clash_wish){.clearance = -1,
                         .contain = args_given(given, "contain"),
                         .all = args_given(given, "all"),
                         .limit = UINT64_MAX,
                         .measure = !args_given(given, "no-depth"),
                         .quarantine = args_given(given, "quarantine")};
    if (args_given(given, "limit") && !wish->all)
        return fault_set(why, "--limit goes with --all");
    if (args_given(given, "tolerance") && !wish->measure)
        return fault_set(why, "--tolerance is decided by depth: it does not go with --no-depth");
    return args_count(given, "limit", 0, UINT64_MAX, &wish->limit, why) &&
           args_number(given, "clearance", 0, DBL_MAX, "a distance", &wish->clearance, why) &&
           args_number(given, "tolerance", 0, DBL_MAX, "a depth", &wish->tolerance, why);
}

/* What parts are called, for the rules. */
static bool resolve(const assembly *a, rules *lines, fault *why)
{
    if (!rules_any(lines))
        return true;
    rules_part *parts = tool_alloc(a->part_count, sizeof *parts);
    for (uint32_t i = 0; i < a->part_count; i++)
        parts[i] = (rules_part){a->files[a->parts[i].file].path, a->parts[i].name};
    bool fine = rules_resolve(lines, parts, a->part_count, why);
    free(parts);
    return fine;
}

/* Threads start after the files are read: readers may fork. */
static bool search(assembly *a, const assembly_desc *desc, clash_wish *wish, rules *lines, uint32_t threads,
                   clash_result *found, fault *why)
{
    bw_pool *threaded = NULL;
    if (bw_pool_create(threads, &threaded, NULL) != BW_OK)
        return fault_set(why, "cannot start %u threads", threads);
    const bw_tasks *tasks = bw_pool_tasks(threaded);
    double start = seconds_now();
    bool fine = assembly_build(a, desc, tasks, why) && resolve(a, lines, why);
    if (fine && wish->contain)
        assembly_close(a, tasks);
    found->counts.build_seconds = seconds_now() - start;
    wish->rules = lines;
    fine = fine && clash_search(a, wish, tasks, found, why);
    bw_pool_destroy(threaded);
    return fine;
}

static bool tell(const assembly *a, const args *given, const clash_wish *wish, const clash_result *found,
                 fault *why)
{
    report_desc desc = {.counts = args_given(given, "counts"), .pairs = wish->all};
    if (!args_count(given, "top", 1, UINT64_MAX, &desc.top, why))
        return false;
    report r = clash_report(a, wish, found);
    bool fine = report_output(&r, given, &desc, why);
    report_free(&r);
    return fine;
}

/* With all files expanded. */
static int run_files(const args *given)
{
    fault why;
    clash_wish wish;
    rules *lines = NULL;
    unit_wish stated = {.scale = NULL};
    uint64_t threads = bw_pool_default_workers(), top = 0;
    assembly a = {.files = NULL};
    clash_result found = {.list = NULL};
    bool fine = read_wish(given, &wish, &why) && args_count(given, "top", 1, UINT64_MAX, &top, &why) &&
                args_count(given, "threads", 1, BW_MAX_WORKERS, &threads, &why) &&
                report_outputs_check(given, &wish.curves, &why) && rules_of_args(given, &lines, &why) &&
                unit_wish_read(given, given->count, &stated, &why);
    assembly_desc desc = {
        .quarantine = wish.quarantine, .keep_going = args_given(given, "keep-going"), .units = &stated};
    double start = seconds_now();
    fine = fine && assembly_read(&a, given->names, (uint32_t)given->count, &desc, &why);
    found.counts.read_seconds = seconds_now() - start;
    fine = fine && search(&a, &desc, &wish, lines, (uint32_t)threads, &found, &why) &&
           tell(&a, given, &wish, &found, &why);
    int result = !fine ? complain("%s", why.text)
                 : found.counts.finished < found.counts.candidates
                     ? complain("interrupted: this is what was found until then")
                 : found.count > 0 ? EXIT_CONTACT
                                   : EXIT_APART;
    clash_result_free(&found);
    assembly_free(&a);
    unit_wish_free(&stated);
    rules_free(lines);
    return result;
}

static int run(const args *given)
{
    fault why;
    files all;
    int result = files_expand(given, &all, &why) ? run_files(&all.args) : complain("%s", why.text);
    files_free(&all);
    return result;
}

const command command_clash = {
    "clash",
    "which of many parts collide, the deepest first: files, or the parts of an assembly",
    "FILE... [--tolerance D] [--clearance D] [--between A B] [--rules FILE] [--top N] [-o FILE]",
    "Every node with meshes of a glTF, FBX or COLLADA scene is a part, whatever its materials, as\n"
    "is each o or g of an OBJ file and each solid of an STL file; a folder is the files in it.\n"
    "Finds all pairs of parts that touch or cross, in whatever file they are: first by their\n"
    "boxes, then exactly, then how deep they are in each other and where. Kinds: hard (triangles\n"
    "cross), contained (--contain), touching, clearance (--clearance). Depth is how far one must\n"
    "move to come out, between two bounds: a move that was tried, and what no move is below.\n"
    "The answers are those that boxwood check would give for the parts as boxwood export writes\n"
    "them, the same for any number of threads. A part is not compared with itself. Triangles,\n"
    "faces and points count from 0, lines from 1; triangles are those of boxwood export.\n" UNITS_HELP,
    options,
    "examples:\n"
    "  boxwood clash engine.glb --top 10\n"
    "  boxwood clash plant.glb --tolerance 0.5 --between \"*/Pipes/*\" \"*/Steel/*\" -o clashes.csv\n"
    "  boxwood clash parts/ --clearance 0.5 --contain --json\n"
    "  boxwood clash house.obj pipes.obj --rules mated.rules -o report.csv -o report.json\n"
    "  find . -name \"*.stl.gz\" | boxwood clash --files-from - --keep-going --threads 4 --no-depth\n"
    "\n"
    "exit codes: 0 no clashes, 1 clashes, 2 error\n",
    0,
    -1,
    run};
