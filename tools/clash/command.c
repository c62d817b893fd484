/* boxwood clash: which of many parts collide. */
#include "clash/job.h"
#include "clash/shard.h"

#include "commands.h"
#include "files.h"
#include "report/write.h"
#include "rules_options.h"

#include <boxwood/pool.h>

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
    {"memory", "BYTES",
     "of a part store (boxwood pack): keep so much of its meshes in memory, such as\n"
     "512M or 4G; 1G if not given. And so much of what is found, but 256M at most: the\n"
     "rest is sorted in a file in TMPDIR, or /var/tmp"},
    {"shard", "I/N",
     "of a part store: do the I-th of N parts of the work, from 1, and write what is\n"
     "found to the file of -o; boxwood merge puts all of them together"},
    {"resume", NULL, "with --shard: go on with what is in that file already"},
    {"threads", "N", "threads to use; as many as there are processors if not given"},
    {"counts", NULL, "say how many pairs were looked at and how long each step took"},
    {NULL, NULL, NULL}};

/* Threads start after the files are read: readers may fork. */
static bool search(clash_job *job, fault *why)
{
    bw_pool *threaded = NULL;
    if (bw_pool_create((uint32_t)job->threads, &threaded, NULL) != BW_OK)
        return fault_set(why, "cannot start %u threads", (uint32_t)job->threads);
    const bw_tasks *tasks = bw_pool_tasks(threaded);
    const bool shard = args_given(job->given, "shard");
    bool fine = clash_job_build(job, tasks, why);
    if (fine && !shard)
        clash_job_stream(job, job->memory < CLASH_STREAM_MEMORY ? job->memory : CLASH_STREAM_MEMORY, true);
    fine = fine && (shard ? clash_shard(job, tasks, why)
                          : clash_search(&job->assembly, &job->wish, tasks,
                                         job->streams ? &job->stream : NULL, &job->found, why));
    bw_pool_destroy(threaded);
    return fine;
}

/* With all files expanded. */
static int run_files(const args *given)
{
    fault why;
    clash_job job;
    const bool shard = args_given(given, "shard");
    bool fine = clash_job_read(&job, given, &why) &&
                (shard ? clash_shard_check(&job, &why) : report_outputs_check(given, &job.wish.curves, &why));
    if (shard) /* merge may write a report that shows them */
        job.wish.curves = job.wish.measure;
    if (fine && !shard && args_given(given, "resume"))
        fine = fault_set(&why, "--resume goes with --shard");
    fine = fine && clash_job_open(&job, &why) && search(&job, &why);
    int result;
    if (fine && shard) {
        result = 0;
    } else {
        fine = fine && clash_job_tell(&job, &why);
        result = clash_job_end(&job, fine, &why);
    }
    clash_job_free(&job);
    return result;
}

static int run(const args *given)
{
    return files_run(given, run_files);
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
    "faces and points count from 0, lines from 1; triangles are those of boxwood export.\n"
    "Of a part store (boxwood pack) meshes are read when they are needed, and --memory of them are\n"
    "kept; what is found, and its order, are the same.\n" UNITS_HELP,
    options,
    "examples:\n"
    "  boxwood clash engine.glb --top 10\n"
    "  boxwood clash plant.glb --tolerance 0.5 --between \"*/Pipes/*\" \"*/Steel/*\" -o clashes.csv\n"
    "  boxwood clash parts/ --clearance 0.5 --contain --json\n"
    "  boxwood clash plant.bws --memory 4G --no-depth -o clashes.csv\n"
    "  boxwood clash plant.bws --shard 3/8 -o part.3 && boxwood merge part.*\n"
    "  boxwood clash house.obj pipes.obj --rules mated.rules -o report.csv -o report.json\n"
    "  find . -name \"*.stl.gz\" | boxwood clash --files-from - --keep-going --threads 4 --no-depth\n"
    "\n"
    "exit codes: 0 no clashes, 1 clashes, 2 error\n",
    0,
    -1,
    run};
