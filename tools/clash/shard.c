/* boxwood clash --shard: chunks of the whole work, decided in parallel, each written as soon as it is done. */
#include "clash/shard.h"

#include "interrupt.h"
#include "order.h"
#include "progress.h"
#include "shard/writer.h"
#include "store/sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of a chunk: what is lost at most of each thread when a shard is killed. */
enum { PAIRS_A_CHUNK = 32 };

bool clash_shard_check(const clash_job *job, fault *why)
{
    if (!job->from_store)
        return fault_set(why, "--shard goes with a part store as the only file: boxwood pack makes one");
    return part_shard_check(job->given, why);
}

static void cut(clash_work *w, const uint32_t *costs)
{
    const clash_candidates *c = &w->candidates;
    uint64_t chunks = c->count / PAIRS_A_CHUNK + 1;
    w->chunk_count = chunks < PART_CHUNKS ? chunks : PART_CHUNKS;
    w->cuts = tool_alloc((size_t)w->chunk_count + 1, sizeof *w->cuts);
    cluster_cut(costs, c->count, (uint32_t)w->chunk_count, w->cuts);
}

part_head clash_work_head(const clash_job *job)
{
    const clash_wish *wish = &job->wish;
    const store_tail *tail = &job->assembly.store->tail;
    return (part_head){.flags = (wish->contain ? PART_CONTAIN : 0u) | (wish->all ? PART_ALL : 0u) |
                                (wish->measure ? PART_MEASURE : 0u),
                       .source_sum = tail->sum,
                       .source_bytes = tail->file_bytes,
                       .clearance = wish->clearance,
                       .tolerance = wish->tolerance,
                       .limit = wish->limit,
                       .record_bytes = sizeof(clash)};
}

bool clash_work_find(clash_job *job, const bw_tasks *tasks, clash_work *w, fault *why)
{
    const assembly *a = &job->assembly;
    uint32_t *costs = NULL;
    *w = (clash_work){.chunk_count = 0};
    progress_step("finding pairs of %" PRIu32 " boxes", a->part_count);
    double start = seconds_now();
    bool fine = clash_find_candidates(a, &job->wish, 0, 1, tasks, &w->candidates, why);
    const clash_candidates *c = &w->candidates;
    if (fine)
        costs = clash_order(a, &w->candidates);
    if (costs)
        cut(w, costs);
    else if (fine)
        fine = fault_set(why, "not enough memory to order %zu pairs of parts", c->count);
    free(costs);
    job->found.counts.broad_seconds = seconds_now() - start;
    progress_end();
    w->head = clash_work_head(job);
    w->head.candidates = c->count;
    w->head.aside = c->aside;
    w->head.order = store_sum(c->list, c->count * sizeof *c->list);
    w->head.chunks = w->chunk_count;
    return fine && part_sum_rules(job->given, &w->head.rules, why);
}

void clash_work_free(clash_work *w)
{
    free(w->candidates.list);
    free(w->cuts);
    *w = (clash_work){.chunk_count = 0};
}

typedef struct run {
    const clash_work *work;
    clash_worker *workers;
    part_bytes *bodies; /* of each thread */
    uint64_t *chunks;   /* still to be done */
    part_writer file;
} run;

static void fail(run *r, const clash_worker *worker, uint32_t part, bw_result result)
{
    fault why;
    char name[2048];
    assembly_name(worker->assembly, part, name, sizeof name);
    if (worker->why)
        why = *worker->why;
    else
        fault_set(&why, "%s: %s", name, bw_result_string(result));
    part_writer_fail(&r->file, &why);
}

static void decide_chunk(run *r, uint32_t number, uint64_t chunk)
{
    clash_worker *worker = &r->workers[number];
    part_bytes *content = &r->bodies[number];
    part_frame frame = {.chunk = chunk};
    worker->counts = (clash_counts){.candidates = 0};
    content->size = 0;
    bool stopped = false;
    const size_t begin = r->work->cuts[chunk], end = r->work->cuts[chunk + 1];
    for (size_t i = begin; i < end && !stopped; i++) {
        const uint32_t a = (uint32_t)(r->work->candidates.list[i] >> 32),
                       b = (uint32_t)r->work->candidates.list[i];
        clash found;
        bw_result result = clash_decide(worker, a, b, &found);
        if (result != BW_OK)
            fail(r, worker, a, result);
        stopped = result != BW_OK || found.cut || interrupt_asked();
        if (!stopped && found.kind != CLASH_NONE) {
            clash_encode(content, &found);
            frame.records++;
            progress_found(1);
        }
        clash_free(&found);
    }
    progress_done(end - begin);
    if (stopped)
        return; /* it is done from its beginning next time */
    frame.finished = end - begin;
    frame.shallow = worker->counts.shallow;
    frame.nodes_visited = worker->counts.nodes_visited;
    frame.box_tests = worker->counts.box_tests;
    frame.primitive_tests = worker->counts.primitive_tests;
    part_writer_add(&r->file, &frame, content);
}

static void decide_chunks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    run *r = context;
    for (uint32_t i = begin; i < end && !r->file.failed && !interrupt_asked(); i++)
        decide_chunk(r, worker, r->chunks[i]);
}

static bool sound(void *user, const part_frame *frame, const part_bytes *content)
{
    clash *list = clash_decode_frame(frame, content, *(const uint32_t *)user);
    for (uint64_t i = 0; list && i < frame->records; i++)
        clash_free(&list[i]);
    free(list);
    return list != NULL;
}

static void run_chunks(clash_job *job, const clash_work *w, const bw_tasks *tasks, run *r)
{
    uint32_t count = 0;
    uint64_t pairs = 0;
    r->chunks = part_writer_missing(&r->file, &count);
    for (uint32_t i = 0; i < count; i++)
        pairs += w->cuts[r->chunks[i] + 1] - w->cuts[r->chunks[i]];
    if (count > 0) { /* between the first and the last: mostly all of them */
        const size_t first = w->cuts[r->chunks[0]], end = w->cuts[r->chunks[count - 1] + 1];
        clash_expect(&job->assembly, w->candidates.list + first, end - first);
    }
    r->workers = tool_alloc(tasks->worker_count, sizeof *r->workers);
    r->bodies = tool_alloc(tasks->worker_count, sizeof *r->bodies);
    for (uint32_t i = 0; i < tasks->worker_count; i++) {
        r->workers[i] =
            (clash_worker){.assembly = &job->assembly, .wish = &job->wish, .placed = BW_NONE, .number = i};
        r->bodies[i] = (part_bytes){NULL, 0, 0};
    }
    progress_step("shard %" PRIu32 " of %" PRIu32 ": looking at %" PRIu64 " pairs of parts",
                  w->head.shard + 1, w->head.shards, pairs);
    progress_total(pairs);
    interrupt_watch();
    tasks->parallel_for(tasks->user, decide_chunks, r, count, 1);
    interrupt_unwatch();
    progress_end();
    for (uint32_t i = 0; i < tasks->worker_count; i++) {
        clash_worker_free(&r->workers[i]);
        free(r->bodies[i].bytes);
    }
    free(r->workers);
    free(r->bodies);
    free(r->chunks);
}

bool clash_shard(clash_job *job, const bw_tasks *tasks, fault *why)
{
    const char *path = args_each(job->given, "output", 0), *store_path = job->given->names[0];
    clash_work w;
    run r = {.work = &w};
    bool fine = clash_work_find(job, tasks, &w, why) &&
                part_shard_read(job->given, &w.head.shard, &w.head.shards, why);
    if (fine) {
        fine = part_writer_open(&r.file, path, &w.head, store_path, strlen(store_path) + 1,
                                args_given(job->given, "resume"), sound, &job->assembly.part_count, why);
        if (r.file.out)
            run_chunks(job, &w, tasks, &r);
        fine = part_writer_close(&r.file, fine, why);
    }
    clash_work_free(&w);
    return fine;
}
