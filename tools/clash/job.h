/* What clash, its shards and its ranks do alike: read the options, open files or a store, and tell what was found. */
#ifndef TOOL_CLASH_JOB_H
#define TOOL_CLASH_JOB_H

#include "clash/stream.h"
#include "options.h"

enum { CLASH_MEMORY = 1 << 30 }; /* for meshes of a store, where nobody says */

typedef struct clash_job {
    const args *given;
    clash_wish wish;
    rules *lines;
    unit_wish stated;
    uint64_t threads, top;
    size_t memory; /* for meshes of a store */
    bool from_store;
    assembly assembly;
    clash_result found;
    bool
        streams; /* findings go to the stream, not into the list: of a store, where no report shows geometry */
    clash_stream stream;
} clash_job;

/* Every job that was read must be given to clash_job_free, also where this fails. */
bool clash_job_read(clash_job *out, const args *given, fault *why);
/* Reads the files, or opens the store that is the only argument. Files must then be built. */
bool clash_job_open(clash_job *job, fault *why);
/* Trees, the rules for the parts, and which meshes are closed. */
bool clash_job_build(clash_job *job, const bw_tasks *tasks, fault *why);
/* After it is open: begins the stream, where no report shows geometry. memory: for findings; keep: see clash_stream. */
void clash_job_stream(clash_job *job, size_t memory, bool keep);
/* Prints and writes the report of what was found. */
bool clash_job_tell(clash_job *job, fault *why);
/* The exit code, and a word where not all was looked at. */
int clash_job_end(clash_job *job, bool fine, const fault *why);
void clash_job_free(clash_job *job);

#endif
