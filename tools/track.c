/* boxwood track: when do files in motion touch? */
#include "track.h"

#include "commands.h"
#include "pose.h"
#include "units.h"

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
    {"self", NULL,
     "contacts of each file with itself, too; vertices that are at one place in every\nframe count as one"},
    {"first", NULL, "stop at the first contact"},
    {"svg", "OUT.svg", "draw the timeline"},
    {"csv", NULL, "print the contacts as CSV"},
    {"json", NULL, "print one JSON document"},
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

static int run(const args *given)
{
    fault why;
    track t = {.self = args_given(given, "self"), .first_only = args_given(given, "first")};
    if (given->count == 1 && !t.self)
        return complain("one file: give another, or --self");
    if (args_given(given, "csv") && args_given(given, "json"))
        return complain("--csv and --json: one of them");
    const char *svg = args_value(given, "svg");
    bool fine = open_all(given, &t, &why) && track_not_shrunk(&t, &why) && track_search(&t, &why) &&
                (t.first_only || track_deepest(&t, &why)) && (!svg || track_svg(&t, svg, &why));
    if (fine)
        (args_given(given, "json") ? track_json : args_given(given, "csv") ? track_csv : track_text)(&t);
    int result = !fine ? complain("%s", why.text) : t.contact_count > 0 ? EXIT_CONTACT : EXIT_APART;
    track_free(&t);
    return result;
}

const command command_track = {
    "track",
    "when do files in motion touch, from when to when, at any time between frames",
    "FILE... [--pose-a POSE] [--pose-b POSE] [--self] [--first] [--svg OUT.svg] [--json | --csv]",
    "Plays animations and looks for triangles that touch or cross at any time, not only at\n"
    "frames: between two keyframes every vertex moves on a straight line, and no contact is\n"
    "missed however short. A FILE is an animated file (glTF with skins and morph targets, FBX,\n"
    "...), a mesh and its cache MESH@CACHE (.pc2, .mdd), a file a frame NAME####.obj, or a\n"
    "file that stands still. Each rests before and after its film. Also told: how many\n"
    "contacts a check of every frame at 24, 30 and 60 frames a second would have missed, and\n"
    "the frames in which they are deepest in each other: vertices inside a closed surface, or\n"
    "triangles that pierce each other where none is. Triangles are numbered from 0,\n"
    "files from 1 (from 0 in JSON). " UNITS_HELP "\n"
    "\n" POSE_HELP,
    options,
    "examples:\n"
    "  boxwood track walk.glb wall.obj --pose-b t=0,0,2\n"
    "  boxwood track cloth.obj@cloth.pc2 --self --svg cloth.svg\n"
    "  boxwood track \"arm_####.obj\" table.stl --first --json\n"
    "\n"
    "exit codes: 0 apart, 1 in contact at some time, 2 error\n",
    1,
    -1,
    run};
