/* boxwood merge: the files of clash --shard put together into the report that one run would have given. */
#include "clash/shard.h"
#include "commands.h"
#include "progress.h"
#include "report/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    REPORT_OPTIONS,
    {"store", "FILE", "the part store, where it is not where the shards found it"},
    {"counts", NULL, "say how many pairs were looked at"},
    {NULL, NULL, NULL}};

typedef struct merging {
    const args *given;
    part_head head; /* of the first */
    char *store_path;
    const char **of; /* by shard: the file that has it; NULL: none yet */
    clash_job job;
} merging;

static bool same_work(const part_head *a, const part_head *b)
{
    part_head x = *a, y = *b;
    x.shard = y.shard;
    x.path_bytes = y.path_bytes;
    x.sum = y.sum;
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Which file is which shard. Everything that is wrong is said, not only the first. */
static bool list_shards(merging *m)
{
    bool fine = true, first = true;
    for (int i = 0; i < m->given->count; i++) {
        const char *file = m->given->names[i];
        part_head head;
        char *store_path = NULL;
        fault why;
        if (!part_read_head(file, &head, &store_path, &why)) {
            complain("%s: run its shard again", why.text);
            fine = false;
            continue;
        }
        if (first) {
            m->head = head;
            m->store_path = store_path;
            store_path = NULL;
            m->of = tool_alloc(head.shards, sizeof *m->of);
            memset(m->of, 0, head.shards * sizeof *m->of);
        } else if (!same_work(&m->head, &head)) {
            complain("%s: is of another store, other options or another number of shards than %s", file,
                     m->given->names[0]);
            fine = false;
        }
        if ((first || fine) && head.shard < m->head.shards) {
            if (m->of[head.shard]) {
                complain("%s and %s: both are shard %" PRIu32 " of %" PRIu32, m->of[head.shard], file,
                         head.shard + 1, head.shards);
                fine = false;
            }
            m->of[head.shard] = file;
        }
        first = false;
        free(store_path);
    }
    return fine && !first;
}

static bool name_missing(const merging *m)
{
    bool fine = true;
    for (uint32_t i = 0; i < m->head.shards; i++)
        if (!m->of[i]) {
            complain("shard %" PRIu32 " of %" PRIu32 " is missing: boxwood clash %s --shard %" PRIu32
                     "/%" PRIu32 " -o FILE, with the options of the others",
                     i + 1, m->head.shards, m->store_path, i + 1, m->head.shards);
            fine = false;
        }
    return fine;
}

static void take_frame(void *user, const part_frame *frame, clash *clashes, size_t count)
{
    clash_result *r = user;
    for (size_t i = 0; i < count; i++) {
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
}

static bool read_shards(merging *m)
{
    bool fine = true;
    progress_step("reading %" PRIu32 " shards", m->head.shards);
    progress_total(m->head.shards);
    for (uint32_t i = 0; i < m->head.shards; i++) {
        part_head head;
        char *store_path = NULL;
        bool complete = false;
        uint64_t good;
        fault broken, why;
        if (!part_read(m->of[i], m->job.assembly.part_count, &head, &store_path, &complete, &good, take_frame,
                       &m->job.found, &broken, &why)) {
            complain("%s", why.text);
            fine = false;
        } else if (!complete) {
            complain("%s: shard %" PRIu32 " of %" PRIu32 " is not whole: %s; run it again with --resume",
                     m->of[i], i + 1, m->head.shards, broken.text);
            fine = false;
        }
        free(store_path);
        progress_done(1);
    }
    progress_end();
    return fine;
}

static bool open_store(merging *m, fault *why)
{
    const char *path = args_value(m->given, "store");
    if (!assembly_open(&m->job.assembly, path ? path : m->store_path, 0, 1, why))
        return false;
    const store_tail *tail = &m->job.assembly.store->tail;
    return (tail->sum == m->head.store_sum && tail->file_bytes == m->head.store_bytes) ||
           fault_set(why, "%s: is not the store that the shards were made from", path ? path : m->store_path);
}

static bool merge(merging *m, fault *why)
{
    clash_job *job = &m->job;
    job->given = m->given;
    job->wish = (clash_wish){.clearance = m->head.clearance,
                             .tolerance = m->head.tolerance,
                             .limit = m->head.limit,
                             .contain = m->head.flags & PART_CONTAIN,
                             .all = m->head.flags & PART_ALL,
                             .measure = m->head.flags & PART_MEASURE};
    if (!open_store(m, why))
        return false;
    job->found.counts.candidates = m->head.candidates;
    job->found.counts.aside = m->head.aside;
    if (!read_shards(m))
        return fault_set(why, "not all shards are there: nothing is told of the others");
    if (job->found.counts.finished != m->head.candidates)
        return fault_set(why, "the shards together looked at %" PRIu64 " pairs of parts, not at %" PRIu64,
                         job->found.counts.finished, m->head.candidates);
    clash_result_sort(&job->found);
    return clash_job_tell(job, why);
}

static int run(const args *given)
{
    fault why;
    bool curves;
    merging m = {.given = given};
    int result = EXIT_FAULT;
    if (!report_outputs_check(given, &curves, &why) ||
        !args_count(given, "top", 1, UINT64_MAX, &m.job.top, &why))
        complain("%s", why.text);
    else if (curves)
        complain("a store is read part by part: reports that show geometry are made from files");
    else if (list_shards(&m) && name_missing(&m))
        result = clash_job_end(&m.job, merge(&m, &why), &why);
    clash_job_free(&m.job);
    free(m.store_path);
    free(m.of);
    return result;
}

const command command_merge = {
    "merge",
    "the files of clash --shard put together into one report",
    "PART... [--store FILE] [--json] [--csv] [--top N] [-o FILE]",
    "Reads what the shards of one clash wrote and tells what one run would have told, in the same\n"
    "bytes, whatever the number of shards and the order of the files. Shards that are missing, cut\n"
    "or damaged are named, every one, and nothing is told: only these must be run again. The part\n"
    "store must be there: names are in it. Reports that show geometry (.bcf, .html, .glb, .png)\n"
    "are made from files, by clash, and not from stores.",
    options,
    "examples:\n"
    "  for i in $(seq 8); do boxwood clash plant.bws --shard $i/8 -o part.$i; done\n"
    "  boxwood merge part.*\n"
    "  boxwood merge part.* --json -o clashes.csv\n"
    "\n"
    "exit codes: 0 no clashes, 1 clashes, 2 error, or not all shards are there\n",
    1,
    -1,
    run};
