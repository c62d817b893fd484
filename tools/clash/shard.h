/* One of several parts of a clash, each done by a process that knows nothing of the others, and their results put together. */
#ifndef TOOL_CLASH_SHARD_H
#define TOOL_CLASH_SHARD_H

#include "clash/job.h"
#include "clash/records.h"

/* Whether the options of a shard go together, before any work. */
bool clash_shard_check(const clash_job *job, fault *why);
/* Finds the candidates, decides those of this shard, and writes its file. Where it is stopped, by a signal or a full disk, what is
 * in the file stays good. */
bool clash_shard(clash_job *job, const bw_tasks *tasks, fault *why);

/* The whole work: candidates in an order that everybody finds, cut into chunks of about the same cost. */
typedef struct clash_work {
    clash_candidates candidates;
    size_t *cuts; /* of chunk_count + 1 */
    uint64_t chunk_count;
    part_head head; /* without its shard */
} clash_work;

/* What a head tells of the store and the options. */
part_head clash_work_head(const clash_job *job);
bool clash_work_find(clash_job *job, const bw_tasks *tasks, clash_work *out, fault *why);
void clash_work_free(clash_work *work);

#endif
