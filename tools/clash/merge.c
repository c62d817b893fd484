/* The shards of one clash put together into the report that one run would have given. */
#include "shard/merge.h"

#include "clash/shard.h"

#include <inttypes.h>
#include <stdlib.h>

static bool take_frame(void *user, const part_frame *frame, const part_bytes *content)
{
    clash_job *job = user;
    clash_result *r = &job->found;
    clash *clashes =
        frame->chunk == UINT64_MAX ? NULL : clash_decode_frame(frame, content, job->assembly.part_count);
    if (!clashes && frame->chunk != UINT64_MAX)
        return false;
    for (uint64_t i = 0; clashes && i < frame->records; i++) {
        if (!job->wish.curves) {
            free(clashes[i].segments);
            clashes[i].segments = NULL;
            clashes[i].segment_count = 0;
        }
        r->list = tool_grow(r->list, r->count, &r->capacity, sizeof *r->list);
        r->list[r->count++] = clashes[i];
        r->kinds[clashes[i].kind]++;
    }
    r->counts.finished += frame->finished;
    r->counts.shallow += frame->shallow;
    r->counts.nodes_visited += frame->nodes_visited;
    r->counts.box_tests += frame->box_tests;
    r->counts.primitive_tests += frame->primitive_tests;
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

static bool merge(clash_job *job, const merge_job *m, fault *why)
{
    if (m->head.record_bytes != sizeof(clash))
        return fault_set(why, "%s: was written by another version of boxwood", m->of[0]);
    if (args_given(m->given, "svg"))
        return fault_set(why, "--svg: there is no timeline of a clash");
    if (!args_count(m->given, "top", 1, UINT64_MAX, &job->top, why) || !open_store(job, m, why))
        return false;
    job->found.counts.candidates = m->head.candidates;
    job->found.counts.aside = m->head.aside;
    if (!merge_read(m, take_frame, job, why))
        return false;
    if (job->found.counts.finished != m->head.candidates)
        return fault_set(why, "the shards together looked at %" PRIu64 " pairs of parts, not at %" PRIu64,
                         job->found.counts.finished, m->head.candidates);
    clash_result_sort(&job->found);
    return clash_job_tell(job, why);
}

int clash_merge(const merge_job *m)
{
    fault why;
    clash_job job = {.given = m->given,
                     .from_store = true,
                     .memory = CLASH_MEMORY,
                     .wish = {.clearance = m->head.clearance,
                              .tolerance = m->head.tolerance,
                              .limit = m->head.limit,
                              .contain = m->head.flags & PART_CONTAIN,
                              .all = m->head.flags & PART_ALL,
                              .measure = m->head.flags & PART_MEASURE,
                              .curves = m->curves}};
    int result = clash_job_end(&job, merge(&job, m, &why), &why);
    clash_job_free(&job);
    return result;
}
