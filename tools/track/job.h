/* What track and the merging of its shards do alike: read the options, open the files, and tell what was found. */
#ifndef TOOL_TRACK_JOB_H
#define TOOL_TRACK_JOB_H

#include "options.h"
#include "report/write.h"
#include "track/track.h"

enum { TRACK_MEMORY = 1 << 30 }; /* for meshes of a store, where nobody says */

typedef struct track_job {
    const args *given;
    track track;
    rules *lines;
    bool measure; /* depths are wished */
} track_job;

/* Every job that was opened must be given to track_job_free, also where this fails. */
bool track_job_open(track_job *out, const args *given, fault *why);
/* Draws the timeline to `svg` (NULL: not wished), and prints and writes the report as `outputs` has it. */
bool track_job_tell(const track_job *job, const args *outputs, const char *svg, fault *why);
void track_job_free(track_job *job);

/* One of the shards that `job->given` names: does its pieces of time and writes its file. Where it is stopped, what is in the
 * file stays good. */
bool track_shard(const track_job *job, const bw_tasks *tasks, fault *why);

#endif
