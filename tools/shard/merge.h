/* boxwood merge: which file is which shard, and whether all are there; then clash or track put together what is in them. */
#ifndef TOOL_SHARD_MERGE_H
#define TOOL_SHARD_MERGE_H

#include "options.h"
#include "shard/part_file.h"

typedef struct merge_job {
    const args *given;
    part_head head;  /* of the first shard */
    char *words;     /* of it */
    const char **of; /* by shard: the file that has it */
    bool curves;     /* a report is wished that shows where surfaces meet */
} merge_job;

/* Reads all shards, each frame of each. What is not whole is named, every one. */
bool merge_read(const merge_job *job, part_take_fn *take, void *user, fault *why);

/* Each gives the exit code, and has complained. */
int clash_merge(const merge_job *job);
int track_merge(const merge_job *job);

#endif
