/* The shards of one clash put together into the report that one run would have given. */
#include "shard/merge.h"

#include "clash/shard.h"
#include "number.h"

#include <inttypes.h>
#include <stdlib.h>

/* Findings go to a stream, or, where geometry is shown, which needs all of them, to a list. */
typedef struct merging {
    clash_job job;
    bool failed; /* there is no room for the stream */
    fault why;
} merging;

static void take_clash(merging *m, clash *found)
{
    clash_result *r = &m->job.found;
    r->kinds[found->kind]++;
    if (!m->job.streams) {
        r->list = tool_grow(r->list, r->count, &r->capacity, sizeof *r->list);
        r->list[r->count++] = *found;
        return;
    }
    free(found->segments);
    found->segments = NULL;
    found->segment_count = 0;
    m->failed = m->failed || !clash_stream_add(&m->job.stream, found, &m->why);
    clash_free(found);
}

static bool take_frame(void *user, const part_frame *frame, const part_bytes *content)
{
    merging *m = user;
    clash_counts *counts = &m->job.found.counts;
    const uint32_t part_count = m->job.assembly.part_count;
    clash *clashes = frame->chunk == UINT64_MAX ? NULL : clash_decode_frame(frame, content, part_count);
    if (!clashes && frame->chunk != UINT64_MAX)
        return false;
    for (uint64_t i = 0; clashes && i < frame->records; i++)
        take_clash(m, &clashes[i]);
    counts->finished += frame->finished;
    counts->shallow += frame->shallow;
    counts->nodes_visited += frame->nodes_visited;
    counts->box_tests += frame->box_tests;
    counts->primitive_tests += frame->primitive_tests;
    free(clashes);
    return true;
}

static bool open_store(clash_job *job, const merge_job *m, fault *why)
{
    const char *path = args_value(m->given, "store");
    path = path ? path : m->words;
    if (!assembly_open(&job->assembly, path, job->memory, 1, why))
        return false;
    const store_tail *tail = &job->assembly.store->tail;
    return (tail->sum == m->head.source_sum && tail->file_bytes == m->head.source_bytes) ||
           fault_set(why, "%s: is not the store that the shards were made from", path);
}

static bool read_options(merging *m, const merge_job *from, size_t *memory, fault *why)
{
    const char *text = args_value(from->given, "memory");
    *memory = CLASH_STREAM_MEMORY;
    if (args_given(from->given, "svg"))
        return fault_set(why, "--svg: there is no timeline of a clash");
    if (text && !number_bytes(text, memory))
        return fault_set(why, "--memory %s is not a number of bytes, such as 512M or 2G", text);
    return args_count(from->given, "top", 1, UINT64_MAX, &m->job.top, why);
}

static bool merge(merging *m, const merge_job *from, fault *why)
{
    clash_job *job = &m->job;
    size_t memory;
    if (from->head.record_bytes != sizeof(clash))
        return fault_set(why, "%s: was written by another version of boxwood", from->of[0]);
    if (!read_options(m, from, &memory, why) || !open_store(job, from, why))
        return false;
    clash_job_stream(job, memory, false);
    job->found.counts.candidates = from->head.candidates;
    job->found.counts.aside = from->head.aside;
    bool fine = merge_read(from, take_frame, m, why);
    if (fine && m->failed)
        fine = fault_set(why, "%s", m->why.text);
    if (fine && job->found.counts.finished != from->head.candidates)
        fine = fault_set(why, "the shards together looked at %" PRIu64 " pairs of parts, not at %" PRIu64,
                         job->found.counts.finished, from->head.candidates);
    clash_result_sort(&job->found);
    return fine && clash_job_tell(job, why);
}

int clash_merge(const merge_job *from)
{
    fault why;
    merging m = {.job = {.given = from->given,
                         .from_store = true,
                         .memory = CLASH_MEMORY,
                         .wish = {.clearance = from->head.clearance,
                                  .tolerance = from->head.tolerance,
                                  .limit = from->head.limit,
                                  .contain = from->head.flags & PART_CONTAIN,
                                  .all = from->head.flags & PART_ALL,
                                  .measure = from->head.flags & PART_MEASURE,
                                  .curves = from->curves}}};
    int result = clash_job_end(&m.job, merge(&m, from, &why), &why);
    clash_job_free(&m.job);
    return result;
}
