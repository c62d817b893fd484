/* The parts of a track that do not depend on who does the work. */
#include "track/job.h"

#include "number.h"
#include "pose.h"
#include "rules_options.h"
#include "store/store.h"
#include "track/store.h"
#include "units.h"

#include <float.h>
#include <stdlib.h>

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

/* The only store is read part by part where nothing is asked about its parts among themselves. */
static bool read_memory(const args *given, const track *t, size_t *memory, fault *why)
{
    const char *text = args_value(given, "memory");
    int stores = 0;
    *memory = TRACK_MEMORY;
    if (text && !number_bytes(text, memory))
        return fault_set(why, "--memory %s is not a number of bytes, such as 512M or 2G", text);
    for (int i = 0; i < given->count; i++)
        stores += store_is(given->names[i]);
    const bool by_part = stores == 1 && !t->self && !t->by_parts;
    if (text && !by_part)
        return fault_set(why,
                         "--memory goes with one part store among the files, without --parts and --self");
    *memory = !by_part ? 0 : *memory > 0 ? *memory : 1;
    return true;
}

static bool open_files(const args *given, const clip_wish *clips, double rate, track *t, fault *why)
{
    size_t memory;
    if (!read_memory(given, t, &memory, why))
        return false;
    for (int i = 0; i < given->count; i++) {
        const animation_desc desc = {.clip = clip_wish_of(clips, i), .fps = t->fps, .rate = rate};
        if (!track_open(t, given->names[i], &desc, store_is(given->names[i]) ? memory : 0, why))
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

bool track_job_open(track_job *job, const args *given, fault *why)
{
    *job = (track_job){.given = given,
                       .track = {.self = args_given(given, "self"),
                                 .by_parts = args_given(given, "parts"),
                                 .first_only = args_given(given, "first")}};
    track *t = &job->track;
    job->measure = !t->first_only && !args_given(given, "no-depth");
    if (given->count == 1 && !t->self && !t->by_parts)
        return fault_set(why, "one file: give another, or --parts, or --self");
    if (args_given(given, "tolerance") && !job->measure)
        return fault_set(why, "--tolerance is decided by depth: it does not go with --no-depth or --first");
    bool fine = args_number(given, "tolerance", 0, DBL_MAX, "a depth", &t->tolerance, why) &&
                rules_of_args(given, &job->lines, why) && open_all(given, t, why) &&
                resolve(t, job->lines, why);
    t->rules = job->lines;
    return fine;
}

bool track_job_tell(const track_job *job, const args *outputs, const char *svg, fault *why)
{
    report_desc desc = {.counts = args_given(outputs, "counts")};
    if (!args_count(outputs, "top", 1, UINT64_MAX, &desc.top, why) ||
        (svg && !track_svg(&job->track, svg, why)))
        return false;
    report r = track_report(&job->track);
    const char *unread = track_store_failed(&job->track);
    bool fine = unread ? fault_set(why, "%s", unread) : report_output(&r, outputs, &desc, why);
    report_free(&r);
    return fine;
}

void track_job_free(track_job *job)
{
    track_free(&job->track);
    rules_free(job->lines);
}
