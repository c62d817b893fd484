/* boxwood track: when do files in motion touch? */
#include "track/track.h"

#include "commands.h"
#include "files.h"
#include "pose.h"
#include "report/write.h"
#include "rules_options.h"
#include "units.h"

#include <boxwood/pool.h>
#include <float.h>

#include <stdlib.h>

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
    FILES_FROM_OPTION,
    {"threads", "N", "threads to use; as many as there are processors if not given"},
    {NULL, NULL, NULL}};

static bool parse_rate(const args *given, const char *name, double *out, fault *why)
{
    return args_number(given, name, 1e-3, 1e6, "a number a second", out, why);
}

static bool parse_poses(const args *given, bw_transform poses[2], bool posed[2], fault *why)
{
    static const char *const names[2] = {"pose-a", "pose-b"};
    for (int i = 0; i < 2; i++) {
        const char *pose = args_value(given, names[i]);
        posed[i] = pose != NULL;
        if (pose && i >= given->count)
            return fault_set(why, "--%s: there is no second file", names[i]);
        if (pose && !pose_parse(pose, names[i], &poses[i], why))
            return false;
    }
    return true;
}

static bool open_files(const args *given, const clip_wish *clips, double rate, track *t, fault *why)
{
    for (int i = 0; i < given->count; i++) {
        const animation_desc desc = {.clip = clip_wish_of(clips, i), .fps = t->fps, .rate = rate};
        if (!track_open(t, given->names[i], &desc, why))
            return false;
    }
    uint32_t *counts = tool_alloc(t->count, sizeof *counts);
    for (uint32_t i = 0; i < t->count; i++)
        counts[i] = t->objects[i].model.clip_count;
    bool fine = clip_wish_met(clips, given, given->count, counts, why);
    free(counts);
    return fine;
}

/* Reads the films into one space: units and axes first, then the poses. */
static bool hold_files(const args *given, const unit_wish *wish, track *t, fault *why)
{
    bw_transform poses[2];
    bool posed[2];
    if (!parse_poses(given, poses, posed, why))
        return false;
    const model **models = tool_alloc(t->count, sizeof *models);
    for (uint32_t i = 0; i < t->count; i++)
        models[i] = &t->objects[i].model;
    units common;
    units_decide(models, given->count, wish, &common);
    t->unit = common.unit;
    t->up = common.up;
    bool fine = true;
    for (uint32_t i = 0; i < t->count && fine; i++) {
        bool has_pose = i < 2 && posed[i];
        bw_transform map = common.maps[i];
        if (has_pose)
            map = common.moved[i] ? bw_transform_multiply(&poses[i], &map) : poses[i];
        fine = track_hold(t, i, has_pose || common.moved[i] ? &map : NULL, why);
    }
    units_free(&common);
    free(models);
    return fine;
}

static bool open_all(const args *given, track *t, fault *why)
{
    clip_wish clips = {.names = NULL};
    unit_wish wish = {.scale = NULL};
    double rate = 0;
    t->fps = ANIMATION_FPS;
    bool fine = parse_rate(given, "fps", &t->fps, why) && parse_rate(given, "rate", &rate, why) &&
                clip_wish_read(given, given->count, &clips, why) &&
                unit_wish_read(given, given->count, &wish, why) && open_files(given, &clips, rate, t, why) &&
                hold_files(given, &wish, t, why) && track_align(t, why);
    clip_wish_free(&clips);
    unit_wish_free(&wish);
    return fine;
}

/* What parts are called, for the rules. */
static bool resolve(const track *t, rules *lines, fault *why)
{
    if (!rules_any(lines))
        return true;
    rules_part *parts = tool_alloc(t->part_count, sizeof *parts);
    for (uint32_t i = 0; i < t->part_count; i++)
        parts[i] = (rules_part){t->objects[t->parts[i].object].model.file, t->parts[i].name};
    bool fine = rules_resolve(lines, parts, t->part_count, why);
    free(parts);
    return fine;
}

/* Threads start after the files are read: readers may fork. */
static bool search(track *t, bool measure, uint32_t threads, fault *why)
{
    bw_pool *pool = NULL;
    if (bw_pool_create(threads, &pool, NULL) != BW_OK)
        return fault_set(why, "cannot start %u threads", threads);
    const bw_tasks *tasks = bw_pool_tasks(pool);
    bool fine = track_not_shrunk(t, why) && track_search(t, tasks, why) &&
                (!measure || t->contact_count == 0 || track_measure(t, tasks, why));
    bw_pool_destroy(pool);
    return fine;
}

static bool tell(const track *t, const args *given, const report_desc *desc, fault *why)
{
    const char *svg = args_value(given, "svg");
    if (svg && !track_svg(t, svg, why))
        return false;
    report r = track_report(t);
    bool fine = report_output(&r, given, desc, why);
    report_free(&r);
    return fine;
}

static int run_files(const args *given)
{
    fault why;
    track t = {.self = args_given(given, "self"),
               .by_parts = args_given(given, "parts"),
               .first_only = args_given(given, "first")};
    report_desc desc = {.counts = args_given(given, "counts")};
    bool measure = !t.first_only && !args_given(given, "no-depth");
    uint64_t threads = bw_pool_default_workers();
    rules *lines = NULL;
    if (given->count == 1 && !t.self && !t.by_parts)
        return complain("one file: give another, or --parts, or --self");
    if (args_given(given, "tolerance") && !measure)
        return complain("--tolerance is decided by depth: it does not go with --no-depth or --first");
    bool fine = args_number(given, "tolerance", 0, DBL_MAX, "a depth", &t.tolerance, &why) &&
                args_count(given, "top", 1, UINT64_MAX, &desc.top, &why) &&
                args_count(given, "threads", 1, BW_MAX_WORKERS, &threads, &why) &&
                report_outputs_check(given, &t.curves, &why) && rules_of_args(given, &lines, &why) &&
                open_all(given, &t, &why) && resolve(&t, lines, &why);
    t.rules = lines;
    fine = fine && search(&t, measure, (uint32_t)threads, &why) && tell(&t, given, &desc, &why);
    int result = !fine ? complain("%s", why.text) : t.contact_count > 0 ? EXIT_CONTACT : EXIT_APART;
    track_free(&t);
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
    "Triangles are numbered from 0. " UNITS_HELP "\n"
    "\n" POSE_HELP,
    options,
    "examples:\n"
    "  boxwood track walk.glb wall.obj --pose-b t=0,0,2\n"
    "  boxwood track dancer.glb --parts --between \"*sleeve*\" \"*arm*\" --tolerance 0.002 -o sleeve.html\n"
    "  boxwood track cloth.obj@cloth.pc2 --self --svg cloth.svg\n"
    "  boxwood track \"arm_####.obj\" table.stl --first --json\n"
    "\n"
    "exit codes: 0 apart, 1 in contact at some time, 2 error\n",
    0,
    -1,
    run};
