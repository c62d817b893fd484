/* boxwood track: when do files in motion touch? */
#include "track/job.h"

#include "commands.h"
#include "files.h"
#include "pose.h"
#include "rules_options.h"
#include "shard/writer.h"
#include "units.h"

#include <boxwood/pool.h>

static const option_spec options[] = {
    {"pose-a", "POSE", "place the first file first"},
    {"pose-b", "POSE", "place the second file first"},
    {"clip", "[FILE:]NAME",
     "which animation of FILE, by name or number from 1 (default: the first); without\n"
     "FILE, of the only one that has animations"},
    SCALE_OPTION,
    UP_OPTION,
    {"fps", "F",
     "frames a second of sequences and caches, and of the frames looked at for depth\n"
     "(default 24)"},
    {"rate", "R",
     "rotations and skins bend the path of a vertex: sample it at least so often a second\n"
     "(default 60)"},
    {"parts", NULL, "contacts of the parts of one file with each other, too"},
    {"self", NULL,
     "contacts of each part with itself and its neighbours, too; vertices that are at one\nplace in every "
     "frame count as one"},
    RULES_OPTIONS,
    {"tolerance", "D", "contacts that are never deeper than D do not count"},
    {"first", NULL, "stop at the first contact"},
    {"no-depth", NULL, "only when, no depths: they are computed for every frame of every contact"},
    REPORT_OPTIONS,
    {"svg", "OUT.svg", "draw the timeline"},
    {"counts", NULL, "say how many triangles met, and how long it took"},
    {"shard", "I/N",
     "look at the I-th of N stretches of time only, from 1, and write what happens there to\n"
     "the file of -o; boxwood merge puts all of them together"},
    {"resume", NULL, "with --shard: go on with what is in that file already"},
    {"memory", "BYTES", "keep that much of a part store in memory, such as 512M or 2G (default 1G)"},
    FILES_FROM_OPTION,
    {"threads", "N", "threads to use; as many as there are processors if not given"},
    {NULL, NULL, NULL}};

/* Threads start after the files are read: readers may fork. */
static bool search(track_job *job, uint32_t threads, fault *why)
{
    track *t = &job->track;
    bw_pool *pool = NULL;
    if (bw_pool_create(threads, &pool, NULL) != BW_OK)
        return fault_set(why, "cannot start %u threads", threads);
    const bw_tasks *tasks = bw_pool_tasks(pool);
    bool fine = track_not_shrunk(t, why);
    if (fine && args_given(job->given, "shard"))
        fine = track_shard(job, tasks, why);
    else
        fine = fine && track_search(t, tasks, why) &&
               (!job->measure || t->contact_count == 0 || track_measure(t, tasks, why));
    bw_pool_destroy(pool);
    return fine;
}

static bool shard_check(const args *given, fault *why)
{
    static const char *const later[] = {"first", "svg", NULL};
    for (int i = 0; later[i]; i++)
        if (args_given(given, later[i]))
            return fault_set(why, "--%s does not go with --shard", later[i]);
    return part_shard_check(given, why);
}

static int run_files(const args *given)
{
    fault why;
    track_job job = {.given = given};
    bool curves = false;
    const bool shard = args_given(given, "shard");
    uint64_t threads = bw_pool_default_workers(), top = 1;
    bool fine = args_count(given, "threads", 1, BW_MAX_WORKERS, &threads, &why) &&
                args_count(given, "top", 1, UINT64_MAX, &top, &why) &&
                (shard ? shard_check(given, &why) : report_outputs_check(given, &curves, &why));
    if (fine && !shard && args_given(given, "resume"))
        fine = fault_set(&why, "--resume goes with --shard");
    fine = fine && track_job_open(&job, given, &why);
    job.track.curves = curves || shard; /* merge may write a report that shows them */
    fine = fine && search(&job, (uint32_t)threads, &why) &&
           (shard || track_job_tell(&job, given, args_value(given, "svg"), &why));
    int result = !fine                                   ? complain("%s", why.text)
                 : !shard && job.track.contact_count > 0 ? EXIT_CONTACT
                                                         : EXIT_APART;
    track_job_free(&job);
    return result;
}

static int run(const args *given)
{
    return files_run(given, run_files);
}

const command command_track = {
    "track",
    "when do files in motion touch, from when to when, at any time between frames",
    "FILE... [--parts] [--self] [--between A B] [--tolerance D] [--first] [-o FILE] [--svg OUT.svg]",
    "Plays animations and looks for triangles that touch or cross at any time, not only at\n"
    "frames: between two keyframes every vertex moves on a straight line, and no contact is\n"
    "missed however short. A FILE is an animated file (glTF with skins and morph targets, FBX,\n"
    "...), a mesh and its cache MESH@CACHE (.pc2, .mdd), a file a frame NAME####.obj, or a\n"
    "file that stands still. Each rests before and after its film. Told for each contact of two\n"
    "parts: from when to when, how deep they are in each other frame by frame, when they are\n"
    "deepest and where; contacts that are there in the first frame come last. Also told: how many\n"
    "contacts a check of every frame at 24, 30 and 60 frames a second would have missed.\n"
    "A long film is shared out by time: each --shard looks at a stretch of it, and boxwood merge\n"
    "puts the stretches together as if one run had done all of it.\n"
    "Triangles are numbered from 0. " UNITS_HELP "\n"
    "\n" POSE_HELP,
    options,
    "examples:\n"
    "  boxwood track walk.glb wall.obj --pose-b t=0,0,2\n"
    "  boxwood track dancer.glb --parts --between \"*sleeve*\" \"*arm*\" --tolerance 0.002 -o sleeve.html\n"
    "  boxwood track cloth.obj@cloth.pc2 --self --svg cloth.svg\n"
    "  boxwood track \"arm_####.obj\" table.stl --first --json\n"
    "  boxwood track long.fbx stage.obj --shard 3/8 -o take.3 && boxwood merge take.*\n"
    "\n"
    "exit codes: 0 apart, 1 in contact at some time, 2 error\n",
    0,
    -1,
    run};
